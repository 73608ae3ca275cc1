"""Whatever a file holds or is that a person names: it is taken, or refused in one line with status 2."""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

DEEP = "[" * 200_000
DEEP_OBJECT = '{"a":' * 100_000
MANY_DIGITS = "9" * 5_000
TEXTS = (DEEP, DEEP_OBJECT, "[" * 900 + "]" * 900, MANY_DIGITS, "1e400", "NaN", "-Infinity", r'"\ud800"', "")
TEXTS += (
    "null",
    "[]",
    "{}",
    "0",
    '"',
    "\0",
    "\\",
    "'" * 1_000,
    "(" * 5_000,
    "-" * 100_000 + "1",
    "def ",
    "#",
)
ODD = [
    *(text.encode() for text in TEXTS),
    b"\xff\xfe\x00",
    b"\x80\x04",
    b"PK\x03\x04",
    b"\x7fELF" + b"\xff" * 200,
]
GRAPH = {"format": "untrod-screens", "version": 1, "name": "app", "start": "main", "screens": {"main": {}}}
ACTION = {"type": "back", "to": [{"screen": "main", "times": 1, "ms": 0}]}
MANIFEST = {"format": "untrod-explore", "version": 1, "moves": "aims", "shape": {"features": 20}}

READERS = {
    "a corpus": ("inputs box.py:numbers --corpus", "lines.jsonl"),
    "a graph": ("gui", "graph.json"),
    "a recorded app": ("explore app-graph --walker frontier", "graph.json"),
    "screens": ("explore screens --steps 2", "graph.json"),
    "formulas": ("gui graph.json --spec", "some.ltl"),
    "scenarios": ("gui graph.json --spec", "some.feature"),
    "a setup": ("gui graph.json --setup", "some.py"),
    "weights": ("explore maze --weights", "weights"),
    "weights for programs": ("explore robustfill Concat(GetToken(Digit,1)) --weights", "weights"),
    "a course": ("train maze --updates 1 --out", "course"),
    "a program for RobustFill": ("explore robustfill", "program.txt"),
    "a program for Karel": ("explore karel", "program.txt"),
    "a package of Android": ("gui org.example.app --driver android --apk", "some.apk"),
    "C": ("cover --stdin 4", "some.c"),
    "also C": ("cover box.c --stdin 4 --also", "some.c"),
    "a program": ("cover box.c --stdin 4 --coverage-binary box.c --binary", "program"),
    "a module": ("cover", "some.py"),
    "also a module": ("cover box.py --also", "some.py"),
    "a shape": ("worst box.py:price --shape", "some.py"),
    "a counter": ("worst box.py:price --cost", "some.py:count"),
    "observations": ("inputs test_box.py --observe", "some.jsonl"),
    "settings": ("cover box.py --store", "pyproject.toml"),
    "a store": ("inputs box.py:numbers --store", "store"),
    "the store of a report": ("report --store", "store"),
}


def laid(reader: str, room: Path) -> Path:
    """Where the odd file goes: into the folder, where a folder is what the reader takes."""
    name = READERS[reader][1].partition(":")[0]
    inner = {"weights": "manifest.json", "course": "checkpoint.json", "store": "store.sqlite3"}.get(name)
    path = room / name / inner if inner else room / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    return path


def words(reader: str) -> list[str]:
    options, name = READERS[reader]
    return [*options.split(), "other" if reader == "settings" else name]


@pytest.fixture(autouse=True)
def more_of_the_room(room: Path) -> None:
    (room / "box.c").write_text("int main(void) { return 0; }\n")
    (room / "test_box.py").write_text("def test_it(): pass\n")


@pytest.mark.timeout(120)
@pytest.mark.parametrize("reader", READERS)
def test_no_content_of_a_file_is_a_bug_in_untrod(reader: str, room: Path, told) -> None:
    for content in ODD:
        path = laid(reader, room)
        path.write_bytes(content)
        told(*words(reader))


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(os.path.relpath(path))


KINDS: dict[str, Callable[[Path], None]] = {
    "a FIFO": os.mkfifo,
    "a folder": os.mkdir,
    "a socket": _socket,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a link to itself": lambda path: path.symlink_to(path.name),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_ordinary_file_is_refused(reader: str, kind: str, room: Path, told) -> None:
    KINDS[kind](laid(reader, room))
    status, _ = told(*words(reader))

    assert status == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"version": 10**400},
        {"version": [[]] * 50},
        {"shape": {"features": 20, "hidden": 10**9}},
        {"shape": {"features": 20, "hidden": -1}},
        {"shape": {"features": 20, "rounds": 10**9}},
        {"shape": {"features": 20, "links": 10**12}},
        {"shape": {"features": 20, "hidden": 1e400}},
        {"shape": {"features": 20, "memory": ["graph"]}},
        {"shape": {"features": 20, "\ud800": 1}},
        {"shape": {"words": 10**9, "symbols": 10**9}},
        {"shape": {}},
        {"moves": {}},
    ],
    ids=str,
)
@pytest.mark.parametrize("reader", ["weights", "weights for programs"])
def test_a_manifest_that_vouches_for_nonsense_is_refused(reader: str, changed, room: Path, told) -> None:
    path, blob = laid(reader, room), b"\x02\0\0\0\0\0\0\0{}"
    (path.parent / "weights.safetensors").write_bytes(blob)
    digest = hashlib.sha256(blob).hexdigest()
    path.write_text(json.dumps({**MANIFEST, "task": "robustfill", "sha256": digest, **changed}))
    status, line = told(*words(reader))

    assert status == 2
    assert "weights" in line


@pytest.mark.parametrize(
    "notes",
    [None, [], {}, {"plan": {}}, {"plan": {}, "update": 10**400, "spent": 0, "best": 0, "stale": 0}],
    ids=str,
)
@pytest.mark.parametrize("file", ["checkpoint-1.safetensors", "../box.py", "", 7, "\ud800"], ids=ascii)
def test_a_checkpoint_of_others_is_refused(file, notes, room: Path, told) -> None:
    laid("a course", room).write_text(
        json.dumps({"format": "untrod-course/1", "file": file, "sha256": "", "notes": notes})
    )
    status, line = told(*words("a course"))

    assert status == 2
    assert "checkpoint" in line


@pytest.mark.parametrize(
    "screens",
    [
        {"main": {"actions": [{**ACTION, "to": [{"screen": "main", "times": 10**400}]}]}},
        {"main": {"actions": [{**ACTION, "to": [{"screen": "main", "ms": -1}]}]}},
        {"main": {"actions": [{**ACTION, "type": []}]}},
        {"main": {"actions": {}}},
        {
            "main": {
                "id": "\ud800",
                "attrs": {"\ud800": "\ud800"},
                "actions": [{**ACTION, "detail": "\ud800"}],
            }
        },
        {"main": {"widgets": [{"role": "a", "box": [10**400] * 4}]}},
        {"main": {"actions": [{"type": "a" * 100_000, "to": "main"}]}},
        {"\ud800": {}},
    ],
    ids=lambda screens: ascii(screens)[:60],
)
@pytest.mark.parametrize("reader", ["a graph", "a recorded app", "screens"])
def test_a_graph_with_nonsense_in_it_is_no_bug_in_untrod(reader: str, screens, room: Path, told) -> None:
    laid(reader, room).write_text(json.dumps({**GRAPH, "screens": screens}))
    told(*words(reader))
