"""The code under test, and every real run of it.

A run has a number, which is its episode. The beacon knows the number and, before anything is called, the
input: whatever the code then does to its process, the input that did it is known. An episode that killed a
worker before comes back as a run that took nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from untrod.core.protocols import Beacon
from untrod.core.validity import Rejected
from untrod.core.vocabulary import Json, Outcome
from untrod.engines.cover.branch_map import BranchMap, LineArc, Tracer
from untrod.engines.cover.case import CallResult, Case, Input, Step
from untrod.engines.cover.drawing import Drawer
from untrod.engines.cover.execution import (
    Execution,
    ProcessState,
    StillWaiting,
    Unbuildable,
    execute,
    is_raised,
    is_suspect,
)
from untrod.engines.cover.methods import MANAGED, Method
from untrod.engines.cover.nondeterminism import NondeterminismWatch, stable_case
from untrod.engines.cover.outside.dressing import dressed
from untrod.engines.cover.outside.refusals import instead
from untrod.engines.cover.outside.settings import World
from untrod.engines.cover.outside.stage import NoStage, Stage
from untrod.engines.cover.outside.varying import settled
from untrod.engines.cover.parameters import COMPARISONS
from untrod.engines.cover.rightness.callers import Callers
from untrod.engines.cover.rightness.judging import Judge
from untrod.engines.cover.rightness.levels import NOTE, Judgement
from untrod.engines.cover.rightness.oracles import broken, has_oracles
from untrod.engines.cover.state import changed
from untrod.engines.cover.targets import Entry, Maker, Survey
from untrod.engines.cover.under_test import InputRun
from untrod.engines.cover.values.stand_ins import has_stand_in
from untrod.runtime.deadline import EpisodeStopped, EpisodeTimeout, Interrupted
from untrod.runtime.describe import describe_failure, first_line, outcome_of, text_of
from untrod.runtime.guard import refused_since, refused_so_far
from untrod.runtime.randomness import reseed
from untrod.source.evaluate import evaluate
from untrod.source.literals import express, importable
from untrod.source.nodes import Call, Node, Ref

_TEXT = 200
HOPELESS = 20
"""Inputs of an entry whose arguments could not be made, before a person is told."""


@dataclass(slots=True)
class Unbuilt:
    """How often the arguments of an entry could not be made, and why; whether they ever could."""

    times: int = 0
    reason: str = ""
    ever_built: bool = False

    @property
    def is_hopeless(self) -> bool:
        return not self.ever_built and self.times >= HOPELESS

    def note(self, error: BaseException | None) -> None:
        if isinstance(error, Unbuildable):
            self.times += 1
            self.reason = first_line(f"{type(error.__cause__).__name__}: {text_of(error.__cause__)}")[:_TEXT]
        else:
            self.ever_built = True


@dataclass
class Subject:
    """`imported` are the arcs that importing the modules takes: every test takes them, whatever it calls."""

    name: str
    survey: Survey
    branch_map: BranchMap
    beacon: Beacon
    project: Path
    imported: int = 0
    seed: int = 0
    runs: int = 0
    valid: int = 0
    unbuilt: dict[str, Unbuilt] = field(default_factory=dict)  # by entry
    untested: set[int] = field(default_factory=set)  # their input kills the worker
    passed_over: set[int] = field(default_factory=set)  # finding their input kills the worker
    _last_judged: tuple[InputRun, Judgement] | None = None
    watching: bool = False
    """For nondeterminism, in every run; else only in those that a proof would stand on."""
    is_elsewhere: bool = False
    """The process is not as it usually is: after a run it is put back to what it was just before."""

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        return {entry.name: entry for entry in self.survey.entries}

    @cached_property
    def drawers(self) -> Mapping[str, Drawer]:
        drawers: list[Drawer] = []
        drawers += [Drawer(entry, drawers) for entry in self.survey.entries]
        found = {drawer.entry.name: drawer for drawer in drawers}
        return dressed(found, next(iter(self.branch_map.files)).partition(".")[0])

    def cpu(self) -> float:
        """Everything happens in this process."""
        return time.process_time()

    @cached_property
    def _process_state(self) -> ProcessState:
        return ProcessState()

    @cached_property
    def _tracer(self) -> Tracer:
        return Tracer(self.branch_map.files.values())

    @cached_property
    def _observer(self) -> Tracer:
        """For what looks at the value of a run, and is not part of it."""
        return Tracer(self.branch_map.files.values())

    @property
    def taken(self) -> Mapping[str, set[LineArc]]:
        """Line by line, what the last run has taken."""
        return self._tracer.arcs

    def begin(self) -> int:
        """An episode begins: finding its input may take a while, and be fatal."""
        number = self.runs
        self.runs += 1
        self.beacon.begin(number)
        return number

    @cached_property
    def _watch(self) -> NondeterminismWatch:
        return NondeterminismWatch()

    @cached_property
    def _provable(self) -> frozenset[str]:
        return frozenset(name for name, entry in self.entries.items() if entry.is_numeric)

    def run(self, given: Input, number: int | None = None, *, seed: int | None = None) -> InputRun:
        """Run the steps of the input. `number` is that of an episode that has begun already. `seed` is for
        the global generators of random numbers, where it shall not be that of all other runs."""
        is_walked = number is not None  # by symbolic execution: on such runs a proof stands
        number = self.begin() if number is None else number
        refused = refused_so_far()
        stage: Stage | None = None
        try:
            self.beacon.trace(given.octets())
            if number in self.untested or not self._allows(given):
                return InputRun(given, valid=False, number=number)
            reseed(self.seed if seed is None else seed)
            process_state = self._process_state
            if given.world:
                stage = Stage(given.world)
                stage.__enter__()
            if given.world or self.is_elsewhere:
                process_state = ProcessState()
            self._watch.on = self.watching or (is_walked and given.entry in self._provable)
            with self._tracer, self._watch:
                execution = execute(
                    given, lambda error, done: self._ends(given, error, done), process_state.restore
                )
            execution.tampered |= process_state.restore() or self._tracer.displaced
            self.beacon.end()
        except EpisodeTimeout as late:  # it came just as the run was over
            self._process_state.restore()
            self.beacon.end()
            execution = Execution(len(given.steps), error=late)
        except NoStage:
            self.beacon.end()
            return InputRun(given, valid=False, number=number)
        finally:
            if stage is not None:
                stage.__exit__(None, None, None)
        error = execution.error
        if isinstance(error, Interrupted):
            raise error
        valid = not isinstance(error, Unbuildable | Rejected | StillWaiting)
        self.unbuilt.setdefault(given.entry, Unbuilt()).note(error)
        self.valid += valid
        events = refused_since(refused) if refused_so_far() > refused else ()
        return InputRun(
            given
            if execution.done == len(given.steps)
            else replace(given, steps=given.steps[: execution.done]),
            self.branch_map.bits(self._tracer.arcs),
            valid,
            execution.value,
            execution.driven,
            error,
            tuple(execution.raised),
            number,
            bool(events) or execution.tampered,
            tuple(execution.driven_steps),
            events,
            self._watch.drew,
            execution.made,
            execution.arguments,
            execution.before,
        )

    def instead(self, run: InputRun) -> Iterable[Input]:
        for world in instead(run.given.world, run.events, self.branch_map.files):
            yield replace(run.given, world=world)

    def _allows(self, given: Input) -> bool:
        entry = self._shaped.get(given.entry)
        return entry is None or entry.allows(given)

    @cached_property
    def _shaped(self) -> Mapping[str, Entry]:
        """Entries with shapes that a person gave. Mostly there are none, and then asking costs nothing."""
        return {name: entry for name, entry in self.entries.items() if entry.shapes}

    def unreached(self, covered: int) -> list[str]:
        hidden = ((name, codes) for entry in self.survey.entries for name, codes in entry.hidden.items())
        entrances = ((name, [self.branch_map.entrance(code) for code in codes]) for name, codes in hidden)
        return [name for name, bits in entrances if any(bit and not bit & covered for bit in bits)]

    def forget_caches(self) -> None:
        """After a symbolic path: what `functools.cache` keeps of it would poison the real runs, and so would
        what it has changed of the process."""
        self._process_state.restore()
        for cached in self._caches:
            cached.cache_clear()

    @cached_property
    def _caches(self) -> list[Any]:
        found = []
        for name in self.branch_map.files:
            for value in list(vars(sys.modules[name]).values()) if name in sys.modules else ():
                owned = list(vars(value).values()) if isinstance(value, type) else [value]
                plain = [getattr(one, "__func__", one) for one in owned]
                found += [one for one in plain if callable(getattr(one, "cache_clear", None))]
        return found

    def case(self, run: InputRun, by: str) -> tuple[Case, int]:
        """What a run came to, to be kept. At once: the value may belong to code that changes it later.

        A test that looks at a value may run code under test for that, its `__repr__` or `__eq__`. What that
        takes is the case's too. With the case comes everything that it takes, as bits.
        """
        raised = tuple((number, _name_of(kind)) for number, kind in run.raised)
        result, looking = self._result(run)
        arcs = run.arcs | looking
        return Case(run.given, result, self.branch_map.named(arcs), by, raised, run.driven_steps), arcs

    def finding(self, run: InputRun) -> dict[str, Json] | None:
        if run.error is None and run.testable:
            return self._promise_broken(run)
        if run.error is None or not run.valid or not self._is_suspect(run):
            return None
        outcome = outcome_of(run.error)
        told = describe_failure(run.error, outcome, self.project)
        judged = self.judgement(run)
        if judged.level == NOTE:
            told["key"] = f"{NOTE}:{told['key']}"
            told["kind"] = NOTE if outcome is Outcome.FAILED else outcome.value
        return {
            **told,
            "value": {"text": str(run.given)[:2_000]},
            "level": judged.level,
            "evidence": judged.evidence,
        }

    def _promise_broken(self, run: InputRun) -> dict[str, Json] | None:
        """By a run that has returned."""
        entry = self.entries.get(run.given.entry)
        if entry is None or entry.name not in self._promising or run.raised or run.drew:
            return None
        module = sys.modules[run.given.module]
        self.beacon.begin(run.number)
        try:
            found = broken(run.given, run.value, entry.target, self.branch_map.files.values(), module)
        except EpisodeTimeout:
            return None
        finally:
            self._process_state.restore()
            self.beacon.end()
        if found is None:
            return None
        return {
            "key": f"{Outcome.FAILED.value}:{found.name}:{run.given.entry}",
            "kind": Outcome.FAILED.value,
            "title": f"{found.told} ({run.given.entry})",
            "value": {"text": str(run.given)[:2_000]},
            "level": found.level,
            "evidence": f"{found.told}: Python, its name or its docstring promises that",
        }

    @cached_property
    def _promising(self) -> frozenset[str]:
        """The entries whose results can be checked."""
        found = [entry for entry in self.survey.entries if entry.name.partition(":")[0] in sys.modules]
        return frozenset(
            entry.name
            for entry in found
            if has_oracles(entry.target, sys.modules[entry.name.partition(":")[0]])
        )

    def judgement(self, run: InputRun) -> Judgement:
        """Of a run that raised: how much is to be made of it."""
        assert run.error is not None
        if self._last_judged is None or self._last_judged[0] is not run:
            self._last_judged = run, self._judge.judge(run, run.error)
        return self._last_judged[1]

    def repaired(self, run: InputRun) -> list[Input]:
        """The same with arguments of the kinds that callers pass."""
        return list(self._judge.repaired(run.given)) if run.given.entry in self.entries else []

    @cached_property
    def _judge(self) -> Judge:
        files = list(self.branch_map.files.values())
        return Judge(self.entries, files, Callers(self.project, files), str(self.project))

    def outcome(self, run: InputRun) -> Outcome:
        if not run.valid:
            return Outcome.INVALID
        return outcome_of(run.error) if run.error is not None and self._is_suspect(run) else Outcome.VALID

    # -- for replays and reports ------------------------------------------------------------------

    def rerun(self, given: Input) -> InputRun:
        self.watching = True
        return self.run(given)

    def stable_case(self, run: InputRun) -> Case | None:
        case = stable_case(self, run, "replay")
        return None if case is None else settled(self, case)

    @cached_property
    def about(self) -> Json:
        """The source files, and what importing them takes."""
        imported = [list(arc) for arc in sorted(self.branch_map.named(self.imported))]
        return {"files": self.branch_map.files, "imported": imported}

    def uncallable(self) -> Mapping[str, str]:
        return {name: unbuilt.reason for name, unbuilt in self.unbuilt.items() if unbuilt.is_hopeless}

    # -- within a run -----------------------------------------------------------------------------

    def _ends(self, given: Input, error: BaseException, done: int) -> bool:
        if not isinstance(error, Exception) or isinstance(error, Unbuildable | MemoryError):
            return True
        return self._blames(given, error, done)

    def _result(self, run: InputRun) -> tuple[CallResult, int]:
        """And the arcs that looking at it takes."""
        error = run.error
        if error is not None:
            kind = type(error)
            told = describe_failure(error, outcome_of(error), self.project)
            message = first_line(text_of(error))[:_TEXT]
            place = told["place"]
            judged = self.judgement(run) if self._is_suspect(run) else None
            suspect = judged is not None and judged.level != NOTE
            is_slip = isinstance(error, TypeError | AttributeError) and not is_raised(
                error, self.branch_map.files.values()
            )
            nonsense = not suspect and (is_slip or (judged is not None and judged.is_misuse))
            return CallResult(_name_of(kind), None, message, run.driven, place, suspect, nonsense), 0
        try:
            self.beacon.begin(run.number)
            return self._observed(run)
        except EpisodeTimeout:  # a test has no more time for it than we have
            return CallResult(driven=run.driven), 0
        finally:
            self.beacon.end()

    def _observed(self, run: InputRun) -> tuple[CallResult, int]:
        node = _expressed(run.value)
        with self._observer:
            text = text_of(run.value, "repr")[:_TEXT]
        names = self._parameters(run)
        outcome = CallResult(
            None,
            node,
            text,
            run.driven,
            kind=_importable_kind(run.value),
            names=tuple(names),
        )
        outcome = replace(outcome, after=changed(run, names, outcome.pin == "nothing"))
        if outcome.pin == "value":
            with self._observer:
                _is_equal(run.value, node)
        return outcome, self.branch_map.bits(self._observer.arcs) if outcome.pin in ("value", "repr") else 0

    def _parameters(self, run: InputRun) -> list[str]:
        """The names of what the last step was called with, by position."""
        entry = self.entries.get(run.given.entry)
        step = run.given.steps[-1]
        parts: list[Maker | Method] = [*entry.makers, *entry.methods] if entry is not None else []
        part = next((one for one in parts if (one.name, one.kind) == (step.name, step.kind)), None)
        return [one.name for one in part.parameters if not one.keyword and not one.rest] if part else []

    def _is_suspect(self, run: InputRun) -> bool:
        return run.error is not None and self._blames(run.given, run.error)

    def _blames(self, given: Input, error: BaseException, done: int | None = None) -> bool:
        """`done`: of how many steps the last one raised; all, if nothing is said."""
        entry = self.entries.get(given.entry)
        steps = given.steps[:done]
        if _is_passed_on(steps[-1], error):
            return False
        if given.world and _is_staged(given.world, error):
            return False
        files = self.branch_map.files.values()
        if entry is not None and entry.is_private_call(steps):
            return False
        drawer = self.drawers.get(given.entry)
        if has_stand_in(given) or (drawer is not None and drawer.is_lacking(error)):
            return False  # what made-up objects do, or a mixin without a host
        if not is_suspect(error, files, guessed=False):
            return False  # whatever the arguments are: looking at all of them takes as long as a short run
        guessed = steps[-1].name in COMPARISONS or (entry is not None and entry.excuses(steps))
        return not guessed or is_suspect(error, files, guessed=True)


def _is_passed_on(step: Step, error: BaseException) -> bool:
    """Is it what the body of a `with` has raised?"""
    return step.kind in MANAGED and any(
        isinstance(node, Call) and node.function == Ref(type(error).__module__, type(error).__qualname__)
        for node in step.arguments
    )


def _is_staged(world: World, error: BaseException) -> bool:
    """Does it blame a stand-in, or say how a program ends that was called in some way?"""
    if isinstance(error, SystemExit):
        return any(setting.name == "sys:argv" for setting in world)
    return any(setting.kind in ("return", "raise") for setting in world)


def _name_of(kind: type[BaseException]) -> tuple[str, str]:
    """Module and name of the class, or of the nearest one above it that a test can import."""
    refs = map(importable, kind.__mro__)
    return next((ref.module, ref.qualname) for ref in refs if ref is not None)


def _importable_kind(value: Any) -> tuple[str, str]:
    """Without a module where a test cannot import it."""
    ref = importable(type(value)) if type(value) is not object else None
    return (ref.module, ref.qualname) if ref is not None else ("", type(value).__name__)


def _expressed(value: Any) -> Node | None:
    """Its constructor and its `__eq__` are the target's, and may raise whatever they like."""
    try:
        return express(value)
    except EpisodeStopped:
        raise
    except BaseException:
        return None


def _is_equal(value: Any, node: Node | None) -> bool:
    """As a test would compare them."""
    try:
        return node is not None and bool(value == evaluate(node))
    except EpisodeStopped:
        raise
    except BaseException:
        return False
