"""Who leaves tests for a package, for how much CPU time.

A hunt's budget is CPU time of its workers. All that it took, its own process and the trying out of tests
included, is what the others get, in equal shares for their modules or functions. Each works in a project of
its own and leaves tests in `tests/untrod`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from bench.cover.peers import PEERS_PYTHON
from bench.cover.process import Called, call, slowdown
from bench.hunt.packages import Package

HUNT, COVER, WORST, PYNGUIN = "hunt", "cover alone", "worst alone", "pynguin"
SINGLE = (COVER, WORST)
TESTS = Path("tests") / "untrod"
LEAST = 2.0
"""CPU seconds: with less, no contender gets beyond its own imports."""


def hunt(package: Package, seed: int, seconds: float, environment: Mapping[str, str]) -> list[Called]:
    words = ["hunt", package.name, "--budget", f"{seconds:.0f}s cpu", "--workers", "1", "--seed", str(seed)]
    words += ["--no-coverage", "--json", "--fail-on", "nothing"]
    return [_untrod(package, words, environment, 60 * seconds + 600)]


def cover_alone(package: Package, seed: int, cpu: float, environment: Mapping[str, str]) -> list[Called]:
    return _alone("cover", package, seed, cpu, environment)


def worst_alone(package: Package, seed: int, cpu: float, environment: Mapping[str, str]) -> list[Called]:
    return _alone("worst", package, seed, cpu, environment)


def pynguin(package: Package, seed: int, cpu: float, environment: Mapping[str, str]) -> list[Called] | str:
    """Its own environment, module by module. It counts wall time: it gets what its CPU time takes here."""
    python = os.environ.get(PEERS_PYTHON)
    if not python:
        return f"{PEERS_PYTHON} names no interpreter"
    aware = {**environment, "PYNGUIN_DANGER_AWARE": "1"}
    calls = []
    share = max(LEAST, cpu / len(package.modules))
    for number, module in enumerate(package.modules):
        wall = max(1, round(slowdown() * share))
        command = [python, "-m", "pynguin", "--project-path", str(package.project), "--module-name", module]
        command += ["--output-path", str(package.project / TESTS / f"m{number}"), "--seed", str(seed)]
        command += ["--maximum-search-time", str(wall), "--assertion-generation", "NONE"]
        calls.append(call(command, package.project, aware, 10 * wall + 600))
    return calls


def _alone(
    verb: str, package: Package, seed: int, cpu: float, environment: Mapping[str, str]
) -> list[Called]:
    """The engine on everything that a hunt's plan has for it, without the bandit."""
    planned = _untrod(package, ["hunt", package.name, "--only", verb, "--plan", "--json"], environment, 120)
    if planned.status:
        return []
    targets = [lot["target"] for lot in json.loads(planned.out)["lots"]]
    share = max(LEAST, cpu / len(targets))
    common = ["--budget", f"{share:.1f}s cpu", "--seed", str(seed), "--json"]
    return [_untrod(package, [verb, target, *common], environment, 60 * share + 600) for target in targets]


def _untrod(package: Package, words: list[str], environment: Mapping[str, str], timeout: float) -> Called:
    return call([sys.executable, "-m", "untrod", *words], package.project, environment, timeout + 120)
