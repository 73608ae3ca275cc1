"""Decoders, of texts and of boards: they write inputs as rows of numbers, and say how likely a row is."""

from __future__ import annotations

from math import sqrt

import torch
from torch import Tensor, nn

from untrod.learn.gmetaexp.programs.encoders import Encoding


class Decoder(nn.Module):
    """`past` has a row for each input to be written, and `encoding` what it may look at."""

    def score(self, past: Tensor, encoding: Encoding, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The log-probability of each row, and the entropy met along it."""
        raise NotImplementedError

    def write(
        self, past: Tensor, encoding: Encoding, temperature: Tensor, generator: torch.Generator, length: int
    ) -> Tensor:
        """Rows. `temperature` of each is the temperature: 0 takes the likeliest number each time, 1 draws."""
        raise NotImplementedError

    def digest(self, rows: Tensor) -> Tensor:
        """A row of `hidden` numbers that stands for each input in the history."""
        raise NotImplementedError


class Attention(nn.Module):
    """Attention over the nodes of a program."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.key = nn.Linear(hidden, hidden)
        self.query = nn.Linear(hidden, hidden)
        self._scale = 1 / sqrt(hidden)

    def forward(
        self, keys: Tensor, encoding: Encoding, asked: Tensor, tired: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """`asked` has rows by questions by numbers; so has the answer. And the shares of the nodes, of which
        those that are `tired` get less."""
        scores = torch.bmm(self.query(asked), keys.transpose(1, 2)) * self._scale
        if tired is not None:
            scores = scores - tired[:, None]
        shares = torch.softmax(scores.masked_fill(encoding.hidden_from[:, None], -1e9), 2)
        return torch.bmm(shares, encoding.nodes), shares


def sample(logits: Tensor, temperature: Tensor, generator: torch.Generator) -> Tensor:
    """One number from each row of logits: the argmax of logits and Gumbel noise, scaled by temperature."""
    if not bool((temperature > 0).any()):
        return logits.argmax(-1)
    uniform = torch.rand(logits.shape, generator=generator).clamp(min=1e-20)
    noise = -torch.log(-torch.log(uniform))
    while temperature.dim() < logits.dim():
        temperature = temperature[..., None]
    return (logits + temperature * noise).argmax(-1)


def log_likelihood(logits: Tensor, picked: Tensor) -> tuple[Tensor, Tensor]:
    """Of what was picked the log-probability; and the entropy there."""
    chances = torch.log_softmax(logits, -1)
    entropy = -(chances.exp() * chances).sum(-1)
    return chances.gather(-1, picked[..., None])[..., 0], entropy


# -- texts ---------------------------------------------------------------------------------------------
#
# A recurrent decoder of texts, character by character, that looks back at the program for each of them.
#
#     h_k = GRU(h_{k-1}, [character k-1, place k, c_{k-1}])
#     c_k = sum_v softmax_v(query(h_k) . key(mu_v) - weary * looked_v) mu_v        looked: the shares so far
#     character k ~ softmax(W [h_k, c_k])
#
# Row 0 ends a text. `looked` says which nodes were already written for, so that they are taken in turn.

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
        self.glance = Attention(hidden)
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
        likely, entropy = log_likelihood(self.say(torch.stack(spoken, 1)), rows)
        return (likely * counted).sum(1), (entropy * counted).sum(1) / counted.sum(1)

    def write(
        self, past: Tensor, encoding: Encoding, temperature: Tensor, generator: torch.Generator, length: int
    ) -> Tensor:
        state = self._open(past, encoding)
        last = torch.full((len(past),), self._symbols)
        over = torch.zeros(len(past), dtype=torch.bool)
        rows = []
        for step in range(length):
            state = self._step(self.character(last), step, state, encoding)
            last = sample(self.say(torch.cat([state[0], state[1]], 1)), temperature, generator)
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


# -- boards --------------------------------------------------------------------------------------------
#
# A decoder of square boards: where somebody stands, which way they look, and what is on each cell.
#
#     hero   ~ softmax(W F)
#     facing ~ softmax(W [F, hero])
#     q_c    = tanh(place(c) + W F)                       place: seen by the hero, so far ahead and right
#     cell c ~ softmax(MLP[q_c, glance(q_c)])
#
# Cells are told by where they lie for whoever stands there: what a program does to the cell ahead is the same
# wherever it begins. Given the hero, cells are drawn apart from one another; the history keeps inputs apart.

FACINGS = 4


class GridDecoder(Decoder):
    """Rows: the hero's cell, the facing (north, east, south, west), the cells row by row."""

    def __init__(self, side: int, kinds: int, hidden: int) -> None:
        super().__init__()
        cells, seen = side * side, (2 * side - 1) ** 2
        self._kinds = kinds
        self._views = _views(side)
        self.stand = nn.Linear(2 * hidden, hidden)
        self.hero = nn.Linear(hidden, cells)
        self.at = nn.Embedding(cells, hidden)
        self.look = nn.Linear(hidden, FACINGS)
        self.toward = nn.Embedding(FACINGS, hidden)
        self.view = nn.Embedding(seen, hidden)
        self.glance = Attention(hidden)
        self.blend = nn.Linear(2 * hidden, hidden)
        self.fill = nn.Linear(hidden, kinds)
        self.swallow = nn.Embedding(seen * kinds, hidden)
        nn.init.normal_(self.swallow.weight, std=0.1)

    def score(self, past: Tensor, encoding: Encoding, rows: Tensor) -> tuple[Tensor, Tensor]:
        hero, facing, cells = rows[:, 0], rows[:, 1], rows[:, 2:]
        stance = self._stance(past, encoding)
        likely, entropy = log_likelihood(self.hero(stance), hero)
        also, more = log_likelihood(self._facing(stance, hero), facing)
        each, spread = log_likelihood(self._cells(stance, encoding, hero, facing), cells)
        return likely + also + each.sum(1), (entropy + more + spread.sum(1)) / rows.shape[1]

    def write(
        self, past: Tensor, encoding: Encoding, temperature: Tensor, generator: torch.Generator, length: int
    ) -> Tensor:
        stance = self._stance(past, encoding)
        hero = sample(self.hero(stance), temperature, generator)
        facing = sample(self._facing(stance, hero), temperature, generator)
        cells = sample(self._cells(stance, encoding, hero, facing), temperature, generator)
        return torch.cat([hero[:, None], facing[:, None], cells], 1)

    def digest(self, rows: Tensor) -> Tensor:
        seen = self._views[rows[:, 0], rows[:, 1]] * self._kinds + rows[:, 2:]
        return torch.tanh(self.swallow(seen).mean(1) + self.at(rows[:, 0]) + self.toward(rows[:, 1]))

    def _stance(self, past: Tensor, encoding: Encoding) -> Tensor:
        return torch.tanh(self.stand(torch.cat([past, encoding.whole], 1)))

    def _facing(self, stance: Tensor, hero: Tensor) -> Tensor:
        logits: Tensor = self.look(torch.relu(stance + self.at(hero)))
        return logits

    def _cells(self, stance: Tensor, encoding: Encoding, hero: Tensor, facing: Tensor) -> Tensor:
        asked = torch.tanh(self.view(self._views[hero, facing]) + stance[:, None])
        told, _ = self.glance(self.glance.key(encoding.nodes), encoding, asked)
        logits: Tensor = self.fill(torch.relu(self.blend(torch.cat([asked, told], 2))))
        return logits


def _views(side: int) -> Tensor:
    """For a hero's cell, a facing and a cell: the number of the place where the hero sees it."""
    cells = torch.arange(side * side)
    down = cells[None, :] // side - cells[:, None] // side
    east = cells[None, :] % side - cells[:, None] % side
    ahead = torch.stack([-down, east, down, -east], 1)
    right = torch.stack([east, down, -east, -down], 1)
    return (ahead + side - 1) * (2 * side - 1) + right + side - 1
