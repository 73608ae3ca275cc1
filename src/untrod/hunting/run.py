"""A hunt under way: the application, the project's own coverage, the turns, and the verdict.

hunting = untrod.hunt("src", budget="5m")
for told in hunting:          # what each turn tells, as it tells it
    print(told.task.name, told.event)
verdict = hunting.result()
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.events import Event, from_json
from untrod.core.vocabulary import Json
from untrod.hunting.before_after import Measuring
from untrod.hunting.hunt import Hunt, Record, Setting
from untrod.hunting.kept import TITLE, keep
from untrod.hunting.own_failures import asked_about, note_in, set_apart
from untrod.hunting.own_tests import OwnTests, PytestRun, passing_folder
from untrod.hunting.plan import turn_order
from untrod.hunting.promise import by_promise
from untrod.hunting.served import Served
from untrod.hunting.verdict import Verdict, judge, refresh, sections
from untrod.output.terminal import notices_said
from untrod.plugins import Task, engine_of_verb
from untrod.session.background import Background
from untrod.store import Store

_COVERAGE_SHARE = 0.2  # of the hunt's time, at most, for each look at what the tests cover
_RESERVED, _RESERVED_SHARE = 3.0, 0.05  # seconds and a share of the time, for the second look
_FINISHING = 3.0  # seconds that the end may take beyond the budget
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
        self.notices = notices
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
        if not self.tasks:
            return judge((), 0.0, None, self.notices, project=setting.project)
        files = [task.file for task in self.tasks if _counts_coverage(task)]
        notices, wall = [*self.notices], setting.budget.wall
        limit = _COVERAGE_SHARE * (wall or 300.0)
        with ExitStack() as stack:
            if setting.on:
                say("joining Ray ...")
                stack.enter_context(_joined(setting.on))
            if app is not None:
                stack.enter_context(Served(app, self._start, setting.project, stop=lambda: self.stopped))
            own = OwnTests(
                setting.project,
                files,
                allow=setting.allow,
                memory_mb=setting.memory_mb,
                stop=lambda: self.stopped,
            )
            gain = measuring = before = None
            tasks, reserved = self.tasks, 0.0
            if self._coverage and files:
                say("running the project's own tests for their coverage ...")
                measuring = Measuring(
                    own,
                    setting.project,
                    files,
                    setting.tests,
                    stack.enter_context(passing_folder()),
                    stop=lambda: self.stopped,
                )
                before = measuring.before(limit)
                if before is not None:
                    tasks = by_promise(tasks, turn_order(), measuring.left)
                reserved = min(limit, _RESERVED + _RESERVED_SHARE * (wall or 0.0))
            if self.stopped:
                raise KeyboardInterrupt  # nothing was run: there is nothing to report
            left = None if wall is None else max(0.0, started + wall - reserved - time.monotonic())
            chase = self._hunt = Hunt(tasks, setting, stack.enter_context(told), left)
            records = chase.run()
            _look_up(records.values(), setting)
            late = limit if wall is None else started + wall + _FINISHING - time.monotonic()
            if measuring is not None and not self.stopped:
                gain = measuring.gain(before, measuring.after(max(_FINISHING, min(limit, late))))
            known = PytestRun(None) if measuring is None else measuring.ran
            notices += self._own_failures(records, own, known, max(_FINISHING, min(limit, late)))
        if self._start and any(record.tests for record in records.values() if record.task.target == app):
            notices.append(f"the tests of {app} need it to run: {self._start}")
        spent = time.monotonic() - started
        verdict = judge(records.values(), spent, gain, notices, project=setting.project)
        return replace(verdict, report=_page(verdict, setting))

    def _own_failures(
        self, records: Mapping[str, Record], own: OwnTests, known: PytestRun, seconds: float
    ) -> list[str]:
        """Tests that fail without us too are no findings: what was not seen before is looked at now."""
        runs = [known]
        if (asked := asked_about(records.values(), known)) and not self.stopped:
            with passing_folder() as folder:
                runs.append(own.run(folder, asked, seconds))
        said = set_apart(records.values(), *runs)
        if said:
            _note_own(records.values(), self.setting)
        return said

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


def _note_own(records: Iterable[Record], setting: Setting) -> None:
    try:
        with Store.open(setting.project / setting.store, create=False) as store:
            note_in(store, records)
    except (OSError, UntrodError):
        pass  # the hunt itself has said it


def _page(verdict: Verdict, setting: Setting) -> Path | None:
    """All campaigns of the hunt on one HTML page, and kept as one; None when there was nothing or no room."""
    from untrod.output.html import write_html

    campaigns = [record.campaign for record in verdict.records if record.campaign]
    if not campaigns:
        return None
    path, told = setting.store / "reports" / "hunt.html", sections(verdict)
    try:
        with Store.open(setting.project / setting.store, create=False) as store:
            keep(store, campaigns, told)
            write_html(
                store, campaigns, setting.project / path, TITLE, sections=told, project=setting.project
            )
    except (OSError, UntrodError):
        return None
    return path
