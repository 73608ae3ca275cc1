"""`pytest --untrod`: a project's Hypothesis tests under the learner, and every stored finding tried again.

Loaded by every pytest run of the environment, so it imports nothing but pytest before it is asked for.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from untrod.core.errors import UntrodError
from untrod.core.text import VALUE, block, one_line

STORE = ".untrod"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("untrod", "learned exploration")
    group.addoption(
        "--untrod",
        action="store_true",
        help="Run Hypothesis tests with the backend untrod, and replay the findings in .untrod.",
    )
    group.addoption(
        "--untrod-learner",
        metavar="NAME",
        default=None,
        help="The learner in charge: auto (the default), exonerate, montecarlo or random.",
    )


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Last, so that a profile that a conftest file loads is the one that is built upon."""
    learner = config.getoption("--untrod-learner")
    if not config.getoption("--untrod"):
        if learner is not None:
            raise pytest.UsageError("--untrod-learner needs --untrod")
        return
    from hypothesis import settings

    from untrod.engines.inputs.backend.config import configure
    from untrod.engines.inputs.backend.running import MOOT

    choice = ExitStack()
    config.add_cleanup(choice.close)
    try:
        # What is learned is kept, so that the next run starts from it.
        choice.enter_context(configure(warm=True, **({} if learner is None else {"learner": learner})))
    except UntrodError as error:
        raise pytest.UsageError(str(error)) from None
    before = settings()
    checks = {*before.suppress_health_check, *MOOT}
    settings.register_profile("untrod", before, backend="untrod", suppress_health_check=checks)
    settings.load_profile("untrod")


def pytest_report_header(config: pytest.Config) -> str | None:
    if not config.getoption("--untrod"):
        return None
    return f"untrod: Hypothesis tests under the learner {config.getoption('--untrod-learner') or 'auto'}"


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """With a whole project, not with single tests: a run of one test should run that test."""
    if not config.getoption("--untrod") or any("::" in word for word in config.args):
        return
    folder = config.rootpath / STORE
    if folder.is_dir():
        findings = StoredFindings.from_parent(session, name=STORE, path=folder)
        items.extend(findings.collect())


class StoredFindings(pytest.Collector):
    """The findings of the store that lies beside the project's configuration."""

    def __init__(self, *, path: Path, **fields: Any) -> None:
        super().__init__(path=path, **fields)

    def collect(self) -> Iterator[StoredFinding]:
        from untrod.store import Store

        try:
            with Store.open(self.path, create=False, read_only=True) as store:
                found = {
                    finding.id: finding
                    for row in store.campaigns()
                    for finding in store.findings(row.id)
                    if finding.kind != "witness"  # what was asked for, and no trouble
                }
                notices = store.notices
        except UntrodError as error:
            raise pytest.UsageError(f"untrod: {one_line(str(error), VALUE)}") from None
        for notice in notices:
            self.config.get_terminal_writer().line(f"untrod: {one_line(notice, VALUE)}")
        for name, finding in sorted(found.items()):
            yield StoredFinding.from_parent(self, name=name, title=finding.title)


class StoredFinding(pytest.Item):
    """Passes when the finding does not show any more."""

    def __init__(self, *, title: str, **fields: Any) -> None:
        super().__init__(**fields)
        self.title = title

    def runtest(self) -> None:
        """In a process of its own: whatever the finding does to its process, pytest goes on."""
        from untrod.runtime import launch

        done = launch.run(
            [sys.executable, "-P", "-m", "untrod", "replay", self.name, "--json"],
            cwd=self.config.rootpath,
            env=launch.with_own_root(os.environ),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        if done.returncode == 1:
            raise StillThere(self.title, _shown(done.stdout))
        if done.returncode != 0:
            complaint = (done.stderr.strip().splitlines() or ["no message"])[-1]
            pytest.skip(f"cannot be replayed: {complaint}")

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, StillThere):
            title, shown = excinfo.value.args
            return block(f"{one_line(title, VALUE)}\n{shown}\nuntrod replay {self.name}")
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str], None, str]:
        return self.path, None, f"{self.name}: {one_line(self.title)}"


class StillThere(Exception):
    """A stored finding shows again."""


def _shown(line: str) -> str:
    try:
        report = json.loads(line)["report"]
        finding = report.get("finding") or {}
        return (
            f"input: {(report.get('value') or {}).get('text', '')}\n{finding.get('traceback') or ''}".strip()
        )
    except (ValueError, KeyError, AttributeError, TypeError):
        return ""
