"""A folder is emptied whatever a program has left in it, and nothing else is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from untrod.engines.cover.native.emptying import empty, remove

DEPTH = 3_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made


def test_a_folder_is_made_where_there_is_none(tmp_path: Path) -> None:
    empty(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
    remove(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_trees_deeper_than_a_path_or_a_stack(folder: Path) -> None:
    at = os.open(folder, os.O_RDONLY)
    for _ in range(DEPTH):
        os.mkdir("d" * 20, dir_fd=at)
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=at))
        inner = os.open("d" * 20, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(at)
    empty(folder)
    assert list(folder.iterdir()) == []


def test_folders_that_nobody_may_enter(folder: Path) -> None:
    inner = folder / "closed" / "inner"
    inner.mkdir(parents=True)
    (inner / "file").write_text("x")
    inner.chmod(0)
    inner.parent.chmod(0)
    folder.chmod(0)
    empty(folder)
    assert list(folder.iterdir()) == []


def test_pipes_links_and_odd_names(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(folder / "pipe")
    os.mkfifo(os.fsencode(folder) + b"/\xff\n-rf")
    (folder / "dangling").symlink_to("nowhere")
    empty(folder)
    assert list(folder.iterdir()) == []


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    (precious / "deep").mkdir(parents=True)
    (precious / "file").write_text("keep")
    precious.chmod(0o750)
    (folder / "link").symlink_to(precious)
    (folder / "inner").mkdir()
    (folder / "inner" / "link").symlink_to(precious)
    empty(folder)
    assert list(folder.iterdir()) == []
    folder.rmdir()
    folder.symlink_to(precious)
    empty(folder)
    assert folder.is_dir()
    assert not folder.is_symlink()
    assert (precious / "file").read_text() == "keep"
    assert (precious / "deep").is_dir()
    assert precious.stat().st_mode & 0o777 == 0o750
