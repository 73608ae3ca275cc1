"""`cover` against code that harms its process, or the machine: it goes on, and what did the harm is named."""

from __future__ import annotations

import pytest

TARGET = """
import ctypes, os, sys, time

def work(n: int) -> str:
    if n % 4 == 1:
        {body}
    if n == 70007:
        return "never"
    if n > 3:
        return "large"
    return "small"
"""

BEHAVIOURS = {
    "segfaults": ("ctypes.string_at(0)", "crashed"),
    "exits at once": ("os._exit(3)", "exited"),
    "sleeps": ("time.sleep(60)", "timed-out"),
    "writes a file": ("open('/tmp/untrod-must-not-exist', 'w')", "refused"),
    "exits politely": ("sys.exit(3)", "exited"),
}


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_the_campaign_goes_on(project, name):
    body, kind = BEHAVIOURS[name]
    project.write("work.py", TARGET.replace("{body}", body))
    result = project.untrod(
        "cover",
        "work.py",
        "--searcher",
        "none",
        "--budget",
        "12",
        "--timeout",
        "0.5",
        "--json",
        "--seed",
        "1",
    )
    assert result.status == 1, result.err
    assert kind in {event["finding"]["kind"] for event in result.of("finding")}
    (finished,) = result.of("campaign-finished")
    assert finished["extra"]["covered"] >= 3
