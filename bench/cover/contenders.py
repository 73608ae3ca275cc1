"""Who competes: each leaves tests in a folder, and coverage.py says which branches they take."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.cover import peers
from bench.cover.process import call
from bench.cover.subjects import Subject

OURS = "auto"
CHANCE = "chance"
UNPRUNED = ("random-path", "covnew", "depth")
BEST = "random-path"
"""The three searchers that a pilot ranked best, and the first of them."""


@dataclass(frozen=True, slots=True)
class Ours:
    """`untrod cover` with these flags."""

    flags: tuple[str, ...] = ()


CONTENDERS: dict[str, Ours | str] = {
    OURS: Ours(),
    CHANCE: Ours(("--searcher", "none")),
    **{name: Ours(("--searcher", name, "--pruning", "none", "--no-chance")) for name in UNPRUNED},
    f"{BEST} + restarts": Ours(("--searcher", BEST, "--pruning", "restarts", "--no-chance")),
    f"{BEST} + random pruning": Ours(("--searcher", BEST, "--pruning", "random", "--no-chance")),
    f"{BEST} + homi": Ours(("--searcher", BEST, "--pruning", "homi", "--no-chance")),
    **{peer: peer for peer in peers.PEERS},
}


WHOLE = (OURS, CHANCE, *peers.PEERS)
"""What people would use: no part of something else."""


def play(contender: str, subject: Subject, seed: int, cpu: float, folder: Path) -> Mapping[str, Any]:
    of = CONTENDERS[contender]
    if isinstance(of, str):
        return peers.run(of, subject, seed, cpu, folder)
    return _ours(of, subject, seed, cpu, folder)


def _ours(of: Ours, subject: Subject, seed: int, cpu: float, folder: Path) -> Mapping[str, Any]:
    target = subject.module if subject.root is None else str(subject.root / f"{subject.module}.py")
    command = [sys.executable, "-m", "untrod", "cover", target, "--budget", f"{cpu:g}s cpu"]
    command += ["--seed", str(seed), "--json", "--tests", "tests", *of.flags]
    done = call(command, folder, os.environ, 10 * cpu + 300)
    if done.late or done.status not in (0, 1):
        return {"error": "\n".join(done.err.strip().splitlines()[-1:])[:200] or f"status {done.status}"}
    finished = next(
        event for line in done.out.splitlines() if (event := json.loads(line))["event"] == "campaign-finished"
    )
    tests = sorted((folder / "tests").glob("test_*.py"))
    measured = peers.measure(tests, subject, folder)
    untaken = {tuple(row[1:3]) for row in finished["extra"]["untaken"]}
    return {
        **measured,
        "unclaimed": sorted(untaken - set(map(tuple, measured["missing"]))),
        "cpu": finished["cpu"],
        "memory": done.memory,
        "claimed": finished["extra"]["covered"],
        "symbolic": finished["extra"]["symbolic"],
        "findings": finished["findings"],
    }
