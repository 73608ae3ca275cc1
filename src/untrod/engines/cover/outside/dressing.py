"""Inputs with settings: what their entry looks at outside is drawn and changed as its arguments are.

`dressed` wraps the drawer of an entry that needs it; those of all others stay as they are, so that a module
that looks at nothing outside is searched as fast as ever.
"""

from __future__ import annotations

import os
import pathlib
import re
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.drawing import Drawer
from untrod.engines.cover.outside.answers import ANSWERS, PLATFORM, text
from untrod.engines.cover.outside.needs import Needs, Surroundings
from untrod.engines.cover.outside.settings import Setting, World, argv, merged, stdin
from untrod.engines.cover.parameters import Parameter
from untrod.engines.cover.targets import Entry
from untrod.engines.cover.values.kinds import DrawContext, Octets, Textual
from untrod.engines.cover.values.words import words_of_function
from untrod.source.nodes import Call, Display, Node, Ref, Text

NATURAL = 200
"""So many inputs of an entry are drawn before functions raise what nothing made them raise."""
RAISES, CHANGES, FEWER_CHANGES, KEEPS = 0.2, 0.4, 0.2, 0.85
"""How often one does then; how often a change is one of the settings, and where these are but files for
arguments; how often a path names a file there."""
_SHARES = {"argv": 1.0, "stdin": 0.8, "env": 0.5, "return": 0.6, "file": 0.6}
MOST = 6
"""Settings of an input."""
_PATHS = re.compile(
    r"(?:.*_)?(?:path|pathname|filename|fname|filepath|directory|dir|dirname|folder)|.*_file", re.IGNORECASE
)
_FOLDERS = re.compile(r"(?:.*_)?(?:directory|dir|dirname|folder|root)", re.IGNORECASE)
_ENDING = re.compile(r"\.[a-z][a-z0-9]{0,5}")
_MISSING, _FOLDER = "missing", "folder"
Wish = Callable[[DrawContext], Setting]


def dressed(drawers: dict[str, Drawer], package: str) -> dict[str, Drawer]:
    """The same, where nothing is needed."""
    surroundings = Surroundings(package)
    found: dict[str, Drawer] = {}
    for name, drawer in drawers.items():
        needs = surroundings.of(drawer.entry.target)
        slots = _Slots(drawer.entry, needs.paths)
        found[name] = cast(Drawer, DressedDrawer(drawer, needs, slots)) if needs or slots else drawer
    return found


class DressedDrawer:
    """Draws as `inner` does, and settings besides. Whatever else it is asked for, `inner` has."""

    def __init__(self, inner: Drawer, needs: Needs, slots: _Slots) -> None:
        self._inner = inner
        self._slots = slots
        self._wishes = list(_wishes(needs))
        self._reads_argv = bool(needs.argv)
        self._raising = sorted(needs.raising, key=str)
        self._near = words_of_function(inner.entry.target)
        self._drawn = 0

    @property
    def avoidance(self) -> dict[str, float]:
        return self._inner.avoidance

    @avoidance.setter
    def avoidance(self, value: dict[str, float]) -> None:
        self._inner.avoidance = value

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def draw(self, context: DrawContext) -> Input:
        given = self._inner.draw(context)
        context = replace(context, near=self._near)
        wishes = [wish for kind, wish in self._wishes if context.happens(_SHARES[kind])]
        if len(wishes) > MOST:
            wishes = context.rng.sample(wishes, MOST)
        world = [wish(context) for wish in wishes]
        return self._finished(replace(given, world=merged(world)), context)

    def mutate(self, given: Input, mates: Sequence[Input], context: DrawContext) -> Input:
        near = replace(context, near=self._near)
        world = given.world
        mate = mates[context.rng.randrange(len(mates))] if mates and context.happens(0.1) else None
        if mate is not None:
            world = merged((*world, *mate.world))[:MOST]
        if (self._wishes or world) and context.happens(CHANGES if self._wishes else FEWER_CHANGES):
            return self._finished(replace(given, world=self._changed(world, near)), near)
        return self._finished(replace(self._inner.mutate(given, mates, context), world=world), near)

    def _changed(self, world: World, context: DrawContext) -> World:
        """One comes, goes or has another value."""
        rng = context.rng
        if world and (not self._wishes or context.happens(0.5)):
            place = rng.randrange(len(world))
            if context.happens(0.2):
                return world[:place] + world[place + 1 :]
            value = _mutated(world[place].value, context)
            return (*world[:place], replace(world[place], value=value), *world[place + 1 :])
        _, wish = self._wishes[rng.randrange(len(self._wishes))]
        return merged((*world, wish(context)))[-MOST:]

    def _finished(self, given: Input, context: DrawContext) -> Input:
        if self._slots:
            given = self._slots.filled(given, context)
        self._drawn += 1
        if self._reads_argv and not any(setting.name == "sys:argv" for setting in given.world):
            given = replace(given, world=merged((*given.world, argv(["prog"]))))
        if self._raising and self._drawn > NATURAL and context.happens(RAISES):
            setting = self._raising[context.rng.randrange(len(self._raising))]
            given = replace(given, world=merged((*given.world, setting)))
        return given


# -- settings that may be wished for ------------------------------------------------------------------


def _wishes(needs: Needs) -> Iterator[tuple[str, Wish]]:
    if needs.argv:
        options = sorted(needs.argv - {""})
        yield "argv", lambda context: _arguments(context, options)
    if needs.stdin:
        yield "stdin", lambda context: stdin(_content(context))
    for name in sorted(needs.variables):
        yield "env", lambda context, name=name: Setting("env", name, _value(context))  # type: ignore[misc]
    for name in sorted(needs.files):
        yield "file", lambda context, name=name: Setting("file", name, Text(_content(context)))  # type: ignore[misc]
    for where, key in sorted(needs.replaced):
        kind: typing.Literal["set", "return"] = "set" if key == PLATFORM else "return"
        yield (
            "return",
            lambda context, where=where, key=key, kind=kind: Setting(kind, where, ANSWERS[key](context)),  # type: ignore[misc]
        )


def _arguments(context: DrawContext, options: Sequence[str]) -> Setting:
    """Options of the module with something behind them, and words without."""
    rng, words = context.rng, ["prog"]
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4))):
        dice = rng.random()
        if options and dice < 0.6:
            option = rng.choice(options)
            if context.happens(0.15):
                words.append(f"{option}={_word(context)}")
                continue
            words.append(option)
            if context.happens(0.5):
                words.append(_word(context))
        else:
            words.append(_word(context))
    return argv(words)


def _word(context: DrawContext) -> str:
    if context.happens(0.3):
        return str(context.rng.choice((0, 1, 2, 10, 80)))
    return _line(context) or "a"


def _line(context: DrawContext) -> str:
    drawn = text(context)
    assert isinstance(drawn, Text)
    return str(drawn.value).partition("\n")[0]


def _value(context: DrawContext) -> Node:
    dice = context.rng.random()
    if dice < 0.3:
        return Text(context.rng.choice(("", "1", "0", "true", "/tmp", "a")))
    return Text(_line(context))


def _content(context: DrawContext) -> str:
    if context.happens(0.1):
        return ""
    if context.happens(0.3) and context.words.examples:
        return str(context.rng.choice(context.examples)).encode("utf-8", "ignore").decode()
    drawn = text(context)
    assert isinstance(drawn, Text)
    return str(drawn.value)


def _mutated(node: Node, context: DrawContext) -> Node:
    """A text in it is changed; what begins a command line stays."""
    match node:
        case Text(bytes()):
            return Octets().mutate(node, context)
        case Text(str()):
            changed = Textual().mutate(node, context)
            assert isinstance(changed, Text)
            return Text(str(changed.value).encode("utf-8", "ignore").decode().replace("\0", ""))
        case Display(bracket, items) if len(items) > 1:
            place = context.rng.randrange(1, len(items))
            return Display(bracket, (*items[:place], _mutated(items[place], context), *items[place + 1 :]))
        case Call(function, arguments, keywords) if arguments:
            place = context.rng.randrange(len(arguments))
            changed_one = _mutated(arguments[place], context)
            return Call(function, (*arguments[:place], changed_one, *arguments[place + 1 :]), keywords)
    return node


# -- arguments that name files ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Slot:
    place: int
    name: str
    folder: bool
    is_path: bool


class _Slots:
    """The parameters of an entry that name files, by its steps."""

    def __init__(self, entry: Entry, opened: frozenset[str]) -> None:
        groups = [(maker.name, maker.parameters, maker.shaped) for maker in entry.makers]
        groups += [(m.name, m.parameters, m.shaped) for m in entry.methods if m.kind == "call"]
        self._slots: dict[str, list[_Slot]] = {}
        for step, parameters, shaped in groups:
            function = "__init__" if entry.is_class and step == entry.attribute else step.rpartition(".")[2]
            known = {name.partition(".")[2] for name in opened if name.startswith(f"{function}.")}
            slots = [
                _Slot(place, one.name, bool(_FOLDERS.fullmatch(one.name)), _has_path(one.hint))
                for place, one in enumerate(parameters)
                if _names_a_file(one, one.name in known)
            ]
            if slots and not shaped:
                self._slots[step] = slots

    def __bool__(self) -> bool:
        return bool(self._slots)

    def filled(self, given: Input, context: DrawContext) -> Input:
        """With files for those that name none yet, mostly."""
        world = list(given.world)
        there = {setting.name for setting in world if setting.kind in ("file", "folder")}
        steps = list(given.steps)
        for place, step in enumerate(steps):
            for slot in self._slots.get(step.name, ()):
                argument = _argument(step, slot)
                named = _named(argument)
                if named in there or named.startswith(_MISSING):
                    continue
                if not named or context.happens(KEEPS):
                    steps[place] = step = _with(step, slot, self._file(slot, world, context))
        world = [*merged(world)]
        used = {_named(node) for step in steps for node in (*step.arguments, *dict(step.keywords).values())}
        kept = [
            one
            for one in world
            if one.kind not in ("file", "folder") or one.name in used or one.name in there
        ]
        return replace(given, steps=tuple(steps), world=merged(kept))

    def _file(self, slot: _Slot, world: list[Setting], context: DrawContext) -> Node:
        dice = context.rng.random() * (0.5 if slot.folder else 1.0)
        endings = [word for word in context.words.texts if _ENDING.fullmatch(word)]
        ending = context.rng.choice(endings) if endings and context.happens(0.7) else ".txt"
        if dice < 0.15:
            name = _MISSING if slot.folder else _MISSING + ending
        elif dice < (0.5 if slot.folder else 0.25):
            name = _FOLDER
            world.append(Setting("folder", name))
        else:
            name = f"data{ending}"
            content = _content(context) if context.happens(0.85) else ""
            world.append(Setting("file", name, Text(content)))
        return Call(Ref("pathlib", "Path"), (Text(name),)) if slot.is_path else Text(name)


def _names_a_file(parameter: Parameter, opened: bool) -> bool:
    if parameter.rest:
        return False
    hint = parameter.hint
    if _has_path(hint):
        return True
    plain = hint is None or hint is str or str in typing.get_args(hint)
    return plain and (opened or bool(_PATHS.fullmatch(parameter.name)))


def _has_path(hint: Any) -> bool:
    kinds = (hint, *typing.get_args(hint))
    found = [one for one in kinds if isinstance(one, type) and issubclass(one, pathlib.PurePath)]
    return bool(found) or any((typing.get_origin(one) or one) is os.PathLike for one in kinds)


def _argument(step: Step, slot: _Slot) -> Node | None:
    if slot.place < len(step.arguments):
        return step.arguments[slot.place]
    return dict(step.keywords).get(slot.name)


def _named(node: Node | None) -> str:
    if isinstance(node, Call) and len(node.arguments) == 1:
        node = node.arguments[0]
    return str(node.value) if isinstance(node, Text) else ""


def _with(step: Step, slot: _Slot, node: Node) -> Step:
    """Where the argument is left out, it stays so."""
    if slot.place < len(step.arguments):
        arguments = (*step.arguments[: slot.place], node, *step.arguments[slot.place + 1 :])
        return replace(step, arguments=arguments)
    keywords = tuple((name, node if name == slot.name else value) for name, value in step.keywords)
    return replace(step, keywords=keywords)
