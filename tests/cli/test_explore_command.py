"""`untrod explore` and `untrod train`, run inside this process: torch is imported once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from untrod.cli.app import run
from untrod.drivers.known import table_key
from untrod.engines.explore.walkers import choice
from untrod.engines.gui.engine import GuiConfig, GuiEngine
from untrod.store.store import Store

ROOT = Path(__file__).resolve().parents[2]
NOTES = ROOT / "examples" / "simulations" / "notes.json"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # for the store


def untrod(*arguments: str) -> int:
    with pytest.raises(SystemExit) as exit_:
        run(list(arguments))
    return int(exit_.value.code or 0)


def counted(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What the campaign has counted, as its last event says."""
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["event"] == "campaign-finished"
    found: dict[str, Any] = last["extra"]
    return found


def test_a_maze_is_drawn_with_its_visits(capsys: pytest.CaptureFixture[str]) -> None:
    assert untrod("explore", "maze", "--side", "4", "--seed", "2", "--walker", "full-knowledge") == 0
    total, who, *_, first, second, third, last, _, _ = capsys.readouterr().out.splitlines()
    visits = [int(cell) for row in (first, second, third, last) for cell in row.replace(".", "0").split()]
    assert "walker: full-knowledge" in who
    assert len(visits) == 16
    assert f"{sum(count > 0 for count in visits)} of 16 visited" in total


def test_a_recorded_app_is_walked_by_the_names_of_its_screens(capsys: pytest.CaptureFixture[str]) -> None:
    assert untrod("explore", "app-graph", str(NOTES), "--steps", "6", "--json") == 0
    found = counted(capsys)
    assert found["path"][0] == "welcome"
    assert found["steps"] <= 6
    assert found["visited"] == len(set(found["path"]))
    assert found["coverage"] == pytest.approx(found["visited"] / found["reachable"], abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("explore", "maze", "--walker", "dsf"), "there is no walker 'dsf' (did you mean dfs?)"),
        (("explore", "app-graph", "nowhere.json"), "cannot read nowhere.json"),
        (("explore", "maze", "--weights", "nowhere"), "cannot read nowhere/manifest.json"),
        (
            ("explore", "maze", "--walker", "dfs", "--fine-tune", "3"),
            "--fine-tune practises with weights, not with dfs (leave out --walker)",
        ),
        (("train", "mace"), "there is no task 'mace' (did you mean maze?)"),
        (("train", "maze", "--memory", "set"), "--memory 'set' is not known (choose from graph, pool, node)"),
    ],
)
def test_mistakes_are_answered_in_one_line(
    arguments: tuple[str, ...], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert untrod(*arguments) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1


def test_trained_weights_can_be_walked_by(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "weights")
    course = (
        "train",
        "app",
        "--updates",
        "2",
        "--worlds",
        "20",
        "--out",
        folder,
        "--imitation",
        "0.4",
        "--json",
    )
    assert untrod(*course) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["event"], last["task"], last["updates"]) == ("trained", "app", 2)
    assert last["scores"]["worlds"] == 20
    manifest = json.loads((tmp_path / "weights" / "manifest.json").read_text())
    assert manifest["scores"] == last["scores"]
    assert untrod("explore", "app-graph", str(NOTES), "--weights", folder, "--fine-tune", "1") == 0
    assert "welcome" in capsys.readouterr().out


def test_the_screens_of_an_app_are_drawn_and_handed_to_gui(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    assert untrod("explore", "screens", str(NOTES), "--steps", "12", "--store", store, "--json") == 0
    found = counted(capsys)
    assert found["screens"] == len(found["visits"]) == len(found["discovered"]) > 3
    drawn, written = (Path(store, name) for name in found["files"].values())
    assert f"{found['visits']['welcome']} visit" in drawn.read_text()
    assert untrod("explore", "app-graph", str(written), "--walker", "frontier") == 0
    assert untrod("explore", "screens", str(NOTES), "--steps", "12", "--seed", "5", "--store", store) == 0
    capsys.readouterr()

    config = GuiConfig(str(NOTES), (), driver="model")
    with Store.open(Path(store), read_only=True) as opened:
        table = opened.load_table(table_key(config.driver, config.target))
    assert table is not None
    known = json.loads(table[1])
    assert GuiEngine(config, 0, tmp_path, known).spec(0)["graph"] == known["graph"]
    screens = {body.get("id", key) for key, body in known["graph"]["screens"].items()}
    assert screens > set(found["visits"])  # the second walk went on with what the first had seen


def test_a_url_needs_no_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert untrod("explore", "ftp://nowhere", "--store", str(tmp_path)) == 2
    assert "ftp://nowhere" in capsys.readouterr().err


def test_without_torch_the_best_walker_that_needs_none_steps_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(choice, "find_spec", lambda package: None)
    assert untrod("explore", "maze", "--side", "3") == 0
    assert "  walker: planner (weights need torch: pip install" in capsys.readouterr().out
    assert untrod("explore", "app-graph", str(NOTES)) == 0
    assert "  walker: frontier (weights need torch: pip install" in capsys.readouterr().out


def test_the_weights_that_ship_walk_by_default_and_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert untrod("explore", "app-graph", str(NOTES), "--json") == 0
    assert counted(capsys)["walker"] == "learned"
    assert untrod("explore", "app-graph", str(NOTES), "--fine-tune", "1") == 0
    line = "  walker: the weights for directed-app that come with untrod, fine-tuned here for 1 updates,"
    assert line in capsys.readouterr().out


def test_a_large_world_is_walked_by_frontier_greedy(capsys: pytest.CaptureFixture[str]) -> None:
    assert untrod("explore", "maze", "--side", "32", "--steps", "5") == 0
    assert "  walker: frontier (more than 1,000 nodes;" in capsys.readouterr().out
