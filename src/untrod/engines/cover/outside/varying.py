"""Would a run do the same at somebody else's: other arguments of the process, another terminal, language,
home, time zone and working folder?

What a test is to say is run once more with all of that changed. Where it then does something else, it is
found out what it was: the input gets a setting for it. What no setting can hold is left out of what the test
says.
"""

from __future__ import annotations

import io
import os
import re
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from untrod.engines.cover.case import CallResult, Case
from untrod.engines.cover.nondeterminism import common, ending, stable_case
from untrod.engines.cover.outside.pinned import PINNED
from untrod.engines.cover.outside.settings import Setting, World, merged
from untrod.engines.cover.outside.stage import Stage, working_folder
from untrod.runtime.guard import paused, read_by_absolute_names
from untrod.source.layout import flat
from untrod.source.nodes import Text

if TYPE_CHECKING:
    from untrod.engines.cover.subject import Subject

_ZONE = Setting("env", "TZ", Text("NST-5:45"))


_WORD = re.compile(r"[A-Za-z_]\w{3,}")
_EVERYWHERE = ("/dev/", "/proc/self/", "/usr/share/zoneinfo/")
_MOST_READ = 20_000


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def settled(subject: Subject, case: Case) -> Case | None:
    """The case as it is elsewhere, too: with settings for what it hangs on, or saying less; None where it
    ends in another way whatever is set."""
    found = _settled(subject, case)
    return None if found is None else replace(found, outcome=_impersonal(found.outcome, subject))


def _settled(subject: Subject, case: Case) -> Case | None:
    other = _case_elsewhere(subject, case)
    if _agrees(case, other):
        return case
    again = _run_again(subject, case)
    if not _agrees(case, again):  # it differs from run to run, wherever it is
        if again is None or ending(again) != ending(case):
            return None
        case = common(case, again)
        if _agrees(case, other):
            return case
    world = case.given.world
    pinned = [pin for pin in _pins(world) if not _agrees(case, _case_elsewhere(subject, case, pin))]
    if pinned:
        run = subject.run(replace(case.given, world=merged((*world, *pinned))))
        found = stable_case(subject, run, case.by) if run.testable else None
        if found is None:
            return None
        case, other = found, _case_elsewhere(subject, found)
        if _agrees(case, other):
            return case
    return None if other is None or ending(other) != ending(case) else common(case, other)


def _impersonal(outcome: CallResult, subject: Subject) -> CallResult:
    """Without what names a place or a person of this machine, or stands in one of its files."""
    said = outcome.text if outcome.value is None else f"{outcome.text} {flat(outcome.value)}"
    own = (os.path.expanduser("~"), tempfile.gettempdir(), str(subject.project), socket.gethostname())
    is_own = any(len(word) > 2 and word in said for word in own)
    is_own = is_own or not WORDS_OF_THIS_MACHINE.learned(subject.project).isdisjoint(_WORD.findall(said))
    return replace(outcome, value=None, text="") if is_own else outcome


class MachineWords:
    """Those in files that code under test has read, and that lie neither in its project nor with Python."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._words: set[str] = set()

    def learned(self, project: Path) -> set[str]:
        folders = (str(project), sys.prefix, sys.base_prefix, *filter(None, sys.path))
        known = (*(f"{folder}/" for folder in folders), *_EVERYWHERE)
        for name in read_by_absolute_names():
            if name not in self._files and not name.startswith(known):
                self._files.add(name)
                self._words |= set(_WORD.findall(_beginning(name)))
        return self._words


def _beginning(name: str) -> str:
    try:
        with paused(), open(name, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST_READ) if os.path.isfile(name) else ""
    except (OSError, ValueError):
        return ""


def _pins(world: World) -> list[Setting]:
    """Those that the world has no say in yet."""
    places = {setting.place for setting in world}
    return [pin for pin, _ in PINNED if pin.place not in places]


def _case_elsewhere(subject: Subject, case: Case, only: Setting | None = None) -> Case | None:
    with elsewhere(case.given.world, only):
        subject.is_elsewhere = True
        try:
            return _run_again(subject, case)
        finally:
            subject.is_elsewhere = False


def _run_again(subject: Subject, case: Case) -> Case | None:
    run = subject.run(case.given)
    return subject.case(run, case.by)[0] if run.testable else None


def _agrees(case: Case, other: Case | None) -> bool:
    """Does the other one do what a test of the case says?"""
    if other is None or ending(other) != ending(case) or not case.arcs <= other.arcs | case.loose:
        return False
    one, two = case.outcome, other.outcome
    match one.pin:
        case "value":
            return one.value == two.value
        case "nothing":
            return True
    return one.text in ("", two.text)


@contextmanager
def elsewhere(world: World, only: Setting | None = None) -> Iterator[None]:
    """Everything that `world` has no say in is different; or what `only` pins, alone."""
    places = {setting.place for setting in world}
    changed = [
        other
        for pin, other in PINNED
        if pin.place not in places and (only is None or pin.place == only.place)
    ]
    with ExitStack() as stack:
        if only is None:
            stack.enter_context(working_folder())
            stack.enter_context(_terminal())
            changed.append(_ZONE)
        stack.enter_context(Stage(merged(changed)))
        yield


@contextmanager
def _terminal() -> Iterator[None]:
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _Terminal(), _Terminal()
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


WORDS_OF_THIS_MACHINE = MachineWords()
