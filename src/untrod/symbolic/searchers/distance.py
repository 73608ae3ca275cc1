"""How far is it from a place in the code to the nearest line that was not covered?

Within one function, line by line along its bytecode: a call counts for nothing, whatever it calls, and
handlers of exceptions are reached from nowhere. Where a function has nothing left to cover, the answer is
None and not its callers' distance, which a state's location cannot tell.
"""

from __future__ import annotations

import dis
from collections import deque
from collections.abc import Iterable
from types import CodeType
from typing import Protocol

from untrod.symbolic.protocol import Location

Line = tuple[str, int]
"""A code object's qualified name and a line of it."""


class Nearness(Protocol):
    """`version` must change with `covered`: distances are worked out once for each."""

    def to_uncovered(self, location: Location, covered: set[Line], version: int) -> int | None: ...


class Distances:
    """Over these code objects and those nested in them."""

    def __init__(self, codes: Iterable[CodeType]) -> None:
        self._graphs: dict[str, dict[int, set[int]]] = {}  # unit: line: lines from which it is one step away
        self._known: dict[str, tuple[int, dict[int, int]]] = {}  # unit: version, distances
        todo = list(codes)
        while todo:
            code = todo.pop()
            self._graphs[code.co_qualname] = _backward_edges(code)
            todo.extend(constant for constant in code.co_consts if isinstance(constant, CodeType))

    def lines(self) -> set[Line]:
        """All there are."""
        return {(unit, line) for unit, graph in self._graphs.items() for line in graph}

    def to_uncovered(self, location: Location, covered: set[Line], version: int) -> int | None:
        """`version` must change with `covered`: distances are worked out once for each."""
        unit = location.unit
        if unit not in self._graphs:
            return None
        if self._known.get(unit, (-1, {}))[0] != version:
            self._known[unit] = (version, self._search(unit, covered))
        return self._known[unit][1].get(location.line)

    def _search(self, unit: str, covered: set[Line]) -> dict[int, int]:
        """Breadth first, backwards from the uncovered lines."""
        graph = self._graphs[unit]
        found = {line: 0 for line in graph if (unit, line) not in covered}
        queue = deque(found)
        while queue:
            line = queue.popleft()
            for before in graph[line]:
                if before not in found:
                    found[before] = found[line] + 1
                    queue.append(before)
        return found


def _backward_edges(code: CodeType) -> dict[int, set[int]]:
    """By line: those from which execution can come here in one step."""
    instructions = list(dis.get_instructions(code))
    lines: dict[int, int] = {}
    line = code.co_firstlineno
    for instruction in instructions:
        line = instruction.positions.lineno or line if instruction.positions else line
        lines[instruction.offset] = line
    edges: dict[int, set[int]] = {place: set() for place in lines.values()}
    for number, instruction in enumerate(instructions):
        here = lines[instruction.offset]
        targets = []
        if instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs:
            targets.append(instruction.argval)
        if instruction.opname not in _NO_NEXT and number + 1 < len(instructions):
            targets.append(instructions[number + 1].offset)
        for target in targets:
            if lines.get(target, here) != here:
                edges[lines[target]].add(here)
    return edges


_NO_NEXT = frozenset(
    {
        "RETURN_VALUE",
        "RAISE_VARARGS",
        "RERAISE",
        "JUMP_FORWARD",
        "JUMP_BACKWARD",
        "JUMP_BACKWARD_NO_INTERRUPT",
    }
)
