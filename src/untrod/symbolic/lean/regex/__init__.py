"""Regular expressions on symbolic text: C code sees no str in a proxy, so they are matched here.

`matcher` walks a pattern as `re` parses it, `match` is what it finds, `calls` are the methods of a pattern.
"""
