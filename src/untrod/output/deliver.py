"""After a campaign: make its findings small, tell certain from flaky, and write them down as tests.

Findings are already safe in the store by now. How much is tried is counted in replays, not in seconds, so
that equal campaigns deliver equal tests; a time limit guards against the endless: half of the campaign's own
time, within bounds, and as much again for trying the tests out. After a Ctrl-C there is less of it.
"""

from __future__ import annotations

import importlib.util
import math
import os
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, runtime_checkable

from untrod.core.events import CampaignFinished, CorpusGrown, Listener, Notice, TestWritten
from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Finding, Json, Outcome, Trace
from untrod.output.cases import TestCase
from untrod.output.harmless import harmless
from untrod.output.minimise import minimise
from untrod.output.pytest_emit import Emitted, Tryout, emit_tests
from untrod.output.pytest_verify import Taken
from untrod.output.pytest_writer import Origin, writable, write_tests
from untrod.output.summary import Section, Words
from untrod.plugins import ENGINES
from untrod.runtime.campaign import Engine, Plan
from untrod.runtime.replayer import Replayed, Replayer, how_often
from untrod.store import Store

TIME_LIMIT = 60.0
SHARE, LEAST, MOST = 0.5, 10.0, 300.0
"""Of a budget of time, and what that is at least and at most."""
DELIVERY = "UNTROD_DELIVERY_SECONDS"
"""In the environment of a turn of a hunt: what all of it may take there. A part is for replays."""
REPLAYS_SHARE, LEAST_TRYOUT, LEAST_OFTEN = 0.7, 20.0, 3.0
"""A first run of the tests may take so long, however little time was told: else all was in vain. Others are
begun for so long."""
HURRIED = 0.8
"""Seconds that are left after a Ctrl-C, where there is a suite to be made: all must be over after two."""
SESSION_TIME_LIMIT = 300.0
"""Where a replay is a session with an application."""
VERIFY_SECONDS = 120.0
FINDINGS_SHARE = 0.5
"""Of the time, where there is a suite to be made as well."""
PROCESSES = 3
"""In which tests are tried out that pin what the code does today: what differs there would be flaky."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How many replays a finding is worth: to make it smaller, and to see whether it holds."""

    checks: int
    confirmations: int


_CHEAP = Effort(2_000, 5)
_COSTS_A_WORKER = Effort(30, 2)
_COSTS_A_TIMEOUT = Effort(0, 1)
_ALREADY_SMALL = Effort(0, 3)
_A_SESSION = Effort(40, 5)
MOST_TOLD = 20
_NEWER = (
    "message",
    "traceback",
    "value",
    "stage",
    "arguments",
    "explanation",
    "formula",
    "reasons",
    "steps",
)
"""What a smaller trace has to say of itself, besides what an engine keeps of its own."""
_SAME = ("key", "kind", "title", "shrunk", "complete", "session", "held")


class Recipe(Protocol):
    """How the results of one engine become tests."""

    def slug(self) -> str:
        """What the test file is called after."""
        ...

    def folders(self, project: Path) -> tuple[Path, ...]:
        """What must be on `sys.path` for the tests to import the target."""
        ...

    def sections(self, extra: dict[str, Json]) -> tuple[Section, ...]:
        """What only this engine has to say at the end, from what it counted."""
        ...

    def words(self, finished: CampaignFinished) -> Words:
        """What it came to, where "so many findings, so many valid" does not say it."""
        ...

    def cases(
        self, findings: Sequence[Finding], corpus: Iterable[CorpusGrown], replayer: Replayer
    ) -> list[TestCase]:
        """Comes to an end soon after `replayer.expired`, with what there is by then."""
        ...


@runtime_checkable
class Claims(Protocol):
    """A recipe whose campaign says what the tests take: that is corrected once they were tried out."""

    @property
    def measured(self) -> Collection[str]:
        """Source files, known once `cases` has been called."""
        ...

    def notes(self) -> Iterable[str]:
        """What was given up in `cases`."""
        ...

    def claims(
        self, extra: dict[str, Json], kept: Sequence[TestCase], taken: Taken | None
    ) -> dict[str, Json]:
        """What the campaign has counted, as it is with the tests that were `kept`, which take `taken`."""
        ...


@dataclass(frozen=True, slots=True)
class Delivery:
    findings: tuple[Finding, ...]
    tests: tuple[str, ...]
    extra: dict[str, Json]


def deliver(
    engine: Engine,
    recipe: Recipe,
    plan: Plan,
    store: Store,
    folder: Path,
    emit: Listener,
    *,
    hurry: Callable[[], bool],
    finished: CampaignFinished,
    show: Callable[[str], None] = lambda line: None,
) -> Delivery:
    """`folder` is where tests go, `finished` what the campaign has come to. With `hurry`, findings are
    delivered as they are, and a suite with the values that it has."""
    findings = store.findings(plan.campaign)
    told = told_seconds()
    seconds = limit(plan, findings, finished.wall) if told is None else told * REPLAYS_SHARE
    clock = _Clock(seconds, hurry, show)
    makes_suite = engine.name in ENGINES and ENGINES.find(engine.name).makes_suite
    complaints: dict[str, None] = {}
    with Replayer(
        engine,
        project=plan.project,
        scratch=plan.scratch,
        limits=plan.limits,
        allow=plan.allow,
        expired=clock.expired,
        hurry=hurry,
        stop=clock.is_cut_off if makes_suite else hurry,
        before=clock.tick,
        complain=complaints.setdefault,
    ) as replayer:
        improved = []
        share = FINDINGS_SHARE if makes_suite else 1.0
        for finding in findings:
            better = _improve(finding, replayer, lambda: clock.expired(share) or hurry())
            store.set_finding(plan.campaign, better)
            improved.append(better)
        waits = hurry() and not makes_suite
        try:
            cases = [] if waits else recipe.cases(improved, store.corpus(plan.campaign), replayer)
        except Malformed as error:
            emit(Notice(f"no tests: what the store holds of {plan.campaign} is not its engine's: {error}"))
            cases = []
        for place, finding in enumerate(improved):
            improved[place] = _as_tested(finding, cases, replayer)
            if improved[place] is not finding:
                store.set_finding(plan.campaign, improved[place])
        cases, harm = harmless(cases, improved, replayer.seen)
    for complaint in (*complaints, *harm[:MOST_TOLD]):
        emit(Notice(complaint))
    origin = Origin(engine.name, plan.target, plan.project, recipe.folders(plan.project))
    pins = recipe if isinstance(recipe, Claims) else None
    tryout = Tryout(
        VERIFY_SECONDS,
        seconds=max(TIME_LIMIT, clock.seconds) if told is None else max(LEAST_TRYOUT, told - clock.spent()),
        enough=math.inf if told is None else max(LEAST_OFTEN, told - clock.spent()),
        processes=PROCESSES if pins else 1,
        allow=plan.allow,
        memory_mb=plan.limits.memory_mb,
        measured=pins.measured if pins else None,
        hurry=hurry,
        show=show,
    )
    for note in pins.notes() if pins else ():
        emit(Notice(note))
    try:
        emitted = _write(cases, folder, recipe.slug(), origin, emit, tryout) if cases else _NONE
    except OSError as error:
        emit(
            Notice(f"no tests were written to {folder}: {error.strerror}; choose another folder with --tests")
        )
        emitted = _NONE
    if makes_suite and hurry() and (clock.is_cut_off() or len(emitted.cases) < len(cases)):
        emit(Notice(f"interrupted: `untrod campaigns resume {plan.campaign}` makes the rest of the suite"))
    extra = finished.extra
    if pins:
        extra = pins.claims(extra, emitted.cases, emitted.taken)
    names = tuple(os.path.relpath(path, origin.root) for path in emitted.paths)
    for name in names:
        emit(TestWritten(name, tuple(case.finding for case in emitted.cases if case.finding)))
    return Delivery(tuple(improved), names, extra)


_NONE = Emitted((), (), ())


class _Clock:
    """How long replays may go on, and how that is told."""

    def __init__(self, seconds: float, hurry: Callable[[], bool], show: Callable[[str], None]) -> None:
        self.seconds = seconds
        self._started = time.monotonic()
        self._hurry = hurry
        self._show = show
        self._hurried_at: float | None = None
        self._replays = 0

    def spent(self) -> float:
        return time.monotonic() - self._started

    def expired(self, share: float = 1.0) -> bool:
        """Is this share of the time over?"""
        return self.spent() >= share * self.seconds or self.is_cut_off()

    def is_cut_off(self) -> bool:
        """Is what was left after a Ctrl-C over as well?"""
        now = time.monotonic()
        if self._hurried_at is None and self._hurry():
            self._hurried_at = now
        return self._hurried_at is not None and now - self._hurried_at >= HURRIED

    def tick(self) -> None:
        self._replays += 1
        spent, most = self.spent(), self.seconds
        self._show(f"making tests: {self._replays:,} replays, {spent:.0f}s of at most {most:.0f}s")


def told_seconds() -> float | None:
    """What a hunt has left for the delivery of this turn."""
    try:
        seconds = float(os.environ[DELIVERY])
    except (KeyError, ValueError):
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def limit(plan: Plan, findings: Iterable[Finding], took: float) -> float:
    """Seconds, where the campaign `took` so many: CPU time may be slow to come by on a busy machine."""
    if any(finding.detail.get("session") for finding in findings):
        return SESSION_TIME_LIMIT
    seconds = plan.budget.seconds
    if seconds is None:
        return TIME_LIMIT
    if plan.budget.wall is None:
        seconds = max(seconds, took)
    return min(MOST, max(LEAST, SHARE * seconds))


def _improve(finding: Finding, replayer: Replayer, stop: Callable[[], bool]) -> Finding:
    if stop() or finding.detail.get("complete") is False:
        return finding  # without its whole trace it cannot be replayed
    effort = _effort(finding)

    def shows(result: Replayed) -> bool:
        return result.key == finding.key

    small = minimise(
        finding.trace, lambda trace: shows(replayer.replay(trace)), max_checks=effort.checks, stop=stop
    )
    last = replayer.replay(small.trace)
    if not last.answered:
        return finding  # as it was: nobody knows better
    held, of = how_often(replayer, replace(finding, trace=small.trace), effort.confirmations - 1, stop)
    detail = {**finding.detail, "held": [held + shows(last), of + 1]}
    if last.report.get("finding") and shows(last):
        return _retold(replace(finding, detail=detail), small.trace, last)
    if last.report.get("value"):
        detail["value"] = last.report["value"]
    return replace(finding, trace=small.trace, detail=detail)


def _as_tested(finding: Finding, cases: Iterable[TestCase], replayer: Replayer) -> Finding:
    """What a person reads about and replays is what the test shows, which may have been made simpler."""
    simpler = next((case.trace for case in cases if case.trace and case.finding == finding.id), None)
    if simpler is None or simpler == finding.trace:
        return finding
    result = replayer.replay(simpler)
    shows = result.key == finding.key and result.report.get("finding")
    return _retold(finding, simpler, result) if shows else finding


def _retold(finding: Finding, trace: Trace, result: Replayed) -> Finding:
    """The same finding, by another trace that shows it."""
    told = result.report["finding"]
    newer = [key for key in told if key in _NEWER or (key in finding.detail and key not in _SAME)]
    detail = {**finding.detail, **{key: told[key] for key in newer}}
    return replace(finding, trace=trace, title=told.get("title", finding.title), detail=detail)


def _effort(finding: Finding) -> Effort:
    if finding.detail.get("session"):
        return _A_SESSION
    if finding.kind == Outcome.TIMED_OUT:
        return _COSTS_A_TIMEOUT
    if finding.detail.get("shrunk"):
        return _ALREADY_SMALL
    return _CHEAP if "exception" in finding.detail else _COSTS_A_WORKER


def _write(
    cases: Sequence[TestCase], folder: Path, slug: str, origin: Origin, emit: Listener, tryout: Tryout
) -> Emitted:
    """Write the cases that do under pytest what they say they do."""
    cases, odd = writable(cases)
    for case, why in odd[:MOST_TOLD]:
        emit(Notice(f"no test for `{case.name_hint}`: {why}"))
    if importlib.util.find_spec("pytest") is None:
        emit(Notice("pytest is not installed: the tests were written without being tried out"))
        return Emitted(tuple(write_tests(folder, slug, cases, origin)), tuple(cases), ())
    emitted = emit_tests(folder, slug, cases, origin, tryout)
    for dropped in emitted.dropped[:MOST_TOLD]:
        emit(Notice(f"no test for `{dropped.case.name_hint}`: {dropped.reason}"))
    if len(emitted.dropped) > MOST_TOLD:
        emit(Notice(f"no test for {len(emitted.dropped) - MOST_TOLD} others, for the like reasons"))
    if emitted.cases and emitted.runs < tryout.processes and not tryout.hurry():
        emit(Notice("the tests were not tried out as often as they should be: they take too long"))
    return emitted
