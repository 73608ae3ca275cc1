"""A test that does not replay is not handed over, whatever it does to the run."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from untrod.output.cases import Each, Let, Passes, TestCase, returns
from untrod.output.pytest_emit import Emitted, Tryout, emit_tests
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
    emitted = emit_tests(project / "tests", "subject", cases, where, Tryout(timeout=60))
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
    assert verify(path, project=project, timeout=60).ok
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
    emitted = emit_tests(project / "tests", "subject", [twice("right", 4)], where, Tryout(timeout=60))
    assert [case.name_hint for case in emitted.cases] == ["right"]
    assert set(living.parent.glob("*trial*")) == {living, other}


def test_where_time_is_short_one_run_will_do(project: Path) -> None:
    where = Origin("inputs", "subject:twice", project, (project,))
    for enough, runs in ((float("inf"), 2), (0.0, 1)):
        tryout = Tryout(timeout=60, processes=2, enough=enough)
        emitted = emit_tests(project / "tests", "subject", [twice("right", 4)], where, tryout)
        assert (len(emitted.cases), emitted.runs) == (1, runs)


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


def test_what_differs_from_process_to_process_says_less_or_goes(project: Path) -> None:
    """Hashes of texts do; so the order of a set does, and what comes of it."""
    (project / "subject.py").write_text(
        "def order():\n    return list({'a', 'b', 'c', 'd', 'e', 'f'})\n\n\n"
        "def moody():\n    if hash('a') % 2:\n        raise ValueError\n\n\ndef steady():\n    return 1\n"
    )
    order = TestCase("order", Call(Ref("subject", "order")), returns(list("abcdef")) or Passes())
    order = replace(order, weaker=replace(order, name_hint="order", expectation=Passes()))
    moody, steady = (TestCase(name, Call(Ref("subject", name))) for name in ("moody", "steady"))
    where = Origin("cover", "subject", project, (project,))
    source = str(project / "subject.py")
    tryout = Tryout(timeout=60, processes=6, measured=[source])
    emitted = emit_tests(project / "tests", "subject", [order, moody, steady], where, tryout)
    assert [case.expectation for case in emitted.cases] == [Passes(), Passes()]
    assert [dropped.case.name_hint for dropped in emitted.dropped] == ["moody"]
    assert emitted.taken is not None
    lines = {line for arc in emitted.taken[source] for line in arc}
    assert 2 in lines  # of `order`
    assert 6 not in lines  # of `moody`


def test_trying_out_comes_to_an_end(project: Path) -> None:
    (project / "subject.py").write_text(
        "import threading\n\n\ndef hang():\n    threading.Event().wait()\n\n\n"
        "def twice(x):\n    return 2 * x\n"
    )
    hanging = [TestCase(f"hang {n}", Call(Ref("subject", "hang"), ())) for n in range(8)]
    where = Origin("cover", "subject", project, (project,))
    tryout = Tryout(timeout=4, seconds=3)
    emitted = emit_tests(project / "tests", "subject", [*hanging, twice("right", 4)], where, tryout)
    assert len(emitted.cases) + len(emitted.dropped) == 9
    assert not any(case.name_hint.startswith("hang") for case in emitted.cases)


def test_no_test_needs_another_one_before_it(project: Path) -> None:
    (project / "subject.py").write_text("def add(x, seen=[]):\n    seen.append(x)\n    return len(seen)\n")
    calls = [TestCase(f"add {n}", Call(Ref("subject", "add"), (Atom(str(n)),)), returns(n)) for n in (1, 2)]
    where = Origin("cover", "subject", project, (project,))
    tryout = Tryout(timeout=60, processes=3, measured=[str(project / "subject.py")])
    emitted = emit_tests(project / "tests", "subject", calls, where, tryout)
    assert len(emitted.dropped) >= 1
    assert len(emitted.cases) <= 1
