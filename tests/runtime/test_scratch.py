from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from untrod.runtime.removal import remove_tree
from untrod.runtime.scratch import Scratch

NEST = """
import os, sys
os.chdir(sys.argv[1])
for _ in range(3000):
    os.mkdir("a" * 100)
    os.chdir("a" * 100)
open("bottom", "w").close()
"""


def test_folders_nested_thousands_deep_are_removed(tmp_path):
    scratch = Scratch(tmp_path / "root")
    subprocess.run([sys.executable, "-c", NEST, scratch.folder("0")], check=True)
    scratch.close()
    assert list((tmp_path / "root").iterdir()) == []


def test_what_links_point_to_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("precious")
    scratch = Scratch(tmp_path / "root")
    folder = scratch.folder("0")
    for number, target in enumerate((tmp_path / "mine", tmp_path / "mine" / "file", Path("/"), Path(".."))):
        (folder / f"link{number}").symlink_to(target)
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "link").symlink_to(tmp_path / "mine")
    scratch.close()
    assert (tmp_path / "mine" / "file").read_text() == "precious"
    assert list((tmp_path / "root").iterdir()) == []


@pytest.mark.parametrize("name", [b"two\nlines", b"\xff\xfe", b"-rf", b" ", b"a" * 255])
def test_odd_names_are_removed(tmp_path, name):
    scratch = Scratch(tmp_path / "root")
    folder = os.fsencode(scratch.folder("0"))
    os.makedirs(os.path.join(folder, name, name))
    with open(os.path.join(folder, name, b"file" + name[:200]), "w"):
        pass
    scratch.close()
    assert list((tmp_path / "root").iterdir()) == []


def test_what_cannot_be_removed_is_left_without_a_word(tmp_path):
    remove_tree(tmp_path / "nowhere" / "at all")
    (tmp_path / "file").write_text("no folder")
    remove_tree(tmp_path / "file")
    (tmp_path / "link").symlink_to(tmp_path)
    remove_tree(tmp_path / "link")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


def test_a_scratch_folder_goes_with_all_that_is_in_it(tmp_path):
    scratch = Scratch(tmp_path / "root")
    folder = scratch.folder("0")
    (folder / "locked" / "inner").mkdir(parents=True)
    (folder / "locked" / "inner" / "file").write_text("x")
    (folder / "loop").symlink_to(folder)
    (folder / "locked").chmod(0)
    scratch.close()
    assert list((tmp_path / "root").iterdir()) == []


def test_a_link_that_looks_like_a_folder_of_the_dead_is_left_alone(tmp_path):
    (tmp_path / "mine" / "closed").mkdir(parents=True)
    (tmp_path / "mine" / "closed").chmod(0o500)
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "untrod-pool-x").symlink_to(tmp_path / "mine")
    Scratch(tmp_path / "root").close()
    assert (tmp_path / "mine" / "closed").stat().st_mode & 0o777 == 0o500


def test_folders_of_the_dead_are_removed_and_those_of_the_living_are_not(tmp_path):
    dead = Scratch(tmp_path)
    os.close(dead._lock)  # what the kernel does when a process dies
    living = Scratch(tmp_path)
    assert not dead.path.exists()
    other = Scratch(tmp_path)
    assert living.path.exists()
    living.close()
    other.close()
