"""The results of the matrix, by subject, contender and seed; as rows."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

from bench.report import Row

Result = Mapping[str, Any]


class Outcomes:
    """What each trial gave. A skipped or failed trial is noted, and covered nothing."""

    def __init__(self) -> None:
        self._results: dict[tuple[str, str], dict[int, Result]] = {}
        self._troubles: dict[str, list[str]] = {}

    def add(self, subject: str, contender: str, seed: int, result: Result) -> None:
        line = next((f"{kind}: {result[kind]}" for kind in ("skipped", "error") if kind in result), "")
        if line:
            self._troubles.setdefault(line, []).append(f"{subject} {contender}")
        if unclaimed := result.get("unclaimed"):
            line = f"the suite of seed {seed} takes branches that were not claimed: {unclaimed}"
            self._troubles.setdefault(line, []).append(f"{subject} {contender}")
        self._results.setdefault((subject, contender), {})[seed] = result

    def subjects(self) -> list[str]:
        return list(dict.fromkeys(subject for subject, _ in self._results))

    def contenders(self, subject: str) -> list[str]:
        """Those that ran there."""
        return [
            contender for known, contender in self._results if known == subject and self.of(known, contender)
        ]

    def of(self, subject: str, contender: str) -> list[Result]:
        """Empty when it did not run."""
        results = self._results.get((subject, contender), {}).values()
        return [result for result in results if "covered" in result]

    def covered(self, subject: str, contender: str) -> float | None:
        """The median over the seeds."""
        results = self.of(subject, contender)
        return median(result["covered"] for result in results) if results else None

    def symbolic(self, subject: str, contender: str, count: str) -> float:
        """The median of one of the counts of symbolic execution: 0 where there was none."""
        counts = [result.get("symbolic", {}).get(count, 0) for result in self.of(subject, contender)]
        return float(median(counts or [0]))

    def rows(self) -> tuple[Row, ...]:
        rows = []
        for (subject, contender), _ in self._results.items():
            good = self.of(subject, contender)
            if not good:
                continue
            rows.append(Row.of(subject, contender, "branches", [result["covered"] for result in good]))
            share = [100 * result["covered"] / max(1, result["branches"]) for result in good]
            rows.append(Row.of(subject, contender, "percent", share))
            rows.append(Row.of(subject, contender, "CPU s", [result["cpu"] for result in good]))
            rows.append(Row.of(subject, contender, "memory MB", [result["memory"] for result in good]))
            for count in sorted({key for result in good for key in result.get("symbolic", {})}):
                values = [result.get("symbolic", {}).get(count, 0) for result in good]
                rows.append(Row.of(subject, contender, count, values))
        return tuple(rows)

    def notes(self) -> tuple[str, ...]:
        return tuple(f"{', '.join(dict.fromkeys(on))}: {line}" for line, on in self._troubles.items())
