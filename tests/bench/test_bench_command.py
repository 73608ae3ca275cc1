"""`python -m bench`: which bench runs, what it exits with, and that mistakes are one line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row

from bench import __main__ as command
from bench import machine


def small_study(plan: Plan) -> Result:
    """Its only bar holds in --full runs."""
    rows = (Row.of("coins", "fair", "heads", [float(seed) for seed in plan.seeds_or(quick=3, full=5)]),)
    return Result(rows, (Bar.at_least("heads", 0.0 if plan.quick else 1.0, 1.0),))


@pytest.fixture(autouse=True)
def coins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A bench called `coins`."""
    module = ModuleType("bench.coins")
    module.STUDIES = (Study("coins", ("coins",), small_study),)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bench.coins", module)
    monkeypatch.setattr(command, "engines", lambda: ["coins", "inputs"])
    return


def test_check_exits_1_exactly_when_a_bar_does_not_hold() -> None:
    assert command.main(["coins", "--quick", "--check"]) == 1
    assert command.main(["coins", "--full", "--check"]) == 0


def test_without_check_a_lost_bar_is_only_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["coins"]) == 0
    assert "LOST" in capsys.readouterr().out


def test_json_goes_to_the_file_and_progress_to_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command.main(["coins", "--full", "--seeds", "2", "--json", str(tmp_path / "out.json")])

    written = json.loads((tmp_path / "out.json").read_text())
    assert list(written) == ["bench", "machine", "rows", "bars"]
    assert written["bench"] == "coins --full"
    assert written["rows"][0]["n"] == 2
    captured = capsys.readouterr()
    assert "study: coins" in captured.err
    assert "study: coins" not in captured.out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nonesuch"], "no bench called 'nonesuch': there is coins, inputs"),
        (["coins", "--only", "dice"], "no subject called 'dice': there is coins"),
        (["coins", "--seeds", "0"], "--seeds needs a number of at least 1"),
        (["coins", "--json", "no/such/folder/out.json"], "cannot write no/such/folder/out.json"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(arguments) == 2
    error = capsys.readouterr().err
    assert line in error
    assert error.count("\n") == 1


def test_the_machine_is_described_without_naming_it() -> None:
    described = machine.describe()

    assert set(described) == {"cpu", "cores", "python", "platform"}
    assert isinstance(described["cores"], int)
    assert described["cores"] >= 1
