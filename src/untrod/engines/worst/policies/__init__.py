"""Ways to search for the costliest input; `catalogue.py` knows them by name. `pyse.py` is the paper's."""
