"""The results of the matrix, by subject, contender and seed; as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from bench.report import Row


class Named(Protocol):
    @property
    def subject(self) -> str: ...
    @property
    def contender(self) -> str: ...
    @property
    def seed(self) -> int: ...


class Outcomes:
    """What each trial gave. A skipped trial is only noted; a failed one counts as having found nothing."""

    def __init__(self, attempts: int) -> None:
        self.attempts = attempts
        self._results: dict[tuple[str, str], dict[int, Mapping[str, Any]]] = {}
        self._skipped: dict[tuple[str, str], list[str]] = {}

    def extend(self, results: Iterable[tuple[Named, Mapping[str, Any]]]) -> None:
        for trial, result in results:
            if "skipped" in result:
                subjects = self._skipped.setdefault((trial.contender, result["skipped"]), [])
                if trial.subject not in subjects:
                    subjects.append(trial.subject)
            else:
                self._results.setdefault((trial.subject, trial.contender), {})[trial.seed] = result

    def subjects(self) -> list[str]:
        return list(dict.fromkeys(subject for subject, _ in self._results))

    def of(self, subject: str, contender: str) -> dict[int, Mapping[str, Any]]:
        """Seed by seed; empty when the contender did not run on the subject."""
        return self._results.get((subject, contender), {})

    def unique(self, subject: str, contender: str) -> dict[int, float]:
        return {seed: result.get("unique", 0) for seed, result in self.of(subject, contender).items()}

    def first_valid(self, subject: str, contender: str) -> dict[int, int | None]:
        """None where nothing valid came."""
        return {seed: result.get("first_valid") for seed, result in self.of(subject, contender).items()}

    def cpu_per_attempt(self, subject: str, contender: str) -> dict[int, float]:
        """Milliseconds; failed trials have none."""
        results = self.of(subject, contender)
        return {s: 1000 * r["cpu"] / r["attempts"] for s, r in results.items() if r.get("attempts")}

    def found(self, subject: str, contender: str) -> dict[int, dict[str, tuple[int, float]]]:
        """Seed, bug: the attempt and the CPU seconds at which it showed."""
        return {seed: result.get("bugs", {}) for seed, result in self.of(subject, contender).items()}

    def rows(self) -> tuple[Row, ...]:
        rows: list[Row] = []
        for subject in self.subjects():
            contenders = [contender for known, contender in self._results if known == subject]
            for contender in contenders:
                rows += self._counts(subject, contender)
            bugs = dict.fromkeys(
                bug for c in contenders for found in self.found(subject, c).values() for bug in found
            )
            for contender in contenders:
                rows += self._bugs(subject, contender, list(bugs))
        return tuple(rows)

    def _counts(self, subject: str, contender: str) -> list[Row]:
        results = list(self.of(subject, contender).values())

        def row(metric: str, values: Iterable[float]) -> Row:
            return Row.of(subject, contender, metric, list(values))

        failed = sum("error" in result for result in results)
        rows = [
            row("attempts", (result.get("attempts", 0) for result in results)),
            row("valid", (result.get("valid", 0) for result in results)),
            row("unique valid", self.unique(subject, contender).values()),
            row("traces", (result.get("traces", 0) for result in results)),
            row("first valid at", (result.get("first_valid") or self.attempts + 1 for result in results)),
            row("bugs found", (len(found) for found in self.found(subject, contender).values())),
        ]
        if failed < len(results):
            per_attempt = self.cpu_per_attempt(subject, contender).values()
            rows.append(row("CPU ms per attempt", per_attempt))
            rows.append(
                row("unique per CPU s", (r["unique"] / max(r["cpu"], 1e-6) for r in results if "cpu" in r))
            )
        if failed:
            rows.append(Row(subject, contender, "failed trials", failed, failed, failed, len(results)))
        return rows

    def _bugs(self, subject: str, contender: str, bugs: list[str]) -> list[Row]:
        """The attempts each bug took, over the seeds that found it: `n` of them."""
        rows = []
        for bug in bugs:
            found = [at[bug][0] for at in self.found(subject, contender).values() if bug in at]
            if found:
                rows.append(Row.of(f"{subject}: attempts to find", contender, bug, found))
        return rows

    def _shortfall(self) -> list[str]:
        """Says so when bars that are promised for many attempts and seeds were judged on fewer."""
        runs = [result for results in self._results.values() for result in results.values()]
        cut = [run["attempts"] for run in runs if run.get("ended") == "out of CPU time"]
        if not cut:
            return []
        return [
            f"{len(cut)} of {len(runs)} trials ran out of CPU time before their attempts were used up, the "
            f"shortest after {min(cut):,}: on those subjects the bars are no verdict, held or lost"
        ]

    def notes(self) -> tuple[str, ...]:
        skipped = [
            f"skipped: {contender} on {', '.join(subjects)}: {reason}"
            for (contender, reason), subjects in self._skipped.items()
        ]
        failed: dict[tuple[str, str], list[str]] = {}
        for (subject, contender), results in self._results.items():
            for seed, result in results.items():
                if "error" in result:
                    failed.setdefault((contender, result["error"]), []).append(f"{subject} seed {seed}")
        return (
            *self._shortfall(),
            *skipped,
            *(
                f"failed: {contender} on {', '.join(on)}: {error}"
                for (contender, error), on in failed.items()
            ),
        )
