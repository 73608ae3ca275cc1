"""Values from types, as source trees: drawn by chance, or changed a little.

`hints.py` reads a type and makes a `Kind` of it; a kind draws and mutates (`kinds.py`, `containers.py`,
`objects.py`). `guess.py` says what an unannotated parameter may be. `words.py` has the constants of the code
under test, `regexes.py` texts that its regular expressions match: what chance alone would never hit upon.
"""
