"""What searchers know of the program and of the campaign so far: what KLEE reads off its interpreter.

Whoever runs the loop tells `Knowledge` of every path. `Distances` says how far a branch is from the nearest
line that was not covered.
"""

from __future__ import annotations

import dis
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from types import CodeType
from typing import Protocol

from untrod.symbolic.protocol import Branch, Location, State

MOST_PATHS = 50_000
"""The ages of so many paths are remembered: the states of older ones were run or dropped long ago."""
RECENT = 1_000
"""The branch distances of so many paths are remembered."""
Line = tuple[str, int]
"""A code object's qualified name and a line of it."""


class Knowledge:
    """Coverage, visits and branch distances so far. `version` grows whenever something new was covered."""

    def __init__(self, distances: Nearness | None = None) -> None:
        self.version = 0
        self.visits: Counter[Location] = Counter()  # how often each branch was executed
        self.open: set[Line] = set()
        """Lines that were reached and have a way on that nobody took."""
        self._covered: set[Line] = set()
        # Of states that were run: generations since an ancestor covered something new.
        self._ages: dict[int, int] = {}
        self.told = 0  # paths whose branch distances are known
        self._shortfalls: deque[tuple[int, Mapping[Line, int]]] = deque(maxlen=RECENT)
        self._distances = distances

    def tell(self, state: State, branches: Sequence[Branch], lines: Iterable[Line]) -> int:
        """`state` was run: the branches that it met and the lines that a concrete run covered. How many of
        these are new?"""
        self.visits.update(branch.location for branch in branches)
        new = set(lines) - self._covered
        self._covered |= new
        self._ages[state.id] = 0 if new else self.age(state) + 1
        if len(self._ages) > MOST_PATHS:
            del self._ages[next(iter(self._ages))]
        self.version += bool(new)
        return len(new)

    def tell_shortfalls(self, state: State, found: Mapping[Line, int]) -> None:
        """The branch distances of the path of `state` from the ways that nobody took at these lines."""
        if found:
            self._shortfalls.append((state.id, dict(found)))
            self.told += 1

    def since(self, told: int) -> list[tuple[int, Mapping[Line, int]]]:
        """What was told after the first `told` times: the number of each path's state, and the shortfalls."""
        new = min(self.told - told, len(self._shortfalls))
        return list(self._shortfalls)[len(self._shortfalls) - new :]

    def age(self, state: State) -> int:
        """How many generations ago did the paths that led to `state` last cover something new?"""
        return self._ages.get(state.parent, 0) if state.parent is not None else 0

    def distance(self, state: State) -> int | None:
        """Lines from `state` to the nearest line that nobody has covered; None if none is known."""
        if self._distances is None or state.location is None:
            return None
        return self._distances.to_uncovered(state.location, self._covered, self.version)


class Nearness(Protocol):
    """How far a branch is from the nearest line that is not in `covered`, in lines; None: none is reachable.

    `version` must change with `covered`: distances are worked out once for each.
    """

    def to_uncovered(self, location: Location, covered: set[Line], version: int) -> int | None: ...


class Distances:
    """`Nearness` for these code objects and those nested in them, line by line along their bytecode.

    Within one function: a call counts for nothing, whatever it calls, and handlers of exceptions are reached
    from nowhere. Where a function has nothing left to cover, the answer is None and not its callers'
    distance, which a state's location cannot tell.
    """

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
    edges: dict[int, set[int]] = {number: set() for number in lines.values()}
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
