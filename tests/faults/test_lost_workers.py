"""Workers that are killed or cannot be opened, at any moment, and Ctrl-C while one is waited for."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from leftovers import working_in

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Trace
from untrod.runtime.limits import Limits
from untrod.runtime.messages import StoppedWhileOpening
from untrod.runtime.pool import Lost, Pool, Reply
from untrod.runtime.replayer import Replayer

HERE = Path(__file__).parent
PROMISED, PATIENCE = 2.0, 20.0
"""Seconds after a Ctrl-C: on an idle machine, and on one that runs all the tests at once."""

ONCE = """
import os, time
try:
    os.mkdir(__file__ + ".imported")
    FIRST = True
except FileExistsError:
    FIRST = False
"""
"""A module that knows whether a worker has imported it before."""
CHECK = """
def pick(choose):
    return choose(range(50))

def check(number):
    if number > 3:
        {again}
        raise ValueError("the ordinary failure")

def work(number: int) -> int:
    {again}
    if number > 3:
        return 1
    return 0
"""
SEARCH = ("--test", "check", "--budget", "60", "--learner", "random", "--allow", "write", "--timeout", "300")


def until(true: Callable[[], object]) -> None:
    for _ in range(1200):
        if true():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it never came to that")


def interrupted(process) -> tuple[str, str]:
    """After a Ctrl-C: what it said in the end."""
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    took = time.monotonic() - asked
    assert took < PATIENCE
    assert "Traceback" not in err
    return out, err


# ---- killed from outside ----


def test_a_worker_that_is_killed_while_it_opens_is_one_line(project):
    project.write("slow.py", "import time\ntime.sleep(600)\ndef pick(choose): return 1\n")
    process = project.start("inputs", "slow.py:pick", "--budget", "10m")
    until(lambda: working_in(project.folder / ".untrod"))
    for worker in working_in(project.folder / ".untrod"):
        os.kill(worker, signal.SIGKILL)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "the worker died while it opened the target: SIGKILL" in err.splitlines()[-1]
    assert "running" not in project.untrod("campaigns", "list").out


def test_a_worker_that_is_killed_in_delivery_is_replaced(project):
    project.write("slow.py", ONCE + CHECK.replace("{again}", "FIRST or time.sleep(0.2)"))
    process = project.start("inputs", "slow.py:pick", *SEARCH)
    assert any("making tests" in line for line in process.stderr)
    for worker in working_in(project.folder / ".untrod"):
        os.kill(worker, signal.SIGKILL)
    out, err = process.communicate(timeout=100)
    assert process.returncode == 1, err
    assert "the ordinary failure" in out
    assert "report:" in out


@pytest.mark.parametrize("ending", ["os._exit(7)", "raise ImportError('not twice')"])
def test_where_nothing_can_be_replayed_the_findings_are_delivered_as_they_are(project, ending):
    project.write("once.py", f"{ONCE}\nif not FIRST: {ending}\n" + CHECK.replace("{again}", "pass"))
    result = project.untrod("inputs", "once.py:pick", *SEARCH)
    assert result.status == 1, result.err
    assert "the ordinary failure" in result.out
    assert "could not be replayed" in result.out
    assert "flaky" not in result.out
    assert "report:" in result.out
    assert "Traceback" not in result.err


def test_a_target_that_cannot_be_imported_any_more_ends_the_search_with_a_report(project):
    deadly = "os._exit(3)"
    project.write("once.py", f"{ONCE}\nif not FIRST: 1 / 0\n" + CHECK.replace("{again}", deadly))
    result = project.untrod("inputs", "once.py:pick", *SEARCH)
    assert result.status == 1, result.err
    assert "cannot be imported any more" in result.out
    assert "exit status 3" in result.out
    assert "report:" in result.out


def test_an_answer_that_is_followed_by_a_death_is_heard_before_it(bench):
    workers = bench(["fine"])
    workers.pool.send(0, "snapshot")
    (worker,) = working_in(workers.pool._scratch.path)
    until(lambda: not waits_for_nothing(worker))
    os.kill(worker, signal.SIGKILL)
    until(lambda: Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[0] == "Z")
    reply = workers.answer()
    assert isinstance(reply, Reply)
    workers.pool.send(0, "run", {"episodes": 1, "seconds": 1.0})  # nobody has said yet that it is dead
    lost = workers.answer()
    assert isinstance(lost, Lost)
    workers.restart()


def waits_for_nothing(worker: int) -> bool:
    """Has it not answered yet? A worker that has reads from its pipe, and sleeps."""
    return "pipe_read" not in Path(f"/proc/{worker}/wchan").read_text()


# ---- Ctrl-C ----


def test_ctrl_c_is_heard_while_the_target_is_imported(project):
    project.write("slow.py", "import time\ntime.sleep(600)\ndef pick(choose): return 1\n")
    process = project.start("inputs", "slow.py:pick", "--budget", "10m", "--workers", "2")
    until(lambda: len(working_in(project.folder / ".untrod")) == 2)
    _, err = interrupted(process)
    assert process.returncode == 130
    assert "interrupted while the target was being imported" in err.splitlines()[-1]
    assert working_in(project.folder / ".untrod") == []
    assert "running" not in project.untrod("campaigns", "list").out


@pytest.mark.parametrize(
    "verb", [("inputs", "slow.py:pick", *SEARCH), ("cover", "slow.py:work", "--searcher", "none", "--budget",
             "20", "--allow", "write", "--timeout", "300")], ids=["inputs", "cover"],
)  # fmt: skip
def test_ctrl_c_is_heard_while_a_replay_hangs(project, verb):
    hang = "FIRST or os.mkdir(__file__ + '.hangs') or time.sleep(600)"
    project.write("slow.py", ONCE + CHECK.replace("{again}", hang))
    process = project.start(*verb)
    until((project.folder / "slow.py.hangs").is_dir)
    out, err = interrupted(process)
    assert process.returncode in (0, 1), err
    assert "report:" in out
    assert working_in(project.folder / ".untrod") == []


def test_ctrl_c_is_heard_while_a_lost_worker_is_replaced(project):
    again = "FIRST and os._exit(3)"
    project.write("slow.py", f"{ONCE}\nif not FIRST: time.sleep(600)\n" + CHECK.replace("{again}", again))
    process = project.start("inputs", "slow.py:pick", *SEARCH)
    assert any("lost" in line for line in process.stderr)
    out, _ = interrupted(process)
    assert process.returncode == 1
    assert "exit status 3" in out
    assert "report:" in out


def test_opening_is_given_up_when_somebody_asks(tmp_path):
    asked = iter([False, False])
    pool = Pool("bad_imports:hangs", [{}], limits=Limits(), allow=frozenset(), project=HERE, scratch=tmp_path)
    with pytest.raises(StoppedWhileOpening):
        pool.start(lambda: next(asked, True))
    assert list(tmp_path.iterdir()) == []


# ---- what the guard refuses ----


def test_what_is_refused_while_the_target_is_imported_is_named(project):
    project.write(
        "sly.py",
        "try:\n    open(__file__ + '.log', 'w')\nexcept OSError:\n    pass\ndef pick(choose): return 1\n",
    )
    result = project.untrod("inputs", "sly.py:pick", "--budget", "20")
    assert result.status == 0, result.err
    assert "refused to write" in result.out
    assert "sly.py.log" in result.out


# ---- the replayer ----


def replayer(job: str, tmp_path: Path, **options) -> Replayer:
    engine = SimpleNamespace(job=job, spec=lambda shard: {"script": ["fine"]}, check_replay=lambda body: None)
    given = {"project": HERE, "scratch": tmp_path, "limits": Limits(), "allow": frozenset()}
    return Replayer(engine, **given, **options)


def test_a_replayer_that_cannot_open_its_target_complains_once(tmp_path):
    complaints: list[str] = []
    with replayer("bad_imports:exits", tmp_path, complain=complaints.append) as replaying:
        assert not replaying.replay(Trace((1,))).answered
        assert not replaying.replay(Trace((2,))).answered
    assert len(complaints) == 1
    assert "exit status 7" in complaints[0]


def test_without_anybody_to_complain_to_it_raises(tmp_path):
    with replayer("bad_imports:exits", tmp_path) as replaying, pytest.raises(UntrodError, match="status 7"):
        replaying.replay(Trace((1,)))
