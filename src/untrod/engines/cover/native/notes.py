"""gcc's notes (.gcno) and counts (.gcda): which branches a run has taken, without running gcov each time.

gcc counts some of the arcs of a function's flow graph, and the others follow: what flows into a block flows
out of it. How they follow is worked out once for each function. What a branch is, and its place among those
of its line, is as `gcov --json-format` says; tests compare the two.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from untrod.core.errors import UntrodError

_NOTES, _COUNTS = 0x67636E6F, 0x67636461
_FUNCTION, _BLOCKS, _ARCS, _LINES, _COUNTERS = 0x01000000, 0x01410000, 0x01430000, 0x01450000, 0x01A10000
_ON_TREE, _FAKE = 1, 2
_OLDEST, _BYTES_SINCE = 9, 12
_HINT = "build it with gcc 9 or later and --coverage"


@dataclass(frozen=True, slots=True)
class Function:
    """`steps`: (arc, plus, minus), in an order in which each arc can be computed from those before."""

    ident: int
    name: str
    source: str
    counted: tuple[int, ...]
    arcs: int
    steps: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]
    branches: tuple[tuple[int, int], ...]
    """(line, arc), in gcov's order."""

    def taken(self, counts: tuple[int, ...]) -> list[bool]:
        """For each of `branches`."""
        flow = [0] * self.arcs
        for arc, count in zip(self.counted, counts, strict=True):
            flow[arc] = count
        for arc, plus, minus in self.steps:
            flow[arc] = sum(flow[other] for other in plus) - sum(flow[other] for other in minus)
        return [flow[arc] > 0 for _, arc in self.branches]


def read_notes(path: Path) -> list[Function]:
    """Raises UntrodError for a file that is not, or not a gcc's that is known."""
    try:
        reader = _Reader(path.read_bytes(), _NOTES)
        reader.word()  # a checksum
        reader.text()  # the folder it was compiled in
        reader.word()
        return list(_functions(reader))
    except (OSError, struct.error, ValueError, LookupError) as error:
        raise UntrodError(f"the coverage notes {path.name} cannot be read: {error}", _HINT) from error


def read_counts(raw: bytes) -> dict[int, tuple[int, ...]]:
    """The counters of each function, by its ident. Raises ValueError."""
    try:
        reader = _Reader(raw, _COUNTS)
        reader.word()
        found: dict[int, tuple[int, ...]] = {}
        ident = 0
        for tag, length, end in reader.records():
            if tag == _FUNCTION and length:
                ident = reader.word()
            elif tag == _COUNTERS:
                size = -length if length < 0 else length
                size //= 8 if reader.in_bytes else 2
                found[ident] = (0,) * size if length < 0 else reader.counters(size)
            reader.at = end if length > 0 else reader.at
        return found
    except (struct.error, LookupError) as error:
        raise ValueError(f"damaged coverage counts: {error}") from error


class _Reader:
    def __init__(self, raw: bytes, magic: int) -> None:
        self.raw = raw
        self.at = 0
        found, version = self.word(), self.word()
        letter, digit = version >> 24, version >> 16 & 255
        major = (letter - ord("A")) * 10 + digit - ord("0")
        if found != magic:
            raise ValueError("it is not gcc's")
        if major < _OLDEST:
            raise ValueError(f"it is of gcc {major}")
        self.in_bytes = major >= _BYTES_SINCE
        self.word()  # a stamp

    def word(self) -> int:
        (value,) = struct.unpack_from("<I", self.raw, self.at)
        self.at += 4
        return int(value)

    def text(self) -> str:
        length = self.word() * (1 if self.in_bytes else 4)
        text = self.raw[self.at : self.at + length].rstrip(b"\0").decode()
        self.at += length
        return text

    def counters(self, size: int) -> tuple[int, ...]:
        return struct.unpack_from(f"<{size}Q", self.raw, self.at)

    def records(self) -> Iterator[tuple[int, int, int]]:
        """Tag, length and end of each; a negative length stands for so many zeros."""
        while self.at + 8 <= len(self.raw):
            tag, length = self.word(), self.word()
            if not tag:
                return
            signed = length - (1 << 32) if length >> 31 else length
            yield tag, signed, self.at + max(0, signed) * (1 if self.in_bytes else 4)


@dataclass(slots=True)
class _Graph:
    ident: int
    name: str
    source: str
    blocks: int = 0
    arcs: list[tuple[int, int, int]] = field(default_factory=list)  # from, to, flags
    lines: dict[int, tuple[str, int]] = field(default_factory=dict)  # of a block: file and line


def _functions(reader: _Reader) -> Iterator[Function]:
    graph: _Graph | None = None
    for tag, _, end in reader.records():
        if tag == _FUNCTION:
            if graph is not None:
                yield _solved(graph)
            ident = reader.word()
            reader.word()
            reader.word()
            name = reader.text()
            reader.word()  # is it artificial?
            graph = _Graph(ident, name, reader.text())
        elif graph is None:
            pass
        elif tag == _BLOCKS:
            graph.blocks = reader.word()
        elif tag == _ARCS:
            start = reader.word()
            while reader.at < end:
                graph.arcs.append((start, reader.word(), reader.word()))
        elif tag == _LINES:
            _read_lines(reader, graph)
        reader.at = end
    if graph is not None:
        yield _solved(graph)


def _read_lines(reader: _Reader, graph: _Graph) -> None:
    """Of the lines that a block has in its last file, gcov takes the highest."""
    block, file = reader.word(), ""
    while True:
        line = reader.word()
        if line:
            before = graph.lines.get(block, ("", 0))
            graph.lines[block] = (file, max(line, before[1]) if before[0] == file else line)
            continue
        file = reader.text()
        if not file:
            return


def _solved(graph: _Graph) -> Function:
    leaving: list[list[int]] = [[] for _ in range(graph.blocks)]
    entering: list[list[int]] = [[] for _ in range(graph.blocks)]
    for number, (start, end, _) in enumerate(graph.arcs):
        leaving[start].append(number)
        entering[end].append(number)
    counted = [number for number, (_, _, flags) in enumerate(graph.arcs) if not flags & _ON_TREE]
    branches: list[tuple[int, int]] = []
    for block in range(1, graph.blocks - 1):
        ways = sorted(leaving[block], key=lambda number: graph.arcs[number][1])
        real = [number for number in ways if not graph.arcs[number][2] & _FAKE]
        file, line = graph.lines.get(block, ("", 0))
        if len(real) > 1 and file == graph.source:
            branches += [(line, number) for number in real]
    steps = _steps(leaving, entering, set(counted), len(graph.arcs))
    return Function(
        graph.ident, graph.name, graph.source, tuple(counted), len(graph.arcs), tuple(steps), tuple(branches)
    )


def _steps(
    leaving: list[list[int]], entering: list[list[int]], known: set[int], arcs: int
) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """The first block has no way in that is an arc, the second no way out."""
    steps = []
    grown = True
    while grown and len(known) < arcs:
        grown = False
        for block in range(2, len(leaving)):
            for these, those in ((leaving[block], entering[block]), (entering[block], leaving[block])):
                missing = [number for number in these if number not in known]
                if len(missing) == 1 and all(number in known for number in those):
                    others = tuple(number for number in these if number != missing[0])
                    steps.append((missing[0], tuple(those), others))
                    known.add(missing[0])
                    grown = True
    if len(known) < arcs:
        raise ValueError("a flow graph that cannot be solved")
    return steps
