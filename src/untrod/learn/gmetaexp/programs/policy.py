"""The policy of GMetaExp for programs: an encoder, a memory of what was tried, and a decoder of inputs.

    g_t = encoder(G, c_t)                             the program with what is covered by now      section 3
    F_t = LSTM(F_{t-1}, [g_x(input t-1), g_t])        history: what was tried and what it showed
    input t ~ decoder(F_t, nodes of the encoder)      pi(x_t | F(h_t)), an RNN or a grid of cells

g_x is the decoder's `digest`.

Without `history` a layer over g_t takes the LSTM's place. Without `runtime` what is covered stays hidden.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from untrod.core.vocabulary import Json
from untrod.learn.gmetaexp.programs.decoders import Decoder, GridDecoder, TextDecoder
from untrod.learn.gmetaexp.programs.encoders import EncoderName, Encoding, make_encoder
from untrod.learn.gmetaexp.programs.states import States
from untrod.learn.gmetaexp.scenes import Ints

Memory = tuple[Tensor, Tensor]


@dataclass(frozen=True, slots=True)
class Shape:
    words: int
    """Of the vocabulary, padding included."""
    symbols: int
    """Characters of a text, the end included; or what a cell of a board may hold."""
    side: int = 0
    """Of the board; 0: inputs are texts."""
    kinds: int = 8
    hidden: int = 64
    rounds: int = 3
    encoder: EncoderName = "gnn"
    history: bool = True
    runtime: bool = True

    def to_json(self) -> Json:
        return asdict(self)


class ProgramPolicy(nn.Module):
    def __init__(self, shape: Shape, seed: int) -> None:
        super().__init__()
        torch.set_num_threads(1)  # more add in another order: other numbers, and no faster at this size
        self.shape = shape
        hidden = shape.hidden
        with torch.random.fork_rng():
            torch.manual_seed(seed % 2**63)
            self.encoder = make_encoder(shape.encoder, shape.words, shape.kinds, hidden, shape.rounds)
            self.remember = nn.LSTMCell(2 * hidden, hidden)
            self.forget = nn.Linear(hidden, hidden)
            self.decoder: Decoder = (
                GridDecoder(shape.side, shape.symbols, hidden)
                if shape.side
                else TextDecoder(shape.symbols, hidden)
            )

    def begin(self, episodes: int) -> Memory:
        return torch.zeros(episodes, self.shape.hidden), torch.zeros(episodes, self.shape.hidden)

    def encode(self, states: States) -> Encoding:
        if not self.shape.runtime:
            states = replace(
                states, marks=states.marks * np.array([1, 0, 0], np.float32), echo=states.echo * 0
            )
        encoding: Encoding = self.encoder(states)
        return encoding

    def update_memory(self, whole: Tensor, last: Tensor | None, memory: Memory) -> tuple[Tensor, Memory]:
        """One moment of so many episodes. `last` are the inputs of the moment before, as rows."""
        if not self.shape.history:
            return torch.tanh(self.forget(whole)), memory
        tried = torch.zeros_like(whole) if last is None else self.decoder.digest(last)
        memory = self.remember(torch.cat([tried, whole], 1), memory)
        return memory[0], memory

    def pasts(self, states: States, encoding: Encoding, tried: Ints) -> Tensor:
        """F of each state, where `tried` are the inputs of whole episodes: episodes by moments by numbers."""
        episode, moment = torch.from_numpy(states.episode), torch.from_numpy(states.moment)
        rows = torch.from_numpy(tried)
        wholes = torch.zeros(rows.shape[0], rows.shape[1], self.shape.hidden)
        wholes = wholes.index_put((episode, moment), encoding.whole)
        memory, pasts = self.begin(len(rows)), []
        for now in range(rows.shape[1]):
            past, memory = self.update_memory(wholes[:, now], rows[:, now - 1] if now else None, memory)
            pasts.append(past)
        return torch.stack(pasts, 1)[episode, moment]
