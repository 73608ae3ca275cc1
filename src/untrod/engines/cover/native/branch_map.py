"""The branches of a C source as gcov has them, and how a run's counts name them.

An arc here is (source file, line, place among the branches of that line).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.reading import read_text
from untrod.engines.cover.case import Arc
from untrod.engines.cover.native.notes import Function, read_counts, read_notes

_REMEMBERED = 20_000


class NativeBranchMap:
    """Sets of arcs are ints here, a bit for each arc, as in the branch map of Python modules."""

    def __init__(self, sources: Iterable[Path], notes: Iterable[Path]) -> None:
        self.files = {source.name: str(source) for source in sources}
        self._texts = {name: _text(Path(path)) for name, path in self.files.items()}
        self._functions: dict[str, dict[int, tuple[Function, int]]] = {}  # by counts file and ident
        arcs: list[Arc] = []
        places: dict[tuple[str, int], int] = {}
        for path in notes:
            functions = self._functions.setdefault(path.with_suffix(".gcda").name, {})
            for function in read_notes(path):
                module = Path(function.source).name
                if module not in self.files:
                    continue
                functions[function.ident] = (function, len(arcs))
                for line, _ in function.branches:
                    place = places.get((module, line), 0)
                    places[module, line] = place + 1
                    arcs.append(Arc(module, line, place))
        self._width = places
        self._lines: dict[str, list[str]] = {}
        self.arcs = tuple(arcs)
        self.branches = (1 << len(arcs)) - 1
        self._bits = {arc: number for number, arc in enumerate(arcs)}
        self._known: dict[tuple[str, int, tuple[int, ...]], int] = {}
        if not arcs:
            raise UntrodError(
                f"no branches were found in {', '.join(self.files)}", "is it the source of the program?"
            )

    @property
    def total(self) -> int:
        return len(self.arcs)

    def bits(self, counts: Mapping[str, bytes]) -> int:
        """What a run has taken, from its counts. What cannot be read counts for nothing."""
        found = 0
        for file, raw in counts.items():
            functions = self._functions.get(file)
            if not functions:
                continue
            try:
                counters = read_counts(raw)
            except ValueError:
                continue  # the program has written over it
            for ident, values in counters.items():
                if ident in functions:
                    found |= self._taken(file, ident, values)
        return found

    def _taken(self, file: str, ident: int, values: tuple[int, ...]) -> int:
        key = (file, ident, values)
        found = self._known.get(key)
        if found is None:
            function, first = self._functions[file][ident]
            found = 0
            if len(values) == len(function.counted):
                for place, taken in enumerate(function.taken(values), first):
                    found |= taken << place
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            self._known[key] = found
        return found

    def named(self, bits: int) -> frozenset[Arc]:
        return frozenset(arc for number, arc in enumerate(self.arcs) if bits >> number & 1)

    def bits_of(self, arcs: Iterable[Arc]) -> int:
        return sum(1 << self._bits[arc] for arc in arcs if arc in self._bits)

    def covered(self, bits: int) -> int:
        return bits.bit_count()

    def untaken(self, bits: int) -> list[Arc]:
        """In the order of the source."""
        return sorted(arc for number, arc in enumerate(self.arcs) if not bits >> number & 1)

    def describe(self, arc: Arc) -> str:
        return f"branch {arc.end + 1} of {self._width[arc.module, arc.start]} was never taken"

    def source(self, module: str) -> str:
        return self._texts[module]

    def line(self, module: str, number: int) -> str:
        lines = self._lines.get(module)
        if lines is None:  # once: a parser has thousands of them, and of branches to be described
            lines = self._lines[module] = self.source(module).splitlines()
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def _text(path: Path) -> str:
    return read_text(path, errors="replace")
