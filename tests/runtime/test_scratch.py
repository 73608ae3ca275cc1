from __future__ import annotations

import os

from untrod.runtime.scratch import Scratch


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
