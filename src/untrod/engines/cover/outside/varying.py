"""Would a run do the same at somebody else's: other arguments of the process, another terminal, language,
home, time zone and working folder?

What a test is to say is run once more with all of that changed. Where it then does something else, it is
found out what it was: the input gets a setting for it. What no setting can hold is left out of what the test
says.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from untrod.engines.cover.case import Case
from untrod.engines.cover.nondeterminism import common, ending, stable_case
from untrod.engines.cover.outside.settings import Setting, World, argv, merged, stdin
from untrod.engines.cover.outside.stage import Stage, working_folder
from untrod.source.nodes import Text

if TYPE_CHECKING:
    from untrod.engines.cover.subject import Subject

_HOME = "/home/user"
_PINNED: tuple[tuple[Setting, Setting], ...] = (
    (argv(["prog"]), argv(["other", "-q", "tests", "--color=yes"])),
    (stdin(""), stdin("1\ny\n")),
    (Setting("env", "COLUMNS", Text("80")), Setting("env", "COLUMNS", Text("57"))),
    (Setting("env", "HOME", Text(_HOME)), Setting("env", "HOME", Text("/root/elsewhere"))),
    (Setting("env", "LANG", Text("C")), Setting("env", "LANG", Text("de_DE.UTF-8"))),
    (Setting("env", "LC_ALL", Text("C")), Setting("env", "LC_ALL", Text("de_DE.UTF-8"))),
    (Setting("env", "USER", Text("user")), Setting("env", "USER", Text("somebody"))),
    (Setting("env", "TERM", Text("dumb")), Setting("env", "TERM", Text("xterm-256color"))),
)
"""What a test can pin, and as what it is tried otherwise."""
_ZONE = Setting("env", "TZ", Text("NST-5:45"))


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def settled(subject: Subject, case: Case) -> Case | None:
    """The case as it is elsewhere, too: with settings for what it hangs on, or saying less; None where it
    ends in another way whatever is set."""
    other = _case_elsewhere(subject, case)
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


def _pins(world: World) -> list[Setting]:
    """Those that the world has no say in yet."""
    places = {setting.place for setting in world}
    return [pin for pin, _ in _PINNED if pin.place not in places]


def _case_elsewhere(subject: Subject, case: Case, only: Setting | None = None) -> Case | None:
    with elsewhere(case.given.world, only):
        subject.is_elsewhere = True
        try:
            run = subject.run(case.given)
            return subject.case(run, case.by)[0] if run.testable else None
        finally:
            subject.is_elsewhere = False


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
        for pin, other in _PINNED
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
