"""Values from types, as source trees: drawn at random, or changed a little.

`hints.py` reads a type and makes a `Kind` of it; a kind draws and mutates (`kinds.py`, `containers.py`,
`objects.py`). `guess.py` says what an unannotated parameter may be. `words.py` has the constants of the code
under test, `matching.py` texts that its regular expressions match: what random draws would never hit upon.
"""
