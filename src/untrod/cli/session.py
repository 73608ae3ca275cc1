"""Runs a campaign for a person: store, progress, Ctrl-C, tests and report around the engine's own work."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from untrod.cli.engines import make_engine
from untrod.cli.interrupts import stop_on_interrupt
from untrod.cli.places import to_write
from untrod.cli.trust import Running, admitted
from untrod.core.budget import Budget
from untrod.core.errors import UntrodError
from untrod.core.events import Bus, CampaignFinished, Event, Listener, Notice
from untrod.core.shapes import Malformed
from untrod.core.text import PATH, one_line
from untrod.core.vocabulary import Json
from untrod.output.deliver import Delivery, Recipe, deliver
from untrod.output.ndjson import NdjsonListener
from untrod.output.progress import ProgressListener
from untrod.output.summary import Report, summarise, write_report
from untrod.output.terminal import notices_said, say
from untrod.runtime.campaign import Campaign, Engine, Past, Plan
from untrod.runtime.limits import Limits
from untrod.store import Store
from untrod.store.campaigns import CampaignRow
from untrod.store.owner import Owner
from untrod.store.recorder import Recorder

SAMPLES = 5


@dataclass(frozen=True)
class Session:
    """How campaigns of this command are run, whatever the engine."""

    project: Path
    store: Path
    tests: Path
    as_json: bool = False
    limits: Limits = field(default_factory=Limits)
    allow: frozenset[str] = frozenset()
    workers: int = 1
    on: str = ""  # where the workers run: "" for this machine, else as `--on` takes it

    def start(self, engine: str, target: str, config: Json, seed: int, budget: Budget) -> int:
        """A new campaign. Returns the exit status."""
        to_write(self.project, self.tests, "--tests")
        with Store.open(to_write(self.project, self.store, "--store")) as store:
            running = Running(self.limits, self.allow, self.workers, self.tests, self.on)
            whole = {**config, "session": running.to_json()}
            whole = Owner.here(self.project).marked(engine, target, whole, seed)
            row = store.create_campaign(engine, target, whole, seed, budget)
            return self._run(store, row, budget)

    @classmethod
    def resume(
        cls,
        project: Path,
        store_folder: Path,
        name: str,
        budget: Budget | None,
        as_json: bool,
        on: str | None = None,
        *,
        trust: bool = False,
        allow: Iterable[str] = (),
    ) -> int:
        """Go on with a campaign as it was started; a new budget, if given, counts from its beginning.

        `on` is where to go on, if not where it was started. One that somebody else may have started needs
        `trust`, and has only the permissions in `allow`.
        """
        with Store.open(to_write(project, store_folder, "--store"), create=False) as store:
            command = f"untrod campaigns resume {one_line(name)}"
            with notices_said(store.notices):
                row = store.campaign(name)
                row, running = admitted(store, row, project, command, trust=trust, allow=allow)
            to_write(project, running.tests, "--tests")
            session = cls(
                project=project,
                store=store_folder,
                tests=running.tests,
                as_json=as_json,
                limits=running.limits,
                allow=running.allow,
                workers=running.workers,
                on=running.on if on is None else on,
            )
            return session._run(store, row, budget or row.budget)

    def _run(self, store: Store, row: CampaignRow, budget: Budget) -> int:
        notices: list[str] = []
        with store.lock(row.id), self._listeners(store, row, budget, notices) as emit:
            past = _past(store, row, self.workers)
            for notice in store.notices:
                emit(Notice(notice))
            engine, recipe = make_engine(row.engine, row.config, row.seed, self.project, self.workers, store)
            plan = Plan(
                campaign=row.id,
                target=row.target,
                seed=row.seed,
                budget=budget,
                project=self.project,
                scratch=store.scratch,
                workers=self.workers,
                limits=self.limits,
                allow=self.allow,
                on=self.on,
            )
            try:
                campaign = Campaign(plan, engine, emit, past)
            except UntrodError as error:
                emit(_never_ran(row, error))
                raise
            with stop_on_interrupt(campaign.stop) as interrupted:
                try:
                    finished = campaign.run()
                except UntrodError as error:
                    emit(_never_ran(row, error))
                    raise
                if not self.as_json and finished.findings:
                    say("making the findings small and trying out their tests ...", to=sys.stderr)
                _keep_lessons(store, row, engine, self.workers, emit)
                delivery = deliver(
                    engine,
                    recipe,
                    plan,
                    store,
                    self.project / self.tests,
                    emit,
                    hurry=interrupted,
                    finished=finished,
                    show=emit.show,
                )
            finished = replace(finished, extra=delivery.extra)
            emit.finish(finished)
            report = _report(row, budget, finished, delivery, notices, store, recipe)
            last_lines = _written(store, row, report, self.project)
        if not self.as_json:
            say(summarise(report) + last_lines)
        if campaign.trouble is not None:
            raise campaign.trouble
        return 1 if delivery.findings else 0

    @contextmanager
    def _listeners(
        self, store: Store, row: CampaignRow, budget: Budget, notices: list[str]
    ) -> Iterator[_WrittenDown]:
        recorder = store.recorder(row.id)
        progress = None if self.as_json else ProgressListener(budget, sys.stderr)
        listener: Listener = progress or NdjsonListener(sys.stdout)
        show = progress.show if progress is not None else lambda line: None
        written_down = _WrittenDown(recorder, Bus(listener, lambda event: _note(event, notices)), show)
        try:
            yield written_down
        finally:
            if progress is not None:
                progress.close()
            written_down.settle()


class _WrittenDown:
    """Passes events on once they are durable: what a person or a program was told is never lost.

    That a campaign is finished is written down at once, and told at the very end: what it came to may depend
    on the tests that are kept.
    """

    def __init__(self, recorder: Recorder, listener: Listener, show: Callable[[str], None]) -> None:
        self._recorder = recorder
        self._listener = listener
        self._held: list[Event] = []
        self._last: CampaignFinished | None = None
        self.show = show

    def __call__(self, event: Event) -> None:
        if isinstance(event, CampaignFinished):
            self._last = event
        else:
            self._held.append(event)
        self._recorder(event)
        if self._recorder.settled:
            self._release()

    def finish(self, event: CampaignFinished) -> None:
        """This is what the campaign came to."""
        if event != self._last:
            self(event)
        self.settle()

    def settle(self) -> None:
        """Write down and pass on everything so far."""
        self._recorder.flush()
        self._release()
        if self._last is not None:
            last, self._last = self._last, None
            self._listener(last)

    def _release(self) -> None:
        held, self._held = self._held, []
        for event in held:
            self._listener(event)


def _note(event: Event, notices: list[str]) -> None:
    if isinstance(event, Notice):
        notices.append(event.text)


def _past(store: Store, row: CampaignRow, workers: int) -> Past:
    if not row.episodes:
        return Past()
    checkpoints = {shard: found for shard in range(workers) if (found := store.checkpoint(row.id, shard))}
    return Past(
        checkpoints=checkpoints,
        findings=tuple(store.findings(row.id)),
        corpus=frozenset(entry.key for entry in store.corpus(row.id)),
        wall=row.wall,
        cpu=row.cpu,
    )


def _never_ran(row: CampaignRow, error: UntrodError) -> CampaignFinished:
    """Or it would be listed as running for ever."""
    counts = (row.episodes, row.valid, row.unique, row.findings, row.wall, row.cpu)
    return CampaignFinished(row.id, f"error: {error.message}", *counts)


def _keep_lessons(store: Store, row: CampaignRow, engine: Engine, workers: int, emit: Listener) -> None:
    """Tables that the next campaign on the same tests starts from."""
    lessons = getattr(engine, "lessons", None)
    for shard in range(workers if lessons else 0):
        saved = store.checkpoint(row.id, shard)
        try:
            learned = list(lessons(saved[1])) if saved and lessons else []
        except Malformed as error:
            emit(Notice(f"what worker {shard} has learned is not kept for the next campaign: {error}"))
            continue
        for key, manifest, blob in learned:
            store.save_table(key, manifest, blob)


def _report(
    row: CampaignRow,
    budget: Budget,
    finished: CampaignFinished,
    delivery: Delivery,
    notices: list[str],
    store: Store,
    recipe: Recipe,
) -> Report:
    return Report(
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


def _written(store: Store, row: CampaignRow, report: Report, project: Path) -> str:
    """The report as a page and as Markdown; what a person is told of that."""
    from untrod.output.html import write_html

    path = store.folder / "reports" / f"{row.id}.md"
    page = path.with_suffix(".html")
    try:
        write_report(path, report)
        write_html(store, [row.id], page, f"untrod {row.engine}: {row.target}", project=project)
    except OSError as error:
        return f"no report was written to {one_line(str(path.parent), PATH)}: {error.strerror}"
    shown = [one_line(os.path.relpath(each, project), PATH) for each in (page, path)]
    return "page: {}\nreport: {}".format(*shown)
