"""Which executors have a Z3 context. One takes 16 MB, and an executor lives as long as one of its states.

Those unused for longest release theirs when there are many, or when Z3 holds much memory. What they knew is
on the trails of the states: they go on as before, after the 20 ms that a new context takes.
"""

from __future__ import annotations

import resource
import weakref

import z3  # type: ignore[import-untyped]

from untrod.symbolic.lean.memory import Memory

MOST = 24
SHARE, MOST_SHARE = 0.4, 0.6
"""Of the memory that the process may have: above the first, contexts are released; at the second, Z3 gives
up by itself.
That must be well before the process has none left, where C++ code aborts."""
USUAL = 2 * 2**30

_in_use: list[weakref.ref[Memory]] = []


def use(memory: Memory) -> None:
    """The solver of `memory` is about to be used."""
    others = [ref for ref in _in_use if ref() is not None and ref() is not memory]
    while others and (len(others) >= MOST or _is_large()):
        oldest = others.pop(0)()
        if oldest is not None:
            oldest.release()
    if _is_large():
        memory.release()
    _in_use[:] = [*others, weakref.ref(memory)]


def release_all() -> None:
    for ref in _in_use:
        memory = ref()
        if memory is not None:
            memory.release()


def _is_large() -> bool:
    return int(z3.Z3_get_estimated_alloc_size()) > SHARE * _ALLOWED


def _allowed() -> int:
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return USUAL if limit == resource.RLIM_INFINITY else limit


_ALLOWED = _allowed()
z3.set_param("memory_max_size", int(MOST_SHARE * _ALLOWED) >> 20)
