"""The lean engine: Z3 behind proxies for int, bool and str, and nothing else.

A path is an ordinary run of the function with proxies for arguments. What they compute are *terms*
(terms.py); what the code asks of them (`if x < y`, `range(x)`) reaches the `PathRun` (run.py), which lets the
policy choose a side and the solver (solver.py) say whether there is one. executor.py is the door.

    ints.py, bools.py, strings.py    the proxies (methods of text: characters, searching)
    terms.py, folding.py             what they compute, built with the obvious simplifications
    translate.py, session.py         the same for Z3, asserted incrementally
    solver.py, solver_pool.py        questions about paths; which executors have a Z3 context
    candidate.py                     one concrete input, kept along the path: most questions need no solver
    run.py, executor.py              one path; one function
    memory.py, meter.py              what is kept between paths; what one path costs
    rewriting.py, helpers.py         `c in "abc"`, `",".join(...)`, `ord(c)`: where Python asks no proxy
"""
