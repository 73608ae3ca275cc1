"""An arena of one decision: three options, of which one is worth something, told by its second feature."""

from __future__ import annotations

import numpy as np

from untrod.learn.gmetaexp.scenes import Floats, Ints, Scene


class Bandit:
    def __init__(self, graphs: int, good: int) -> None:
        self.over = False
        self._graphs, self._good = graphs, good

    def scene(self) -> Scene:
        count = self._graphs
        features = np.tile(np.float32([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]]), (count, 1))
        first = 4 * np.arange(count)
        return Scene(
            graphs=count,
            features=features,
            graph_of=np.repeat(np.arange(count), 4),
            sources=np.repeat(first, 3),
            targets=(first[:, None] + [1, 2, 3]).ravel(),
            here=first,
            options=(first[:, None] + [1, 2, 3]).ravel(),
            costs=np.ones(3 * count, np.float32),
            alive=np.ones(count, np.bool_),
        )

    def act(self, choices: Ints) -> Floats:
        self.over = True
        return (choices == self._good).astype(np.float32)

    def advice(self, scene: Scene) -> Floats:
        return (np.arange(len(scene.options)) % 3 == self._good).astype(np.float32)
