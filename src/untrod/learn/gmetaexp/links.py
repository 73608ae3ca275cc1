"""Features of the nodes of plain graphs, learned without rewards: they tell which nodes are linked.

    mu_v(0) = b                                                      nodes have no features of their own
    mu_v'   = GRU(messages with the links and against them, mu_v)    `rounds` times             eq. 10
    loss    = mean over pairs (A_uv - mu_u W mu_v)^2                 the adjacency, factorised  eqs. 9, 11

The network is trained on many graphs before a course, and then left as it
is: on a graph never seen, it needs no training.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from untrod.core.seeds import derive
from untrod.learn.adam import Adam
from untrod.learn.gmetaexp.scenes import Scene

RATE = 1e-2


class Links(nn.Module):
    """Small `rounds` see only what lies near: on a graph that is known in part, that is all there is."""

    def __init__(self, width: int, rounds: int = 2) -> None:
        super().__init__()
        self._rounds = rounds
        self.start = nn.Parameter(torch.ones(width))
        self.along = nn.Linear(width, width)
        self.against = nn.Linear(width, width)
        self.gate = nn.GRUCell(width, width)
        self.bond = nn.Parameter(torch.eye(width) / width)

    def forward(self, scene: Scene) -> Tensor:
        """A row for each node."""
        sources, targets = torch.from_numpy(scene.sources), torch.from_numpy(scene.targets)
        nodes = self.start.expand(len(scene.features), -1)
        for _ in range(self._rounds):
            messages = torch.zeros_like(nodes).index_add(0, targets, torch.relu(self.along(nodes))[sources])
            messages = messages.index_add(0, sources, torch.relu(self.against(nodes))[targets])
            nodes = self.gate(messages, nodes)
        return nodes

    def loss(self, scene: Scene) -> Tensor:
        """Over all pairs of nodes of the same graph."""
        nodes = self(scene)
        linked = torch.zeros(len(nodes), len(nodes))
        linked[torch.from_numpy(scene.sources), torch.from_numpy(scene.targets)] = 1.0
        owners = torch.from_numpy(scene.graph_of)
        together = owners[:, None] == owners[None, :]
        # eq. 9, as a mean, and of many graphs eq. 11
        error: Tensor = (linked - nodes @ self.bond @ nodes.T) ** 2
        return error[together].mean()


def learn_links(links: Links, scenes: Iterable[Scene], seed: int) -> list[float]:
    """One step for each scene; the losses. What `links` knew before is forgotten: a function of the seed
    and the scenes."""
    torch.set_num_threads(1)  # more add in another order: other numbers
    with torch.random.fork_rng():
        torch.manual_seed(derive(seed, "links") % 2**63)
        for part in (links.along, links.against, links.gate):
            part.reset_parameters()
    optimiser = Adam(links.parameters(), RATE)
    losses = []
    for scene in scenes:
        loss = links.loss(scene)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        losses.append(float(loss.detach()))
    return losses
