"""The command inside this process: thousands of calls, none of which begins what takes long."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from untrod.cli import app, hunt, replay
from untrod.core.budget import Budget
from untrod.engines.explore.verbs import train, train_programs
from untrod.output import dashboard
from untrod.session.run import Run
from untrod.store import Store

TAKEN = 99
"""The status of a command that was begun, had it not been stopped there."""
BOX = """
def numbers(choose):
    return choose(range(5))


def price(xs: list[int]) -> int:
    return sum(x for x in xs)
"""
GRAPH = """{"format": "untrod-screens", "version": 1, "name": "app", "start": "main",
 "screens": {"main": {"actions": [{"type": "back", "to": "other"}]}, "other": {}}}"""


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project with a store; it is the working folder."""

    def taken(*_: object, **__: object) -> None:
        raise SystemExit(TAKEN)

    for place, name in (
        (hunt, "_run"),
        (Run, "_run"),
        (train, "take"),
        (train_programs, "take"),
        (dashboard, "serve"),
        (replay, "_replay_file"),
    ):
        monkeypatch.setattr(place, name, taken)
    whole = typer.main.get_command(app.app)  # made anew for each call, it would take most of the time
    monkeypatch.setattr(typer.main, "get_command", lambda _: whole)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "box.py").write_text(BOX)
    (tmp_path / "graph.json").write_text(GRAPH)
    with Store.open(tmp_path / ".untrod") as store:
        running = {"workers": 1, "limits": {}, "allow": [], "tests": "tests", "on": ""}
        store.create_campaign("inputs", "box.py:numbers", {"session": running}, 0, Budget(10))
    return tmp_path


@pytest.fixture
def told(room: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Status, and the last line of what was said on standard error: a hunt shows its plan before.

    0, 2 or `TAKEN`: nothing that the tests give here is a finding. A refusal is one line.
    """

    def tell(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            app.run(list(arguments))
        status, said = int(ended.value.code or 0), capsys.readouterr().err
        line = said.splitlines()[-1] if said else ""
        assert status in (0, 2, TAKEN), (status, said)
        assert "Traceback" not in said
        assert "a bug in untrod" not in line, line
        if status == 2:
            assert line.startswith("untrod: "), said
            assert len(line) < 2_100
        return status, line

    return tell
