"""What decoders promise: they write inputs as rows of numbers, and say how likely a given row is."""

from __future__ import annotations

from math import sqrt

import torch
from torch import Tensor, nn

from untrod.learn.programs.encoders import Encoding


class Decoder(nn.Module):
    """`past` has a row for each input to be written, and `encoding` what it may look at."""

    def score(self, past: Tensor, encoding: Encoding, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The log-probability of each row, and the entropy met along it."""
        raise NotImplementedError

    def write(
        self, past: Tensor, encoding: Encoding, heat: Tensor, generator: torch.Generator, length: int
    ) -> Tensor:
        """Rows. `heat` of each is the temperature: 0 takes the likeliest number each time, 1 draws."""
        raise NotImplementedError

    def digest(self, rows: Tensor) -> Tensor:
        """A row of `hidden` numbers that stands for each input in the history."""
        raise NotImplementedError


class Glance(nn.Module):
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


def pick(logits: Tensor, heat: Tensor, generator: torch.Generator) -> Tensor:
    """One number from each row of logits: the argmax of logits and noise (Gumbel's), scaled by the heat."""
    if not bool((heat > 0).any()):
        return logits.argmax(-1)
    uniform = torch.rand(logits.shape, generator=generator).clamp(min=1e-20)
    noise = -torch.log(-torch.log(uniform))
    while heat.dim() < logits.dim():
        heat = heat[..., None]
    return (logits + heat * noise).argmax(-1)


def surprise(logits: Tensor, picked: Tensor) -> tuple[Tensor, Tensor]:
    """Of what was picked the log-probability; and the entropy there."""
    chances = torch.log_softmax(logits, -1)
    entropy = -(chances.exp() * chances).sum(-1)
    return chances.gather(-1, picked[..., None])[..., 0], entropy
