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


def test_folders_of_the_dead_are_removed_and_those_of_the_living_are_not(tmp_path):
    dead = Scratch(tmp_path)
    os.close(dead._lock)  # what the kernel does when a process dies
    living = Scratch(tmp_path)
    assert not dead.path.exists()
    other = Scratch(tmp_path)
    assert living.path.exists()
    living.close()
    other.close()
