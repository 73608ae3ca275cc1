"""Walkers: policies for walks (`walk.py`). Those without a network are what a trained one has to beat."""
