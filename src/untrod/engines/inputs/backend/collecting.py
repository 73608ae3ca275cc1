"""Which Hypothesis tests there are: pytest collects, untrod picks."""

from __future__ import annotations

import contextlib
import io
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.inputs.backend.telling import By
from untrod.engines.inputs.characteristic import CHARACTERISTICS


def collect(paths: list[str], project: Path, different: By = "value") -> list[str]:
    """The node ids of the Hypothesis tests under `paths`.

    Raises UntrodError when there are none, or when one of their modules lacks the function `different`.
    """
    plugin = _Collector(different)
    status, output = run_pytest(["--collect-only", *paths], project, plugin)
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


def run_pytest(arguments: list[str], project: Path, plugin: object) -> tuple[int, str]:
    """The project's own options stay out: they may ask for coverage or many processes."""
    options = ["-q", "-p", "no:cacheprovider", "-o", "addopts="]
    root = ["--rootdir", str(project)]
    places = [str(project / argument) if not argument.startswith("-") else argument for argument in arguments]
    caught = io.StringIO()
    with contextlib.redirect_stdout(caught), contextlib.redirect_stderr(caught):
        status = pytest.main([*options, *root, *places], plugins=[plugin])
    return int(status), caught.getvalue()


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
