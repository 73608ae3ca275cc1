"""A task as a Gymnasium environment: a new world of the task with each reset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from untrod.engines.explore.walk import Walk
from untrod.engines.explore.worlds.recorded import load_app
from untrod.engines.explore.worlds.tasks import task as find_task

SPREAD = 2**31


class WalkEnv(gymnasium.Env[spaces.GraphInstance, np.int64]):
    """Observation: the graph that is known so far. A node has three features, each 0 or 1: visited, seen
    but not visited, the walker stands here. Nodes come in the order in which they were seen first, so the
    start is node 0. Edges are the links of visited nodes.

    Action: the number of a link of the node where the walker stands, in the order of the edges. A number
    without a link wastes a step, as in the paper's mazes (its Random does not mask); `info["action_mask"]`
    has those that do not.

    Reward: 1 / nodes for a new node, so that the sum over a walk is its coverage without the start.
    `terminated`: everything is visited, or no link leads on. `truncated`: T steps are used up.
    `info["coverage"]` has the coverage.

    `reset(seed=...)` draws the world; `options={"world": n}` takes held-out world n, the same one for
    everybody. `app_graph` is a file with a recorded screen graph: then there is only this world, and
    `steps` is due.
    """

    def __init__(
        self, task: str = "maze", side: int = 6, app_graph: str | None = None, steps: int | None = None
    ) -> None:
        if app_graph is None:
            self._task = find_task(task, side)
            self._recorded = None
            self._steps = steps or self._task.steps
            most = {"maze": 4, "braided": 4}.get(task, 20)
        else:
            self._recorded = load_app(Path(app_graph))
            self._steps = steps or self._recorded.nodes
            most = max(map(len, self._recorded.links))
        self.action_space = spaces.Discrete(most)
        self.observation_space = spaces.Graph(spaces.Box(0.0, 1.0, (3,)), spaces.Discrete(1))
        self._walk: Walk | None = None
        self._order: dict[int, int] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[spaces.GraphInstance, dict[str, Any]]:
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(SPREAD))
        if self._recorded is not None:
            graph = self._recorded
        elif options and "world" in options:
            graph = self._task.world(0, "held-out", int(options["world"]))
        else:
            graph = self._task.world(drawn, "train", 0)
        self._walk = Walk(graph, self._steps)
        self._order = {}
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[spaces.GraphInstance, float, bool, bool, dict[str, Any]]:
        world = self._world()
        links = world.neighbours(world.here)
        reward = 0.0
        if action < len(links):
            reward = world.step(links[int(action)]) / world.graph.reachable
        else:
            world.left -= 1
        truncated = world.left <= 0
        terminated = world.over and not truncated
        return self._observation(), reward, terminated, truncated, self._info()

    def _world(self) -> Walk:
        if self._walk is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        return self._walk

    def _info(self) -> dict[str, Any]:
        world = self._world()
        mask: NDArray[np.int8] = np.zeros(int(self.action_space.n), np.int8)  # type: ignore[attr-defined]
        mask[: len(world.neighbours(world.here))] = 1
        return {"coverage": world.coverage, "action_mask": mask}

    def _observation(self) -> spaces.GraphInstance:
        world, order = self._world(), self._order
        edges = []
        for node in world.visits:
            origin = order.setdefault(node, len(order))
            for target in world.neighbours(node):
                edges.append((origin, order.setdefault(target, len(order))))
        nodes = np.zeros((len(order), 3), np.float32)
        nodes[:, 1] = 1.0
        for node in world.visits:
            nodes[order[node], :2] = 1.0, 0.0
        nodes[order[world.here], 2] = 1.0
        kinds = np.zeros(len(edges), np.int64)  # all of one kind: the space wants to be told
        return spaces.GraphInstance(nodes, kinds, np.array(edges, np.int32).reshape(-1, 2))
