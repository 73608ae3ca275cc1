"""Chromium's temporary files have a short path, and are gone with it."""

import os
import stat
import tempfile

from untrod.drivers.web import tmpdir
from untrod.runtime import scratch
from untrod.runtime.processes import STAGE


def test_the_usual_folder_is_good_enough_if_it_is_short(monkeypatch, tmp_path):
    monkeypatch.delenv(STAGE, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "_LONGEST", len(str(tmp_path)))
    with tmpdir.tmpdir() as folder:
        (folder / "profile").mkdir()
        assert folder.parent == tmp_path
    assert not folder.exists()


def test_a_long_one_is_replaced(monkeypatch, tmp_path):
    monkeypatch.delenv(STAGE, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", "/tmp/" + "long" * 20)
    monkeypatch.setattr(scratch, "_SHORT", tmp_path)
    with tmpdir.tmpdir() as folder:
        assert folder.parent == tmp_path


def test_in_a_worker_it_lies_in_its_stage_and_is_for_nobody_else(monkeypatch, tmp_path):
    monkeypatch.setenv(STAGE, str(tmp_path))
    with tmpdir.tmpdir() as folder:
        assert folder.parent == tmp_path
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
