"""Symbolic execution for `cover`: from an input that was run to those that leave its path.

A `Template` is an input with holes: its ints, bools and texts become symbolic, everything around them stays.
An executor (`symbolic`) walks the template's paths. What a path leaves aside are states: they wait in the
`Frontier`, unchecked, until a searcher picks them or a pruning drops them. `rounds.py` has the rounds of
HOMI, `python.py` what these need to know of Python modules (`native/paths.py`: of C programs).
"""
