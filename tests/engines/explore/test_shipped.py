"""The weights that come with the package: whole, small, and no worse than what needs no training."""

from __future__ import annotations

import json
from random import Random
from statistics import fmean

import pytest

pytest.importorskip("torch")

from untrod.engines.explore.measure import coverages, rival
from untrod.engines.explore.programs.tasks import TASKS as PROGRAM_TASKS
from untrod.engines.explore.programs.trained import coverages as program_coverages
from untrod.engines.explore.programs.weights import load_program_weights
from untrod.engines.explore.programs.world import share
from untrod.engines.explore.shipped import TRAINED, shipped
from untrod.engines.explore.weights import load_weights
from untrod.engines.explore.worlds.tasks import TASKS, task

NAMES = sorted(folder.name for folder in TRAINED.iterdir() if folder.is_dir())
WALKS = [name for name in NAMES if name in TASKS]
PROGRAMS = [name for name in NAMES if name not in TASKS]


def test_there_are_weights_for_every_task() -> None:
    assert sorted([*TASKS, *PROGRAM_TASKS]) == NAMES
    assert shipped("app-graph") == shipped("directed-app")
    assert shipped("python") is None


@pytest.mark.parametrize("name", NAMES)
def test_the_manifest_says_what_they_are_and_how_they_were_made(name: str) -> None:
    folder = TRAINED / name
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["task"] == name
    assert manifest["definition"] == (task(name) if name in TASKS else PROGRAM_TASKS.find(name)).definition
    assert manifest["command"].startswith(f"untrod train {name} --updates ")
    assert "/tmp" not in manifest["command"]
    assert manifest["scores"]["worlds"] == 1000
    assert {path.name for path in folder.iterdir()} == {"manifest.json", "weights.safetensors"}
    assert sum(path.stat().st_size for path in folder.iterdir()) < 3_000_000


@pytest.mark.parametrize("name", WALKS)
def test_they_can_be_read_and_walk_as_well_as_frontier_greedy(name: str) -> None:
    """On 100 validation worlds of another seed than that of the course."""
    policy, _ = load_weights(TRAINED / name)
    family = task(name)
    worlds = list(family.worlds(99, "validation", 100))
    greedy = rival("frontier", worlds, family.steps, 0, name)
    assert fmean(coverages(policy, worlds, family.steps, "aims")) > fmean(greedy) - 0.01


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_input_of_theirs_covers_more_than_one_by_chance(name: str) -> None:
    """On 60 validation programs of another seed than that of the course."""
    policy, _ = load_program_weights(TRAINED / name, name)
    worlds = list(PROGRAM_TASKS.find(name).worlds(99, "validation", 60))
    random = Random(1)
    by_chance = fmean(share(world, world.run(world.inputs.draw(random))) for world in worlds)
    assert fmean(first for (first,) in program_coverages(policy, worlds, (1,))) > by_chance + 0.15
