"""Whatever lies in the tree, the reader comes back, soon and with a bounded number of bytes."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from untrod.core.reading import is_regular, parse_json, read_bytes, read_inside, read_text


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(os.path.relpath(path))  # such addresses are short


ODD: dict[str, tuple[Callable[[Path], None], str]] = {
    "a FIFO": (os.mkfifo, "it is a FIFO"),
    "a folder": (os.mkdir, "it is a folder"),
    "a socket": (_socket, "it is a socket"),
    "endless": (lambda path: path.symlink_to("/dev/zero"), "it is a device"),
    "a terminal": (lambda path: path.symlink_to("/dev/tty"), "it is a device"),
    "a link to itself": (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
    "a link to nothing": (lambda path: path.symlink_to("nowhere"), "No such file or directory"),
    "not there": (lambda path: None, "No such file or directory"),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", ODD)
def test_only_regular_files_are_read(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make, why = ODD[kind]
    path = tmp_path / "x.py"
    make(path)

    with pytest.raises(OSError, match=r"x\.py") as raised:
        read_bytes(path)
    assert raised.value.strerror == why
    assert not is_regular(path)


def test_a_file_is_read_whole_and_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1\r\ny = '\xc3\xa4'\r\n" + b"#" * 3_000_000)
    (tmp_path / "b.py").symlink_to("a.py")

    assert read_bytes(tmp_path / "b.py") == (tmp_path / "a.py").read_bytes()
    assert read_text(tmp_path / "b.py") == (tmp_path / "a.py").read_text(encoding="utf-8")
    assert is_regular(tmp_path / "b.py")


def test_a_link_is_not_followed_where_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1")
    (tmp_path / "b.py").symlink_to("a.py")

    assert read_bytes(tmp_path / "a.py", follow=False) == b"x = 1"
    with pytest.raises(OSError, match=r"it is a link.*b\.py"):
        read_bytes(tmp_path / "b.py", follow=False)


def test_a_file_inside_of_a_folder_is_read_wherever_its_name_leads_there(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / "a.py").write_bytes(b"x = 1")
    (inside / "b.py").symlink_to("a.py")
    (inside / "out.py").symlink_to("../c.py")
    (tmp_path / "c.py").write_bytes(b"secret")

    assert read_inside(inside, "b.py", 10) == read_inside(inside, "../in/a.py", 10) == b"x = 1"
    for name in ("out.py", "../c.py", str(tmp_path / "c.py")):
        with pytest.raises(PermissionError, match="not in the folder"):
            read_inside(inside, name, 10)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.py"
    path.write_bytes(b"#" * 2_000_001)

    with pytest.raises(OSError, match="larger than 2 MB"):
        read_bytes(path, 2_000_000)
    assert len(read_bytes(path, 2_000_001)) == 2_000_001


def test_a_file_without_a_size_is_read_so_far_and_no_farther() -> None:
    """Such as those of /proc: their size is 0, whatever they hold."""
    with pytest.raises(OSError, match="larger than 10 bytes"):
        read_bytes("/proc/self/status", 10)
    assert b"Name:" in read_bytes("/proc/self/status")


@pytest.mark.parametrize("name", ["a" * 5_000, "a\0b", "\ud800"])
def test_a_name_that_no_file_has_is_no_file(name: str) -> None:
    assert not is_regular(name)


def test_json_that_is_nested_too_deeply_is_no_json() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json("[" * 100_000)
    assert parse_json(b'{"a": [1]}') == {"a": [1]}
