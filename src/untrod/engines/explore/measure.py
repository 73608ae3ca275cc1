"""Coverage on many worlds, and what one way of walking gains over another, world by world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from untrod.core.vocabulary import Json
from untrod.engines.explore.vector_env import DecisionEnv, Moves
from untrod.engines.explore.walk import Walk, walk
from untrod.engines.explore.walkers.catalogue import make_walker
from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.tasks import Task
from untrod.learn.gmetaexp.actor_critic import follow
from untrod.learn.gmetaexp.ggnn import GraphPolicy

BATCH = 100
RIVALS = ("random", "rand-dfs", "dfs", "frontier")


@dataclass(frozen=True, slots=True)
class Gain:
    """A mean difference and half the width of its 95% interval."""

    mean: float
    within: float

    @property
    def certain(self) -> bool:
        return self.mean > self.within


def coverages(
    policy: GraphPolicy, worlds: Sequence[Graph], steps: int, moves: Moves, seed: int = 0
) -> list[float]:
    """`seed` is for ties."""
    found: list[float] = []
    for first in range(0, len(worlds), BATCH):
        env = DecisionEnv(worlds[first : first + BATCH], steps, moves)
        follow(policy, env, seed)
        found += env.coverage.tolist()
    return found


def rival(name: str, worlds: Sequence[Graph], steps: int, seed: int, task: str) -> list[float]:
    walker = make_walker(name, seed, task)
    return [walk(Walk(world, steps), walker) for world in worlds]


def paired(these: Sequence[float], those: Sequence[float]) -> Gain:
    gains = [one - other for one, other in zip(these, those, strict=True)]
    mean = fmean(gains)
    variance = sum((gain - mean) ** 2 for gain in gains) / max(1, len(gains) - 1)
    return Gain(mean, 1.96 * sqrt(variance / len(gains)))


def scores(policy: GraphPolicy, task: Task, moves: Moves, count: int) -> dict[str, Json]:
    """On held-out worlds: the policy, its rivals, and what it gains over each of them."""
    worlds = list(task.worlds(0, "held-out", count))
    trained = coverages(policy, worlds, task.steps, moves)
    untrained = coverages(GraphPolicy(policy.shape, 0), worlds, task.steps, moves)
    found: dict[str, Json] = {
        "worlds": count,
        "learned": _round(fmean(trained)),
        "untrained": _round(fmean(untrained)),
    }
    for name in RIVALS:
        theirs = rival(name, worlds, task.steps, 0, task.name)
        gain = paired(trained, theirs)
        found[name] = {
            "coverage": _round(fmean(theirs)),
            "gain": _round(gain.mean),
            "within": _round(gain.within),
        }
    return found


def _round(number: float) -> float:
    return round(number, 4)
