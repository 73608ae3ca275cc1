"""The tutorial is followed to the letter: its commands are run, and print what it says that they print."""

from __future__ import annotations

import re
import shlex
import shutil
import socket
import subprocess
import sys
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import find_chromium

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "tutorial.md"
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORT = "8010"


def steps() -> list[tuple[str, list[str]]]:
    """Each command, with the lines that it is said to print."""
    found: list[tuple[str, list[str]]] = []
    for block in CONSOLE.findall(TUTORIAL.read_text()):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            elif line != "...":
                found[-1][1].append(line)
    return found


@pytest.mark.timeout(900)
def test_the_tutorial_holds_what_it_says(project) -> None:
    shutil.copytree(ROOT / "examples", project.folder / "examples")
    port = str(free_port())
    with ExitStack() as ending:
        here = project
        for told, lines in steps():
            command = told.replace(PORT, port)
            words = shlex.split(command)
            if words[0] == "cd":
                here = type(project)(here.folder / words[1])
            elif words[-1] == "&":
                start([sys.executable, *words[1:-1]], here.folder, port, ending)
            elif "http://" not in command or has_browser():
                result = here.untrod(*words[1:], timeout=600)
                assert result.status in (0, 1), f"{told}: {result.err}"
                printed = result.out.splitlines()
                missing = [line for line in lines if line.replace(PORT, port) not in printed]
                assert missing == [], f"{told} printed:\n{result.out}"


def test_every_engine_has_its_turn() -> None:
    verbs = [command.split()[1] for command, lines in steps() if command.startswith("untrod ") and lines]

    assert [verb for verb in verbs if verb != "replay"] == ["inputs", "cover", "worst", "gui", "explore"]


def start(command: list[str], folder: Path, port: str, ending: ExitStack) -> None:
    process = ending.enter_context(subprocess.Popen(command, cwd=folder))
    ending.callback(process.kill)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while process.poll() is None:
        try:
            opener.open(f"http://127.0.0.1:{port}/", timeout=30).close()
            return
        except OSError:
            continue  # it does not listen yet
    raise AssertionError(f"{command} ended with {process.returncode}")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def has_browser() -> bool:
    try:
        find_chromium()
    except UntrodError:
        return False
    return True
