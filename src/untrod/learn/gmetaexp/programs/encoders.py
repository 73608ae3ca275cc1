"""Encoders of programs: from states to a vector for each node, and one for the whole.

The paper's ablations are the five of them. `uncond` sees nothing, and proposes by what it proposed before;
`envcond` sees what its inputs have brought, and nothing of the program; `bow` sees the program as a bag of
nodes; `bilstm` as a sequence, in the order of the text; `gnn` as a graph:

    mu_v  = tanh(sum of the embeddings of its words, and its marks)   the marks have the coverage bit c(v)
    m_v   = sum over edges u -> v of relu(W[kind] mu_u)               eq. 5
    mu_v' = GRU(m_v, mu_v)                                            eq. 6, `rounds` times

The whole is read out by attention: g = sum_v softmax_v(a . mu_v) W mu_v (eqs. 7 and 8).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

import torch
from torch import Tensor, nn

from untrod.learn.gmetaexp.programs.states import ECHO, MARKS, States

EncoderName = Literal["uncond", "envcond", "bow", "bilstm", "gnn"]
ENCODERS: tuple[EncoderName, ...] = ("uncond", "envcond", "bow", "bilstm", "gnn")


class Encoding:
    """`nodes` are padded: states by nodes by numbers; `hidden_from` is true where there is no node.
    `whole` has one row for each state."""

    __slots__ = ("hidden_from", "nodes", "whole")

    def __init__(self, nodes: Tensor, hidden_from: Tensor, whole: Tensor) -> None:
        self.nodes, self.hidden_from, self.whole = nodes, hidden_from, whole

    def rows(self, picked: Tensor) -> Encoding:
        return Encoding(self.nodes[picked], self.hidden_from[picked], self.whole[picked])


class Blind(nn.Module):
    """`uncond` and `envcond`: a decoder finds nothing to look at but one empty node."""

    def __init__(self, hidden: int, hears: bool) -> None:
        super().__init__()
        self._hidden = hidden
        self.hear = nn.Linear(ECHO, hidden) if hears else None

    def forward(self, states: States) -> Encoding:
        whole = torch.zeros(states.count, self._hidden)
        if self.hear is not None:
            whole = torch.tanh(self.hear(torch.from_numpy(states.echo)))
        nothing = torch.zeros(states.count, 1, self._hidden)
        return Encoding(nothing, torch.zeros(states.count, 1, dtype=torch.bool), whole)


class Reader(nn.Module, ABC):
    """Of those that see the program: words on nodes, and attention over them."""

    def __init__(self, words: int, hidden: int) -> None:
        super().__init__()
        self.word = nn.Embedding(words, hidden, padding_idx=0)
        self.mark = nn.Linear(MARKS, hidden)
        self.hear = nn.Linear(ECHO, hidden)
        self.attend = nn.Linear(hidden, 1)
        self.read = nn.Linear(hidden, hidden)

    def forward(self, states: States) -> Encoding:
        said = self.word(torch.from_numpy(states.words)).sum(1)
        nodes = self._mix(torch.tanh(said + self.mark(torch.from_numpy(states.marks))), states)
        padded, hidden_from = _pad(nodes, states)
        scores = self.attend(padded)[:, :, 0].masked_fill(hidden_from, -torch.inf)
        shares = torch.softmax(scores, 1)
        whole = (self.read(padded) * shares[:, :, None]).sum(1)
        return Encoding(padded, hidden_from, whole + self.hear(torch.from_numpy(states.echo)))

    @abstractmethod
    def _mix(self, nodes: Tensor, states: States) -> Tensor:
        """What nodes know of one another. Flat, as the states have them."""


class Bag(Reader):
    def _mix(self, nodes: Tensor, states: States) -> Tensor:
        return nodes


class Sequence(Reader):
    def __init__(self, words: int, hidden: int) -> None:
        super().__init__(words, hidden)
        self.there = nn.LSTM(hidden, hidden // 2, batch_first=True)
        self.back = nn.LSTM(hidden, hidden // 2, batch_first=True)

    def _mix(self, nodes: Tensor, states: States) -> Tensor:
        padded, _ = _pad(nodes, states)
        state_of, place = torch.from_numpy(states.state_of), torch.from_numpy(states.place)
        ends = torch.bincount(state_of, minlength=states.count) - 1
        mirror = (ends[:, None] - torch.arange(padded.shape[1])) % padded.shape[1]
        turned = padded.gather(1, mirror[:, :, None].expand_as(padded))
        there, back = self.there(padded)[0], self.back(turned)[0]
        return torch.cat([there[state_of, place], back[state_of, ends[state_of] - place]], 1) + nodes


class Graph(Reader):
    def __init__(self, words: int, hidden: int, kinds: int, rounds: int) -> None:
        super().__init__(words, hidden)
        self._rounds = rounds
        self.send = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(kinds))
        self.gate = nn.GRUCell(hidden, hidden)

    def _mix(self, nodes: Tensor, states: States) -> Tensor:
        sources = torch.split(torch.from_numpy(states.sources), list(states.kinds))
        targets = torch.from_numpy(states.targets)
        first = nodes
        for _ in range(self._rounds):
            sent = [send(nodes[each]) for send, each in zip(self.send, sources, strict=True) if len(each)]
            messages = torch.zeros_like(nodes)
            if sent:
                messages = messages.index_add(0, targets, torch.relu(torch.cat(sent)))
            nodes = self.gate(messages, nodes)
        return nodes + first


def make_encoder(name: EncoderName, words: int, kinds: int, hidden: int, rounds: int) -> nn.Module:
    match name:
        case "uncond" | "envcond":
            return Blind(hidden, name == "envcond")
        case "bow":
            return Bag(words, hidden)
        case "bilstm":
            return Sequence(words, hidden)
        case "gnn":
            return Graph(words, hidden, kinds, rounds)


def _pad(nodes: Tensor, states: States) -> tuple[Tensor, Tensor]:
    state_of, place = torch.from_numpy(states.state_of), torch.from_numpy(states.place)
    flat = state_of * states.widest + place
    padded = torch.zeros(states.count * states.widest, nodes.shape[1]).index_copy(0, flat, nodes)
    hidden_from = torch.ones(states.count * states.widest, dtype=torch.bool)
    hidden_from[flat] = False
    return padded.view(states.count, states.widest, -1), hidden_from.view(states.count, states.widest)
