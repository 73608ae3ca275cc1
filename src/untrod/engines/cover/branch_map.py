"""All the arcs that count, how lines and bits name them, and which of them a run takes.

What a branch is, coverage.py says: a line with several ways on. Its analysis of the source is used through
the methods that it documents for file reporters, so that what is claimed here is what `coverage report`
shows when the tests are run. Besides the branches there is an *entrance* for every function, the arc from
minus its first line to that line: a function without a branch wants a test, too.

The events of `Tracer` are those of coverage.py's own tracer, and so are its arcs: (line, next line), with
minus the function's first line on entering and on leaving. A test compares the two. Ours is here because an
engine needs the arcs of each single run, thousands of times a second, and nothing of the rest.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Mapping
from inspect import CO_OPTIMIZED
from sys import gettrace, settrace
from types import CodeType, FrameType
from typing import Any

from untrod.core.errors import UntrodError
from untrod.engines.cover.case import Arc

_RESUME = dis.opmap["RESUME"]
LineArc = tuple[int, int]
_NOTHING = -1


class BranchMap:
    """Of the modules `files`: name and source file. Sets of arcs are ints here, a bit for each arc."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(files)
        self._reporters = {module: _reporter(path) for module, path in self.files.items()}
        arcs: list[Arc] = []
        entrances: list[Arc] = []
        for module, reporter in self._reporters.items():
            arcs += sorted(Arc(module, *arc) for arc in _branch_arcs(reporter))
            entrances += sorted(Arc(module, -line, line) for line in _functions(reporter))
        self.arcs: tuple[Arc, ...] = (*arcs, *entrances)
        self.branches = (1 << len(arcs)) - 1
        """The bits of the branches; all others are entrances."""
        self._bits = {arc: number for number, arc in enumerate(self.arcs)}
        self._numbers: dict[str, dict[LineArc, int]] = {module: {} for module in self.files}
        self._lines: dict[str, list[str]] = {}

    @property
    def total(self) -> int:
        """How many branches there are."""
        return self.branches.bit_count()

    def bits(self, taken: Mapping[str, Iterable[LineArc]]) -> int:
        """What a tracer saw, by source file."""
        found = 0
        for module, path in self.files.items():
            numbers = self._numbers[module]
            for arc in taken.get(path, ()):
                number = numbers.get(arc)
                if number is None:
                    number = numbers[arc] = self._number(module, arc)
                if number >= 0:
                    found |= 1 << number
        return found

    def named(self, bits: int) -> frozenset[Arc]:
        return frozenset(self.arcs[number] for number in _ones(bits))

    def entrance(self, code: CodeType) -> int:
        """The arc that entering this code takes; none where it is of no module here."""
        line = code.co_firstlineno
        modules = (module for module, path in self.files.items() if path == code.co_filename)
        return self.bits_of(frozenset(Arc(module, -line, line) for module in modules))

    def bits_of(self, arcs: Iterable[Arc]) -> int:
        """Arcs that are not in the map are passed over: the source may have changed."""
        found = 0
        for arc in arcs:
            if arc in self._bits:
                found |= 1 << self._bits[arc]
        return found

    def covered(self, bits: int) -> int:
        """How many branches these are."""
        return (bits & self.branches).bit_count()

    def untaken(self, bits: int) -> list[Arc]:
        """The branches that are not among these, in the order of the source."""
        return [self.arcs[number] for number in _ones(self.branches & ~bits)]

    def describe(self, arc: Arc) -> str:
        """In coverage.py's words: `the condition on line 3 was never true`."""
        return str(self._reporters[arc.module].missing_arc_description(arc.start, arc.end))

    def source(self, module: str) -> str:
        return str(self._reporters[module].source())

    def line(self, module: str, number: int) -> str:
        lines = self._lines.get(module)
        if lines is None:
            lines = self._lines[module] = self.source(module).splitlines()
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def _number(self, module: str, arc: LineArc) -> int:
        if arc[0] < 0:
            return self._bits.get(Arc(module, arc[0], -arc[0]), _NOTHING)
        for start, end in self._reporters[module].translate_arcs([arc]):
            return self._bits.get(Arc(module, start, end), _NOTHING)
        return _NOTHING


class Tracer:
    """`with tracer:` fills `arcs`, by file. `files` are the `co_filename`s that count.

    Code that sets a trace function of its own, or runs threads, is seen only in part, as by coverage.py: then
    a stand-in for `sys.settrace` has to take its place (`outside/answers.py`). `displaced`: at the end there
    was another trace function.
    """

    def __init__(self, files: Iterable[str]) -> None:
        self.arcs: dict[str, set[LineArc]] = {file: set() for file in files}
        self._codes: dict[CodeType, bytes] = {}
        self._before: Callable[..., Any] | None = None
        self._own = self._enter
        self.displaced = False

    def __enter__(self) -> None:
        for arcs in self.arcs.values():
            arcs.clear()
        self._before = gettrace()
        settrace(self._own)

    def __exit__(self, *exception: object) -> None:
        self.displaced = gettrace() is not self._own
        settrace(self._before)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        found = self.arcs.get(code.co_filename)
        if found is None:
            return None
        bytecode = self._codes.get(code)
        if bytecode is None:
            bytecode = self._codes[code] = code.co_code  # a copy at each access
        first = -code.co_firstlineno
        resumed = bytecode[frame.f_lasti] == _RESUME and bytecode[frame.f_lasti + 1]
        last = frame.f_lineno if resumed else first
        add = found.add

        def local(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
            nonlocal last
            if event == "line":
                line = frame.f_lineno
                add((last, line))
                last = line
            elif event == "return":
                after = frame.f_lasti + 2
                if after >= len(bytecode) or bytecode[after] != _RESUME:  # else it is a yield
                    add((last, first))
            return local

        return local


def _reporter(path: str) -> Any:
    import coverage
    from coverage.exceptions import CoverageException
    from coverage.python import PythonFileReporter

    settings = coverage.Coverage(data_file=None, branch=True, config_file=False)
    try:
        reporter = PythonFileReporter(path, settings)
        reporter.arcs()
    except CoverageException as error:
        raise UntrodError(f"the source of {path} cannot be read: {error}", "name a Python module") from error
    return reporter


def _branch_arcs(reporter: Any) -> set[LineArc]:
    several = {line for line, ways in reporter.exit_counts().items() if ways > 1}
    several -= reporter.no_branch_lines()
    hidden = reporter.excluded_lines()
    return {(start, end) for start, end in reporter.arcs() if start in several and end not in hidden}


def _functions(reporter: Any) -> set[int]:
    """The first lines of all functions, as their code objects have them."""
    found, todo = set(), [compile(reporter.source(), reporter.filename, "exec", dont_inherit=True)]
    while todo:
        code = todo.pop()
        todo += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        if code.co_flags & CO_OPTIMIZED and not code.co_name.startswith("<"):
            found.add(code.co_firstlineno)
    return found


def _ones(bits: int) -> Iterable[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
