"""What a policy reaches on held-out programs, and what it gains over others, program by program."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.engines.explore.measure import paired
from untrod.engines.explore.programs.episode import explore
from untrod.engines.explore.programs.explorers import explorer
from untrod.engines.explore.programs.tasks import ProgramTask
from untrod.engines.explore.programs.trained import coverages
from untrod.engines.explore.programs.world import ProgramWorld
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy

BATCH = 100
INPUTS = (1, 5, 10, 100)
RIVALS = ("random", "hill-climbing")


def measured(policy: ProgramPolicy, worlds: Sequence[ProgramWorld]) -> list[list[float]]:
    """Of each program the coverage with 1, 5, 10 and 100 inputs."""
    found: list[list[float]] = []
    for first in range(0, len(worlds), BATCH):
        found += coverages(policy, worlds[first : first + BATCH], INPUTS, first)
    return found


def rival(name: str, kind: str, worlds: Sequence[ProgramWorld]) -> list[list[float]]:
    found = []
    for number, world in enumerate(worlds):
        tries = explore(world, explorer(name, kind, derive(0, name, number)), INPUTS[-1])
        found.append([tries.coverage(inputs) for inputs in INPUTS])
    return found


def scores(policy: ProgramPolicy, task: ProgramTask, count: int) -> dict[str, Json]:
    """On held-out programs: the policy, trained and not, its rivals, and what it gains over each of them.
    Every list has an entry for each number of inputs."""
    worlds = list(task.worlds(0, "held-out", count))
    trained = measured(policy, worlds)
    few = worlds[:BATCH]
    found: dict[str, Json] = {
        "worlds": count,
        "inputs": list(INPUTS),
        "learned": _means(trained),
        "untrained": _means(measured(ProgramPolicy(policy.shape, 0), few)),
        "untrained worlds": len(few),
    }
    for name in RIVALS:
        theirs = rival(name, task.name, worlds)
        gains = [
            paired(ours, others)
            for ours, others in zip(zip(*trained, strict=True), zip(*theirs, strict=True), strict=True)
        ]
        found[name] = {
            "coverage": _means(theirs),
            "gain": [round(gain.mean, 4) for gain in gains],
            "within": [round(gain.within, 4) for gain in gains],
        }
    return found


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    return [round(fmean(column), 4) for column in zip(*rows, strict=True)]
