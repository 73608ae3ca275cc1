"""What a campaign came to: for a program, a notebook and a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar, cast

from untrod.core.budget import Budget
from untrod.core.errors import UntrodError
from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.text import PATH, one_line
from untrod.core.vocabulary import Finding
from untrod.output.deliver import Delivery, Recipe
from untrod.output.summary import Report, summarise, write_report
from untrod.session.replay import Replays, replay_finding
from untrod.store import Store
from untrod.store.campaigns import CampaignRow

SAMPLES = 5
Counts = TypeVar("Counts")


@dataclass(frozen=True, slots=True)
class ReplayableFinding(Finding):
    """A finding that stands in a store."""

    project: Path = field(default=Path(), kw_only=True, compare=False, repr=False)
    store: Path = field(default=Path(), kw_only=True, compare=False, repr=False)

    def replay(self, times: int = 1) -> Replays:
        """Run it again, in a guarded worker: does it still show?"""
        return replay_finding(self.project, self.store, self.id, times)

    @property
    def text(self) -> str:
        """The input, or the steps, as a person reads it."""
        return str((self.detail.get("value") or {}).get("text") or "")


@dataclass(frozen=True)
class Result(Generic[Counts]):
    """What a campaign came to. `str(result)` is what the command line says at the end."""

    campaign: str
    engine: str
    target: str
    reason: str
    """Why it ended: `exhausted` when nothing was left to try."""
    episodes: int
    valid: int
    unique: int
    wall: float
    cpu: float
    findings: tuple[ReplayableFinding, ...]
    tests: tuple[Path, ...]
    """The test files that were written and tried out."""
    counted: Counts
    """What only this engine counts; empty when nothing was run."""
    notices: tuple[str, ...]
    report: Path | None
    """The page; None when it could not be written: `complaint` says why."""
    project: Path
    store: Path
    trouble: UntrodError | None = None
    """Why it was cut short, although nobody asked for that."""
    complaint: str = ""
    summary: str = field(default="", repr=False)

    @property
    def corpus(self) -> Iterator[CorpusGrown]:
        """What was new, in order, as far as it was kept; read from the store."""
        with Store.open(self.project / self.store, create=False, read_only=True) as store:
            yield from store.corpus(self.campaign)

    def __str__(self) -> str:
        return self.summary

    def _repr_html_(self) -> str:
        """For a notebook: the campaign's part of the page."""
        from untrod.output.html.report import fragment

        with Store.open(self.project / self.store, create=False, read_only=True) as store:
            return fragment(store, self.campaign, self.project)


def handed_over(
    store: Store,
    row: CampaignRow,
    budget: Budget,
    finished: CampaignFinished,
    delivery: Delivery,
    notices: Sequence[str],
    recipe: Recipe,
    project: Path,
    trouble: UntrodError | None,
) -> Result[Counts]:
    """The reports are written, and all that a person needs is in one place."""
    report = Report(
        campaign=row.id,
        engine=row.engine,
        target=row.target,
        seed=row.seed,
        budget=budget,
        reason=finished.reason,
        episodes=finished.episodes,
        valid=finished.valid,
        unique=finished.unique,
        wall=finished.wall,
        cpu=finished.cpu,
        findings=delivery.findings,
        tests=delivery.tests,
        notices=tuple(notices),
        samples=tuple(entry.text for entry in store.longest(row.id, SAMPLES)),
        sections=recipe.sections(finished.extra),
        words=recipe.words(finished),
    )
    page, complaint, last_lines = _written(store, row, report, project)
    where = store.folder
    return Result(
        campaign=row.id,
        engine=row.engine,
        target=row.target,
        reason=finished.reason,
        episodes=finished.episodes,
        valid=finished.valid,
        unique=finished.unique,
        wall=finished.wall,
        cpu=finished.cpu,
        findings=tuple(_replayable(finding, project, where) for finding in delivery.findings),
        tests=tuple(project / name for name in delivery.tests),
        counted=cast(Counts, finished.extra),
        notices=tuple(notices),
        report=page,
        project=project,
        store=where,
        trouble=trouble,
        complaint=complaint,
        summary=summarise(report) + last_lines,
    )


def _replayable(finding: Finding, project: Path, store: Path) -> ReplayableFinding:
    return ReplayableFinding(
        finding.key, finding.kind, finding.title, finding.trace, finding.detail, project=project, store=store
    )


def _written(store: Store, row: CampaignRow, report: Report, project: Path) -> tuple[Path | None, str, str]:
    """The report as a page and as Markdown: the page, why there is none, and what a person is told."""
    from untrod.output.html import write_html

    path = store.folder / "reports" / f"{row.id}.md"
    page = path.with_suffix(".html")
    try:
        write_report(path, report)
        write_html(store, [row.id], page, f"untrod {row.engine}: {row.target}", project=project)
    except OSError as error:
        complaint = f"no report was written to {one_line(str(path.parent), PATH)}: {error.strerror}"
        return None, complaint, complaint
    shown = [one_line(os.path.relpath(each, project), PATH) for each in (page, path)]
    return page, "", "page: {}\nreport: {}".format(*shown)
