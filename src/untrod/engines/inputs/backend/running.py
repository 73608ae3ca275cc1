"""Collects and runs existing Hypothesis tests under the backend, unchanged, through pytest itself.

Fixtures, conftest files, classes and stateful tests work because pytest does its own work; a plugin only
picks the Hypothesis tests, gives them the backend and a number of examples, and records what they are called
with.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import inspect
import io
import os
import unittest
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase
from hypothesis.configuration import storage_directory
from hypothesis.control import _current_build_context
from hypothesis.core import encode_failure
from hypothesis.database import (
    DirectoryBasedExampleDatabase,
    ExampleDatabase,
    InMemoryExampleDatabase,
    ReadOnlyDatabase,
)
from hypothesis.errors import StopTest, UnsatisfiedAssumption

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import digest
from untrod.engines.inputs.backend.characteristic import CaseCharacteristic, Different
from untrod.engines.inputs.backend.config import configure
from untrod.engines.inputs.backend.engine import split_node
from untrod.engines.inputs.judge import CHARACTERISTICS, Footprint
from untrod.runtime import guard
from untrod.runtime.deadline import Interrupted
from untrod.runtime.describe import text_of

MOOT = (HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large)
"""Checks that stop a test that rejects much, or is slow at first, before anything can be learned."""
_CHUNKED = (HealthCheck.differing_executors,)
"""Each chunk of examples is a run of pytest, so a method has another `self`."""

EXAMPLE = "@example"
"""In place of the choices of an explicit example. It was not drawn; a replay runs all explicit examples."""


@dataclass(frozen=True, slots=True)
class ExampleCall:
    """One call of a test function, as Hypothesis made it; `self` is no argument."""

    arguments: dict[str, Any]
    text: str
    blob: str  # the choices behind it, as `@reproduce_failure` takes them, or EXAMPLE
    setup: str = ""  # what a method needs before: see `_setup_of`


@dataclass
class RunResult:
    """What happened in a run of one test. Of the failures at one place, the last is the shrunk one."""

    episodes: int = 0
    valid: int = 0
    new: list[tuple[str, ExampleCall]] = field(default_factory=list)  # digest and call
    failures: dict[str, tuple[BaseException, ExampleCall | None]] = field(default_factory=dict)
    trouble: BaseException | None = None  # what the test as a whole ended with
    cut: bool = False  # no call was left of the budget; Hypothesis has begun one more, which was not made
    providers: list[Any] = field(default_factory=list)
    complaints: set[str] = field(default_factory=set)  # about the characteristic


def run_test(
    node: str,
    project: Path,
    *,
    examples: int,
    known: set[str],
    begin: Callable[[], None],
    calls: int | None = None,
    blob: str = "",
    different: Different = "value",
    **backend: Any,
) -> RunResult:
    """Run one test for `examples` examples; with `blob`, only the example it encodes.

    Hypothesis counts the valid examples only. After `calls` calls of the test it ends too, unless a failure
    is being shrunk: that is worth more than a budget kept to the call.

    `begin` is called before each example; `known` holds the digests of inputs seen before, and grows.
    Without `bootstrap`, what the test brings along (its `@example`s, saved failures) is known already.
    `different` is a named characteristic, a function, or the name of a function in the test's module.
    """
    run = RunResult()
    skipped = set() if backend.get("bootstrap", True) else {Phase.explicit, Phase.reuse}
    skipped.add(Phase.explain)
    plugin = _Runner(run, examples, calls, known, begin, blob, project, different, skipped)
    with configure(started=run.providers.append, warm=False, **backend):
        run_pytest([node], project, plugin)
    if not run.episodes:  # a state machine: `watched` is not called, the provider has counted
        run.episodes = sum(provider.episodes for provider in run.providers)
        run.valid = sum(provider.valid for provider in run.providers)
    return run


class _Runner:
    def __init__(
        self,
        run: RunResult,
        examples: int,
        calls: int | None,
        known: set[str],
        begin: Callable[[], None],
        blob: str,
        project: Path,
        different: Different,
        skipped: set[Phase],
    ) -> None:
        self._run = run
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
        different = different_for(self._different, item) or "value"
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
            self._run.trouble = call.excinfo.value
        return report

    def _settings(self, before: hypothesis.settings) -> hypothesis.settings:
        kept = [phase for phase in before.phases if phase not in self._skipped]
        return hypothesis.settings(
            before,
            backend="hypothesis" if self._blob else "untrod",
            max_examples=self._examples,
            # Explaining runs hundreds of variations of a failure, for a comment that is not kept.
            phases=[Phase.explicit] if self._blob == EXAMPLE else kept,
            # The user's saved failures are tried first; new ones go into the store.
            database=InMemoryExampleDatabase() if self._blob else saved_failures(before, self._project),
            suppress_health_check={*before.suppress_health_check, *MOOT, *_CHUNKED},
            print_blob=False,
        )

    def _watched(self, inner: Callable[..., Any], different: Different, item: Any) -> Any:
        run, known, begin, allowed = self._run, self._known, self._begin, self._calls
        fixtures, setup = frozenset(item.funcargs), _setup_of(item)
        itself = object() if item.cls is None else item.instance
        explicit = bool(getattr(item.obj, "hypothesis_explicit_examples", ()))
        own = CaseCharacteristic(different, Footprint(str(self._project)))

        # Hypothesis looks through `wraps` for source and signature, which decide where it keeps failures.
        @functools.wraps(inner)
        def watched(*args: Any, **kwargs: Any) -> Any:
            if run.episodes == allowed and not run.failures:
                run.cut = True
                raise Interrupted
            begin()
            run.episodes += 1
            given = {name: value for name, value in kwargs.items() if value is not itself}
            text = text_of(given, "repr")  # now: the test may change its arguments
            data = _data()
            characteristic = getattr(getattr(data, "provider", None), "characteristic", own)
            if characteristic is own:  # Hypothesis itself is drawing: the simplest example, or a saved one
                own.begin()
            characteristic.arguments({name: given[name] for name in given if name not in fixtures})
            try:
                result = inner(*args, **kwargs)
            except (UnsatisfiedAssumption, StopTest):
                raise
            except BaseException as error:
                run.valid += 1
                run.failures[_place_of(error)] = (error, ExampleCall(given, text, _choices(explicit), setup))
                raise
            finally:
                own.end()
                if characteristic.complaint is not None:
                    run.complaints.add(characteristic.complaint)
            run.valid += 1
            key = str(characteristic.key(data) or digest(text))
            if key not in known:
                known.add(key)
                run.new.append((key, ExampleCall({}, text, _choices(explicit))))
            return result

        return watched


def _setup_of(item: Any) -> str:
    """What was called to set the instance up: `setup_method()`, `setup_method(method)`. Empty: nothing, or
    there is no instance. `?`: more than a line can say."""
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


# -- which Hypothesis tests there are ------------------------------------------------------------------------


_PYTEST_SYNTAX = ("[", "::", "$")
"""Has a meaning for pytest even in the name of a folder: such folders are left out of its arguments."""


def collect(paths: list[str], project: Path, different: Different = "value") -> list[str]:
    """The node ids of the Hypothesis tests under `paths`.

    Raises UntrodError when there are none, or when one of their modules lacks the function `different`.
    """
    plugin = _Collector(different)
    status, output = run_pytest(paths, project, plugin, "--collect-only")
    if not plugin.tests:
        why = plugin.complaint or ("no tests were found" if status == 5 else output.strip()[-300:])
        raise UntrodError(f"there are no Hypothesis tests in {' '.join(paths)}", why or "check the path")
    if plugin.lacking:
        near = get_close_matches(str(different), [*CHARACTERISTICS, *plugin.names], 1)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else f"choose from {', '.join(CHARACTERISTICS)}, or name a function"
        )
        raise UntrodError(f"{plugin.lacking} has no function {different!r}", hint)
    return plugin.tests


def run_pytest(places: list[str], project: Path, plugin: object, *more: str) -> tuple[int, str]:
    """The project's own options stay out: they may ask for coverage or many processes. That we are imported
    already is no warning of the project's, which may take warnings for errors."""
    ours = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    options = ["-q", "-p", "no:cacheprovider", "-o", "addopts=", *ours, *more]
    root, words = str(project), [str(project / place) for place in places]
    caught = io.StringIO()
    path, test = split_node(words[0], project)
    plugins, home = [plugin], os.getcwd()
    if len(words) == 1 and any(sign in path for sign in _PYTEST_SYNTAX):
        folder, name = (path, ".") if os.path.isdir(path) else os.path.split(path)
        root, words = os.path.relpath(project, folder), [os.path.join(".", name) + test]
        plugins.append(_BackHome(home))
        _change_folder(folder)
    try:
        with contextlib.redirect_stdout(caught), contextlib.redirect_stderr(caught):
            status = pytest.main([*options, "--rootdir", root, *words], plugins=plugins)
    finally:
        if len(plugins) > 1:
            _change_folder(home)
    return int(status), caught.getvalue()


class _BackHome:
    """pytest resolves its arguments in the folder it is started in; the tests run in the project's."""

    def __init__(self, home: str) -> None:
        self._home = home

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self) -> None:
        _change_folder(self._home)


def _change_folder(folder: str) -> None:
    with guard.paused():  # untrod does this, not the target
        os.chdir(folder)


def different_for(different: Different, item: Any) -> Different | None:
    """`different` for one test: the name of a function is looked up in its module. None: there is none."""
    if callable(different) or different in CHARACTERISTICS:
        return different
    found = getattr(item.module, different, None)
    return found if callable(found) else None


class _Collector:
    def __init__(self, different: Different) -> None:
        self.tests: list[str] = []
        self.complaint = ""
        self.lacking = ""  # a module without the function that `different` names
        self.names: list[str] = []
        self._different = different

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not self.complaint:
            self.complaint = str(report.longrepr).strip().splitlines()[-1]

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        for item in items:
            if getattr(item.obj, "is_hypothesis_test", False):
                self.tests.append(item.nodeid)
                if not self.lacking and different_for(self._different, item) is None:
                    self.lacking, self.names = item.nodeid.partition("::")[0], list(vars(item.module))


# -- saved failures ----------------------------------------------------------------------------------------
#
# Hypothesis looks in the folder it was started in, or where `HYPOTHESIS_STORAGE_DIRECTORY` says; a worker is
# started in a scratch folder. And its `ci` profile, which Hypothesis loads by itself where the variable `CI`
# is set, switches the database off: a campaign looks all the same, since reading a folder that is there can
# only help.


def saved_failures(settings: hypothesis.settings, project: Path) -> ExampleDatabase:
    """The database of a test with these settings, to read. A database that is no folder is not used."""
    usual = storage_directory("examples", intent_to_write=False).path
    place = project / os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY", ".hypothesis") / "examples"
    chosen = settings.database
    if isinstance(chosen, DirectoryBasedExampleDatabase) and chosen.path != usual:
        place = project / chosen.path
    return ReadOnlyDatabase(DirectoryBasedExampleDatabase(place))
