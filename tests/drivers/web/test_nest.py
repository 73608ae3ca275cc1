"""Chromium's temporary files have a short path, and what the dead have left is cleared away."""

import tempfile

from untrod.drivers.web import nest


def test_the_usual_folder_is_good_enough_if_it_is_short(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(nest, "LONGEST", len(str(tmp_path)))
    assert nest.build_nest().parent == tmp_path


def test_a_long_one_is_replaced_and_nests_of_the_dead_are_removed(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", "/tmp/" + "long" * 20)
    monkeypatch.setattr(nest, "SHORT", tmp_path)
    dead, other = tmp_path / "untrod-web-999999999-0badcafe", tmp_path / "untrod-web-mine"
    dead.mkdir()
    other.mkdir()
    first, second = nest.build_nest(), nest.build_nest()
    assert (dead.exists(), other.exists(), first.is_dir(), second.is_dir()) == (False, True, True, True)
    assert first.parent == tmp_path
