"""A gated graph network that points at a node: the policy of GMetaExp for graphs, in plain torch.

    mu_v  = tanh(W [c(v), features])                            c(v) is the coverage bit        section 3
    m_v   = sum over edges u -> v of relu(W[kind] mu_u)         messages, by kind of edge       eq. 5
    mu_v' = GRU(m_v, mu_v)                                      `rounds` times (L)              eq. 6
    alpha = softmax_v(a . mu_v)                                 attention over the nodes        eq. 7
    g     = sum_v alpha_v W mu_v                                read-out of the graph           eq. 8
    F_t   = LSTM(F_{t-1}, [g, mu_here])                         history: what was done and what it showed
    score = MLP[mu_option, mu_here, F_t] - prior * cost         pi(x | F_t), a pointer over the options
    value = MLP[F_t, g]                                         the critic

Kinds of edges are with a link and against it: a link that leads one way says different things at its two
ends. `prior` is learned too, and starts at a value that makes the untrained network prefer near options,
which is frontier-greedy: training starts from there and not from nothing.

The paper's ablations are switches. `node` sees where the walker stands, and no graph; `pool` adds the nodes
as a set, without edges; `graph` is the whole. In the first two, an option is told by what it is and not by
whether it was visited, or the pointer would leak what the ablation takes away. Without `history` the LSTM
gives way to a layer over the same pair. With `links`, nodes also have the features of `links.py`.

Nothing above can tell two options apart that look alike. A policy that practises on one graph has `habits`
besides: from which node it likes to go to which, by their numbers, added to the score.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from untrod.core.vocabulary import Json
from untrod.learn.gmetaexp.links import Links
from untrod.learn.gmetaexp.scenes import Scene

HABIT = 5.0
"""How much a habit counts: it is learned in some hundred steps, and has to outweigh a step of the way."""
Memory = Literal["node", "pool", "graph"]
State = tuple[Tensor, Tensor]


@dataclass(frozen=True, slots=True)
class Shape:
    features: int
    hidden: int = 32
    rounds: int = 3
    memory: Memory = "graph"
    history: bool = True
    prior: float = 1.0
    links: int = 0
    """How many features of `links.py` each node gets besides; 0: none."""

    def to_json(self) -> Json:
        return asdict(self)


class GraphPolicy(nn.Module):
    """See the module's text. Nothing in it depends on the size of a graph, so it works on larger ones too."""

    def __init__(self, shape: Shape, seed: int) -> None:
        super().__init__()
        torch.set_num_threads(1)  # more add in another order: other numbers, and no faster at this size
        self.shape = shape
        hidden = shape.hidden
        with torch.random.fork_rng():
            torch.manual_seed(seed % 2**63)
            self.enter = nn.Linear(shape.features + shape.links, hidden)
            self.skip = nn.Linear(shape.features + shape.links, hidden)
            self.along = nn.Linear(hidden, hidden)
            self.against = nn.Linear(hidden, hidden)
            self.gate = nn.GRUCell(hidden, hidden)
            self.attend = nn.Linear(hidden, 1)
            self.read = nn.Linear(hidden, hidden)
            self.remember = nn.LSTMCell(2 * hidden, hidden)
            self.forget = nn.Linear(2 * hidden, hidden)
            last = nn.Linear(hidden, 1)
            self.point = nn.Sequential(nn.Linear(3 * hidden, hidden), nn.ReLU(), last)
            self.judge = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))
            self.prior = nn.Parameter(torch.tensor(shape.prior))
            self.links = Links(shape.links) if shape.links else None
        nn.init.zeros_(last.weight)  # untrained, the prior alone decides
        self.habits: nn.Parameter | None = None

    def settle(self, nodes: int) -> None:
        """From now on it is about one graph of so many nodes."""
        self.habits = nn.Parameter(torch.zeros(nodes, nodes))

    def begin(self, graphs: int) -> State:
        return torch.zeros(graphs, self.shape.hidden), torch.zeros(graphs, self.shape.hidden)

    def forward(self, scene: Scene, state: State) -> tuple[Tensor, Tensor, State]:
        """Log-probabilities as a table of graphs by options (-inf where there is none), values, and the new
        state."""
        features = torch.from_numpy(scene.features)
        if self.links is not None:
            features = torch.cat([features, self.links(scene).detach()], 1)
        owners = torch.from_numpy(scene.graph_of)
        here, options = torch.from_numpy(scene.here), torch.from_numpy(scene.options)
        whole = self.shape.memory == "graph"
        nodes = self._embed(scene, features) if whole else torch.tanh(self.enter(features))
        plain = nodes
        if not whole:
            plain = torch.tanh(self.enter(features * (torch.arange(features.shape[1]) > 0)))
        current = plain[here]  # the encoding of the last action: where it led
        read = self._read(nodes, owners, scene.graphs)
        if self.shape.memory == "node":
            read = torch.zeros_like(read)
        pair = torch.cat([read, current], 1)
        if self.shape.history:
            state = self.remember(pair, state)
            past = state[0]
        else:
            past = torch.relu(self.forget(pair))
        chosen_from = owners[options]
        scores = self.point(torch.cat([plain[options], current[chosen_from], past[chosen_from]], 1))[:, 0]
        scores = scores - self.prior * torch.from_numpy(scene.costs)
        if self.habits is not None and scene.names is not None:
            names = torch.from_numpy(scene.names)
            scores = scores + HABIT * self.habits[names[here][chosen_from], names[options]]
        places, width = scene.slots
        table = torch.full((scene.graphs * width,), -torch.inf)
        table = table.index_copy(0, torch.from_numpy(places), scores).view(scene.graphs, width)
        return torch.log_softmax(table, 1), self.judge(torch.cat([past, read], 1))[:, 0], state

    def _embed(self, scene: Scene, features: Tensor) -> Tensor:
        nodes = torch.tanh(self.enter(features))
        sources, targets = torch.from_numpy(scene.sources), torch.from_numpy(scene.targets)
        for _ in range(self.shape.rounds):
            # m_v: the sum over neighbours of relu(W[kind] mu_u), with the links and against them (eq. 5)
            messages = torch.zeros_like(nodes).index_add(0, targets, torch.relu(self.along(nodes))[sources])
            messages = messages.index_add(0, sources, torch.relu(self.against(nodes))[targets])
            nodes = self.gate(messages, nodes)  # eq. 6
        return nodes + torch.relu(self.skip(features))

    def _read(self, nodes: Tensor, owners: Tensor, graphs: int) -> Tensor:
        """Eqs. 7 and 8 within each graph: a softmax over segments, shifted by their greatest score."""
        scores = self.attend(nodes)[:, 0]
        greatest = torch.full((graphs,), -torch.inf).scatter_reduce(0, owners, scores.detach(), "amax")
        weights = torch.exp(scores - greatest[owners])
        total = torch.zeros(graphs).index_add(0, owners, weights)
        mixed = torch.zeros(graphs, nodes.shape[1]).index_add(0, owners, self.read(nodes) * weights[:, None])
        return mixed / total[:, None]
