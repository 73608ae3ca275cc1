"""A recurrent decoder of texts, character by character, that looks back at the program for each of them.

    h_k = GRU(h_{k-1}, [character k-1, place k, c_{k-1}])
    c_k = sum_v softmax_v(query(h_k) . key(mu_v) - weary * looked_v) mu_v        looked: the shares so far
    character k ~ softmax(W [h_k, c_k])

Row 0 ends a text. `looked` says which nodes were already written for, so that they are taken in turn.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from untrod.learn.programs.decoders import Decoder, Glance, pick, surprise
from untrod.learn.programs.encoders import Encoding

CHARACTER, PLACE, PLACES = 32, 16, 20
END = 0


class TextDecoder(Decoder):
    def __init__(self, symbols: int, hidden: int) -> None:
        super().__init__()
        self._symbols = symbols
        self.character = nn.Embedding(symbols + 1, CHARACTER)  # the last one stands before the first
        self.place = nn.Embedding(PLACES, PLACE)
        self.open = nn.Linear(2 * hidden, hidden)
        self.cell = nn.GRUCell(CHARACTER + PLACE + hidden, hidden)
        self.glance = Glance(hidden)
        self.weary = nn.Parameter(torch.zeros(()))
        self.say = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, symbols))
        self.swallow = nn.Linear(CHARACTER + PLACE, hidden)

    def score(self, past: Tensor, encoding: Encoding, rows: Tensor) -> tuple[Tensor, Tensor]:
        before = torch.cat([torch.full_like(rows[:, :1], self._symbols), rows[:, :-1]], 1)
        written = self.character(before)
        counted = ((before != END) | (torch.arange(rows.shape[1]) == 0)).float()
        state = self._open(past, encoding)
        spoken = []
        for step in range(rows.shape[1]):
            state = self._step(written[:, step], step, state, encoding)
            spoken.append(torch.cat([state[0], state[1]], 1))
        likely, entropy = surprise(self.say(torch.stack(spoken, 1)), rows)
        return (likely * counted).sum(1), (entropy * counted).sum(1) / counted.sum(1)

    def write(
        self, past: Tensor, encoding: Encoding, heat: Tensor, generator: torch.Generator, length: int
    ) -> Tensor:
        state = self._open(past, encoding)
        last = torch.full((len(past),), self._symbols)
        over = torch.zeros(len(past), dtype=torch.bool)
        rows = []
        for step in range(length):
            state = self._step(self.character(last), step, state, encoding)
            last = pick(self.say(torch.cat([state[0], state[1]], 1)), heat, generator)
            last = last.masked_fill(over, END)
            over = over | (last == END)
            rows.append(last)
        return torch.stack(rows, 1)

    def digest(self, rows: Tensor) -> Tensor:
        places = self.place.weight[torch.arange(rows.shape[1]).clamp(max=PLACES - 1)]
        pairs = torch.cat([self.character(rows), places.expand(len(rows), -1, -1)], 2)
        counted = (rows != END)[:, :, None]
        return torch.tanh((torch.relu(self.swallow(pairs)) * counted).mean(1))

    def _open(self, past: Tensor, encoding: Encoding) -> tuple[Tensor, ...]:
        hidden = torch.tanh(self.open(torch.cat([past, encoding.whole], 1)))
        keys = self.glance.key(encoding.nodes)
        return hidden, encoding.whole, keys, torch.zeros(encoding.nodes.shape[:2])

    def _step(
        self, last: Tensor, step: int, state: tuple[Tensor, ...], encoding: Encoding
    ) -> tuple[Tensor, ...]:
        hidden, seen, keys, looked = state
        place = self.place.weight[min(step, PLACES - 1)].expand(len(last), -1)
        hidden = self.cell(torch.cat([last, place, seen], 1), hidden)
        seen, shares = self.glance(keys, encoding, hidden[:, None], self.weary * looked)
        return hidden, seen[:, 0], keys, looked + shares[:, 0]
