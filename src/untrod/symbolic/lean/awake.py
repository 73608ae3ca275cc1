"""Which solvers are awake: a Z3 context takes 16 MB, and executors live as long as one of their states waits.

The longest unused ones rest when there are many of them, or Z3 holds much memory. What they knew is on the
trails of the states: they go on as before, after the 20 ms that a new context takes.
"""

from __future__ import annotations

import resource
import weakref

import z3  # type: ignore[import-untyped]

from untrod.symbolic.lean.memory import Memory

MOST = 24
SHARE, MOST_SHARE = 0.4, 0.6
"""Of the memory that the process may have: above the first, solvers rest; at the second, Z3 gives up by
itself. That must be well before the process has none left, where C++ code aborts."""
USUAL = 2 * 2**30

_awake: list[weakref.ref[Memory]] = []


def wake(memory: Memory) -> None:
    """It is about to be used."""
    others = [ref for ref in _awake if ref() is not None and ref() is not memory]
    while others and (len(others) >= MOST or _is_large()):
        oldest = others.pop(0)()
        if oldest is not None:
            oldest.rest()
    if _is_large():
        memory.rest()
    _awake[:] = [*others, weakref.ref(memory)]


def rest_all() -> None:
    for ref in _awake:
        memory = ref()
        if memory is not None:
            memory.rest()


def _is_large() -> bool:
    return int(z3.Z3_get_estimated_alloc_size()) > SHARE * _ALLOWED


def _allowed() -> int:
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return USUAL if limit == resource.RLIM_INFINITY else limit


_ALLOWED = _allowed()
z3.set_param("memory_max_size", int(MOST_SHARE * _ALLOWED) >> 20)
