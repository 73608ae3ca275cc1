"""A test that does not replay is not handed over, whatever it does to the run."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from untrod.output.cases import Each, Let, Passes, TestCase, returns
from untrod.output.pytest_emit import Emitted, emit_tests
from untrod.output.pytest_verify import verify
from untrod.output.pytest_writer import Origin
from untrod.source.nodes import Atom, Call, Ref


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "subject.py").write_text(
        "import os\n\n\ndef twice(x):\n    return 2 * x\n\n\nend = os._exit\n"
    )
    return tmp_path


def twice(hint: str, answer: int) -> TestCase:
    return TestCase(hint, Call(Ref("subject", "twice"), (Atom("2"),)), returns(answer) or Passes())


def emit(project: Path, *cases: TestCase) -> Emitted:
    where = Origin("inputs", "subject:twice", project, (project,))
    emitted = emit_tests(project / "tests", "subject", cases, where, timeout=60)
    assert not list(project.rglob("*trial*"))
    return emitted


def test_only_what_replays_is_written(project: Path) -> None:
    each = Each("x", (Atom("1"), Atom("'one'"), Atom("None")))
    partly = TestCase("partly", Call(Ref("subject", "twice"), (Atom("x"),)), each=each)
    emitted = emit(project, twice("right", 4), twice("wrong", 5), partly)
    assert [case.name_hint for case in emitted.cases] == ["right"]
    assert [dropped.case.name_hint for dropped in emitted.dropped] == ["partly", "wrong"]
    assert "failed: assert 4 == 5" in emitted.dropped[1].reason
    [path] = emitted.paths
    assert verify(path, cwd=project, timeout=60).ok
    assert "5" not in path.read_text().split("def test_right")[1]


def test_turns_side_by_side_do_not_try_out_each_others_tests(project: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    living, left, other = (
        project / "tests" / f"test_untrod_trial_{who}.py" for who in (os.getppid(), gone.pid, "of_mine")
    )
    living.parent.mkdir()
    for path in (living, left, other):
        path.write_text("def test_of_another_turn():\n    assert False\n")
    where = Origin("inputs", "subject:twice", project, (project,))
    emitted = emit_tests(project / "tests", "subject", [twice("right", 4)], where, timeout=60)
    assert [case.name_hint for case in emitted.cases] == ["right"]
    assert set(living.parent.glob("*trial*")) == {living, other}


def test_what_does_not_replay_may_say_less(project: Path) -> None:
    wrong = replace(twice("wrong", 5), weaker=replace(twice("less", 5), expectation=Passes()))
    hopeless = replace(twice("hopeless", 6), weaker=twice("hopeless too", 7))
    emitted = emit(project, wrong, hopeless, twice("right", 4))
    assert {case.name_hint for case in emitted.cases} == {"less", "right"}
    assert [dropped.case.name_hint for dropped in emitted.dropped] == ["hopeless too"]


def test_one_case_cannot_take_the_others_down(project: Path) -> None:
    deadly = TestCase("deadly", Call(Ref("subject", "end"), (Atom("3"),)))
    unimportable = TestCase("missing", Call(Ref("subject", "no_such_name")))
    emitted = emit(project, deadly, unimportable, twice("right", 4))
    assert [case.name_hint for case in emitted.cases] == ["right"]
    assert {dropped.case.name_hint for dropped in emitted.dropped} == {"deadly", "missing"}
    assert "status 3" in emitted.dropped[0].reason


def test_when_nothing_replays_what_was_there_stays(project: Path) -> None:
    before = emit(project, twice("right", 4)).paths[0]
    content = before.read_bytes()
    assert emit(project, twice("right", 5)).paths == ()
    assert before.read_bytes() == content


def test_no_cases_no_files(project: Path) -> None:
    assert emit(project) == Emitted((), (), ())
    assert not (project / "tests").exists()


def test_what_comes_first_may_use_local_names(project: Path) -> None:
    let = TestCase(
        "let", Call(Ref("subject", "twice"), (Atom("x"),)), returns(6) or Passes(), (Let("x", Atom("3")),)
    )
    assert emit(project, let).dropped == ()
