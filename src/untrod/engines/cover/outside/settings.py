"""A setting: something outside of the code under test, as it is to be before the steps of an input are done.

    Setting("set", "sys:argv", Display("[", (Text("prog"), Text("-v"))))   an attribute has this value
    Setting("return", "time:time", Atom("0.0"))                             a function answers so
    Setting("raise", "socket:socket.connect", Ref("builtins", "OSError"))   a function raises it
    Setting("env", "HOME", Text("/home/ada"))                               a variable; without one: `None`
    Setting("file", "data.txt", Text("a=1"))                                a file in the working folder
    Setting("folder", "data", Atom("None"))                                 a folder there

As with arguments, values are source trees.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from untrod.core.shapes import Malformed, anything, listed, one_of, row, text
from untrod.core.vocabulary import Json
from untrod.source.codec import decode, encode
from untrod.source.layout import flat
from untrod.source.names import is_dotted
from untrod.source.nodes import Atom, Call, Display, Node, Ref, Text
from untrod.source.simpler import weight

SettingKind = Literal["set", "return", "raise", "env", "file", "folder"]
ATTRIBUTES = ("set", "return", "raise")
FILES = ("file", "folder")
NOTHING = Atom("None")
_LONGEST = 200
_SETTINGS = listed(row(one_of(get_args(SettingKind)), text(_LONGEST), anything))


@dataclass(frozen=True, slots=True)
class Setting:
    kind: SettingKind
    name: str
    value: Node = NOTHING

    @property
    def dotted(self) -> str:
        """The attribute, as `monkeypatch` takes it."""
        return self.name.replace(":", ".")

    @property
    def place(self) -> tuple[bool, str]:
        """What it is about: of two that are about the same, one counts."""
        return self.kind in ATTRIBUTES, self.name

    @property
    def weight(self) -> int:
        return 10 + weight(self.value)

    def __str__(self) -> str:
        match self.kind:
            case "set":
                return f"{self.dotted} = {flat(self.value)}"
            case "return":
                return f"{self.dotted}() -> {flat(self.value)}"
            case "raise":
                return f"{self.dotted}() raises {flat(self.value)}"
            case "env":
                return (
                    f"${self.name} unset" if self.value == NOTHING else f"${self.name} = {flat(self.value)}"
                )
            case "file":
                return f"file {self.name}: {flat(self.value)}"
        return f"folder {self.name}"


World = tuple[Setting, ...]


def argv(words: Iterable[str]) -> Setting:
    return Setting("set", "sys:argv", Display("[", tuple(map(Text, words))))


def stdin(content: str) -> Setting:
    return Setting("set", "sys:stdin", Call(Ref("io", "StringIO"), (Text(content),)))


def merged(world: Iterable[Setting]) -> World:
    """Of settings about the same, the last; in an order of their own."""
    found = {setting.place: setting for setting in world}
    return tuple(sorted(found.values(), key=lambda setting: (setting.kind, setting.name)))


def to_json(world: World) -> Json:
    return [[setting.kind, setting.name, encode(setting.value)] for setting in world]


def from_json(body: Json) -> World:
    """Raises Malformed on anything `to_json` did not make."""
    _SETTINGS(body, "settings")
    world = tuple(Setting(kind, name, decode(value)) for kind, name, value in body)
    if not all(map(_is_sound, world)):
        raise Malformed("a setting of nothing that there is")
    return world


def _is_sound(setting: Setting) -> bool:
    """Names become part of a test: of an attribute, a variable, a file that lies in the folder itself."""
    if setting.kind in ATTRIBUTES:
        module, _, attribute = setting.name.partition(":")
        return is_dotted(module) and is_dotted(attribute)
    if not setting.name or "\0" in setting.name:
        return False
    if setting.kind == "env":
        return "=" not in setting.name and (setting.value == NOTHING or _is_text(setting.value))
    plain = "/" not in setting.name and setting.name not in (".", "..")
    return plain and (setting.kind == "folder" or isinstance(setting.value, Text))


def _is_text(node: Node) -> bool:
    return isinstance(node, Text) and isinstance(node.value, str) and "\0" not in node.value
