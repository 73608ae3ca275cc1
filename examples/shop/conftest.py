"""Lets the tests find the shop without installing it."""
