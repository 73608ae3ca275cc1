"""The policy for walks as the paper has it: of a node it sees what the paper's sees, and no more.

`untrod train` tells the network twenty things of each node (`vector_env.py`). Some of them say whether it was
visited, besides the coverage bit: that it is a frontier node, how many links lead out of it. The ablations
`node` and `pool` hide the coverage bit of an option alone, so with those they hide nothing: `node` without
history, which is to know nothing of the past, covered 0.69 of 100 mazes after 200 updates, and the paper's
0.34.

Here a node has its coverage bit, whether the walker stands on it, and the features that are learned from
links (`learn/gmetaexp/links.py`), by one or two layers. These still say something of the past: of a node
that was not visited, no links are known.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from untrod.engines.explore.vector_env import FEATURES
from untrod.engines.explore.walk_trainer import WalkPlan, WalkTrainer
from untrod.learn.gmetaexp.ggnn import GraphPolicy, Shape, State
from untrod.learn.gmetaexp.links import Links
from untrod.learn.gmetaexp.scenes import Scene

KEPT = (np.arange(FEATURES) < 2).astype(np.float32)
"""Visited, here."""


class PlainPolicy(GraphPolicy):
    def __init__(self, shape: Shape, seed: int, layers: int) -> None:
        super().__init__(shape, seed)
        with torch.random.fork_rng():
            self.links = Links(shape.links, layers)  # what it starts from is forgotten when it learns

    def forward(self, scene: Scene, state: State) -> tuple[Tensor, Tensor, State]:
        return super().forward(replace(scene, features=scene.features * KEPT), state)


class PlainTrainer(WalkTrainer):
    """Its plan has `links`."""

    def __init__(self, plan: WalkPlan, folder: Path, layers: int) -> None:
        self._layers = layers
        super().__init__(plan, folder)

    def network(self, seed: int) -> GraphPolicy:
        return PlainPolicy(self.plan.shape(), seed, self._layers)
