"""Q-values from a small neural network: the paper's Q-network, in torch.

Every number of a state is one of a few (the site, its record, each of the last L steps at its place), so the
first layer is a table: each number has a row, and the rows of a state add up. One hidden layer, two outputs:
Q(s, False) and Q(s, True). Everything is seeded and runs on one thread, so the same samples give the same
weights, bit for bit, on the same build of torch.

Weights leave this process as safetensors with a JSON manifest that says what they fit and what they hash to.
Nothing is ever pickled.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from untrod.core.errors import MissingExtra
from untrod.core.vocabulary import Json
from untrod.learn.branch_q import OWN, Key, Sample

if TYPE_CHECKING:
    from torch import Tensor

FORMAT = "untrod-branch-q/1"
_SITES = 128  # site numbers wrap around: a crowd shares rows
_STEPS = 2 * _SITES + 1  # the first row: before the beginning of the path
_RUNS = 48  # runs up to 32 have a row each, longer ones share by powers of two
_HIDDEN = 64
_BATCH = 128
_KNOWN = 50_000
_MOMENTS = ("step", "exp_avg", "exp_avg_sq")  # what Adam remembers for each tensor


class QNetwork:
    """The approximator that generalises from states it has met to those it has not."""

    name = "network"

    def __init__(self, seed: int, history: int, rate: float = 0.005) -> None:
        try:
            import torch
        except ImportError:
            raise MissingExtra("torch", "neural") from None
        torch.set_num_threads(1)
        self._torch = torch
        self.history, self.rate = history, rate
        generator = torch.Generator().manual_seed(seed % 2**63)

        # Only sites start at random. A run or a step never met says nothing, and must not add noise.
        rows = torch.zeros(_SITES + 9 + _RUNS + history * _STEPS, _HIDDEN)
        rows[:_SITES] = torch.randn(_SITES, _HIDDEN, generator=generator)
        out = torch.randn(_HIDDEN, 2, generator=generator) * (0.1 * _HIDDEN**-0.5)
        self._weights: dict[str, Tensor] = {
            "rows": rows.requires_grad_(),
            "hidden_bias": torch.zeros(_HIDDEN, requires_grad=True),
            "out": out.requires_grad_(),
            "out_bias": torch.zeros(2, requires_grad=True),
        }
        self._optimiser = torch.optim.Adam(self._weights.values(), lr=rate)
        self._known: dict[Key, list[int]] = {}

    # -- the network ------------------------------------------------------------------------------

    def values(self, key: Key) -> tuple[float, float]:
        with self._torch.no_grad():
            false, true = self._forward(self._torch.tensor([self._row(key)]))[0].tolist()
        return false, true

    def fit(self, samples: Sequence[Sample]) -> None:
        """An entry that many moments agree on weighs more, but not as many times more."""
        torch = self._torch
        rows = torch.tensor([self._row(key) for key, _, _, _ in samples])
        actions = torch.tensor([[int(action)] for _, action, _, _ in samples])
        targets = torch.tensor([target for _, _, target, _ in samples])
        weights = torch.tensor([float(count) for _, _, _, count in samples]).sqrt()
        weights /= weights.mean()
        for start in range(0, len(samples), _BATCH):
            part = slice(start, start + _BATCH)
            outputs = self._forward(rows[part]).gather(1, actions[part])[:, 0]
            loss = (weights[part] * (outputs - targets[part]) ** 2).mean()
            self._optimiser.zero_grad()
            loss.backward()
            self._optimiser.step()

    def _row(self, key: Key) -> list[int]:
        """`_rows_of`, remembered: every pass meets the same states."""
        row = self._known.get(key)
        if row is None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            row = self._known[key] = self._rows_of(key)
        return row

    def _rows_of(self, key: Key) -> list[int]:
        """The rows of the first layer that add up for this state."""
        site, way, compared, run = key[:OWN]
        long = run if run <= 32 else 27 + run.bit_length()
        steps = [1 + step % (2 * _SITES) for step in key[OWN : OWN + self.history]]
        steps += [0] * (self.history - len(steps))
        row = [site % _SITES, _SITES + 3 * way + compared, _SITES + 9 + long]
        return row + [_SITES + 9 + _RUNS + place * _STEPS + step for place, step in enumerate(steps)]

    def _forward(self, rows: Tensor) -> Tensor:
        weights = self._weights
        added = self._torch.nn.functional.embedding_bag(rows, weights["rows"], mode="sum")
        return (added + weights["hidden_bias"]).relu() @ weights["out"] + weights["out_bias"]

    def note(self, key: Key, action: bool, target: float, moments: int) -> bool:
        """Weights change in passes only."""
        return False

    # -- weights that travel ----------------------------------------------------------------------

    def export(self) -> tuple[bytes, dict[str, Json]]:
        """The weights as safetensors, and the manifest that belongs to them."""
        from safetensors.torch import save

        blob = save({name: tensor.detach().contiguous() for name, tensor in self._weights.items()})
        digest = hashlib.sha256(blob).hexdigest()
        return blob, {"format": FORMAT, "history": self.history, "shapes": self._shapes(), "sha256": digest}

    def adopt(self, blob: bytes, manifest: Json) -> None:
        """Take over weights. Raises ValueError for other bytes than the manifest's, or another network's."""
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise ValueError(f"the manifest is not one of {FORMAT}")
        if hashlib.sha256(blob).hexdigest() != manifest.get("sha256"):
            raise ValueError("the weights are not those that the manifest describes")
        tensors = _tensors(blob)
        shapes = {name: list(tensor.shape) for name, tensor in tensors.items()}
        if shapes != self._shapes() or manifest.get("history") != self.history:
            raise ValueError("the weights are those of a network of another shape")
        with self._torch.no_grad():
            for name, tensor in self._weights.items():
                if tensors[name].dtype != tensor.dtype:
                    raise ValueError(f"the weights are of type {tensors[name].dtype}")
                tensor.copy_(tensors[name])
        self._optimiser = self._torch.optim.Adam(self._weights.values(), lr=self.rate)

    def _shapes(self) -> dict[str, Json]:
        return {name: list(tensor.shape) for name, tensor in self._weights.items()}

    # -- snapshots: the optimiser's memory too ----------------------------------------------------

    def state(self) -> Json:
        from safetensors.torch import save

        blob, manifest = self.export()
        moments: dict[str, Tensor] = {}
        for name, tensor in self._weights.items():
            for moment, value in self._optimiser.state.get(tensor, {}).items():
                moments[f"{name}/{moment}"] = value
        packed = [base64.b64encode(part).decode() for part in (blob, save(moments))]
        return {"manifest": manifest, "weights": packed[0], "moments": packed[1]}

    def load(self, state: Json) -> None:
        blob, packed = (base64.b64decode(state[part], validate=True) for part in ("weights", "moments"))
        moments = _tensors(packed)
        wanted = {f"{name}/{moment}" for name in self._weights for moment in _MOMENTS}
        if moments and moments.keys() != wanted:
            raise ValueError("the optimiser is that of another network")
        self.adopt(blob, state["manifest"])
        for name, tensor in self._weights.items():
            if moments:
                self._optimiser.state[tensor] = {moment: moments[f"{name}/{moment}"] for moment in _MOMENTS}


def _tensors(blob: bytes) -> dict[str, Tensor]:
    from safetensors.torch import load

    try:
        return load(blob)
    except Exception as error:  # the library has an exception type of its own
        raise ValueError(f"the weights cannot be read: {error}") from None
