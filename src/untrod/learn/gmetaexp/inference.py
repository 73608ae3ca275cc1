"""One decision at a time, for a walker at work: the network of `ggnn.py` in NumPy where that can be.

A decision looks at some twenty nodes. There torch spends its time on calls, not on numbers; with the same
sums in NumPy a step takes about half as long. Training stays with torch, and a test holds the two together.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import torch

from untrod.learn.gmetaexp.ggnn import HABIT, GraphPolicy
from untrod.learn.gmetaexp.ggnn import State as TorchState
from untrod.learn.gmetaexp.scenes import Floats, Ints, Scene


class Decider(Protocol):
    def begin(self) -> None:
        """Forget everything."""
        ...

    def __call__(self, scene: Scene) -> int:
        """The number of the best option of the only graph in the scene."""
        ...


def decider(policy: GraphPolicy) -> Decider:
    """Asks `policy` about one graph at a time, and remembers the last answers of its own; in NumPy where
    that can be, which is faster."""
    in_numpy = policy.shape.memory == "graph" and not policy.shape.links
    return _ByNumpy(policy) if in_numpy else _ByTorch(policy)


class _ByNumpy:
    def __init__(self, policy: GraphPolicy) -> None:
        self._policy = NumpyPolicy(policy)
        self._state = self._policy.begin()

    def begin(self) -> None:
        self._state = self._policy.begin()

    def __call__(self, scene: Scene) -> int:
        scores, self._state = self._policy.scores(scene, self._state)
        return int(scores.argmax())


class _ByTorch:
    def __init__(self, policy: GraphPolicy) -> None:
        self._policy = policy
        self._state: TorchState = policy.begin(1)

    def begin(self) -> None:
        self._state = self._policy.begin(1)

    @torch.no_grad()
    def __call__(self, scene: Scene) -> int:
        chances, _, self._state = self._policy(scene, self._state)
        return int(chances[0].argmax())


# -- the same network in NumPy -------------------------------------------------------------------------

State = tuple[Floats, Floats]
MOST_DENSE = 600
"""Nodes, up to which edges are a matrix."""


class NumpyPolicy:
    """A copy of a policy's weights as they are now. It must remember the graph: no ablations."""

    def __init__(self, policy: GraphPolicy) -> None:
        if policy.shape.memory != "graph" or policy.shape.links:
            raise ValueError("only networks over the whole graph, without learned features")
        self._shape = policy.shape
        self._weights: dict[str, Floats] = {
            name: np.ascontiguousarray(tensor.detach().numpy().T)
            for name, tensor in policy.state_dict().items()
        }

    def begin(self) -> State:
        return np.zeros(self._shape.hidden, np.float32), np.zeros(self._shape.hidden, np.float32)

    def scores(self, scene: Scene, state: State) -> tuple[Floats, State]:
        """Of each option of the one graph in the scene: its log-probability, but for a constant."""
        nodes = self._embed(scene)
        pull = self._layer("attend", nodes)[:, 0]
        weights = np.exp(pull - pull.max())
        read = weights @ self._layer("read", nodes) / weights.sum()
        here = nodes[scene.here[0]]
        pair = np.concatenate([read, here])
        if self._shape.history:
            state = self._remember(pair, state)
            past = state[0]
        else:
            past = np.maximum(self._layer("forget", pair), 0)
        options = nodes[scene.options]
        context = np.concatenate([here, past])
        rows = np.concatenate([options, np.broadcast_to(context, (len(options), len(context)))], 1)
        found = self._layer("point.2", np.maximum(self._layer("point.0", rows), 0))[:, 0]
        found = found - self._weights["prior"] * scene.costs
        if "habits" in self._weights and scene.names is not None:
            habits = self._weights["habits"].T[scene.names[scene.here[0]]]
            found = found + HABIT * habits[scene.names[scene.options]]
        return found, state

    def _embed(self, scene: Scene) -> Floats:
        features = scene.features
        nodes = np.tanh(self._layer("enter", features))
        for _ in range(self._shape.rounds):
            along = np.maximum(self._layer("along", nodes), 0)
            against = np.maximum(self._layer("against", nodes), 0)
            nodes = self._gate(_gather(along, against, scene.sources, scene.targets), nodes)
        return nodes + np.maximum(self._layer("skip", features), 0)

    def _gate(self, messages: Floats, nodes: Floats) -> Floats:
        """torch's GRUCell."""
        reset, update, new = np.split(self._layer("gate", messages, "_ih"), 3, 1)
        reset_, update_, new_ = np.split(self._layer("gate", nodes, "_hh"), 3, 1)
        keep = _sigmoid(update + update_)
        fresh = np.tanh(new + _sigmoid(reset + reset_) * new_)
        return (1 - keep) * fresh + keep * nodes

    def _remember(self, pair: Floats, state: State) -> State:
        """torch's LSTMCell."""
        past, cell = state
        gates = self._layer("remember", pair, "_ih") + self._layer("remember", past, "_hh")
        enter, forget, new, leave = np.split(gates, 4)
        cell = _sigmoid(forget) * cell + _sigmoid(enter) * np.tanh(new)
        return _sigmoid(leave) * np.tanh(cell), cell

    def _layer(self, name: str, rows: Floats, part: str = "") -> Floats:
        found: Floats = rows @ self._weights[f"{name}.weight{part}"] + self._weights[f"{name}.bias{part}"]
        return found


def _gather(along: Floats, against: Floats, sources: Ints, targets: Ints) -> Floats:
    """What arrives at each node: with the links, and against them."""
    if len(along) > MOST_DENSE:
        messages = np.zeros_like(along)
        np.add.at(messages, targets, along[sources])
        np.add.at(messages, sources, against[targets])
        return messages
    links = np.zeros((len(along), len(along)), np.float32)
    np.add.at(links, (targets, sources), 1.0)
    return links @ along + links.T @ against


def _sigmoid(x: Floats) -> Floats:
    return (1 / (1 + np.exp(-x))).astype(np.float32, copy=False)
