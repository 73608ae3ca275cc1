"""Is an exception worth a maintainer's attention?

fitting      does a value have the type that somebody wrote down?
contracts    what a function's docstring, its asserts and its class say of how it wants to be called
callers      how the project itself calls it: kinds of arguments, exceptions that are handled
raised_at    which expression raised, and whether it was done to a value that the caller gave
judging      all of it together: a level, and the reason to believe it
oracles      what a result must hold although nothing was raised
"""
