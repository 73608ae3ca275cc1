"""The results of the matrix, by subject, size, policy and seed; as rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.report import Row

Result = Mapping[str, Any]


class Outcomes:
    """What each trial gave. A skipped or failed trial is noted and found nothing."""

    def __init__(self) -> None:
        self._results: dict[tuple[str, int, str], dict[int, Result]] = {}
        self._troubles: dict[str, list[str]] = {}

    def add(self, subject: str, size: int, policy: str, seed: int, result: Result) -> None:
        line = next((f"{kind}: {result[kind]}" for kind in ("skipped", "error") if kind in result), "")
        if not line and result.get("best") is None:
            line = f"found no input: {result['ended']} after practice at smaller sizes"
        if line:
            self._troubles.setdefault(line, []).append(f"{subject} {size} {policy}")
        self._results.setdefault((subject, size, policy), {})[seed] = result

    def subjects(self) -> list[str]:
        return list(dict.fromkeys(subject for subject, _, _ in self._results))

    def sizes(self, subject: str) -> list[int]:
        return sorted({size for known, size, _ in self._results if known == subject})

    def of(self, subject: str, size: int, policy: str) -> dict[int, Result]:
        """Seed by seed; empty when it did not run."""
        return self._results.get((subject, size, policy), {})

    def best(self, subject: str, size: int, policy: str) -> dict[int, int]:
        """Branches of the costliest input, seed by seed; -1 where none was found."""
        results = self.of(subject, size, policy)
        return {
            seed: -1 if result.get("best") is None else result["best"] for seed, result in results.items()
        }

    def true_worst(self, subject: str, size: int) -> int | None:
        """Known where `exhaustive` came to an end."""
        for result in self.of(subject, size, "exhaustive").values():
            if result.get("ended") == "exhausted":
                worst: int | None = result["best"]
                return worst
        return None

    def paths_to(self, subject: str, size: int, policy: str, cost: int) -> dict[int, tuple[int, bool]]:
        """Symbolic paths, and whether they led to `cost`: if not, these are all that were walked."""
        found = {}
        for seed, result in self.of(subject, size, policy).items():
            if "best" in result:
                there = (result["best"] or -1) >= cost
                found[seed] = (result["to_best" if there else "spent"]["paths"], there)
        return found

    def rows(self) -> tuple[Row, ...]:
        rows: list[Row] = []
        for (subject, size, policy), results in self._results.items():
            good = [result for result in results.values() if result.get("best") is not None]
            if not good:
                continue
            name = f"{subject} {size}"
            rows.append(Row.of(name, policy, "worst branches", [result["best"] for result in good]))
            for metric, key in _METRICS.items():
                rows.append(Row.of(name, policy, metric, [result["to_best"][key] for result in good]))
            rows.append(Row.of(name, policy, "attempts in all", [r["spent"]["attempts"] for r in good]))
            rows.append(Row.of(name, policy, "paths of practice", [r["lessons"]["paths"] for r in good]))
        return tuple(rows)

    def notes(self) -> tuple[str, ...]:
        return tuple(f"{', '.join(dict.fromkeys(on))}: {line}" for line, on in self._troubles.items())


_METRICS = {
    "paths to it": "paths",
    "attempts to it": "attempts",
    "solver calls to it": "solver_calls",
    "CPU s to it": "cpu",
}
