"""Settings as the first statements of a test."""

from __future__ import annotations

from collections.abc import Iterator

from untrod.engines.cover.outside.settings import FILES, NOTHING, Setting, World
from untrod.output.cases import Do
from untrod.source.nodes import Atom, Call, Member, Node, Ref, Text

FIXTURE = "monkeypatch"


def has_files(world: World) -> bool:
    return any(setting.kind in FILES for setting in world)


def statements(world: World) -> Iterator[Do]:
    """Files lie in the working folder: the test has one of its own (`TestCase.own_folder`)."""
    for setting in world:
        yield Do(_statement(setting))


def _statement(setting: Setting) -> Call:
    path = Call(Atom("tmp_path.joinpath"), (Text(setting.name),))
    match setting.kind:
        case "env" if setting.value == NOTHING:
            return _patch("delenv", Text(setting.name), raising=Atom("False"))
        case "env":
            return _patch("setenv", Text(setting.name), setting.value)
        case "folder":
            return Call(Member(path, "mkdir"))
        case "file":
            assert isinstance(setting.value, Text)
            return _written(path, setting.value)
        case "set":
            return _patch("setattr", Text(setting.dotted), setting.value)
    effect = "side_effect" if setting.kind == "raise" else "return_value"
    mock = Call(Ref("unittest.mock", "Mock"), (), ((effect, setting.value),))
    return _patch("setattr", Text(setting.dotted), mock)


def _written(path: Call, content: Text) -> Call:
    if isinstance(content.value, bytes):
        return Call(Member(path, "write_bytes"), (content,))
    encoding = () if content.value.isascii() else (("encoding", Text("utf-8")),)
    return Call(Member(path, "write_text"), (content,), encoding)


def _patch(method: str, *arguments: Node, **keywords: Node) -> Call:
    return Call(Atom(f"{FIXTURE}.{method}"), arguments, tuple(keywords.items()))
