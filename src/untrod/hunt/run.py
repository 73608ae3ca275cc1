"""A hunt under way: the application, the project's own coverage, the turns, and the verdict.

hunting = untrod.hunt("src", budget="5m")
for told in hunting:          # what each turn tells, as it tells it
    print(told.task.name, told.event)
verdict = hunting.result()
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.events import Event, from_json
from untrod.core.vocabulary import Json
from untrod.hunt.before_after import Measuring
from untrod.hunt.hunt import Hunt, Record, Setting
from untrod.hunt.served import Served
from untrod.hunt.verdict import Verdict, judge, refresh, sections
from untrod.output.terminal import notices_said
from untrod.plugins import Task, engine_of_verb
from untrod.session.background import Background
from untrod.store import Store

_COVERAGE_SHARE = 0.2  # of the hunt's time, at most, for each look at what the tests cover
Told = Callable[[Task, Json], None]


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """What a turn of this task has told."""

    task: Task
    event: Event


class HuntRun(Background[TurnEvent, Verdict]):
    def __init__(
        self,
        tasks: tuple[Task, ...],
        notices: tuple[str, ...],
        setting: Setting,
        *,
        app: str | None = None,
        start: str | None = None,
        coverage: bool = True,
    ) -> None:
        super().__init__()
        self.tasks = tasks
        self.setting = setting
        self._notices = notices
        self._app, self._start = app, start
        self._coverage = coverage
        self._hunt: Hunt | None = None

    def stop(self, reason: str = "stopped") -> None:
        """The running turns finish and report; no other begins."""
        if not self.stopped and self._hunt is not None:
            self._hunt.stop()
        self.stopped = True

    def drive(
        self, told: AbstractContextManager[Told], say: Callable[[str], None] = lambda line: None
    ) -> Verdict:
        """Run it here and now. `told` is opened when turns begin; `say` hears what takes a while before."""
        started = time.monotonic()
        setting, app = self.setting, self._app
        with Store.open(setting.project / setting.store) as opened, notices_said(opened.notices):
            pass  # what cannot be written to is said now, not by every turn
        files = [task.file for task in self.tasks if _counts_coverage(task)]
        notices = self._notices
        with ExitStack() as stack:
            if setting.on:
                say("joining Ray ...")
                stack.enter_context(_joined(setting.on))
            if app is not None:
                stack.enter_context(Served(app, self._start, setting.project, stop=lambda: self.stopped))
            gain = measuring = before = None
            if self._coverage and files:
                say("running the project's own tests for their coverage ...")
                share = max(10.0, _COVERAGE_SHARE * (setting.budget.wall or 300.0))
                measuring = stack.enter_context(
                    Measuring(
                        setting.project,
                        files,
                        setting.tests,
                        share,
                        allow=setting.allow,
                        memory_mb=setting.memory_mb,
                        stop=lambda: self.stopped,
                    )
                )
                before = measuring.before()
            if self.stopped:
                raise KeyboardInterrupt  # nothing was run: there is nothing to report
            chase = self._hunt = Hunt(self.tasks, setting, stack.enter_context(told))
            records = chase.run()
            _look_up(records.values(), setting)
            if measuring is not None and not self.stopped:
                gain = measuring.gain(before, measuring.after())
        if self._start and any(record.tests for record in records.values() if record.task.target == app):
            notices = (*notices, f"the tests of {app} need it to run: {self._start}")
        verdict = judge(records.values(), time.monotonic() - started, gain, notices)
        return replace(verdict, report=_page(verdict, setting))

    def _work(self, tell: Callable[[TurnEvent], None]) -> Verdict:
        def told(task: Task, body: Json) -> None:
            try:
                tell(TurnEvent(task, from_json(body)))
            except (LookupError, TypeError, ValueError):
                pass  # of a newer version, or another package: it has counted all the same

        return self.drive(nullcontext(told))


def _counts_coverage(task: Task) -> bool:
    engine = engine_of_verb(task.verb)
    return engine is not None and engine.counts_coverage


def _look_up(records: Iterable[Record], setting: Setting) -> None:
    """A store that cannot be read any more has said so in the turns; what they told will do then."""
    try:
        with Store.open(setting.project / setting.store, create=False, read_only=True) as store:
            refresh(records, store)
    except (OSError, UntrodError):
        pass


@contextmanager
def _joined(on: str) -> Iterator[None]:
    """Ray is there before the first turn, and one that is started for the hunt serves all turns."""
    from untrod.runtime.ray.link import Link

    link = Link(on)
    before = dict(os.environ)
    try:
        os.environ.update(link.for_others)
        yield
    finally:
        for name in link.for_others:
            os.environ.pop(name, None)
        os.environ.update(before)
        link.close()


def _page(verdict: Verdict, setting: Setting) -> Path | None:
    """All campaigns of the hunt on one HTML page; None when there was nothing or no room."""
    from untrod.output.html import write_html

    campaigns = [record.campaign for record in verdict.records if record.campaign]
    if not campaigns:
        return None
    path = setting.store / "reports" / "hunt.html"
    try:
        with Store.open(setting.project / setting.store, create=False, read_only=True) as store:
            write_html(store, campaigns, setting.project / path, "untrod hunt", sections=sections(verdict))
    except OSError:
        return None
    return path
