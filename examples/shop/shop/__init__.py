"""A small shop, with bugs planted in it: see README.md."""
