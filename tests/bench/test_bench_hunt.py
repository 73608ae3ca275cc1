"""What `bench hunt` makes of its trials."""

from __future__ import annotations

from bench.hunt import study
from bench.hunt.contenders import COVER, HUNT, PYNGUIN, WORST
from bench.hunt.packages import lay_out


def trial(covered: int, **more: object) -> dict[str, object]:
    told = {"covered": covered, "branches": 10, "tests": 1, "cpu": 1.0, "failed": 0, "passes": True}
    return {**told, "left": 0, "litter": 0, **more}


def bars(**hunts: int) -> dict[str, bool]:
    trials = {}
    for name, covered in hunts.items():
        rivals = {HUNT: covered, COVER: 5, WORST: 2, PYNGUIN: 7}
        trials.update({(name, rival): [trial(value)] for rival, value in rivals.items()})
    return {bar.name.partition(" with ")[2]: bar.holds for bar in study._bars(trials) if " with " in bar.name}


def test_two_packages_of_three_must_be_won_against_the_best_of_ours_and_against_pynguin():
    single, peer = (
        "as many branches as the best single engine, at least",
        "as many branches as Pynguin, at least",
    )
    assert bars(a=5, b=5, c=0) == {single: True, peer: False}
    assert bars(a=7, b=7, c=0) == {single: True, peer: True}
    assert bars(a=4, b=5, c=0) == {single: False, peer: False}


def test_tests_that_fail_and_whatever_is_left_lose_bars():
    bad = study._bars({("a", HUNT): [trial(9, passes=False, left=1, litter=2)]})
    assert [bar.holds for bar in bad] == [False, False, False]


def test_a_package_is_copied_without_what_python_made_of_it(tmp_path):
    package = lay_out("untrod", tmp_path / "project")  # any package will do
    assert "untrod.core.loop" in package.modules
    assert "untrod.__main__" not in package.modules
    assert not list(tmp_path.rglob("__pycache__"))
