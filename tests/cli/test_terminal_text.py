"""Nothing that a target, a path, a page or the store says moves the cursor, or ends the command."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import untrod as untrod_package

SLY = "\x1b]0;owned\x07\x1b[31m \ud800 \u202e\x9b \r\nsecond line"
FOLDER = 'it\'s "quoted"\nnew\x1b[31m line'
BOX = f"""
def numbers(choose):
    return choose(range(5))


def check(number):
    if number == 3:
        raise ValueError({SLY!a})


def price(amount: int) -> int:
    if amount > 3:
        return getattr(amount, {SLY!a})
    return amount
"""
GRAPH = {
    "format": "untrod-screens",
    "version": 1,
    "name": SLY,
    "start": f"main{SLY}",
    "screens": {
        f"main{SLY}": {
            "attrs": {"heading": SLY, "title": SLY},
            "actions": [
                {
                    "type": "click",
                    "detail": SLY,
                    "to": [{"screen": "other", "events": [{"kind": "exception", "text": SLY}]}],
                }
            ],
        },
        "other": {"id": SLY, "attrs": {"heading": [SLY]}, "actions": [{"type": "back", "to": f"main{SLY}"}]},
    },
}


def untrod(folder: Path, *arguments: object, encoding: str = "utf-8") -> tuple[int, str]:
    """Status and everything that was said, which is plain text."""
    done = subprocess.run(
        [sys.executable, "-m", "untrod", *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        timeout=240,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    said = (done.stdout + done.stderr).decode(encoding)
    moving = [char for char in said if not (char.isprintable() or char in "\n\t")]
    assert not moving, (moving, said)
    assert "a bug in untrod" not in said, said
    return done.returncode, said


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("terminal") / FOLDER
    (root / FOLDER).mkdir(parents=True)
    (root / FOLDER / "box.py").write_text(BOX)
    (root / "graph.json").write_text(json.dumps(GRAPH))
    return root


@pytest.fixture(scope="module")
def campaign(folder: Path) -> tuple[str, str]:
    """What a campaign with a finding says, and the finding's id."""
    target = f"{FOLDER}/box.py:numbers"
    status, said = untrod(folder, "inputs", target, "--test", "check", "--budget", 60)
    assert status == 1, said
    found = re.search(r"untrod replay (\w+)", said)
    assert found is not None
    return said, found[1]


def test_a_finding_is_told_in_plain_text(campaign: tuple[str, str]) -> None:
    assert r"\x1b]0;owned\x07\x1b[31m \ud800 \u202e\x9b (check, " in campaign[0]
    assert "tests written" in campaign[0]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_what_the_store_holds_is_told_in_plain_text(folder: Path, campaign, encoding: str) -> None:
    status, listed = untrod(folder, "campaigns", "list", encoding=encoding)
    assert (status, listed.count("\n")) == (0, 1)
    name = listed.split()[0]
    _, shown = untrod(folder, "campaigns", "show", name, encoding=encoding)
    assert r"\x1b]0;owned" in shown
    assert "\nsecond line" not in shown


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_replay_shows_the_traceback_in_plain_text(folder: Path, campaign, encoding: str) -> None:
    status, said = untrod(folder, "replay", campaign[1], encoding=encoding)

    assert status == 1
    assert "raise ValueError(" in said
    assert r"\x1b]0;owned" in said


@pytest.mark.timeout(400)
def test_the_tests_in_a_folder_of_any_name_pass(folder: Path, campaign) -> None:
    status, said = untrod(folder, "cover", f"{FOLDER}/box.py:price", "--budget", 60)
    assert status in (0, 1)
    assert "tests written" in said
    tests = sorted((folder / "tests" / "untrod").glob("test_*.py"))
    assert len(tests) == 2
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/untrod"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    status, said = untrod(folder, "replay", tests[0].relative_to(folder))
    assert said.startswith(("passed: ", "expected failure: "))


def test_a_report_is_written_of_it_and_named(folder: Path, campaign) -> None:
    status, said = untrod(folder, "report", "--output", f"{FOLDER}/page.html")

    assert status == 0
    assert said.count("\n") == 1


def test_an_import_error_is_one_plain_line(folder: Path) -> None:
    (folder / "broken.py").write_text(f"raise RuntimeError({SLY!a})\n")
    status, said = untrod(folder, "cover", "broken.py", "--budget", 5)

    assert status == 2
    assert said.count("\n") == 1
    assert r"\x1b]0;owned" in said


@pytest.mark.parametrize("place", [f"{FOLDER}/missing.py", "\udcff\x1b[31m.py:f", "a\nb\x1b.c:d"])
def test_a_mistake_is_one_plain_line(folder: Path, place: str) -> None:
    status, said = untrod(folder, "cover", place)

    assert status == 2
    assert said.count("\n") == 1


def test_debugging_shows_a_traceback_in_plain_text(folder: Path) -> None:
    (folder / "broken.py").write_text(f"raise RuntimeError({SLY!a})\n")
    status, said = untrod(folder, "--debug", "cover", "broken.py", "--budget", 5)

    assert status == 2
    assert "Traceback" in said


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_the_screens_of_an_app_are_listed_in_plain_text(folder: Path, encoding: str) -> None:
    status, said = untrod(folder, "explore", "screens", "graph.json", "--steps", 8, encoding=encoding)
    assert status == 1  # one of its events is an exception
    assert "  events:\n" in said
    assert r"\x1b]0;owned" in said
    walk = ("explore", "app-graph", "graph.json", "--walker", "frontier")
    status, said = untrod(folder, *walk, encoding=encoding)
    assert status == 0
    assert r"\x1b]0;owned" in said


@pytest.mark.timeout(400)
def test_a_hunt_is_told_in_plain_text(folder: Path, tmp_path: Path) -> None:
    project = tmp_path / FOLDER
    (project / FOLDER).mkdir(parents=True)
    (project / FOLDER / "box.py").write_text(BOX)
    flags = ("--budget", 80, "--workers", 1, "--only", "cover", "--no-coverage", "--junit", "junit.xml")
    status, said = untrod(project, "hunt", *flags)

    assert status == 1, said
    assert "tests written" in said
    assert r"\x1b[31m" in said
    assert r"\x1b[31m" in (project / "junit.xml").read_text()


@pytest.mark.parametrize("room", ["cli", "hunt", "output"])
def test_everything_but_json_is_said_by_the_one_who_makes_it_plain(room: str) -> None:
    """So that a new line on the terminal cannot forget it."""
    for path in sorted((Path(untrod_package.__file__).parent / room).rglob("*.py")):
        if path.name == "terminal.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                said = node.args[0]
                harmless = isinstance(said, ast.Constant) or ast.unparse(said).startswith("json.dumps(")
                assert harmless, f"{path}:{node.lineno}"
