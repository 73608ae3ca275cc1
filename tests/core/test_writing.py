"""A file is there whole or not at all, and a folder belongs to one writer at a time."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from untrod.core.writing import alone_in, is_temporary, write_atomically


def test_a_file_is_written_whole_and_its_folder_made(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "a.txt"
    write_atomically(path, "old ä")
    assert path.read_bytes() == "old ä".encode()
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(path.parent) == ["a.txt"]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "a.txt").symlink_to("precious")
    write_atomically(tmp_path / "a.txt", "new")
    assert (tmp_path / "precious").read_text() == "precious"
    assert not (tmp_path / "a.txt").is_symlink()


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError("full"), KeyboardInterrupt()])
def test_what_is_cut_short_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def fail(*arguments: object) -> None:
        raise error

    (tmp_path / "a.txt").write_text("old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(error)):
        write_atomically(tmp_path / "a.txt", "new")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_what_a_killed_writer_leaves_is_known_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[str] = []
    monkeypatch.setattr(os, "replace", lambda source, target: left.append(source.name))
    write_atomically(tmp_path / "a.txt", "new")
    assert [is_temporary(name) for name in (*left, "a.txt", ".a.tmp")] == [True, False, False]


def test_the_next_one_waits_for_the_folder(tmp_path: Path) -> None:
    said: list[str] = []

    def wait() -> None:
        with alone_in(tmp_path / "tests"):
            said.append("second")

    with alone_in(tmp_path / "tests"):
        waiting = threading.Thread(target=wait)
        waiting.start()
        said.append("first")
    waiting.join()
    assert said == ["first", "second"]
