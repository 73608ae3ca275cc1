"""An input of a program, as `cover` has inputs: a call of `main` with bytes for arguments.

    Input("tr.c:main", (Step("main", (Text(b"a-c"), Text(b"x")), (("stdin", Text(b"abc")),)),))

So it is stored, shrunk, replayed and written into tests like any other.
"""

from __future__ import annotations

from collections.abc import Mapping

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.native.target import NativeTarget
from untrod.source.nodes import Pairs, Text
from untrod.symbolic.native.fields import Fields, Values

STDIN, FILES = "stdin", "files"


def as_input(values: Values, target: NativeTarget) -> Input:
    """What the program cannot see, behind the end of an argument, is left out."""
    fields = target.fields
    place = fields.stdin_place
    arguments = tuple(Text(text) for text in fields.argv(values)[len(fields.fixed) :])
    keywords: list[tuple[str, Text | Pairs]] = []
    if values[place]:
        keywords.append((STDIN, Text(values[place])))
    files = [(Text(name), Text(values[place + 1 + n])) for n, (name, _) in enumerate(fields.files)]
    if files:
        keywords.append((FILES, Pairs(tuple(files))))
    return Input(target.entry, (Step("main", arguments, tuple(keywords)),))


def as_values(given: Input, fields: Fields) -> Values | None:
    """None where the input does not have these fields."""
    if len(given.steps) != 1:
        return None
    step = given.steps[0]
    arguments = [node.value for node in step.arguments if isinstance(node, Text)]
    named = dict(step.keywords)
    stdin, files = named.pop(STDIN, Text(b"")), named.pop(FILES, Pairs(()))
    if named or not isinstance(stdin, Text) or not isinstance(files, Pairs):
        return None
    contents = _contents(files)
    if contents is None or not contents.keys() <= {name for name, _ in fields.files}:
        return None
    values = (*arguments, stdin.value, *(contents.get(name, b"") for name, _ in fields.files))
    if len(arguments) != len(step.arguments) or not all(isinstance(value, bytes) for value in values):
        return None
    if any(b"\0" in value for value in values[: len(arguments)]):
        return None
    try:
        return fields.check(values)  # type: ignore[arg-type]
    except ValueError:
        return None


def _contents(files: Pairs) -> Mapping[str, bytes] | None:
    found: dict[str, bytes] = {}
    for name, content in files.items:
        if not isinstance(name, Text) or not isinstance(content, Text):
            return None
        if not isinstance(name.value, str) or not isinstance(content.value, bytes):
            return None
        found[name.value] = content.value
    return found


def command_line(values: Values, target: NativeTarget) -> str:
    """For a person to paste into bash, from the folder with the program."""
    fields = target.fields
    place = fields.stdin_place
    program = f"./{target.name.removesuffix('.c')}"
    words = [_quoted(program.encode()), *map(_quoted, fields.argv(values))]
    parts = [
        f"printf %b {_quoted(_escaped(values[place + 1 + n]))} > {_quoted(name.encode())}; "
        for n, (name, _) in enumerate(fields.files)
    ]
    stdin = values[place]
    feed = f"printf %b {_quoted(_escaped(stdin))} | " if stdin else ""
    return "".join(parts) + feed + " ".join(words)


def _escaped(data: bytes) -> bytes:
    return b"".join(
        b"\\\\" if byte == 92 else bytes([byte]) if 32 <= byte < 127 else b"\\0%03o" % byte for byte in data
    )


def _quoted(data: bytes) -> str:
    if data and all(chr(byte).isalnum() or byte in b"-_./=:,+@%" for byte in data) and max(data) < 128:
        return data.decode()
    if all(32 <= byte < 127 and byte != 39 for byte in data):
        return f"'{data.decode()}'"
    inner = "".join(chr(b) if 32 <= b < 127 and b not in (39, 92) else f"\\x{b:02x}" for b in data)
    return f"$'{inner}'"
