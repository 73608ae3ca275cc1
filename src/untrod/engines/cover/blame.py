"""Which exceptions nobody seems to have meant.

A `raise` in the code under test says that its author thought of the case. What Python itself raises there,
an index out of range or a division by zero, is mostly a case that nobody thought of. ValueError and its like
are left alone: `int(text)` is how many programs refuse an input. An assertion that fails is always told.
"""

from __future__ import annotations

from collections.abc import Collection
from types import TracebackType

from untrod.core.interrupts import stands_at_raise
from untrod.runtime.deadline import EpisodeStopped
from untrod.runtime.guard import Refused

_SLIPS = (
    ArithmeticError,
    AttributeError,
    BufferError,
    LookupError,
    MemoryError,
    NameError,
    RecursionError,
    SystemError,
    TypeError,
)
_OF_TYPES = (AttributeError, TypeError)


def is_suspect(error: BaseException, files: Collection[str], *, guessed: bool) -> bool:
    """`files` are those of the code under test. `guessed`: argument types were guessed, so that an exception
    about types blames the guess."""
    if isinstance(error, AssertionError):
        return not (guessed and not str(error))
    if isinstance(error, EpisodeStopped | SystemExit | Refused):
        return True  # it was stopped, it wanted to end the process, or to do what the guard does not let it
    if not isinstance(error, _SLIPS) or isinstance(error, StopIteration):
        return False
    if guessed and isinstance(error, _OF_TYPES):
        return False
    inside = _innermost(error.__traceback__, files)
    return inside is not None and not stands_at_raise(inside)


def _innermost(trace: TracebackType | None, files: Collection[str]) -> TracebackType | None:
    """The last frame in the code under test."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in files:
            found = trace
        trace = trace.tb_next
    return found
