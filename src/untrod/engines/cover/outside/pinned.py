"""What the process of a test has that nobody chose, and the settings that pin it. And worlds made simpler."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from untrod.engines.cover.outside.settings import Setting, World, argv, stdin
from untrod.source.nodes import Call, Display, Node, Text
from untrod.source.simpler import simpler

_HOME = "/home/user"
PINNED: tuple[tuple[Setting, Setting], ...] = (
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
PINS = frozenset(pin for pin, _ in PINNED)


def simpler_worlds(world: World) -> Iterator[World]:
    """Without one of the settings; then with one that has a simpler value."""
    for place in range(len(world)):
        yield world[:place] + world[place + 1 :]
    for place, setting in enumerate(world):
        if setting.kind != "raise" and setting not in PINS:
            for value in filter(partial(_is_alike, setting.value), simpler(setting.value)):
                yield (*world[:place], replace(setting, value=value), *world[place + 1 :])


def _is_alike(old: Node, new: Node) -> bool:
    """Of the same form: a list stays one that begins with the same, a stream stays a stream."""
    match old, new:
        case Display(bracket, items), Display(other, others):
            return bracket == other and items[:1] == others[:1]
        case Call(function), Call(other_function):
            return function == other_function
    return type(old) is type(new)
