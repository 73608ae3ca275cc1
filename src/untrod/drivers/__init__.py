"""Drivers: how an engine sees and operates an application, behind one protocol (`protocol.py`).

`web` is a browser, `model` a recorded screen graph that behaves like an application, `recording` builds such
a graph while any other driver is in use, `graph`, `graph_reader` and `graph_writer` are the graph and its
JSON form, `labels` says what formulas can speak about.
"""
