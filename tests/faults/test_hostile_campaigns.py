"""Whole campaigns against hostile targets: they end on time, keep the rest, and name the right kind."""

from __future__ import annotations

import json

import pytest

TARGET = """
import atexit, builtins, ctypes, gc, os, random, shutil, socket, subprocess, sys, threading, time

def pick(choose):
    return choose(range(50))

def check(number):
    assert number != 3, "the ordinary failure"
    if number == 7:
        misbehave(number)

class Rude(BaseException):
    pass

def recurse(n):
    return recurse(n + 1)

def swallow():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

def misbehave(number):
    {body}
"""

BEHAVIOURS = {
    "exits": ("sys.exit(3)", "exited"),
    "exits at once": ("os._exit(3)", "exited"),
    "segfaults": ("ctypes.string_at(0)", "crashed"),
    "kills itself": ("import signal; ctypes.CDLL(None)['raise'](signal.SIGKILL)", "crashed"),
    "loops forever": ("while True: pass", "timed-out"),
    "sleeps forever": ("time.sleep(1e6)", "timed-out"),
    "swallows every exception": ("swallow()", "timed-out"),
    "allocates 50 GB": ("bytearray(50 * 2**30)", "out-of-memory"),
    "recurses": ("recurse(0)", "failed"),
    "forks": ("os.fork()", "refused"),
    "starts a process": ("subprocess.run(['true'])", "refused"),
    "connects": ("socket.create_connection(('127.0.0.1', 9))", "refused"),
    "writes outside": ("open(os.path.join(os.path.dirname(__file__), 'x'), 'w')", "refused"),
    "deletes itself": ("os.remove(__file__)", "refused"),
    "deletes the project": ("shutil.rmtree(os.path.dirname(__file__))", "refused"),
    "closes all descriptors": ("os.closerange(0, 65536)", None),
    "prints megabytes": ("print('x' * 10**7); sys.stderr.write('y' * 9999); os.write(1, b'z' * 10**6)", None),
    "raises a BaseException": ("raise Rude('so there')", "failed"),
    "raises KeyboardInterrupt": ("raise KeyboardInterrupt", "failed"),
    "raises GeneratorExit": ("raise GeneratorExit", "failed"),
    "raises what cannot be printed": (
        "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0, '__repr__': lambda self: 1 / 0})()",
        "failed",
    ),
    "returns what cannot be pickled": ("return (lambda: 0), threading.Lock(), sys._getframe()", None),
    "mutates random": ("random.seed(1); random.random = lambda: 0.5; random.Random.random = None", None),
    "mangles builtins": ("builtins.len = builtins.open = builtins.isinstance = None", None),
    "leaves a thread": ("threading.Thread(target=time.sleep, args=(1e6,)).start()", None),
    "leaves an exit handler": ("atexit.register(time.sleep, 1e6)", None),
    "changes directory": ("os.chdir('/')", None),
    "empties sys.modules": ("sys.modules.clear()", None),
    "turns the collector off": ("gc.disable(); sys.setrecursionlimit(50)", None),
}  # fmt: skip


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_the_campaign_goes_on(project, name):
    body, kind = BEHAVIOURS[name]
    source = project.write("hostile.py", TARGET.replace("{body}", body))
    result = project.untrod(
        "inputs", "hostile.py:pick", "--test", "check", "--budget", "400", "--learner", "random",
        "--timeout", "0.5", "--memory", "1024", "--json",
    )  # fmt: skip
    assert result.status == 1, result.err
    findings = [event["finding"] for event in result.of("finding")]
    assert "the ordinary failure" in json.dumps(findings)
    if kind is not None:
        kinds = [finding["kind"] for finding in findings if "the ordinary failure" not in finding["title"]]
        assert kind in kinds
    assert result.of("campaign-finished")[0]["episodes"] == 400
    assert result.of("campaign-finished")[0]["unique"] >= 48
    assert source.is_file()
    assert sorted(path.name for path in project.folder.iterdir()) == [".untrod", "hostile.py", "tests"]
    assert [path for path in (project.folder / ".untrod" / "scratch").glob("*") if path.is_dir()] == []


def test_a_refusal_quotes_the_flag_and_the_flag_lifts_it(project):
    project.write(
        "writer.py",
        "from pathlib import Path\n"
        "def pick(choose): return choose(range(5))\n"
        "def check(number): Path(__file__).with_name('out.txt').write_text(str(number))\n",
    )
    refused = project.untrod("inputs", "writer.py:pick", "--test", "check", "--budget", "20")
    assert refused.status == 1
    assert "--allow write" in refused.out
    allowed = project.untrod(
        "inputs", "writer.py:pick", "--test", "check", "--budget", "20", "--allow", "write"
    )
    assert allowed.status == 0, allowed.out
    assert (project.folder / "out.txt").is_file()


def test_a_swallowed_refusal_is_named_all_the_same(project):
    project.write(
        "sly.py",
        "import os\n"
        "def pick(choose): return choose(range(5))\n"
        "def check(number):\n"
        "    try: os.remove(__file__)\n"
        "    except OSError: pass\n",
    )
    result = project.untrod("inputs", "sly.py:pick", "--test", "check", "--budget", "20")
    assert result.status == 0
    assert "refused" in result.out
    assert "--allow write" in result.out


def test_a_generator_that_kills_its_worker_is_passed_over(project):
    project.write(
        "deadly.py",
        "import os\n"
        "def pick(choose):\n"
        "    number = choose(range(100))\n"
        "    if number == 7: os._exit(1)\n"
        "    return number\n",
    )
    result = project.untrod("inputs", "deadly.py:pick", "--budget", "150", "--learner", "random", "--json")
    assert result.status == 1, result.err
    assert result.of("finding")[0]["finding"]["kind"] == "exited"
    assert "being made" in result.of("finding")[0]["finding"]["title"]
    assert result.of("campaign-finished")[0]["episodes"] == 150


def test_a_target_that_always_kills_its_worker_is_given_up_on(project):
    project.write("doomed.py", "import os\ndef pick(choose): os._exit(1)\n")
    result = project.untrod("inputs", "doomed.py:pick", "--budget", "100", "--json", timeout=120)
    assert result.status == 1
    assert result.of("campaign-finished")[0]["reason"] == "gave-up"
    assert any("gave up" in event["text"] for event in result.of("notice"))


def test_flaky_findings_are_called_flaky_and_get_no_test(project):
    project.write(
        "flaky.py",
        "from itertools import count\n"
        "calls = count(1)\n"
        "def pick(choose): return choose(range(5))\n"
        "def check(number): assert next(calls) % 3\n",
    )
    result = project.untrod("inputs", "flaky.py:pick", "--test", "check", "--budget", "50")
    assert result.status == 1
    assert "flaky" in result.out
    assert "raises_assertion_error" not in "".join(
        path.read_text() for path in project.folder.glob("tests/untrod/*.py")
    )
