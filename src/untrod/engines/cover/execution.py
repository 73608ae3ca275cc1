"""The steps of an input, done one after the other for real, and what of it may look like a bug.

From top to bottom: `execute` (all steps), `do_step` (one of them), `drive` (generators and coroutines do
nothing until they are iterated or awaited: that is done here, up to a bound), `BoundedLoop` (the event loop
for that), `is_suspect` (does an exception look like a bug?), `ProcessState` (what code under test may
have changed of its process).
"""

from __future__ import annotations

import asyncio
import builtins
import inspect
import os
import sys
import warnings
from collections.abc import AsyncGenerator, Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import TracebackType
from typing import Any

from untrod.core.interrupts import is_pressed, stands_at_raise
from untrod.engines.cover.case import DRIVEN_TO, Driven, Input, Step
from untrod.engines.cover.methods import MANAGED
from untrod.runtime.deadline import EpisodeStopped
from untrod.runtime.guard import Refused, may_have_changed_variables, paused
from untrod.source.evaluate import evaluate, resolve
from untrod.source.nodes import Ref

MOST_TURNS = 1_000
MOST_SECONDS = 2.0
"""On the clock of the loop: a test takes as long."""
CLEANING = 200
_SLIPS = (
    ArithmeticError,
    AttributeError,
    BufferError,
    LookupError,
    MemoryError,
    NameError,
    RecursionError,
    SystemError,
    TypeError,
)
_OF_TYPES = (AttributeError, TypeError)


class Unbuildable(Exception):
    """An argument could not be made: this says nothing about the entry."""


@dataclass(slots=True)
class Execution:
    """`done` steps were begun; the last of them gave `value` or raised `error`."""

    done: int = 0
    value: Any = None
    driven: Driven = ""
    error: BaseException | None = None
    raised: list[tuple[int, type[BaseException]]] = field(default_factory=list)
    driven_steps: list[tuple[int, Driven]] = field(default_factory=list)
    made: Any = None
    """What the first step made, and what the last one was called with: as they are afterwards."""
    arguments: tuple[Any, ...] = ()
    before: dict[str, Any] = field(default_factory=dict)
    """What the object held before the last step."""
    tampered: bool = False
    """The code has changed something of the process that untrod's own code depends on."""


def execute(
    given: Input, ends: Callable[[BaseException, int], bool], restore: Callable[[], bool]
) -> Execution:
    """All the steps, or as many as can be done. No exception but Ctrl-C comes out of here.

    `ends`: is it over after this exception of that step? `restore` puts back what the code has changed of
    the process, and says whether a test would suffer from it.
    """
    made = None
    execution = Execution()
    for execution.done, step in enumerate(given.steps, 1):
        execution.error, execution.driven = None, ""
        try:
            arguments, keywords = _built(step)
            execution.arguments = tuple(arguments)
            if execution.done == 1:
                found = _named(given.module, step.name)
                result = made = execution.made = make(found, step, arguments, keywords)
            else:
                if execution.done == len(given.steps):
                    execution.before = dict(getattr(made, "__dict__", ()))
                result = do_step(made, step, arguments, keywords)
                made = result if step.kind == "then" else made
            execution.driven = driven(result)
            if execution.driven:
                execution.driven_steps.append((execution.done - 1, execution.driven))
            execution.value = drive(result)[0]
        except BaseException as error:
            if is_pressed(error):
                raise
            execution.error = error
            execution.tampered |= restore()  # from here on our own code runs
            if execution.done == 1 or ends(error, execution.done):
                break
            if execution.done < len(given.steps):
                execution.raised.append((execution.done - 1, type(error)))
    return execution


def _built(step: Step) -> tuple[list[Any], dict[str, Any]]:
    try:
        arguments = [evaluate(node) for node in step.arguments]
        keywords = {name: evaluate(node) for name, node in step.keywords}
        if step.kind in MANAGED and not all(isinstance(one, BaseException) for one in arguments):
            raise TypeError("only exceptions are raised")
        return arguments, keywords
    except EpisodeStopped:
        raise
    except BaseException as error:
        raise Unbuildable from error


def _named(module: str, name: str) -> Any:
    try:
        return resolve(Ref(module, name))
    except Exception as error:
        raise Unbuildable from error


# -- one step ------------------------------------------------------------------------------------------


def make(found: Any, step: Step, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The first step. Of a class that needs a host, the first two arguments are its members and those of a
    base behind the class."""
    if step.kind == "host":
        members, above, *arguments = arguments
        bases = (found, type("Base", (), above)) if above else (found,)
        found = type("Host", bases, members)
    return found(*arguments, **keywords)


def do_step(made: Any, step: Step, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """What it gives; of a `with`, what the manager has given. One that is asynchronous gives a coroutine."""
    match step.kind:
        case "get":
            return getattr(made, step.name)
        case "set":
            return setattr(made, step.name, *arguments)
        case "del":
            return delattr(made, step.name)
        case "with":
            return _within(made, arguments)
        case "async with":
            return _within_async(made, arguments)
        case "then":
            return made(*arguments, **keywords)
    return getattr(made, step.name)(*arguments, **keywords)


def _within(manager: Any, errors: Sequence[BaseException]) -> Any:
    with manager as value:
        for error in errors:
            raise error
    return value


async def _within_async(manager: Any, errors: Sequence[BaseException]) -> Any:
    async with manager as value:
        for error in errors:
            raise error
    return value


def driven(result: Any) -> Driven:
    """What has to be driven, by its name; empty for anything else."""
    if inspect.isgenerator(result):
        return "generator"
    if inspect.iscoroutine(result):
        return "coroutine"
    return "async generator" if inspect.isasyncgen(result) else ""


def drive(result: Any) -> tuple[Any, Driven]:
    """What comes out of `result`, and what it was; anything else comes back as it is."""
    kind = driven(result)
    if kind == "generator":
        try:
            return list(islice(result, DRIVEN_TO)), kind
        finally:
            result.close()
    if kind == "coroutine":
        return run_coroutine(result), kind
    if kind == "async generator":
        return run_coroutine(_collect(result)), kind
    return result, kind


async def _collect(generator: AsyncGenerator[Any, Any]) -> list[Any]:
    found = []
    try:
        async for item in generator:
            found.append(item)
            if len(found) == DRIVEN_TO:
                break
    finally:
        await generator.aclose()
    return found


# -- event loops ---------------------------------------------------------------------------------------


class StillWaiting(RuntimeError):
    """A coroutine waits for something that does not happen here, or not soon."""


def run_coroutine(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """As `asyncio.run` does it: what is still running at the end is cancelled. Raises StillWaiting."""
    with asyncio.Runner(loop_factory=_loop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, BoundedLoop)
        try:
            return runner.run(coroutine)
        finally:
            loop.turns = MOST_TURNS - CLEANING  # to clean up, there is a little more
            loop.late = loop.time() + MOST_SECONDS


class BoundedLoop(asyncio.SelectorEventLoop):
    """It ends: after so many turns, after some time, or when nothing can happen any more.

    Here nothing waits for a clock. Where all that a loop has left to do is to wait for a timer, its clock
    goes on to that moment: what sleeps for a tenth of a second does so in microseconds. A test sleeps for
    real, so there is a bound on that time as well.
    """

    def __init__(self) -> None:
        self._ahead = 0.0
        super().__init__()
        self.turns = 0
        self.late = self.time() + MOST_SECONDS
        self.set_exception_handler(lambda loop, context: None)  # asyncio would only log it

    def time(self) -> float:
        return super().time() + self._ahead

    def _run_once(self) -> None:
        """asyncio's own turn: timers that are due, files and sockets, callbacks."""
        self.turns += 1
        if self.turns > MOST_TURNS or self.time() > self.late:
            raise StillWaiting(f"it still waits after {MOST_TURNS} turns, or {MOST_SECONDS:g} s")
        if not self._ready and not self._stopping and not self._is_watched:  # type: ignore[attr-defined]
            self._skip()
        super()._run_once()  # type: ignore[misc]

    @property
    def _is_watched(self) -> bool:
        """Can something come from outside: a thread, a file, a socket? One file is the loop's own."""
        return self._default_executor is not None or len(self._selector.get_map()) > 1  # type: ignore[attr-defined]

    def _skip(self) -> None:
        """To the next timer, since nothing else can happen."""
        due = [timer.when() for timer in self._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
        if not due:
            raise StillWaiting("it waits for something that does not happen")
        self._ahead += max(0.0, min(due) - self.time())


def _loop() -> BoundedLoop:
    with paused():  # a loop has a pair of sockets for itself
        return BoundedLoop()


# -- exceptions ----------------------------------------------------------------------------------------


def is_suspect(error: BaseException, files: Collection[str], *, guessed: bool) -> bool:
    """Does the exception look like a bug?

    A `raise` in the code under test says that its author thought of the case. What Python itself raises
    there, an index out of range or a division by zero, is mostly a case that the author did not think of.
    ValueError and its like are left alone: `int(text)` is how many programs refuse an input. An assertion
    that fails is always told. `files` are those of the code under test. `guessed`: argument types were
    guessed, so that an exception about types blames the guess.
    """
    if isinstance(error, AssertionError):
        return not (guessed and not str(error))
    if isinstance(error, EpisodeStopped | SystemExit | Refused):
        return True  # it was stopped, it wanted to end the process, or to do what the guard does not let it
    if not isinstance(error, _SLIPS) or isinstance(error, StopIteration):
        return False
    if guessed and isinstance(error, _OF_TYPES):
        return False
    inside = _innermost(error.__traceback__, files)
    return inside is not None and not stands_at_raise(inside)


def is_raised(error: BaseException, files: Collection[str]) -> bool:
    """By a `raise` of the code under test, or by an assert?"""
    inside = _innermost(error.__traceback__, files)
    return isinstance(error, AssertionError) or (inside is not None and stands_at_raise(inside))


def _innermost(trace: TracebackType | None, files: Collection[str]) -> TracebackType | None:
    """The last frame in the code under test."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in files:
            found = trace
        trace = trace.tb_next
    return found


# -- the process ---------------------------------------------------------------------------------------


class ProcessState:
    """What code under test may change of its process, and untrod's own code depends on: put back after every
    run.

    A test runs in a process of its own, where no earlier run has changed anything. So has every run here. The
    state is that of when this is made. `restore` works while `builtins` is still mangled.
    """

    def __init__(self) -> None:
        self._builtins = dict(vars(builtins))
        self._streams = (sys.stdin, sys.stdout, sys.stderr)
        self._argv = list(sys.argv)
        self._environment = os.environ
        self._raw: dict[Any, Any] = vars(os.environ)["_data"]
        self._variables = dict(self._raw)
        self._depth = sys.getrecursionlimit()
        self._path = list(sys.path)
        self._filters: list[Any] = list(warnings.filters)
        self._live = vars(builtins)
        self._update = self._live.update

    def restore(self) -> bool:
        """Was something changed that a test run would not bear, since it is not put back there?"""
        tampered = self._live != self._builtins or sys.stdout is None or sys.stderr is None
        if tampered:
            self._update(self._builtins)
            for name in self._live.keys() - self._builtins.keys():
                del self._live[name]
        sys.stdin, sys.stdout, sys.stderr = self._streams
        if sys.getrecursionlimit() != self._depth:
            sys.setrecursionlimit(self._depth)
        if sys.path != self._path:
            sys.path[:] = self._path
        if os.environ is not self._environment or (
            may_have_changed_variables() and self._raw != self._variables
        ):
            self._restore_variables()
        if sys.argv != self._argv:
            sys.argv = list(self._argv)
        if warnings.filters != self._filters:
            warnings.resetwarnings()  # which also tells that they have changed
            warnings.filters[:] = self._filters  # type: ignore[index]
        return tampered

    def _restore_variables(self) -> None:
        os.environ = environment = self._environment
        for name in self._raw.keys() - self._variables.keys():
            del environment[environment.decodekey(name)]
        for name, value in self._variables.items():
            if self._raw.get(name) != value:
                environment[environment.decodekey(name)] = environment.decodevalue(value)
