"""`worst` against functions that harm their process: the hunt goes on, and what did the harm is a finding."""

from __future__ import annotations

import json

import pytest

TARGET = """
import ctypes, os, sys

def recurse(n):
    return recurse(n + 1)

def work(values: list[int]) -> int:
    found = 0
    for value in values:
        if value > 0:
            found += 1
    if values[0] > {threshold}:
        {body}
    return found
"""

BEHAVIOURS = {
    "segfaults": ("ctypes.string_at(0)", "crashed"),
    "exits at once": ("os._exit(3)", "exited"),
    "recurses": ("recurse(0)", "failed"),
    "loops forever": ("while True: pass", "timed-out"),
    "deletes itself": ("os.remove(__file__)", "refused"),
}


def hunt(project, *more):
    return project.untrod(
        "worst", "work.py:work", "--size", "3", "--policy", "climb", "--cost", "branches", "--seed", "3",
        "--timeout", "1", "--json", *more,
    )  # fmt: skip


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_the_hunt_goes_on(project, name):
    body, kind = BEHAVIOURS[name]
    # Inputs are drawn from -100 to 100: a few of them are hit.
    project.write("work.py", TARGET.replace("{body}", body).replace("{threshold}", "90"))
    result = hunt(project, "--budget", "120")
    assert result.status == 1, result.err
    findings = {event["finding"]["kind"]: event["finding"] for event in result.of("finding")}
    assert set(findings) == {kind}
    size, first = findings[kind]["trace"]["answers"][1], findings[kind]["trace"]["answers"][3]
    assert size == 3
    assert first > 90
    (finished,) = result.of("campaign-finished")
    (row,) = finished["extra"]["sizes"]
    assert row["worst"] == 4
    assert finished["episodes"] >= 120 or "timed out" in row["closed"]
    assert (project.folder / "work.py").is_file()


def test_killed_and_resumed_it_ends_like_an_undisturbed_hunt(project):
    project.write("work.py", TARGET.replace("{body}", "return 0").replace("{threshold}", "10**9"))
    sweep = ("worst", "work.py:work", "--sizes", "4,6,8,10", "--policy", "climb", "--budget", "600", "--json")
    whole = project.untrod(*sweep, "--store", "one").of("campaign-finished")[0]["extra"]
    process = project.start(*sweep, "--store", "two")
    campaign = ""
    for line in process.stdout:
        event = json.loads(line)
        campaign = campaign or event.get("campaign", "")
        if event["event"] == "corpus":
            break
    process.kill()
    process.wait()
    resumed = project.untrod("campaigns", "resume", campaign, "--json", "--store", "two")
    assert resumed.of("campaign-finished")[0]["extra"] == whole
