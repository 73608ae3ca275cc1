"""Ways to hunt for the costliest input. One file, one class; `catalogue.py` knows them by name."""
