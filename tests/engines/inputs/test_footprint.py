"""The path an input takes through the code under test."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

from untrod.engines.inputs import judge as module
from untrod.engines.inputs.judge import Footprint, is_code, is_project_code


def classify(number: int) -> str:
    for _ in range(number):
        if number > 100:
            raise ValueError
    return "even" if number % 2 == 0 else "odd"


def path_of(call: Callable[[], Any]) -> str:
    footprint = Footprint()
    assert footprint.start()
    try:
        call()
    except ValueError:
        pass
    footprint.stop()
    return footprint.key()


def test_counts_are_in_powers_of_two() -> None:
    assert path_of(lambda: classify(4)) == path_of(lambda: classify(6))
    assert path_of(lambda: classify(4)) != path_of(lambda: classify(8))
    assert path_of(lambda: classify(0)) != path_of(lambda: classify(1))


def test_an_exception_is_another_path() -> None:
    assert path_of(lambda: classify(101)) != path_of(lambda: classify(100))


def test_the_standard_library_leaves_no_mark() -> None:
    assert path_of(lambda: json.loads("[1]")) == path_of(lambda: json.loads('{"a": [1, 2, 3]}'))


def test_whose_code_counts() -> None:
    installed = str(Path(sysconfig.get_path("purelib")) / "somebody" / "else.py")
    assert is_project_code(__file__)
    assert is_code(installed)
    assert not is_project_code(installed)
    for foreign in (json.__file__, module.__file__, "<frozen importlib._bootstrap>"):
        assert not is_code(foreign), foreign


def test_wide_looks_into_installed_packages_and_keeps_them_out_of_the_key(tmp_path: Path) -> None:
    source = "def pick(number):\n    if number:\n        return 1\n    return 0\n"
    space: dict[str, Any] = {}
    exec(compile(source, str(tmp_path / "site-packages" / "somebody.py"), "exec"), space)

    def seen(number: int, wide: bool) -> tuple[str, int]:
        footprint = Footprint()
        footprint.start(wide)
        space["pick"](number)
        footprint.stop()
        return footprint.key(), len(footprint.lines())

    assert seen(0, wide=False)[1] == 0
    assert seen(0, wide=True)[1] == 2
    assert seen(0, wide=True)[0] == seen(1, wide=True)[0]


def test_what_runs_while_it_should_not_count_does_not() -> None:
    footprint = Footprint(unless=lambda: True)
    footprint.start()
    classify(3)
    footprint.stop()
    assert footprint.lines() == {}


def test_a_pause_does_not_count_and_is_not_traced() -> None:
    footprint = Footprint()
    footprint.start()
    footprint.pause()
    classify(3)
    while_paused = sys.gettrace()
    footprint.resume()
    classify(5)
    footprint.stop()
    assert while_paused is None
    assert footprint.lines()[__file__, classify.__code__.co_firstlineno + 2] == 5


def test_only_what_runs_can_be_resumed() -> None:
    footprint = Footprint()
    footprint.resume()
    assert sys.gettrace() is None


def test_lines_are_counted_over_all_ways_that_lead_to_them() -> None:
    footprint = Footprint()
    footprint.start()
    classify(5)
    footprint.stop()
    first = classify.__code__.co_firstlineno
    assert footprint.lines()[__file__, first + 1] == 6  # five turns, and the one that ends the loop
    assert footprint.lines()[__file__, first + 2] == 5


def test_an_endless_loop_is_watched_only_so_far(monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "MOST", 64)
    footprint = Footprint()
    footprint.start()
    classify(90)
    after = sys.gettrace()
    footprint.stop()
    assert after is None
    assert max(footprint.lines().values()) == 64


def test_a_tracer_that_is_already_there_keeps_its_place() -> None:
    def theirs(frame: Any, event: str, argument: Any) -> None:
        return None

    footprint = Footprint()
    before = sys.gettrace()
    sys.settrace(theirs)
    try:
        started = footprint.start()
        classify(3)
        footprint.stop()
        assert sys.gettrace() is theirs
    finally:
        sys.settrace(before)
    assert not started
    assert footprint.lines() == {}


def test_a_target_that_traces_itself_is_left_alone() -> None:
    def theirs(frame: Any, event: str, argument: Any) -> None:
        return None

    footprint = Footprint()
    footprint.start()
    sys.settrace(theirs)
    footprint.stop()
    left = sys.gettrace()
    sys.settrace(None)
    assert left is theirs


def test_the_key_is_the_same_in_every_process_and_folder(tmp_path: Path) -> None:
    source = "def f(n):\n    while n:\n        n -= 1\n"
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import it\n"
        "from untrod.engines.inputs.judge import Footprint\n"
        "seen = Footprint(sys.argv[1]); seen.start(); it.f(5); seen.stop(); print(seen.key())\n"
    )
    keys = set()
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "it.py").write_text(source)
        command = [sys.executable, "-c", program, str(tmp_path / folder)]
        keys.add(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert len(keys) == 1
