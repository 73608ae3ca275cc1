"""A policy that is asked for one graph at a time, and remembers the last answers of its own."""

from __future__ import annotations

from typing import Protocol

import torch

from untrod.learn.ggnn import GraphPolicy, State
from untrod.learn.ggnn_swift import SwiftPolicy
from untrod.learn.scenes import Scene


class Decider(Protocol):
    def begin(self) -> None:
        """Forget everything."""
        ...

    def __call__(self, scene: Scene) -> int:
        """The number of the best option of the only graph in the scene."""
        ...


def decider(policy: GraphPolicy) -> Decider:
    """In NumPy where it can be: that is faster."""
    swift = policy.shape.memory == "graph" and not policy.shape.links
    return _Swift(policy) if swift else _Plain(policy)


class _Swift:
    def __init__(self, policy: GraphPolicy) -> None:
        self._policy = SwiftPolicy(policy)
        self._state = self._policy.begin()

    def begin(self) -> None:
        self._state = self._policy.begin()

    def __call__(self, scene: Scene) -> int:
        scores, self._state = self._policy.scores(scene, self._state)
        return int(scores.argmax())


class _Plain:
    def __init__(self, policy: GraphPolicy) -> None:
        self._policy = policy
        self._state: State = policy.begin(1)

    def begin(self) -> None:
        self._state = self._policy.begin(1)

    @torch.no_grad()
    def __call__(self, scene: Scene) -> int:
        chances, _, self._state = self._policy(scene, self._state)
        return int(chances[0].argmax())
