"""Where in the user's code a decision stands, and whether the user's code asked for it.

Every decision is raised somewhere deep inside CrossHair. The nearest frame of the user's files is its origin.
It is a branch *of the user's code* in three cases: the interpreter stands at a conditional jump there; or at
the next step of a loop, and the question is whether there is one; or nothing but the truth-value protocol
lies between, as in `max(x, y)`.
Everything else, such as the six questions behind one `s.isdigit()`, is CrossHair's own modelling.
"""

from __future__ import annotations

import dis
from bisect import bisect_right
from collections.abc import Callable, Collection
from inspect import unwrap
from types import CodeType, FrameType
from typing import Any, NamedTuple

from untrod.symbolic.offsets import stable_offset
from untrod.symbolic.protocol import Location

_TRUTH = frozenset(
    {"__bool__", "__ch_realize__", "realize"}
)  # SymbolicBool.__bool__ and what it goes through
_STEP = _TRUTH | {"__iter__", "__next__", "__getitem__", "smt_fork"}


class Origin(NamedTuple):
    location: Location
    is_branch: bool  # of the user's code


class OriginFinder:
    """Finds the origin of a decision from the stack of frames; remembers what it has worked out."""

    def __init__(self, function: Callable[..., Any], files: Collection[str] | None = None) -> None:
        code = code_of(function)
        own = code.co_filename if code is not None else ""
        self._files = frozenset(files) if files is not None else frozenset({own})
        self._unit = code.co_qualname if code is not None else getattr(function, "__qualname__", "")
        self._line = code.co_firstlineno if code is not None else 0
        # By identity, since hashing a code object hashes all its constants; the value keeps the object alive.
        self._seen: dict[tuple[int, int], tuple[CodeType, Location, str]] = {}

    def current(self, asker: FrameType) -> Origin | None:
        """Of the decision that `asker`, a frame of CrossHair's, is waiting for; None outside of the user's
        code."""
        frame = asker
        truth = step = True
        while frame.f_code.co_filename not in self._files:
            truth = truth and frame.f_code.co_name in _TRUTH
            step = step and frame.f_code.co_name in _STEP
            if frame.f_back is None:
                return None
            frame = frame.f_back
        code, offset = frame.f_code, frame.f_lasti
        known = self._seen.get((id(code), offset))
        if known is None:
            known = self._seen[id(code), offset] = (code, *_describe(code, offset))
        _, location, instruction = known
        jumps = instruction.startswith(("POP_JUMP", "JUMP_IF")) or (step and instruction == "FOR_ITER")
        return Origin(location, truth or jumps)

    def argument(self, number: int) -> Origin:
        """The origin of decisions taken while argument `number` is made, before the first bytecode."""
        return Origin(Location(self._unit, self._line, -1 - number), False)


def code_of(function: Callable[..., Any]) -> CodeType | None:
    """The code behind decorators, methods, classes and callable objects; None for what is written in C."""
    function = unwrap(function)
    function = getattr(function, "func", function)  # functools.partial
    if isinstance(function, type):
        function = function.__init__  # type: ignore[misc]
    for candidate in (
        function,
        getattr(function, "__func__", None),
        vars(type(function)).get("__call__"),
    ):
        code = getattr(candidate, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None


def _describe(code: CodeType, offset: int) -> tuple[Location, str]:
    """The instruction that is being executed. Under CrossHair's tracer, a frame may also stand in the cache
    behind it, where no instruction is."""
    instructions = list(dis.get_instructions(code))
    at = bisect_right([instruction.offset for instruction in instructions], offset) - 1
    found = instructions[at]
    line = found.positions.lineno if found.positions is not None else None
    offset = stable_offset(code, found.offset)
    location = Location(code.co_qualname, line or code.co_firstlineno, offset)
    return location, found.opname
