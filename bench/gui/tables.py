"""Results as the tables of docs/benchmarks/gui.md: `python -m bench.gui.tables bench/results/gui-*.json`.

Several files are put together; where two say the same, the later one counts. A figure is the median of the
steps; behind it, in parentheses, with how many of the seeds nothing was found, where that happened.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.gui.apps import APPS

LEVELS = "abc"
ENGINES = ("planner", "farlead", "random", "monkey", "qbe")
PAPER = {"random": "6", "monkey": "3", "qbe": "4", "farlead a": "7", "farlead b": "9", "farlead c": "9"}
"""Table 4: how many of the nine specifications were satisfied at least once."""


class Results:
    """Rows by subject, contender and metric."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._rows: dict[tuple[str, str, str], dict[str, Any]] = {}
        self.bars: dict[str, dict[str, Any]] = {}
        for path in paths:
            body = json.loads(path.read_text())
            self._rows |= {(row["subject"], row["contender"], row["metric"]): row for row in body["rows"]}
            self.bars |= {bar["name"]: bar for bar in body["bars"]}

    def seeds(self, subject: str, contender: str) -> int:
        return int(self._rows.get((subject, contender, "steps"), {"n": 0})["n"])

    def missed(self, subject: str, contender: str) -> int:
        share = float(self._rows[subject, contender, "share solved"]["median"])
        return round((1 - share) * self.seeds(subject, contender))

    def has(self, subject: str, contender: str) -> bool:
        return (subject, contender, "steps") in self._rows

    def cell(self, subject: str, contender: str) -> str:
        if not self.has(subject, contender):
            return "-"
        missed = self.missed(subject, contender)
        steps = f"{self._rows[subject, contender, 'steps']['median']:,.0f}"
        return f"{steps} ({missed})" if missed else steps


def main(paths: Sequence[str]) -> None:
    results = Results(map(Path, paths))
    for line in (*simulations(results), *applications(results, ", model"), *applications(results, "")):
        print(line)
    for bar in results.bars.values():
        print(f"- {'holds' if bar['holds'] else '**lost**'}: {bar['name']} {bar['bar']}: {bar['value']}")


def simulations(results: Results) -> Iterator[str]:
    yield from _table(["specification", *ENGINES])
    for letter in "ABCDEFGHI":
        there = [letter + level for level in LEVELS if results.has(letter + level, "planner")]
        cells = [", ".join(results.cell(spec, engine) for spec in there) for engine in ENGINES]
        if there:
            yield _line([", ".join(there), *cells])
    yield ""
    yield from _table(["solved at least once, of nine", "the paper", "here"])
    for engine in ("random", "monkey", "qbe"):
        counts = [_solved(results, engine, level) for level in LEVELS]
        yield _line([engine, PAPER[engine], "level a {}, b {}, c {}".format(*counts)])
    for engine in ("farlead", "planner"):
        for level in LEVELS:
            name = f"{engine} {level}"
            yield _line(
                [f"{engine}, level {level}", PAPER.get(name, ""), str(_solved(results, engine, level))]
            )
    yield ""


def _solved(results: Results, engine: str, level: str) -> int:
    specs = [letter + level for letter in "ABCDEFGHI" if results.has(letter + level, engine)]
    return sum(results.missed(spec, engine) < results.seeds(spec, engine) for spec in specs)


def applications(results: Results, suffix: str) -> Iterator[str]:
    """Planner / random."""
    yield from _table(["application, seeds", "level a: A, B, C, D, E", "level b", "level c"])
    for app in APPS:
        where = app.name + suffix
        letters = dict.fromkeys(spec[0] for spec in app.specs)
        if not results.has(f"{where} Aa", "planner"):
            continue
        cells = [", ".join(_pair(results, f"{where} {each}{level}") for each in letters) for level in LEVELS]
        yield _line([f"{where}, {results.seeds(f'{where} Aa', 'planner')}", *cells])
    yield ""


def _pair(results: Results, spec: str) -> str:
    return f"{results.cell(spec, 'planner')}/{results.cell(spec, 'random')}"


def _table(heads: Sequence[str]) -> Iterator[str]:
    yield _line(heads)
    yield "|" + "---|" * len(heads)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main(sys.argv[1:])
