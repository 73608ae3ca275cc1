"""A decoder of square boards: where somebody stands, which way they look, and what is on each cell.

    hero   ~ softmax(W F)
    facing ~ softmax(W [F, hero])
    q_c    = tanh(place(c) + W F)                       place: as seen by the hero, so far ahead, so far right
    cell c ~ softmax(MLP[q_c, glance(q_c)])

Cells are told by where they lie for whoever stands there: what a program does to the cell ahead is the same
wherever it begins. Given the hero, cells are drawn apart from one another; the history keeps inputs apart.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from untrod.learn.programs.decoders import Decoder, Glance, pick, surprise
from untrod.learn.programs.encoders import Encoding

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
        self.glance = Glance(hidden)
        self.blend = nn.Linear(2 * hidden, hidden)
        self.fill = nn.Linear(hidden, kinds)
        self.swallow = nn.Embedding(seen * kinds, hidden)
        nn.init.normal_(self.swallow.weight, std=0.1)

    def score(self, past: Tensor, encoding: Encoding, rows: Tensor) -> tuple[Tensor, Tensor]:
        hero, facing, cells = rows[:, 0], rows[:, 1], rows[:, 2:]
        stance = self._stance(past, encoding)
        likely, entropy = surprise(self.hero(stance), hero)
        also, more = surprise(self._facing(stance, hero), facing)
        each, spread = surprise(self._cells(stance, encoding, hero, facing), cells)
        return likely + also + each.sum(1), (entropy + more + spread.sum(1)) / rows.shape[1]

    def write(
        self, past: Tensor, encoding: Encoding, heat: Tensor, generator: torch.Generator, length: int
    ) -> Tensor:
        stance = self._stance(past, encoding)
        hero = pick(self.hero(stance), heat, generator)
        facing = pick(self._facing(stance, hero), heat, generator)
        cells = pick(self._cells(stance, encoding, hero, facing), heat, generator)
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
