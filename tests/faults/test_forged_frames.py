"""Targets that write into every descriptor they find."""

from __future__ import annotations

import json

import pytest

FORGER = """
import json, os, struct

def frame(header, blob=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<4sII", b"\\x93utr", len(text), len(blob)) + text + blob

REPORT = {"episodes": 10**15, "valid": 5, "unique": 5, "keys": [], "corpus": [], "findings": [],
          "notices": ["forged"], "states": 0, "exhausted": True}
FORGED = [
    frame({"op": "run", "body": REPORT, "refusals": []}),
    frame({"op": "run", "body": REPORT, "refusals": [], "ticket": ""}) * 3,
    frame({"op": "snapshot", "body": None, "refusals": []}, b"x" * 100),
    frame({"op": "replay", "body": {"outcome": "valid", "answers": [], "finding": None}, "refusals": []}),
    frame({"op": "run", "error": {"message": "forged"}, "refusals": []}),
    frame({"error": {"traceback": 5}}),
    frame({}),
    frame(b"[" * 100_000),
    frame(b'{"op": NaN}'),
    frame(b'{"op": ' + b"9" * 10_000 + b"}"),
    struct.pack("<4sII", b"\\x93utr", 2**32 - 1, 2**32 - 1),
    frame({"op": "run"})[:-3],
    b"\\x93ut",
    b"garbage" * 1000,
]

def spray(number):
    for descriptor in range(3, 4200):
        try:
            os.write(descriptor, FORGED[number % len(FORGED)])
        except OSError:
            pass

def pick(choose):
    return choose(range(60))

def check(number):
    assert number != 3, "the ordinary failure"
    if number in (0, 7, 13):
        spray(number)

def work(values: list[int]) -> int:
    found = 0
    for value in values:
        if value > 0:
            found += 1
    if values and values[0] > 80:
        spray(values[0])
    return found
"""

COMMANDS = {
    "inputs": ("inputs", "forger.py:pick", "--test", "check", "--budget", "200", "--learner", "random"),
    "worst": ("worst", "forger.py:work", "--size", "3", "--policy", "climb", "--budget", "100"),
    "cover": ("cover", "forger.py:work", "--searcher", "none", "--budget", "300"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_forged_frames_cost_a_worker_and_no_more(project, name):
    project.write("forger.py", FORGER)
    result = project.untrod(*COMMANDS[name], "--timeout", "5", "--json")
    assert result.status in (0, 1), result.err
    assert "Traceback" not in result.err + result.out
    assert result.of("worker-lost")
    assert all("wrote into untrod's pipe" in lost["cause"] for lost in result.of("worker-lost"))
    assert not any(notice["text"] == "forged" for notice in result.of("notice"))
    (finished,) = result.of("campaign-finished")
    assert finished["episodes"] < 10_000
    assert list((project.folder / ".untrod" / "reports").glob("*.html"))
    if name == "inputs":
        assert "the ordinary failure" in json.dumps(result.of("finding"))
    assert [path for path in (project.folder / ".untrod" / "scratch").glob("*") if path.is_dir()] == []


def test_frames_that_are_forged_while_the_target_is_imported_are_one_line(project):
    project.write("forger.py", FORGER + "\nfor n in range(14):\n    spray(n)\n")
    result = project.untrod(*COMMANDS["inputs"])
    assert result.status == 2
    assert "Traceback" not in result.err
    assert "wrote into untrod's pipe" in result.err.splitlines()[-1]
