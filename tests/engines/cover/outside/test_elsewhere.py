"""What a test says holds elsewhere, too: what it hangs on is pinned, or it says less."""

from __future__ import annotations

import io
import os
import sys

import pytest

from untrod.engines.cover.case import Case, Input, Step
from untrod.engines.cover.outside import varying
from untrod.engines.cover.outside.refusals import instead
from untrod.engines.cover.outside.settings import Setting
from untrod.engines.cover.outside.varying import MachineWords
from untrod.runtime.refusals import refuse
from untrod.source.nodes import Text

SOURCE = """
import datetime, os, shutil, sys, time

def plain() -> int:
    return 1

def arguments() -> int:
    return len(sys.argv)

def columns() -> int:
    return shutil.get_terminal_size().columns

def home() -> str:
    return os.path.expanduser("~/x")

def zone() -> int:
    return time.localtime(0).tm_hour

def folder() -> str:
    return os.getcwd()

def terminal() -> bool:
    return sys.stdout.isatty()

def ends() -> int:
    if sys.stdout.isatty():
        raise ValueError("no terminals")
    return 1

def asks() -> str:
    return sys.stdin.readline()

def makes(name: str) -> str:
    try:
        os.mkdir(name)
    except PermissionError:
        return "denied"
    return "made"
"""


def stable(subject, name: str) -> Case | None:
    return subject.stable_case(subject.rerun(Input(f"abroad:{name}", (Step(name),))))


@pytest.fixture
def subject(load, monkeypatch):
    monkeypatch.setattr("sys.argv", ["prog"])
    monkeypatch.setenv("TZ", "UTC")
    return load("abroad", source=SOURCE)


def test_what_hangs_on_nothing_stays_as_it_is(subject) -> None:
    case = stable(subject, "plain")
    assert case is not None
    assert case.given.world == ()


@pytest.mark.parametrize(
    ("name", "pinned"), [("arguments", "sys:argv"), ("columns", "COLUMNS"), ("home", "HOME")]
)
def test_what_a_test_can_pin_is_pinned(subject, name: str, pinned: str) -> None:
    case = stable(subject, name)
    assert case is not None
    assert [setting.name for setting in case.given.world] == [pinned]
    assert case.outcome.pin == "value"
    assert os.path.expanduser("~") not in case.outcome.text


def test_standard_input_is_pinned(subject, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())  # as empty as a worker's
    case = stable(subject, "asks")
    assert case is not None
    assert [setting.name for setting in case.given.world] == ["sys:stdin"]
    assert case.outcome.value == Text("")


@pytest.mark.parametrize("name", ["zone", "folder", "terminal"])
def test_what_it_cannot_is_left_out(subject, name: str) -> None:
    case = stable(subject, name)
    assert case is not None
    assert (case.given.world, case.outcome.pin) == ((), "nothing")


def test_what_ends_otherwise_elsewhere_is_no_case(subject) -> None:
    assert stable(subject, "ends") is None


def test_everything_is_as_it_was(subject) -> None:
    before = dict(os.environ), list(sys.argv), os.getcwd(), sys.stdout
    for name in ("arguments", "home", "zone", "folder"):
        stable(subject, name)
    assert (dict(os.environ), list(sys.argv), os.getcwd(), sys.stdout) == before


def test_where_something_is_refused_there_is_a_way_to_attempt_nothing(subject, monkeypatch) -> None:
    monkeypatch.setattr("os.mkdir", lambda name: refuse("write", f"create {name}", "os.mkdir"))
    given = Input("abroad:makes", (Step("makes", (Text("/x"),)),))
    run = subject.run(given)
    assert (run.value, run.events, run.testable) == ("denied", ("os.mkdir",), False)
    others = [subject.run(other) for other in subject.instead(run)]
    assert [(other.value, other.testable) for other in others] == [("denied", True), ("made", True)]


def test_a_function_is_replaced_where_the_code_has_it_from(subject) -> None:
    import abroad

    abroad.mkdir = os.mkdir
    ((first,), _) = instead((), ["os.mkdir"], ["abroad"])
    assert first.name == "abroad:mkdir"


def test_what_was_taken_out_is_not_taken_out_again(subject) -> None:
    world = (Setting("return", "os:mkdir"),)
    assert list(instead(world, ["os.mkdir", "no such event"], ["abroad"])) == []


READING = """
def first_word(path: str = "{file}") -> str:
    with open(path) as file:
        return file.read().split()[0]

def known() -> str:
    return "release"
"""


def test_what_stands_in_a_file_of_this_machine_is_left_out(load, tmp_path, monkeypatch) -> None:
    """The guard tells what was read; there is none in this process."""
    file = tmp_path.parent / f"{tmp_path.name}-release"
    file.write_text("Bookworm 12")
    words = MachineWords()
    monkeypatch.setattr(varying, "WORDS_OF_THIS_MACHINE", words)
    monkeypatch.setattr(varying, "read_by_absolute_names", lambda: (str(file), "/nowhere"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    subject = load("machine", source=READING.format(file=file))
    pins = {}
    for name in ("first_word", "known"):
        case = subject.stable_case(subject.rerun(Input(f"machine:{name}", (Step(name),))))
        assert case is not None
        pins[name] = case.outcome.pin
    assert pins == {"first_word": "nothing", "known": "value"}
