"""Programs by name, and what exploring them comes to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs.episode import Tries, as_json, as_text, explore
from untrod.engines.explore.programs.explorers import explorer
from untrod.engines.explore.programs.parsing import ProgramError
from untrod.engines.explore.programs.tasks import read_karel, read_robustfill

EXAMPLES = Path(__file__).resolve().parents[4] / "examples" / "programs"


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_every_example_can_be_explored(path: Path):
    world = read_karel(str(path)) if path.suffix == ".karel" else read_robustfill(str(path))
    strategy = explorer("directed" if world.kind == "karel" else "expert", world.kind, 1)
    assert explore(world, strategy, 10).coverage() == 1.0


def test_what_names_says_of_itself_is_so():
    world = read_robustfill(str(EXAMPLES / "names.robustfill"))
    assert world.output("jane DOE, 42 (Paris)") == "Doe, J. [42]Paris"


def test_a_program_may_be_given_itself():
    assert read_robustfill("Concat(Trim())").counted == 0b1
    assert read_karel(" DEF run m( WHILE c( frontIsClear c) w( move w) m)").counted == 0b01


@pytest.mark.parametrize("read", [read_karel, read_robustfill])
def test_files_that_are_none_are_refused(read, tmp_path: Path):
    with pytest.raises(UntrodError, match=r"cannot be read: No such file"):
        read(str(tmp_path / "missing"))
    with pytest.raises(UntrodError, match="cannot be read"):
        read(str(tmp_path))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UntrodError, match="it is no text"):
        read(str(tmp_path / "binary"))
    with pytest.raises(UntrodError, match="cannot be read"):
        read("a\0b")
    (tmp_path / "empty").write_text("")
    with pytest.raises(ProgramError, match="it is empty"):
        read(str(tmp_path / "empty"))
    (tmp_path / "huge").write_text("#" * 500_000)
    with pytest.raises(UntrodError, match="larger than"):
        read(str(tmp_path / "huge"))


def test_the_report_has_inputs_marks_and_what_is_missing():
    world = read_robustfill('Concat(GetToken(Word, 1), GetToken(Digit, 1)(GetToken(Word, 1)), GetUpto(";"))')
    tries = Tries(world, ["ab", "7"], [world.run("ab"), world.run("7")])
    assert as_text(tries) == (
        "input 1: covers 67%, 2 new, 67% so far\n"
        "    'ab'\n\n"
        "input 2: covers 0%, 0 new, 67% so far\n"
        "    '7'\n\n"
        "+ GetToken(Word, 1)   1/1\n"
        "+ GetToken(Digit, 1)(GetToken(Word, 1))   1/1\n"
        '- GetUpto(";")   0/1\n\n'
        "coverage 67%: 2 of 3\n\n"
        "not reached:\n"
        '    expression 3: GetUpto(";")\n\n'
        "not counted, no input is known to reach it:\n"
        "    expression 2: GetToken(Digit, 1) in GetToken(Digit, 1)(GetToken(Word, 1))\n"
    )


def test_the_report_as_json():
    world = read_karel(str(EXAMPLES / "collect.karel"))
    tries = explore(world, explorer("directed", "karel", 1), 5)
    made = json.loads(json.dumps(as_json(tries)))
    assert made["coverage"] == 1.0
    assert made["not counted"] == ["line 15: if (not frontIsClear()) entered"]
    assert world.inputs.decode(made["inputs"][0]["input"]) == tries.inputs[0]
    assert "?  15" in as_text(tries)
