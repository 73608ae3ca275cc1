"""Symbolic execution of C programs: what rounds (`cover.paths.rounds`) need to know of these."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from untrod.engines.cover.arms import SharedSession
from untrod.engines.cover.case import Arc, Input
from untrod.engines.cover.native.inputs import as_input, as_values
from untrod.engines.cover.native.target import NativeTarget
from untrod.engines.cover.paths.frontier import Walker
from untrod.engines.cover.paths.rounds import SymbolicSession
from untrod.learn.pruning import Pruning
from untrod.symbolic.native.decode import load_triton
from untrod.symbolic.native.executor import NativeExecutor
from untrod.symbolic.native.fields import Values
from untrod.symbolic.protocol import Branch, Location
from untrod.symbolic.searchers.knowledge import Line

if TYPE_CHECKING:
    from untrod.engines.cover.search import Exploration

_LARGEST = 1 << 16


class NativeTemplate:
    """Every input of a program has the same holes: all of its bytes."""

    is_empty = False

    def __init__(self, values: Values, target: NativeTarget) -> None:
        self.values = values
        self.entry = target.entry
        self._target = target

    def input(self, values: Values) -> Input:
        return as_input(values, self._target)


def native_atom(branch: Branch, side: bool, template: NativeTemplate) -> str:
    """`arg1[0] == 0x2d`; where more than one byte decides, the place and the side."""
    found: str | None = branch.condition.atom(side)  # type: ignore[attr-defined]
    return found or f"{branch.location.unit}+{branch.location.line:#x} {'yes' if side else 'no'}"


class NoProof:
    """That all paths were walked says little where inputs have bounded sizes."""

    is_complete = False

    def record(self, result: Any) -> None: ...

    def break_off(self) -> None: ...


class NativeExecutors:
    """There is one executor: every input has the same fields."""

    def __init__(self, executor: NativeExecutor, target: NativeTarget) -> None:
        self._target = target
        self._walker = Walker(NativeTemplate(executor.fields.blank(), target), executor)

    def for_input(self, given: Input) -> tuple[Walker, NativeTemplate] | None:
        values = as_values(given, self._target.fields)
        return None if values is None else (self._walker, NativeTemplate(values, self._target))

    def proof(self, template: NativeTemplate) -> NoProof:
        return NoProof()


class SharedNativeSession(SharedSession):
    def __init__(
        self, pruning: Pruning, seconds: float, executor: NativeExecutor, target: NativeTarget
    ) -> None:
        super().__init__(pruning, seconds, "both")
        self._executor = executor
        self._target = target

    def _make(self, exploration: Exploration) -> SymbolicSession:
        executors = NativeExecutors(self._executor, self._target)
        return SymbolicSession(executors, Blocks(self._executor), self.pruning, self._seconds, native_atom)


class Blocks:
    """The lines of a program are the blocks of its machine code: function, and distance from its start."""

    def __init__(self, executor: NativeExecutor) -> None:
        self._executor = executor
        self.distances = BlockDistances(executor)

    def of(self, taken: Any) -> set[Line]:
        """Those that the last walk went through."""
        walk = self._executor.last
        return {self._executor.image.function(pc) for pc in walk.blocks} if walk is not None else set()

    def starting(self, arcs: Iterable[Arc]) -> set[Line]:
        """Which block a line of the source became is not known."""
        return set()


class BlockDistances:
    """How many blocks lie between a branch and the nearest one that was never executed, in its function."""

    def __init__(self, executor: NativeExecutor) -> None:
        self._image = executor.image
        self._triton = load_triton()
        self._context = self._triton.TritonContext(self._triton.ARCH.X86_64)
        self._graphs: dict[str, tuple[list[int], dict[int, set[int]]]] = {}
        self._known: dict[str, tuple[int, dict[int, int]]] = {}
        self._places = {name: (start, size) for start, size, name in self._image.functions}

    def to_uncovered(self, location: Location, covered: Collection[Line], version: int) -> int | None:
        unit = location.unit
        if unit not in self._places:
            return None
        if unit not in self._graphs:
            self._graphs[unit] = self._graph(unit)
        starts, before = self._graphs[unit]
        if self._known.get(unit, (-1, {}))[0] != version:
            self._known[unit] = (version, _search(unit, starts, before, covered))
        block = max((start for start in starts if start <= location.line), default=None)
        return self._known[unit][1].get(block) if block is not None else None

    def _graph(self, unit: str) -> tuple[list[int], dict[int, set[int]]]:
        """Where blocks start, and from which blocks each is one step away."""
        start, size = self._places[unit]
        code = self._code(start, min(size, _LARGEST))
        leaders, steps, at = {0}, [], 0
        while at < len(code):
            instruction = self._triton.Instruction(start + at, code[at : at + 15])
            try:
                self._context.disassembly(instruction)
            except Exception:  # data among code
                break
            following = at + instruction.getSize()
            name = instruction.getDisassembly().split()[0]
            if name[0] == "j" or name in ("call", "ret", "syscall"):
                target = _target(instruction, start) if name[0] == "j" else None
                beyond = following if name not in ("jmp", "ret") else None
                steps.append((at, [target] if target is not None else [], beyond))
                leaders.add(following)
                if target is not None:
                    leaders.add(target)
            at = following
        starts = sorted(leader for leader in leaders if 0 <= leader < len(code))
        before: dict[int, set[int]] = {leader: set() for leader in starts}
        ends = {max(s for s in starts if s <= at): (ways, falls) for at, ways, falls in steps}
        for place, leader in enumerate(starts):
            after = starts[place + 1] if place + 1 < len(starts) else None
            ways, falls = ends.get(leader, ([], after))
            for way in (*ways, falls):
                if way in before:
                    before[way].add(leader)
        return starts, before

    def _code(self, start: int, size: int) -> bytes:
        for segment in self._image.segments:
            if segment.address <= start < segment.address + len(segment.data):
                return segment.data[start - segment.address :][:size]
        return b""


def _target(instruction: Any, start: int) -> int | None:
    operand = instruction.getOperands()[0]
    value = getattr(operand, "getValue", None)
    return value() - start if value is not None else None


def _search(
    unit: str, starts: list[int], before: dict[int, set[int]], covered: Collection[Line]
) -> dict[int, int]:
    found = {start: 0 for start in starts if (unit, start) not in covered}
    queue = deque(found)
    while queue:
        block = queue.popleft()
        for earlier in before[block]:
            if earlier not in found:
                found[earlier] = found[block] + 1
                queue.append(earlier)
    return found
