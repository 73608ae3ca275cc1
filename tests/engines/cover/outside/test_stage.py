"""Settings in place for a run, and everything back afterwards."""

from __future__ import annotations

import io
import os
import socket
import sys
import time
from pathlib import Path

import pytest

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.outside.settings import Setting, argv, merged, stdin
from untrod.engines.cover.outside.stage import NoStage, Stage
from untrod.source.nodes import Atom, Call, Ref, Text

DENIED = Call(Ref("builtins", "PermissionError"), (Atom("13"), Text("Permission denied")))


def test_everything_is_in_place_and_back_afterwards() -> None:
    before = sys.argv, sys.stdin, os.getcwd(), dict(os.environ), time.time, vars(socket.socket).get("connect")
    world = merged(
        (
            argv(["prog", "-v"]),
            stdin("yes"),
            Setting("env", "UNTROD_TRY", Text("1")),
            Setting("env", "HOME"),
            Setting("file", "data.txt", Text("a=1")),
            Setting("folder", "folder"),
            Setting("return", "time:time", Atom("5.0")),
            Setting("raise", "socket:socket.connect", DENIED),
        )
    )
    with Stage(world):
        assert sys.argv == ["prog", "-v"]
        assert isinstance(sys.stdin, io.StringIO)
        assert sys.stdin.read() == "yes"
        assert os.environ["UNTROD_TRY"] == "1"
        assert "HOME" not in os.environ
        assert Path("data.txt").read_text() == "a=1"
        assert Path("folder").is_dir()
        assert time.time() == 5.0
        with pytest.raises(PermissionError), socket.socket() as made:
            made.connect(("192.0.2.1", 80))
        folder = Path.cwd()
    now = sys.argv, sys.stdin, os.getcwd(), dict(os.environ), time.time, vars(socket.socket).get("connect")
    assert now == before
    assert not folder.exists()


def test_what_cannot_be_put_in_place_leaves_nothing_behind() -> None:
    before = list(sys.argv)
    with pytest.raises(NoStage), Stage((argv(["x"]), Setting("return", "time:no_such", Atom("1")))):
        pass
    assert sys.argv == before


SOURCE = """
import os, sys

def leave(name: str) -> int:
    os.environ[name] = "1"
    os.environ.pop("PATH", None)
    sys.argv.append(name)
    return len(sys.argv)

def denied(path: str) -> str:
    try:
        open(path, "w")
    except PermissionError:
        return "denied"
    return "written"
"""


def test_variables_and_arguments_are_put_back_after_each_run(load) -> None:
    subject = load("leaving", source=SOURCE)
    before = dict(os.environ)
    given = Input("leaving:leave", (Step("leave", (Text("LEFT_BEHIND"),)),))
    assert [subject.run(given).value for _ in range(3)] == 3 * [len(sys.argv) + 1]
    assert dict(os.environ) == before


def test_a_stand_in_of_a_built_in_function_is_no_tampering(load) -> None:
    subject = load("leaving", source=SOURCE)
    given = Input(
        "leaving:denied", (Step("denied", (Text("x"),)),), (Setting("raise", "builtins:open", DENIED),)
    )
    run = subject.run(given)
    assert run.value == "denied"
    assert run.testable


def test_a_setting_of_nothing_that_there_is_makes_the_input_invalid(load) -> None:
    subject = load("leaving", source=SOURCE)
    given = Input("leaving:leave", (Step("leave", (Text("A"),)),), (Setting("set", "sys:nothing_there"),))
    assert not subject.run(given).valid
