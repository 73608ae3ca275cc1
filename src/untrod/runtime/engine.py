"""What all engines do with what their jobs tell: check it, take it in, pass it on as events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from untrod.core.events import CorpusGrown, Notice
from untrod.core.shapes import Shape
from untrod.core.vocabulary import Finding, Json
from untrod.runtime.reports import news_of


class BaseEngine:
    """Implements what `runtime.campaign.Engine` asks about reports. They were made beside hostile code, so
    nothing is taken in before its shape was checked."""

    name: str
    job: str
    """"module:factory" of the job that runs in the workers."""

    report_shape: ClassVar[Shape]
    """Of what the job's `run` answers (`reports.batch_report`)."""

    replay_shape: ClassVar[Shape]
    """Of what its `replay` answers (`reports.replay_report`)."""

    kept: ClassVar[tuple[str, ...]]
    """What is kept of a finding, beside its key, kind, title and trace."""

    def absorb(self, report: Json) -> Iterable[CorpusGrown | Notice | tuple[Finding, int]]:
        type(self).report_shape(report, "report")
        self.check(report)
        return news_of(report, self.kept)

    def check(self, report: Json) -> None:
        """Raises Malformed for what its shape cannot say. A report that passes is taken in."""

    def check_replay(self, report: Json) -> None:
        type(self).replay_shape(report, "replay")
