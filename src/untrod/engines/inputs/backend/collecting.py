"""Which Hypothesis tests there are: pytest collects, untrod picks."""

from __future__ import annotations

import contextlib
import io
import os
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.inputs.backend.nodes import split_node
from untrod.engines.inputs.backend.telling import By
from untrod.engines.inputs.target import CHARACTERISTICS
from untrod.runtime import guard

_SIGNS = ("[", "::", "$")
"""Mean something to pytest, in the name of a folder as well: then it is told of none."""


def collect(paths: list[str], project: Path, different: By = "value") -> list[str]:
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
    """The project's own options stay out: they may ask for coverage or many processes."""
    options = ["-q", "-p", "no:cacheprovider", "-o", "addopts=", *more]
    root, words = str(project), [str(project / place) for place in places]
    caught = io.StringIO()
    path, test = split_node(words[0], project)
    plugins, home = [plugin], os.getcwd()
    if len(words) == 1 and any(sign in path for sign in _SIGNS):
        folder, name = (path, ".") if os.path.isdir(path) else os.path.split(path)
        root, words = os.path.relpath(project, folder), [os.path.join(".", name) + test]
        plugins.append(_ComesHome(home))
        _go(folder)
    try:
        with contextlib.redirect_stdout(caught), contextlib.redirect_stderr(caught):
            status = pytest.main([*options, "--rootdir", root, *words], plugins=plugins)
    finally:
        if len(plugins) > 1:
            _go(home)
    return int(status), caught.getvalue()


class _ComesHome:
    """pytest reads its command line from where it begins; the tests run where they always do."""

    def __init__(self, home: str) -> None:
        self._home = home

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self) -> None:
        _go(self._home)


def _go(folder: str) -> None:
    with guard.paused():  # it is not the target that goes
        os.chdir(folder)


def meant_by(different: By, item: Any) -> By | None:
    """What `different` means to one test: a name is a function of its module. None: there is no such."""
    if callable(different) or different in CHARACTERISTICS:
        return different
    found = getattr(item.module, different, None)
    return found if callable(found) else None


class _Collector:
    def __init__(self, different: By) -> None:
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
                if not self.lacking and meant_by(self._different, item) is None:
                    self.lacking, self.names = item.nodeid.partition("::")[0], list(vars(item.module))
