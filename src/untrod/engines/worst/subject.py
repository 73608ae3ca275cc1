"""The function under test, loaded, and its environment at one size: every run goes through here.

A run has a number, which is its episode. The beacon knows the number and, before the function is called, the
input: whatever the function then does to its process, the input that did it is known. An episode that killed
a worker before comes back as an attempt that did not run.
"""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json, Outcome, digest
from untrod.engines.worst.costs import Cost, make_cost
from untrod.engines.worst.encoding import InputEncoding, as_numbers
from untrod.engines.worst.protocol import MAX_BRANCHES, Attempt, Inputs
from untrod.runtime.deadline import EpisodeStopped, EpisodeTimeout, Interrupted
from untrod.runtime.describe import describe_failure, first_line, outcome_of, text_of
from untrod.runtime.loading import TargetName, load, load_exception, load_function
from untrod.runtime.randomness import reseed
from untrod.symbolic.annotations import shape_of
from untrod.symbolic.protocol import (
    Branch,
    BranchPolicy,
    Condition,
    Enough,
    Location,
    PathResult,
    State,
    Status,
    SymbolicExecutor,
)
from untrod.symbolic.routing import RoutedExecutor

PRACTICE = 2
"""Environments for practice that are kept."""
RUN, CLAIM = 0, 1
"""The first answer of a trace: a plain run, or the claim that an input costs at least so much."""

_PYTHON_ONLY = ("steps", "calls", "branches")


@dataclass
class Subject:
    """The function under test and how its runs are measured, at every size; counts them."""

    name: str
    function: Callable[..., Any]
    cost: Cost
    beacon: Beacon
    project: Path
    factory: Callable[[int], Any] | None = None
    expected: tuple[type[BaseException], ...] = ()  # exceptions that are no finding
    make_executor: Callable[[Callable[..., Any], InputEncoding], SymbolicExecutor | None] | None = None
    seconds: float = 10.0  # how long one path may take
    over: Callable[[], bool] | None = None  # asked at each branch: is a path to be broken off now?
    seed: int = 0
    runs: int = 0
    measured: int = 0
    untested: set[int] = field(default_factory=set)  # their input kills the worker
    passed_over: set[int] = field(default_factory=set)  # finding their input kills the worker
    _practice: dict[int, SubjectEnvironment] = field(default_factory=dict)

    def encoding(self, size: int) -> InputEncoding:
        """Raises UntrodError when the arguments have no shape."""
        return InputEncoding(shape_of(self.function, size, self.factory))

    def environment(self, size: int) -> SubjectEnvironment:
        return SubjectEnvironment(self, size)

    def practice(self, size: int) -> SubjectEnvironment:
        """An environment to practise in. The newest few are kept: each holds a solver."""
        found = self._practice.pop(size, None) or self.environment(size)
        self._practice[size] = found
        while len(self._practice) > PRACTICE:
            del self._practice[next(iter(self._practice))]
        return found

    def begin(self) -> int:
        number = self.runs
        self.runs += 1
        self.beacon.begin(number)
        return number


@dataclass(frozen=True, slots=True)
class Trouble:
    """A run that raised: its input, as a trace has it, and what is to be said about it."""

    numbers: list[int]
    cost: int
    outcome: Outcome
    told: dict[str, Json]
    episode: int
    recursion: bool = False

    @property
    def serious(self) -> bool:
        """Worth telling on any input; an ordinary exception is, when the worst input raises it."""
        return self.outcome is not Outcome.FAILED or self.recursion

    def to_json(self) -> Json:
        return [self.numbers, self.cost, self.outcome.value, self.told, self.episode, self.recursion]

    @classmethod
    def from_json(cls, body: Json) -> Trouble:
        numbers, cost, outcome, told, episode, recursion = body
        return cls(numbers, cost, Outcome(outcome), told, episode, recursion)


class SubjectEnvironment:
    """The `Environment` of this subject at one size."""

    def __init__(self, subject: Subject, size: int) -> None:
        self.size = size
        self.encoding = subject.encoding(size)
        self.best: Attempt | None = None
        self.trouble: Trouble | None = None  # of the newest attempt
        self._subject = subject

    @cached_property
    def executor(self) -> SymbolicExecutor | None:
        """Made when a policy first asks: a solver takes time to load, and a climber needs none."""
        make = self._subject.make_executor
        return make(self._subject.function, self.encoding) if make is not None else None

    def at(self, size: int) -> SubjectEnvironment:
        return self._subject.practice(size)

    def random(self, rng: Random) -> Inputs:
        return self.encoding.random(rng)

    def run(self, inputs: Inputs) -> Attempt:
        return self._confirm(self._subject.begin(), inputs)

    def walk(self, policy: BranchPolicy, start: State | None = None, most: int = MAX_BRANCHES) -> Attempt:
        executor = self.executor
        assert executor is not None, "a policy that walks must see to it that the environment has an executor"
        subject = self._subject
        number = subject.begin()
        if number in subject.passed_over:
            return Attempt(None, 0, "limit")
        deadline = time.monotonic() + subject.seconds
        if subject.over is not None:
            policy = _Bounded(policy, subject.over)
        try:
            path = executor.advance(start or executor.initial(), policy, max_branches=most, deadline=deadline)
        except EpisodeTimeout:
            path = PathResult("limit", ())
        if isinstance(path.error, Interrupted):
            raise path.error
        if isinstance(path.error, EpisodeStopped):
            path = PathResult("limit", path.branches, path.pending, stats=path.stats)
        subject.beacon.end()
        found = Attempt(None, 0, path.status, path.branches, path.pending, stats=path.stats)
        if path.inputs is None:
            return found
        subject.beacon.begin(number)
        real = self._confirm(number, path.inputs)
        cut = path.status == "limit"
        return replace(real, branches=path.branches, pending=path.pending, stats=path.stats, cut=cut)

    def _confirm(self, number: int, inputs: Inputs) -> Attempt:
        """The real run, on a copy: a function may change its arguments."""
        subject, encoding = self._subject, self.encoding
        self.trouble = None
        leaves = encoding.flatten(inputs)
        try:
            subject.beacon.trace([RUN, self.size, 0, *as_numbers(leaves)])
            if number in subject.untested:
                return Attempt(inputs, 0, "limit")
            reseed(subject.seed)
            measured = subject.cost.measure(subject.function, encoding.build(leaves))
            subject.beacon.end()
            subject.measured += 1
        except EpisodeTimeout as late:  # it came just as the run was over
            subject.beacon.end()
            return self._failed(number, inputs, 0, late)
        if measured.error is None:
            return Attempt(inputs, measured.cost, "done", micros=self._micros(measured.cost))
        if isinstance(measured.error, Interrupted):
            raise measured.error
        return self._failed(number, inputs, measured.cost, measured.error)

    def _failed(self, number: int, inputs: Inputs, cost: int, error: BaseException) -> Attempt:
        if not isinstance(error, self._subject.expected):
            outcome = outcome_of(error)
            told = describe_failure(error, outcome, self._subject.project)
            numbers = self.encoding.numbers(inputs)
            self.trouble = Trouble(numbers, cost, outcome, told, number, isinstance(error, RecursionError))
        status: Status = "limit" if isinstance(error, EpisodeStopped) else "raised"
        text = f"{type(error).__name__}: {first_line(text_of(error))}"
        return Attempt(inputs, cost, status, error=text, micros=self._micros(cost))

    def _micros(self, cost: int) -> float:
        return cost * self._subject.cost.price


class _Bounded:
    """A policy that may be asked until the time is over."""

    def __init__(self, policy: BranchPolicy, over: Callable[[], bool]) -> None:
        self._policy, self._over = policy, over
        self.feedback = policy.feedback

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        if self._over():
            raise Enough("the time is over")
        return self._policy.decide(location, condition, history)


class Executors:
    """Makes a symbolic executor for each size, or none: the search then stays concrete."""

    def __init__(self) -> None:
        self._newest: RoutedExecutor | None = None
        self._refusal = ""

    def __call__(self, function: Callable[..., Any], encoding: InputEncoding) -> RoutedExecutor | None:
        try:
            self._newest = RoutedExecutor(function, encoding.shape)
        except UntrodError as error:
            self._newest, self._refusal = None, f"none: {error}"
        return self._newest

    @property
    def told(self) -> str:
        """Which engine walks the paths, and why."""
        if self._newest is None:
            return self._refusal
        return f"{self._newest.route.engine}: {self._newest.route.reason}"


def load_subject(spec: Json, beacon: Beacon) -> Subject:
    """From what a person named, inside a worker. Raises UntrodError for whatever a person can mend."""
    project = Path(spec["project"])
    name = TargetName(**spec["target"])
    function = load_function(name, project)
    cost = _cost(spec["cost"], project)
    _refuse_lazy(function, name)
    if cost.name in _PYTHON_ONLY:
        _refuse_c(function, name, cost.name)
    return Subject(
        name=str(name),
        function=function,
        cost=cost,
        beacon=beacon,
        project=project,
        factory=load_function(TargetName(**spec["shape"]), project) if spec["shape"] else None,
        expected=tuple(load_exception(TargetName(**one), project) for one in spec["invalid"]),
        seconds=spec["timeout"] / 2,
        seed=spec["seed"],
    )


def _cost(name: Json, project: Path) -> Cost:
    if isinstance(name, str):
        return make_cost(name)
    target = TargetName(**name)
    counter = load(target, project)
    owner = load(TargetName(target.module, target.attribute.rpartition(".")[0], target.root), project)
    return make_cost(str(target), counter, owner)


def _refuse_lazy(function: Callable[..., Any], name: TargetName) -> None:
    """A call of these costs nothing, whatever the input: what they do comes later."""
    kinds = {
        "coroutine": inspect.iscoroutinefunction,
        "generator": inspect.isgeneratorfunction,
        "asynchronous generator": inspect.isasyncgenfunction,
    }
    for kind, test in kinds.items():
        if test(function):
            raise UntrodError(
                f"{name} is a {kind} function: calling it runs nothing of it",
                "name a function that runs it to the end, by list(...) or asyncio.run(...)",
            )


def _refuse_c(function: Callable[..., Any], name: TargetName, cost: str) -> None:
    plain: Any = function
    while isinstance(plain, functools.partial):
        plain = plain.func
    plain = inspect.unwrap(plain)
    names = ("__func__", "__init__")
    entries = [plain, type(plain).__call__, *(getattr(plain, name, None) for name in names)]
    if not any(hasattr(entry, "__code__") for entry in entries):
        raise UntrodError(
            f"{name} is not written in Python: its {cost} cannot be traced",
            "choose --cost allocations or a counter of your own, --cost FILE.py:COUNTER",
        )


def code_of(function: Callable[..., Any]) -> str:
    """Changes when the function does; a comment or another line number changes nothing.

    What it calls is not looked at: places that have moved there are met as new ones.
    """
    code = getattr(inspect.unwrap(function), "__code__", None)
    return digest(repr(_parts(code))) if isinstance(code, CodeType) else ""


def _parts(code: CodeType) -> list[Any]:
    constants = [_parts(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    return [code.co_code, code.co_names, constants]
