"""Runs existing Hypothesis tests under the backend, unchanged, through pytest itself.

Fixtures, conftest files, classes and stateful tests work because pytest does its own work; a plugin only
picks the Hypothesis tests, gives them the backend and a number of examples, and watches what they are
called with.
"""

from __future__ import annotations

import base64
import functools
import inspect
import unittest
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase
from hypothesis.control import _current_build_context
from hypothesis.core import encode_failure
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import StopTest, UnsatisfiedAssumption

from untrod.core.vocabulary import digest
from untrod.engines.inputs.backend.collecting import meant_by, run_pytest
from untrod.engines.inputs.backend.config import configure
from untrod.engines.inputs.backend.database import saved_failures
from untrod.engines.inputs.backend.telling import By, Telling
from untrod.engines.inputs.footprint import Footprint
from untrod.runtime.deadline import Interrupted
from untrod.runtime.describe import text_of

MOOT = (HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large)
"""Checks that stop a test that rejects much, or is slow at first, before anything can be learned."""
_OURS = (HealthCheck.differing_executors,)
"""Others that we make fail: each chunk of examples is a run of pytest, so a method has another `self`."""

EXAMPLE = "@example"
"""Stands for the choices of an explicit example: it was not drawn, and is run again with all its like."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a test function, as Hypothesis made it; `self` is no argument."""

    arguments: dict[str, Any]
    text: str
    blob: str  # the choices behind it, as `@reproduce_failure` takes them, or EXAMPLE
    setup: str = ""  # what a method needs before: see `_setup_of`


@dataclass
class Watch:
    """What a run of one test showed; of the failures at one place, the last is the shrunk one."""

    episodes: int = 0
    valid: int = 0
    new: list[tuple[str, Call]] = field(default_factory=list)  # digest and call
    failures: dict[str, tuple[BaseException, Call | None]] = field(default_factory=dict)
    trouble: BaseException | None = None  # what the test as a whole ended with
    cut: bool = False  # no call was left of the budget; Hypothesis has begun one more, which was not made
    providers: list[Any] = field(default_factory=list)
    complaints: set[str] = field(default_factory=set)  # about how inputs are told apart


def run_test(
    node: str,
    project: Path,
    *,
    examples: int,
    known: set[str],
    begin: Callable[[], None],
    calls: int | None = None,
    blob: str = "",
    different: By = "value",
    **backend: Any,
) -> Watch:
    """Run one test for `examples` examples; with `blob`, only the example it encodes.

    Hypothesis counts the valid examples only. After `calls` calls of the test it ends too, unless a failure
    is being shrunk: that is worth more than a budget kept to the call.

    `begin` is called before each example; `known` holds the digests of inputs seen before, and grows.
    Without `bootstrap`, what the test brings along (its `@example`s, saved failures) is known already.
    `different` tells inputs apart: a word, a function, or the name of one in the test's module.
    """
    watch = Watch()
    skipped = set() if backend.get("bootstrap", True) else {Phase.explicit, Phase.reuse}
    skipped.add(Phase.explain)
    plugin = _Runner(watch, examples, calls, known, begin, blob, project, different, skipped)
    with configure(started=watch.providers.append, warm=False, **backend):
        run_pytest([node], project, plugin)
    if not watch.episodes:  # a state machine: its runs pass us by, the provider has counted them
        watch.episodes = sum(provider.episodes for provider in watch.providers)
        watch.valid = sum(provider.valid for provider in watch.providers)
    return watch


class _Runner:
    def __init__(
        self,
        watch: Watch,
        examples: int,
        calls: int | None,
        known: set[str],
        begin: Callable[[], None],
        blob: str,
        project: Path,
        different: By,
        skipped: set[Phase],
    ) -> None:
        self._watch = watch
        self._examples = examples
        self._calls = calls
        self._known = known
        self._begin = begin
        self._blob = blob
        self._project = project
        self._different = different
        self._skipped = skipped

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        machine = getattr(item.obj, "_hypothesis_state_machine_class", None)
        function = getattr(item.obj, "__func__", item.obj)
        if machine is not None:
            machine.TestCase.settings = self._settings(machine.TestCase.settings)
            return (yield)
        function._hypothesis_internal_use_settings = self._settings(
            function._hypothesis_internal_use_settings
        )
        reproduced = bool(self._blob) and self._blob != EXAMPLE
        if reproduced:
            function._hypothesis_internal_use_reproduce_failure = (
                hypothesis.__version__,
                base64.b64decode(self._blob),
            )
        inner = function.hypothesis.inner_test
        different = meant_by(self._different, item) or "value"
        function.hypothesis.inner_test = self._watched(inner, different, item)
        try:
            with configure(different=different):
                return (yield)
        finally:
            function.hypothesis.inner_test = inner
            if reproduced:
                function._hypothesis_internal_use_reproduce_failure = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Iterator[Any]:
        report = yield
        if call.excinfo is not None:  # afterwards: for a unittest case, pytest fills it in on the way
            self._watch.trouble = call.excinfo.value
        return report

    def _settings(self, before: hypothesis.settings) -> hypothesis.settings:
        kept = [phase for phase in before.phases if phase not in self._skipped]
        return hypothesis.settings(
            before,
            backend="hypothesis" if self._blob else "untrod",
            max_examples=self._examples,
            # Explaining runs hundreds of variations of a failure, for a comment that nobody here reads.
            phases=[Phase.explicit] if self._blob == EXAMPLE else kept,
            # The user's saved failures are tried first; new ones are the store's business, not the worker's.
            database=InMemoryExampleDatabase() if self._blob else saved_failures(before, self._project),
            suppress_health_check={*before.suppress_health_check, *MOOT, *_OURS},
            print_blob=False,
        )

    def _watched(self, inner: Callable[..., Any], different: By, item: Any) -> Any:
        watch, known, begin, allowed = self._watch, self._known, self._begin, self._calls
        fixtures, setup = frozenset(item.funcargs), _setup_of(item)
        itself = object() if item.cls is None else item.instance
        explicit = bool(getattr(item.obj, "hypothesis_explicit_examples", ()))
        own = Telling(different, Footprint(str(self._project)))

        # Hypothesis looks through `wraps` for source and signature, which decide where it keeps failures.
        @functools.wraps(inner)
        def watched(*args: Any, **kwargs: Any) -> Any:
            if watch.episodes == allowed and not watch.failures:
                watch.cut = True
                raise Interrupted
            begin()
            watch.episodes += 1
            given = {name: value for name, value in kwargs.items() if value is not itself}
            text = text_of(given, "repr")  # now: the test may change its arguments
            data = _data()
            telling = getattr(getattr(data, "provider", None), "telling", own)
            if telling is own:  # Hypothesis itself is drawing: the simplest example, or a saved one
                own.begin()
            telling.arguments({name: given[name] for name in given if name not in fixtures})
            try:
                result = inner(*args, **kwargs)
            except (UnsatisfiedAssumption, StopTest):
                raise
            except BaseException as error:
                watch.valid += 1
                watch.failures[_place_of(error)] = (error, Call(given, text, _choices(explicit), setup))
                raise
            finally:
                own.end()
                if telling.complaint is not None:
                    watch.complaints.add(telling.complaint)
            watch.valid += 1
            key = str(telling.key(data) or digest(text))
            if key not in known:
                known.add(key)
                watch.new.append((key, Call({}, text, _choices(explicit))))
            return result

        return watched


def _setup_of(item: Any) -> str:
    """How the instance was made ready, as a call of a method of it: `setup_method()`, `setup_method(method)`.
    Empty: it was not, or there is none. `?`: in ways that cannot be said in a line."""
    if item.cls is None:
        return ""
    if issubclass(item.cls, unittest.TestCase) or not inspect.isfunction(
        getattr(item.cls, item.originalname)
    ):
        return "?"
    method = getattr(item.cls, "setup_method", None)
    if method is None:
        return ""
    return "setup_method(method)" if len(inspect.signature(method).parameters) > 1 else "setup_method()"


def _place_of(error: BaseException) -> str:
    """Where it was raised: two failures from one line are one failure, as for Hypothesis."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__}:{where}"


def _choices(explicit: bool) -> str:
    """The choices made so far in the running example; the test may have `explicit` ones."""
    data = _data()
    if data is None:
        return ""
    if data.max_choices == 0 and explicit:
        return EXAMPLE
    return base64.b64encode(encode_failure(node.value for node in data.nodes)).decode()


def _data() -> Any:
    """Hypothesis's record of the running example."""
    context = _current_build_context.value
    return None if context is None else context.data
