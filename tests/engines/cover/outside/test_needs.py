"""What functions look at outside is read off their source."""

from __future__ import annotations

import sys

import pytest

from untrod.engines.cover.outside.needs import NOTHING, Needs, Surroundings
from untrod.engines.cover.outside.settings import Setting
from untrod.source.nodes import Atom, Call, Ref, Text

SOURCE = """
import argparse, os, subprocess, sys, time
from os import environ as env
from os.path import exists
from shutil import which
from json import loads

HOME_NAME = "APP_HOME"

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--verbose")
    return parser.parse_args()

def through(): return main()
def variables(): return env.get(HOME_NAME), os.getenv("APP_MODE"), os.environ["PATH"], "APP_X" in env
def asks(): return input("?")
def opens(path, stream): stream.write(exists(path)); return open("settings.ini")
def finds(): return which("git")
def now(): return time.time()
def tells(): return subprocess.check_output(["x"], text=True), subprocess.run(["x"])
def on(): return sys.platform
def handles(text):
    try:
        return os.stat(text), loads(text), int(text)
    except (OSError, TypeError, ValueError):
        return None
def alone(n): return n + 1
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "surrounded.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    import surrounded

    yield surrounded
    del sys.modules["surrounded"]


BROKEN = Call(Ref("builtins", "OSError"), (Atom("5"), Text("Input/output error")))


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("main", Needs(argv=frozenset({"", "--verbose"}))),
        ("through", Needs(argv=frozenset({"", "--verbose"}))),
        ("variables", Needs(variables=frozenset({"APP_HOME", "APP_MODE", "APP_X"}))),
        ("asks", Needs(stdin=frozenset({""}), replaced=frozenset({("builtins:input", "builtins.input")}))),
        ("opens", Needs(files=frozenset({"settings.ini"}), paths=frozenset({"opens.path"}))),
        ("finds", Needs(replaced=frozenset({("surrounded:which", "shutil.which")}))),
        ("now", Needs(replaced=frozenset({("time:time", "time.time")}))),
        (
            "tells",
            Needs(
                replaced=frozenset(
                    {
                        ("subprocess:check_output", "subprocess.check_output as text"),
                        ("subprocess:run", "subprocess.run"),
                    }
                ),
                reaches=frozenset({""}),
            ),
        ),
        ("on", Needs(replaced=frozenset({("sys:platform", "sys.platform")}))),
        (
            "handles",
            Needs(
                raising=frozenset({Setting("raise", "os:stat", BROKEN)}), paths=frozenset({"handles.text"})
            ),
        ),
        ("alone", NOTHING),
    ],
)
def test_it_is_told(module, name: str, needs: Needs) -> None:
    assert Surroundings("surrounded").of(getattr(module, name)) == needs


def test_modules_of_others_are_not_read(module) -> None:
    assert Surroundings("elsewhere").of(module.main) == NOTHING
