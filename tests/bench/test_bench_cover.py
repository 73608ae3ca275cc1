"""The `cover` bench: tests are measured by coverage.py, and the bars say what they mean."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from bench.cover import contenders, peers, process, promises
from bench.cover.outcomes import Outcomes
from bench.cover.subjects import SUBJECTS

TRIANGLE = SUBJECTS["triangle"]


@pytest.mark.parametrize("name", [name for name, subject in SUBJECTS.items() if subject.root])
def test_the_textbook_subjects_are_files_of_the_examples(name: str) -> None:
    subject = SUBJECTS[name]
    assert subject.root is not None
    assert (subject.root / f"{subject.module}.py").is_file()
    assert not subject.missing()


def test_branches_are_those_that_the_tests_take_also_when_they_fail(tmp_path: Path) -> None:
    tests = tmp_path / "test_one.py"
    tests.write_text(
        "from triangle import triangle\n\n\ndef test_one():\n    assert triangle(0, 1, 1) == 3\n"
    )
    measured = peers.measure([tests], TRIANGLE, tmp_path)
    assert len(measured.pop("missing")) == 9
    assert measured == {"covered": 1, "branches": 10, "passes": False}
    measured = peers.measure([], TRIANGLE, tmp_path)
    assert len(measured.pop("missing")) == 10
    assert measured == {"covered": 0, "branches": 10, "passes": True}


def test_our_own_suite_takes_what_the_campaign_claims(tmp_path: Path) -> None:
    result = contenders.play("chance", TRIANGLE, 1, 20.0, tmp_path)
    assert (result["covered"], result["claimed"], result["branches"]) == (10, 10, 10)
    assert result["unclaimed"] == []


def test_what_a_suite_takes_beyond_the_claim_is_named() -> None:
    outcomes = Outcomes()
    outcomes.add("a", "auto", 2, {**_result(9), "unclaimed": [(3, 4)]})
    assert outcomes.notes() == ("a auto: the suite of seed 2 takes branches that were not claimed: [(3, 4)]",)


def test_a_peer_without_an_interpreter_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(peers.PEERS_PYTHON, raising=False)
    assert "names no interpreter" in contenders.play("pynguin", TRIANGLE, 1, 1.0, tmp_path)["skipped"]


def test_one_subject_lost_to_one_contender_is_lost() -> None:
    outcomes = Outcomes()
    for seed, ours in enumerate((8, 9, 9)):
        outcomes.add("a", "auto", seed, _result(ours))
        outcomes.add("a", "chance", seed, _result(9))
        outcomes.add("b", "auto", seed, _result(10))
        outcomes.add("b", "pynguin", seed, _result(10))
        outcomes.add("c", "auto", seed, _result(3))
        outcomes.add("c", "pynguin", seed, _result(4))
        outcomes.add("d", "auto", seed, _result(4))
        outcomes.add("d", "pynguin", seed, _result(3))

    values = {bar.name.partition(",")[0]: bar.value for bar in promises.bars(outcomes)}

    assert values["subjects where auto covers at least as many branches as every contender"] == 3
    assert values["subjects with no fewer branches than chance"] == 1
    assert values["subjects with more branches than pynguin"] == 1  # as many, as on b, is not more


def test_pruning_is_judged_only_where_there_are_many_states() -> None:
    outcomes = Outcomes()
    for name, states in (("few", 100), ("many", 9_000)):
        for contender, covered, live in (
            (promises.BEST, 5, 6_000),
            (promises.HOMI, 7, 500),
            (promises.RANDOM, 4, 500),
        ):
            outcomes.add(name, contender, 1, _result(covered, states=states, live=live))

    values = {bar.name: (bar.value, bar.holds) for bar in promises.bars(outcomes)}

    assert (3, True) in values.values()  # 7 branches against 4, on one subject
    assert (12.0, True) in values.values()  # 6,000 live states against 500


def test_a_suite_that_takes_less_than_claimed_breaks_the_bar() -> None:
    outcomes = Outcomes()
    outcomes.add("a", "auto", 1, {**_result(5), "claimed": 6})
    (bar,) = (bar for bar in promises.bars(outcomes) if "claimed" in bar.name)
    assert not bar.holds


def test_a_process_is_charged_for_itself_alone(tmp_path: Path) -> None:
    code = "import sys; sum(range(3_000_000)); print('done'); sys.exit(3)"
    idle = process.call([sys.executable, "-c", "pass"], tmp_path, os.environ, 60)
    ours = bytearray(b"x") * 600_000_000
    busy = process.call([sys.executable, "-c", code], tmp_path, os.environ, 60)
    del ours
    assert (busy.out, busy.status, busy.late) == ("done\n", 3, False)
    assert busy.cpu > idle.cpu
    assert 1 < busy.memory < 500


def test_a_process_that_hangs_is_killed_and_keeps_what_it_said(tmp_path: Path) -> None:
    code = "import time; print('so far', flush=True); time.sleep(600)"
    called = process.call([sys.executable, "-c", code], tmp_path, os.environ, 3)
    assert (called.out, called.late) == ("so far\n", True)


def _result(covered: int, **symbolic: int) -> dict[str, object]:
    result = {"covered": covered, "claimed": covered, "branches": 10, "cpu": 1.0, "memory": 100.0}
    return {**result, "passes": True, "symbolic": symbolic}
