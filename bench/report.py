"""What a bench says: rows of numbers, bars they must clear, notes; as JSON and as a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of one contender on one subject: median and quartiles of `n` measurements."""

    subject: str
    contender: str
    metric: str
    median: float
    q1: float
    q3: float
    n: int

    @classmethod
    def of(cls, subject: str, contender: str, metric: str, values: Sequence[float]) -> Row:
        q1, middle, q3 = quartiles(values)
        return cls(subject, contender, metric, middle, q1, q3, len(values))

    def to_json(self) -> dict[str, Any]:
        return {
            "subject": self.subject,
            "contender": self.contender,
            "metric": self.metric,
            "median": _rounded(self.median),
            "q1": _rounded(self.q1),
            "q3": _rounded(self.q3),
            "n": self.n,
        }


@dataclass(frozen=True, slots=True)
class Bar:
    """A promise with a number. `name` says in words which side of `bar` is the good one.

    `value` is None when the measurement itself failed: such a bar does not hold.
    """

    name: str
    value: float | None
    bar: float
    holds: bool

    @classmethod
    def at_least(cls, name: str, value: float | None, bar: float) -> Bar:
        return cls(f"{name}, at least", value, bar, value is not None and value >= bar)

    @classmethod
    def more_than(cls, name: str, value: float | None, bar: float) -> Bar:
        return cls(f"{name}, more than", value, bar, value is not None and value > bar)

    @classmethod
    def at_most(cls, name: str, value: float | None, bar: float) -> Bar:
        return cls(f"{name}, at most", value, bar, value is not None and value <= bar)

    @classmethod
    def within(cls, name: str, value: float | None, reference: float, share: float) -> Bar:
        holds = value is not None and abs(value - reference) <= share * reference
        return cls(f"{name}, within {share:.0%} of", value, reference, holds)

    def to_json(self) -> dict[str, Any]:
        value = None if self.value is None else _rounded(self.value)
        return {"name": self.name, "value": value, "bar": self.bar, "holds": self.holds}


@dataclass(frozen=True, slots=True)
class Result:
    """What one study, or a whole bench, found."""

    rows: tuple[Row, ...] = ()
    bars: tuple[Bar, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def joined(cls, results: Iterable[Result]) -> Result:
        parts = list(results)
        return cls(
            rows=tuple(row for part in parts for row in part.rows),
            bars=tuple(bar for part in parts for bar in part.bars),
            notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        )

    @property
    def holds(self) -> bool:
        return all(bar.holds for bar in self.bars)


@dataclass(frozen=True, slots=True)
class Report:
    """A whole bench, ready to be shown."""

    bench: str
    machine: Mapping[str, Any]
    result: Result = field(default_factory=Result)

    def to_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "bench": self.bench,
            "machine": dict(self.machine),
            "rows": [row.to_json() for row in self.result.rows],
            "bars": [bar.to_json() for bar in self.result.bars],
        }
        if self.result.notes:
            document["notes"] = list(self.result.notes)
        return document

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def show(self, console: Console) -> None:
        console.print(Text(f"bench {self.bench}", style="bold"), Text(_described(self.machine), style="dim"))
        rows = self.result.rows
        for subject in dict.fromkeys(row.subject for row in rows):
            console.print(_subject_table(subject, [row for row in rows if row.subject == subject]))
        if self.result.bars:
            console.print(_bar_table(self.result.bars))
        for note in self.result.notes:
            console.print(Text(f"note: {note}"))
        lost = sum(not bar.holds for bar in self.result.bars)
        console.print(f"{len(self.result.bars) - lost} of {len(self.result.bars)} bars hold")


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """First quartile, median, third quartile; a single value is all three."""
    if len(values) == 1:
        return (values[0],) * 3
    low, _, high = quantiles(values, n=4, method="inclusive")
    return low, median(values), high


def number(value: float | None) -> str:
    """For people: three digits are enough below a thousand, whole numbers above."""
    if value is None:
        return "-"
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _subject_table(subject: str, rows: Sequence[Row]) -> Table:
    """Contenders down, metrics across, quartiles in brackets."""
    table = Table(title=subject, title_justify="left", title_style="bold")
    metrics = list(dict.fromkeys(row.metric for row in rows))
    table.add_column("contender")
    for metric in metrics:
        table.add_column(metric, justify="right")
    for contender in dict.fromkeys(row.contender for row in rows):
        cells = {row.metric: _cell(row) for row in rows if row.contender == contender}
        table.add_row(contender, *(cells.get(metric, "") for metric in metrics))
    return table


def _cell(row: Row) -> str:
    if row.q1 == row.q3:
        return number(row.median)
    return f"{number(row.median)} \\[{number(row.q1)}..{number(row.q3)}]"


def _bar_table(bars: Sequence[Bar]) -> Table:
    table = Table(title="bars", title_justify="left", title_style="bold")
    table.add_column("")
    table.add_column("bar")
    table.add_column("value", justify="right")
    for bar in bars:
        mark = Text("holds", style="green") if bar.holds else Text("LOST", style="bold red")
        table.add_row(mark, Text(f"{bar.name} {number(bar.bar)}"), number(bar.value))
    return table


def _described(machine: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in machine.items())


def _rounded(value: float) -> float:
    return round(value, 4)
