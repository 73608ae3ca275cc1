"""CrossHair behind the protocol of executors: str, dict, list, dataclasses, Optional, Union, enums, floats.

CrossHair is two things: a library of symbolic stand-ins for Python's types, with the opcode tracer that
makes builtins accept them, and a search that decides which path comes next. Only the first is used here.
Each path gets a fresh search tree and a `DecidingSpace` (space.py), which takes every decision itself and
writes it down. So a path is a list of decisions, any prefix of one can be run again, and the search lies
outside, in our own policies, searchers and pruners.

Against CrossHair's own loop this saves most of the solver's work: only the wanted side of a branch is
solved, and the arguments are read from one model at the end.

    condition.py   the condition of a branch
    origins.py     where in the user's code a decision stands, and whether the user's code asked for it
    decisions.py   the decisions of one path: repeated, or asked of the policy, and written down
    meter.py       the solver, and what it cost
    space.py       what CrossHair asks, brought to the decisions
    arguments.py   the symbolic arguments, from the annotations
    path.py        runs the function once and says how it ended
    executor.py    the protocol: states in, path results out; is the one CrossHair installed that we know?

All that is used of CrossHair is internal API: tests/symbolic/test_crosshair_contract.py has a test for each
hook. Only space.py, arguments.py and path.py import it, only after `executor.require`.
"""
