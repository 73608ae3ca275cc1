"""After a campaign: make its findings small, tell certain from flaky, and write them down as tests.

Findings are already safe in the store by now. How much is tried is counted in replays, not in seconds, so
that equal campaigns deliver equal tests; a generous time limit only guards against the endless.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from untrod.core.events import CampaignFinished, CorpusGrown, Listener, Notice, TestWritten
from untrod.core.vocabulary import Finding, Json, Outcome, Trace
from untrod.output.cases import TestCase
from untrod.output.minimise import minimise
from untrod.output.pytest_emit import emit_tests
from untrod.output.pytest_writer import Origin, write_tests
from untrod.output.summary import Section, Words
from untrod.runtime.campaign import Engine, Plan
from untrod.runtime.replayer import Replayed, Replayer, how_often, stopwatch
from untrod.store import Store

TIME_LIMIT = 60.0
SESSION_TIME_LIMIT = 300.0
"""Where a replay is a session with an application."""
VERIFY_SECONDS = 120.0


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
"""What a smaller trace has to say of itself."""


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
    ) -> list[TestCase]: ...


@dataclass(frozen=True, slots=True)
class Delivery:
    findings: tuple[Finding, ...]
    tests: tuple[str, ...]


def deliver(
    engine: Engine,
    recipe: Recipe,
    plan: Plan,
    store: Store,
    folder: Path,
    emit: Listener,
    *,
    hurry: Callable[[], bool],
) -> Delivery:
    """`folder` is where tests go. With `hurry`, findings are delivered as they are."""
    findings = store.findings(plan.campaign)
    sessions = any(finding.detail.get("session") for finding in findings)
    expired = stopwatch(SESSION_TIME_LIMIT if sessions else TIME_LIMIT)
    with Replayer(
        engine, project=plan.project, scratch=plan.scratch, limits=plan.limits, allow=plan.allow
    ) as replayer:
        improved = []
        for finding in findings:
            better = _improve(finding, replayer, lambda: hurry() or expired())
            store.set_finding(plan.campaign, better)
            improved.append(better)
        cases = [] if hurry() else recipe.cases(improved, store.corpus(plan.campaign), replayer)
        for place, finding in enumerate(improved):
            improved[place] = _as_tested(finding, cases, replayer)
            if improved[place] is not finding:
                store.set_finding(plan.campaign, improved[place])
    origin = Origin(engine.name, plan.target, plan.project, recipe.folders(plan.project))
    try:
        tests = _write(cases, folder, recipe.slug(), origin, emit) if cases else ()
    except OSError as error:
        emit(
            Notice(f"no tests were written to {folder}: {error.strerror}; choose another folder with --tests")
        )
        tests = ()
    return Delivery(tuple(improved), tests)


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
    detail = {**finding.detail, **{key: told[key] for key in _NEWER if key in told}}
    return replace(finding, trace=trace, title=told.get("title", finding.title), detail=detail)


def _effort(finding: Finding) -> Effort:
    if finding.detail.get("session"):
        return _A_SESSION
    if finding.detail.get("shrunk"):
        return _ALREADY_SMALL
    if finding.kind == Outcome.TIMED_OUT:
        return _COSTS_A_TIMEOUT
    return _CHEAP if "exception" in finding.detail else _COSTS_A_WORKER


def _write(
    cases: Sequence[TestCase], folder: Path, slug: str, origin: Origin, emit: Listener
) -> tuple[str, ...]:
    """Write the cases that do under pytest what they say they do."""
    if importlib.util.find_spec("pytest") is None:
        emit(Notice("pytest is not installed: the tests were written without being tried out"))
        paths, kept = tuple(write_tests(folder, slug, cases, origin)), tuple(cases)
    else:
        emitted = emit_tests(folder, slug, cases, origin, timeout=VERIFY_SECONDS)
        paths, kept = emitted.paths, emitted.cases
        for dropped in emitted.dropped:
            emit(Notice(f"no test for `{dropped.case.name_hint}`: {dropped.reason}"))
    names = tuple(os.path.relpath(path, origin.root) for path in paths)
    for name in names:
        emit(TestWritten(name, tuple(case.finding for case in kept if case.finding)))
    return names
