"""CPU time of the walls, alone in a fresh process: the kernel's (Landlock, seccomp) and the audit guard.

A worker builds both once, before it imports the target. What an episode pays afterwards is the guard's look
at each audit event, and the kernel's at each system call that opens or changes a file; an episode that does
neither pays nothing. `without` is the same with neither.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile

from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.runtime import landlock

MOST_AT_START = 5.0
MOST_PER_EPISODE = 0.02  # of an episode without walls: what two runs of the same differ by
WALLS = ("without", "kernel", "guard", "kernel and guard")

_START = """
import json, os, sys, time
from untrod.runtime import confine, guard
scratch, walls = sys.argv[1:]
os.chdir(scratch)
begun = time.process_time()
if "kernel" in walls:
    confine.enclose(scratch, frozenset())
if "guard" in walls:
    guard.install(scratch, frozenset())
spent = time.process_time() - begun
"""
_EPISODES = (
    _START
    + """
import operator
ADD, LOOPS = operator.add, 20000
def computes():
    total = 0
    for number in range(30):
        total = ADD(total, number)
    return total
def reads():
    with open("/dev/null") as file:
        return file.read()
def writes():
    with open("file", "w") as file:
        return file.write("x")
found = {}
for episode, times in ((computes, LOOPS), (reads, LOOPS // 4), (writes, LOOPS // 4)):
    best = None
    for _ in range(5):
        begun = time.process_time()
        for _ in range(times):
            episode()
        spent = (time.process_time() - begun) / times
        best = spent if best is None else min(best, spent)
    found[episode.__name__] = best
print(json.dumps(found))
"""
)


def _said(program: str, walls: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="untrod-bench-") as scratch:
        done = subprocess.run(
            [sys.executable, "-c", program, scratch, walls], capture_output=True, text=True, check=True
        )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _start(plan: Plan) -> Result:
    plan.say(landlock.in_words())
    program = _START + "print(json.dumps({'spent': spent * 1000}))\n"
    rows, medians = [], {}
    for walls in WALLS:
        values = [_said(program, walls)["spent"] for _ in plan.seeds_or(quick=15, full=60)]
        rows.append(Row.of("a worker's start", walls, "CPU ms", values))
        medians[walls] = rows[-1].median
    both = medians["kernel and guard"]
    bar = Bar.at_most("CPU ms that the walls cost at the start of a worker", both, MOST_AT_START)
    return Result(tuple(rows), (bar,), (landlock.in_words(),))


def _episode(plan: Plan) -> Result:
    found: dict[tuple[str, str], list[float]] = {}
    for seed in plan.seeds_or(quick=5, full=15):
        for walls in WALLS[seed % len(WALLS) :] + WALLS[: seed % len(WALLS)]:  # nobody is always the first
            for episode, seconds in _said(_EPISODES, walls).items():
                found.setdefault((episode, walls), []).append(seconds * 1e6)
    rows = [
        Row.of(f"an episode that {episode}", walls, "CPU us", values)
        for (episode, walls), values in sorted(found.items())
    ]
    medians = {(row.subject, row.contender): row.median for row in rows}
    plain = medians["an episode that computes", "without"]
    walled = medians["an episode that computes", "kernel and guard"]
    name = "what an episode that only computes pays for the walls, as a share of it"
    return Result(tuple(rows), (Bar.at_most(name, walled / plain - 1, MOST_PER_EPISODE),))


START = Study("what the walls cost a worker at its start", ("start",), _start)
EPISODE = Study("what the walls cost an episode", ("episode",), _episode)
