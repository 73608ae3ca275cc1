"""A campaign under way: store, events, Ctrl-C, tests and report around the engine's own work.

    run = Run.new("cover", target, config, seed, "20s", options)
    for event in run:        # while it runs; leaving the loop, Ctrl-C and `run.stop()` end it
        ...
    result = run.result()    # waits for the end, if nobody has listened

`drive` is for the command line: here and now, told to an audience that also hears what is being done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from untrod.core.budget import Budget
from untrod.core.errors import UntrodError
from untrod.core.events import CampaignFinished, Event, Listener, Notice
from untrod.core.protocols import Transfers
from untrod.core.shapes import Malformed
from untrod.core.text import one_line
from untrod.core.vocabulary import Json
from untrod.output.deliver import deliver
from untrod.output.terminal import notices_said
from untrod.runtime.campaign import Campaign, Engine, Past, Plan
from untrod.runtime.limits import Limits
from untrod.session.background import Background
from untrod.session.engines import make_engine
from untrod.session.places import to_write
from untrod.session.result import Result, handed_over
from untrod.session.trust import Running, admitted
from untrod.store import Store
from untrod.store.campaigns import CampaignRow
from untrod.store.owner import Owner
from untrod.store.recorder import Recorder

Counts = TypeVar("Counts")
"""What an engine counts, as a TypedDict of its own."""
Opening = Callable[[Store], CampaignRow]
Guarding = Callable[[Callable[[], None]], AbstractContextManager[Callable[[], bool]]]
"""Hears interrupts while it is open: is given what stops the campaign, tells whether there was one."""


@dataclass(frozen=True)
class RunOptions:
    """How a campaign is run, whatever the engine."""

    project: Path
    store: Path
    tests: Path
    limits: Limits = field(default_factory=Limits)
    allow: frozenset[str] = frozenset()
    workers: int = 1
    on: str = ""  # where the workers run: "" for this machine, else as `--on` takes it


class Audience(Protocol):
    """Who listens to a campaign."""

    def __call__(self, event: Event) -> None: ...

    def show(self, line: str) -> None:
        """For a person who waits: what is being done. The next line takes its place."""
        ...

    def say(self, line: str) -> None:
        """For a person: something that takes a while begins."""
        ...


class Run(Background[Event, Result[Counts]], Generic[Counts]):
    def __init__(self, opening: Opening, options: RunOptions, budget: Budget | None, *, create: bool) -> None:
        """`opening` makes or finds the campaign in the store; `budget` None: the one it has."""
        super().__init__()
        self.options = options
        self._opening = opening
        self._budget = budget
        self._create = create
        self._campaign: Campaign | None = None

    @classmethod
    def new(
        cls, engine: str, target: str, config: Json, seed: int, budget: str | Budget, options: RunOptions
    ) -> Run[Counts]:
        """A new campaign. Raises UntrodError for what can be seen to be wrong already."""
        whole = Budget.of(budget)

        def opening(store: Store) -> CampaignRow:
            running = Running(options.limits, options.allow, options.workers, options.tests, options.on)
            marked = {**config, "session": running.to_json()}
            marked = Owner.here(options.project).marked(engine, target, marked, seed)
            return store.create_campaign(engine, target, marked, seed, whole)

        to_write(options.project, options.tests, "--tests")
        return cls(opening, options, whole, create=True)

    @classmethod
    def resumed(
        cls,
        project: Path,
        store_folder: Path,
        name: str,
        budget: Budget | None,
        on: str | None = None,
        *,
        trust: bool = False,
        allow: Iterable[str] = (),
    ) -> Run[Counts]:
        """Go on with a campaign as it was started; a new budget, if given, counts from its beginning.

        `on` is where to go on, if not where it was started. One that somebody else may have started needs
        `trust`, and has only the permissions in `allow`.
        """
        command = f"untrod campaigns resume {one_line(name)}"

        def opening(store: Store) -> CampaignRow:
            with notices_said(store.notices):
                found = store.campaign(name)
                row, running = admitted(store, found, project, command, trust=trust, allow=allow)
            to_write(project, running.tests, "--tests")
            run.options = RunOptions(
                project,
                store_folder,
                running.tests,
                running.limits,
                running.allow,
                running.workers,
                running.on if on is None else on,
            )
            return row

        run: Run[Counts] = cls(opening, RunOptions(project, store_folder, Path()), budget, create=False)
        return run

    # ---- for whoever asked for it ----

    @property
    def budget(self) -> Budget | None:
        """None: that of the campaign that goes on."""
        return self._budget

    def stop(self, reason: str = "stopped") -> None:
        """It finishes what it does, writes its tests and reports. From any thread, as often as you like."""
        self.stopped = True
        if self._campaign is not None:
            self._campaign.stop(reason)

    def drive(self, audience: Audience, guarding: Guarding) -> Result[Counts]:
        """Run it here and now, told to `audience`. Interrupts are heard by `guarding`."""
        return self._opened(audience, guarding)

    # ---- the work ----

    def _work(self, tell: Listener) -> Result[Counts]:
        return self._opened(_Silent(tell), _stopped_by_nobody)

    def _opened(self, audience: Audience, guarding: Guarding) -> Result[Counts]:
        folder = to_write(self.options.project, self.options.store, "--store")
        with Store.open(folder, create=self._create) as store:
            return self._run(store, self._opening(store), audience, guarding)

    def _run(self, store: Store, row: CampaignRow, audience: Audience, guarding: Guarding) -> Result[Counts]:
        options, budget = self.options, self._budget or row.budget
        notices: list[str] = []

        def told(event: Event) -> None:
            if isinstance(event, Notice):
                notices.append(event.text)
            audience(event)

        with store.lock(row.id), _WrittenDown(store.recorder(row.id), told) as emit:
            past = _past(store, row, options.workers)
            for notice in store.notices:
                emit(Notice(notice))
            engine, recipe = make_engine(
                row.engine, row.config, row.seed, options.project, options.workers, store
            )
            plan = Plan(
                campaign=row.id,
                target=row.target,
                seed=row.seed,
                budget=budget,
                project=options.project,
                scratch=store.scratch,
                workers=options.workers,
                limits=options.limits,
                allow=options.allow,
                on=options.on,
            )
            try:
                campaign = self._campaign = Campaign(plan, engine, emit, past)
                if self.stopped:
                    campaign.stop("stopped")
            except UntrodError as error:
                emit(_never_ran(row, error))
                raise
            with guarding(campaign.stop) as interrupted:

                def hurried() -> bool:
                    return self.stopped or interrupted()

                try:
                    finished = campaign.run()
                except UntrodError as error:
                    emit(_never_ran(row, error))
                    raise
                if finished.findings:
                    audience.say("making the findings small and trying out their tests ...")
                _hand_on(store, row, engine, options.workers, emit)
                folder = options.project / options.tests
                delivery = deliver(
                    engine,
                    recipe,
                    plan,
                    store,
                    folder,
                    emit,
                    hurry=hurried,
                    finished=finished,
                    show=audience.show,
                )
            finished = replace(finished, extra=delivery.extra)
            emit.finish(finished)
            result: Result[Counts] = handed_over(
                store, row, budget, finished, delivery, notices, recipe, options.project, campaign.trouble
            )
        return result


class _Silent:
    """Only events are told."""

    def __init__(self, tell: Listener) -> None:
        self._tell = tell

    def __call__(self, event: Event) -> None:
        self._tell(event)

    def show(self, line: str) -> None:
        pass

    def say(self, line: str) -> None:
        pass


def _stopped_by_nobody(stop: Callable[[], None]) -> AbstractContextManager[Callable[[], bool]]:
    return nullcontext(lambda: False)


class _WrittenDown:
    """Passes events on once they are durable: what a person or a program was told is never lost.

    That a campaign is finished is written down at once, and told at the very end: what it came to may depend
    on the tests that are kept.
    """

    def __init__(self, recorder: Recorder, listener: Listener) -> None:
        self._recorder = recorder
        self._listener = listener
        self._held: list[Event] = []
        self._last: CampaignFinished | None = None

    def __enter__(self) -> _WrittenDown:
        return self

    def __exit__(self, *_: object) -> None:
        self.settle()

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


def _hand_on(store: Store, row: CampaignRow, engine: Engine, workers: int, emit: Listener) -> None:
    """What was learned, for the next campaign."""
    for shard in range(workers if isinstance(engine, Transfers) else 0):
        saved = store.checkpoint(row.id, shard)
        try:
            learned = list(engine.transfer(saved[1])) if saved and isinstance(engine, Transfers) else []
        except Malformed as error:
            emit(Notice(f"what worker {shard} has learned is not kept for the next campaign: {error}"))
            continue
        for table in learned:
            store.save_table(table.key, table.manifest, table.blob)
