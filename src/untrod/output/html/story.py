"""What the store knows of one campaign, gathered for a page about it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from untrod.core.events import FindingFound, Notice, Progress
from untrod.core.vocabulary import Finding, Json
from untrod.plugins import ENGINES
from untrod.store import CampaignRow, Store, WrittenTest

POINTS = 120
MOST_FINDINGS = 100
SAMPLES = 5

Value: TypeAlias = Callable[[Progress], Json]


@dataclass(frozen=True, slots=True)
class Story:
    """`history` is thinned; its last entry is where the campaign stands. All texts may be hostile."""

    row: CampaignRow
    history: tuple[Progress, ...]
    findings: tuple[Finding, ...]
    found_at: dict[str, int]  # by finding id: the episode that showed it first
    tests: tuple[WrittenTest, ...]
    notices: tuple[str, ...]
    samples: tuple[str, ...]
    running: bool
    known: Callable[[str], Json]  # what lies under this key of the store's tables; None if nothing
    screens: Path
    project: Path

    @property
    def extra(self) -> dict[str, Json]:
        return self.row.extra

    @property
    def config(self) -> dict[str, Json]:
        return self.row.config

    def over_episodes(self, value: Value, start: float | None = None) -> list[tuple[float, float]]:
        """What `value` was by then, `start` before anything was run; where it was not told, nothing."""
        return self._curve(lambda point: point.episodes, value, start)

    def over_time(self, value: Value, start: float | None = None) -> list[tuple[float, float]]:
        return self._curve(lambda point: point.wall, value, start)

    def flags(self) -> tuple[tuple[float, str], ...]:
        """The episodes of the findings."""
        return tuple(
            (self.found_at[finding.id], f"episode {self.found_at[finding.id]:,}: {finding.title[:160]}")
            for finding in self.findings
            if self.found_at.get(finding.id, -1) >= 0
        )

    def _curve(
        self, at: Callable[[Progress], float], value: Value, start: float | None
    ) -> list[tuple[float, float]]:
        points: list[tuple[float, float]] = [] if start is None else [(0.0, start)]
        for progress in self.history:
            found = number(value(progress))
            if found is not None:
                points.append((float(at(progress)), found))
        return points


def read_story(store: Store, campaign: str, project: Path) -> Story:
    """`campaign` is an id or the start of one. Raises UntrodError when there is none."""
    row = store.campaign(campaign)
    told = [event for _, event in store.history(row.id, Progress.name, POINTS)]
    notices = [event for _, event in store.history(row.id, Notice.name, 50)]
    found = [event for _, event in store.history(row.id, FindingFound.name, 1000)]
    first: dict[str, int] = {}
    for event in found:
        if isinstance(event, FindingFound):
            first.setdefault(event.finding.id, event.episode)
    history = [event for event in told if isinstance(event, Progress)]
    return Story(
        row=row,
        history=(*history, _now(row)),
        findings=tuple(store.findings(row.id, MOST_FINDINGS)),
        found_at=first,
        tests=tuple(store.tests(row.id)),
        notices=tuple(dict.fromkeys(event.text for event in notices if isinstance(event, Notice))),
        samples=_samples(store, row),
        running=store.holder(row.id) is not None,
        known=store.table,
        screens=store.folder / "screens",
        project=project,
    )


def number(value: Json) -> float | None:
    """A report may hold anything; only numbers can be drawn."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def _now(row: CampaignRow) -> Progress:
    return Progress(row.episodes, row.valid, row.unique, row.findings, row.wall, row.cpu, row.extra)


def _samples(store: Store, row: CampaignRow) -> tuple[str, ...]:
    if row.engine not in ENGINES or not ENGINES.find(row.engine).shows_samples:
        return ()
    return tuple(entry.text for entry in store.longest(row.id, SAMPLES))
