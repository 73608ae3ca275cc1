"""A task of programs as a Gymnasium environment: a new program with each reset."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from untrod.engines.explore.programs.tasks import task as find_task
from untrod.engines.explore.programs.world import EDGE_TYPES, ProgramWorld, share

SPREAD = 2**31
WORDS = 4
"""No node says more than this many words."""


class ProgramEnv(gymnasium.Env[spaces.GraphInstance, NDArray[np.int64]]):
    """Observation: the graph of the program. A node has its words, as numbers of the vocabulary padded by 0,
    then 1 if it is a goal that counts, and 1 if that goal is covered. An edge has its type.

    Action: an input, as the row of numbers that `Inputs.decode` takes: the characters of a text for
    RobustFill; the hero's cell, its facing and the cells of the grid for Karel.

    Reward: the newly covered share of the goals that count, so that the sum over an episode is its coverage.
    `terminated`: everything is covered. `truncated`: `steps` inputs were run. `info` has `coverage`, and the
    input as a person would read it, `shown`.

    `reset(seed=...)` draws the program; `options={"world": n}` takes held-out program n.
    """

    def __init__(self, task: str = "robustfill", steps: int | None = None) -> None:
        self._task = find_task(task)
        self._steps = steps or self._task.steps
        self._world: ProgramWorld | None = None
        self._seen = 0
        self._left = 0
        sizes = self._task.world(0, "held-out", 0).inputs.sizes
        self.action_space = spaces.MultiDiscrete(list(sizes))
        top = np.array([len(self._task.vocabulary) - 1] * WORDS + [1, 1], np.float32)
        self.observation_space = spaces.Graph(
            spaces.Box(np.zeros_like(top), top), spaces.Discrete(len(EDGE_TYPES))
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[spaces.GraphInstance, dict[str, Any]]:
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(SPREAD))
        if options and "world" in options:
            self._world = self._task.world(0, "held-out", int(options["world"]))
        else:
            self._world = self._task.world(drawn, "train", 0)
        self._seen = 0
        self._left = self._steps
        return self._observation(self._world), {"coverage": 0.0}

    def step(
        self, action: NDArray[np.int64]
    ) -> tuple[spaces.GraphInstance, float, bool, bool, dict[str, Any]]:
        world = self._world
        if world is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        given = world.inputs.decode([int(number) for number in action])
        before = share(world, self._seen)
        self._seen |= world.run(given)
        self._left -= 1
        coverage = share(world, self._seen)
        terminated = not world.counted & ~self._seen
        truncated = self._left <= 0 and not terminated
        info = {"coverage": coverage, "shown": world.inputs.show(given)}
        return self._observation(world), coverage - before, terminated, truncated, info

    def _observation(self, world: ProgramWorld) -> spaces.GraphInstance:
        graph = world.graph
        nodes = np.zeros((len(graph), WORDS + 2), np.float32)
        for node, words in enumerate(graph.words):
            nodes[node, : len(words)] = words
        for goal, node in enumerate(graph.goals):
            if world.counted >> goal & 1:
                nodes[node, WORDS] = 1.0
                nodes[node, WORDS + 1] = self._seen >> goal & 1
        edges = np.array(graph.edges, np.int32).reshape(-1, 3)
        return spaces.GraphInstance(nodes, edges[:, 2].astype(np.int64), edges[:, :2])
