"""`untrod explore robustfill` and `untrod explore karel` print inputs, coverage and what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from untrod.cli.app import app
from untrod.core.errors import UntrodError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "programs"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # for the store


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["explore", *arguments])
    if result.exception is not None:
        raise result.exception
    return result.stdout


def test_karel_prints_grids_and_the_program_with_marks():
    shown = run("karel", str(EXAMPLES / "collect.karel"), "--inputs", "5", "--explorer", "directed")
    assert "input 1: covers" in shown
    assert "+   2     repeat (10) {" in shown
    assert "coverage 100%: 7 of 7" in shown
    assert "line 15: if (not frontIsClear()) entered" in shown


def test_robustfill_prints_texts_and_what_is_missing():
    shown = run("robustfill", str(EXAMPLES / "names.robustfill"), "--inputs", "1", "--explorer", "random")
    assert "input 1: covers" in shown
    assert "input 2" not in shown
    assert "not reached:\n    expression" in shown


def test_json_has_the_same():
    asked = (
        "karel",
        str(EXAMPLES / "walk.karel"),
        "--measure",
        "outcomes",
        "--explorer",
        "directed",
        "--json",
    )
    made, again = (json.loads(run(*asked).splitlines()[-1])["extra"] for _ in range(2))
    assert (made["explorer"], made["coverage"], made["goals"]) == ("directed", 1.0, 4)
    assert made == again


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("karel", "def run() { mvoe(); }"), "line 1, column 13: mvoe is no statement"),
        (("karel", "nowhere.karel"), "cannot be read"),
        (("karel", str(EXAMPLES / "walk.karel"), "--explorer", "magic"), "there is no explorer 'magic'"),
        (("karel", str(EXAMPLES / "walk.karel"), "--measure", "lines"), "there is no measure 'lines'"),
        (("robustfill", "Concat(GetTokn(Word, 1))"), "line 1, column 8: GetTokn is no expression"),
    ],
)
def test_mistakes_are_told_in_a_line(arguments: tuple[str, ...], message: str):
    with pytest.raises(UntrodError) as caught:
        run(*arguments)
    assert message in caught.value.message
    assert caught.value.hint


def test_weights_of_ones_own_are_trained_and_used(tmp_path: Path):
    pytest.importorskip("torch")
    folder = str(tmp_path / "karel")
    trained = CliRunner().invoke(
        app, ["train", "karel", "--updates", "2", "--hidden", "8", "--worlds", "4", "--out", folder]
    )
    assert trained.exit_code == 0, trained.output
    assert "coverage of 4 held-out programs" in trained.output
    assert "gain over hill-climbing" in trained.output
    shown = run("karel", str(EXAMPLES / "walk.karel"), "--weights", folder, "--fine-tune", "1")
    assert f"  explorer: trained, by the weights in {folder}, fine-tuned here for 1 updates," in shown
    with pytest.raises(UntrodError, match="is for karel, not for robustfill programs"):
        run("robustfill", str(EXAMPLES / "names.robustfill"), "--weights", folder)


def test_where_weights_ship_they_are_used_unasked():
    pytest.importorskip("torch")
    shown = run("karel", str(EXAMPLES / "walk.karel"))
    assert "  explorer: trained, by the weights that come with untrod," in shown
    assert "input 1: covers" in shown
    texts = run("robustfill", str(EXAMPLES / "names.robustfill"))
    assert "  explorer: trained, by the weights that come with untrod," in texts


def test_without_torch_the_best_untrained_explorer_steps_in(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("untrod.engines.explore.programs.choice.find_spec", lambda package: None)
    shown = run("karel", str(EXAMPLES / "walk.karel"))
    assert "  explorer: directed (weights need torch: pip install 'untrod[neural]')," in shown


def test_practice_needs_weights():
    with pytest.raises(UntrodError, match="random takes no weights and no practice"):
        run("karel", str(EXAMPLES / "walk.karel"), "--explorer", "random", "--fine-tune", "3")
