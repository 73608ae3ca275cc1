"""Features of plain graphs: linked nodes are told from others, on graphs that were not trained on."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from untrod.learn.gmetaexp.links import Links, learn_links  # noqa: E402
from untrod.learn.gmetaexp.scenes import Scene  # noqa: E402


def stars(count: int, leaves: int) -> Scene:
    """Graphs with one centre, to which everything leads, and from which everything is led to."""
    size = leaves + 1
    spokes = [(graph * size, graph * size + leaf) for graph in range(count) for leaf in range(1, size)]
    edges = np.array([*spokes, *((to, source) for source, to in spokes)], np.int64)
    nodes = count * size
    return Scene(
        graphs=count,
        features=np.zeros((nodes, 1), np.float32),
        graph_of=np.repeat(np.arange(count), size),
        sources=np.ascontiguousarray(edges[:, 0]),
        targets=np.ascontiguousarray(edges[:, 1]),
        here=np.zeros(count, np.int64),
        options=np.zeros(0, np.int64),
        costs=np.zeros(0, np.float32),
        alive=np.ones(count, np.bool_),
    )


def test_links_of_a_graph_of_another_size_are_told() -> None:
    links = Links(8)
    losses = learn_links(links, (stars(4, 3 + number % 4) for number in range(150)), seed=1)
    assert losses[-1] < losses[0] / 4
    assert links.loss(stars(1, 8)).item() < losses[0] / 4


def test_the_same_seed_and_graphs_give_the_same_features() -> None:
    one, other = Links(4), Links(4)
    for each in (one, other):
        learn_links(each, (stars(2, 3) for _ in range(5)), seed=7)
    assert torch.equal(one(stars(1, 4)), other(stars(1, 4)))
