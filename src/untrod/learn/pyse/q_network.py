"""Q-values from a small neural network: the Q-network of PySE ("Q-network architecture"), in torch.

Every number of a state is one of a few (the site, its record, each of the last L steps at its place), so the
first layer is a table: each number has a row, and the rows of a state add up. One hidden layer, two outputs:
Q(s, False) and Q(s, True). Everything is seeded and runs on one thread, so the same samples give the same
weights, bit for bit, on the same build of torch.

The network is so small that what surrounds the arithmetic would be most of its time. So the gradient of its
two layers is written out (it is short), only the rows that some sample has met are updated (the others have
no gradient), and a single state is evaluated by NumPy on the same memory.

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
from untrod.learn.pyse.branch_q import OWN, Key, Sample

if TYPE_CHECKING:
    from torch import Tensor

FORMAT = "untrod-branch-q/1"
_SITES = 128  # site numbers wrap around: a crowd shares rows
_STEPS = 2 * _SITES + 1  # the first row: before the beginning of the path
_RUNS = 48  # runs up to 32 have a row each, longer ones share by powers of two
_HIDDEN = 64
_BATCH = 128
_KNOWN = 50_000


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
        self._weights: dict[str, Tensor] = {
            "rows": rows,
            "hidden_bias": torch.zeros(_HIDDEN),
            "out": torch.randn(_HIDDEN, 2, generator=generator) * (0.1 * _HIDDEN**-0.5),
            "out_bias": torch.zeros(2),
        }
        self._arrays = {name: tensor.numpy() for name, tensor in self._weights.items()}  # the same memory
        self._rest()
        self._known: dict[Key, list[int]] = {}

    def _rest(self) -> None:
        """Adam at its beginning: no steps, no moments."""
        zeros_like, weights = self._torch.zeros_like, self._weights
        self._steps = 0
        self._means = {name: zeros_like(tensor) for name, tensor in weights.items()}
        self._squares = {name: zeros_like(tensor) for name, tensor in weights.items()}

    # -- the network ------------------------------------------------------------------------------

    def values(self, key: Key) -> tuple[float, float]:
        arrays = self._arrays
        hidden = arrays["rows"].take(self._row(key), axis=0).sum(axis=0) + arrays["hidden_bias"]
        false, true = (hidden.clip(0.0) @ arrays["out"] + arrays["out_bias"]).tolist()
        return false, true

    def fit(self, samples: Sequence[Sample]) -> None:
        """An entry that many moments agree on weighs more, but not as many times more."""
        from untrod.learn.adam import move

        torch = self._torch
        rows = torch.tensor([self._row(key) for key, _, _, _ in samples])
        actions = torch.tensor([[int(action)] for _, action, _, _ in samples])
        targets = torch.tensor([[target] for _, _, target, _ in samples])
        importance = torch.tensor([[float(count)] for _, _, _, count in samples]).sqrt()
        importance /= importance.mean()
        met = self._squares["rows"].any(dim=1)
        met[rows.flatten()] = True
        used = met.nonzero()[:, 0]
        places = torch.zeros(len(met), dtype=torch.int64)
        places[used] = torch.arange(len(used))
        rows = places[rows]
        weights, means, squares = (
            {**part, "rows": part["rows"][used]} for part in (self._weights, self._means, self._squares)
        )
        for start in range(0, len(samples), _BATCH):
            part = slice(start, start + _BATCH)
            slopes = self._slopes(weights, rows[part], actions[part], targets[part], importance[part])
            self._steps += 1
            for name, slope in slopes.items():
                move(weights[name], slope, means[name], squares[name], self._steps, self.rate)
        for whole, trained in ((self._weights, weights), (self._means, means), (self._squares, squares)):
            whole["rows"][used] = trained["rows"]

    def _slopes(
        self, weights: dict[str, Tensor], rows: Tensor, actions: Tensor, targets: Tensor, importance: Tensor
    ) -> dict[str, Tensor]:
        """Of the weighted mean of squared errors, by each weight."""
        which = weights["rows"].new_zeros(len(rows), len(weights["rows"])).scatter_(1, rows, 1.0)
        hidden = (which @ weights["rows"] + weights["hidden_bias"]).relu_()
        outputs = hidden @ weights["out"] + weights["out_bias"]
        errors = (outputs.gather(1, actions) - targets) * importance * (2.0 / len(rows))
        by_output = self._torch.zeros_like(outputs).scatter_(1, actions, errors)
        by_hidden = by_output @ weights["out"].T * (hidden > 0.0)
        return {
            "rows": which.T @ by_hidden,
            "hidden_bias": by_hidden.sum(0),
            "out": hidden.T @ by_output,
            "out_bias": by_output.sum(0),
        }

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

    def note(self, key: Key, action: bool, target: float, moments: int) -> bool:
        """Weights change in passes only."""
        return False

    # -- weights that travel ----------------------------------------------------------------------

    def transfer(self) -> tuple[bytes, dict[str, Json]]:
        """The weights as safetensors, and the manifest that belongs to them."""
        from safetensors.torch import save

        blob = save(self._weights)
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
        for name, tensor in self._weights.items():
            if tensors[name].dtype != tensor.dtype:
                raise ValueError(f"the weights are of type {tensors[name].dtype}")
        for name, tensor in self._weights.items():
            tensor.copy_(tensors[name])
        self._rest()

    def _shapes(self) -> dict[str, Json]:
        return {name: list(tensor.shape) for name, tensor in self._weights.items()}

    # -- snapshots: the optimiser's memory too ----------------------------------------------------

    def state(self) -> Json:
        from safetensors.torch import save

        blob, manifest = self.transfer()
        moments = {f"{name}/mean": tensor for name, tensor in self._means.items()}
        moments |= {f"{name}/square": tensor for name, tensor in self._squares.items()}
        packed = [base64.b64encode(part).decode() for part in (blob, save(moments))]
        return {"manifest": manifest, "weights": packed[0], "moments": packed[1], "steps": self._steps}

    def load(self, state: Json) -> None:
        blob, packed = (base64.b64decode(state[part], validate=True) for part in ("weights", "moments"))
        moments, steps = _tensors(packed), int(state["steps"])
        shapes = {name: tensor.shape for name, tensor in moments.items()}
        wanted = {
            f"{name}/{moment}": tensor.shape
            for name, tensor in self._weights.items()
            for moment in ("mean", "square")
        }
        if shapes != wanted:
            raise ValueError("the optimiser is that of another network")
        self.adopt(blob, state["manifest"])
        self._steps = steps
        for name in self._weights:
            self._means[name], self._squares[name] = moments[f"{name}/mean"], moments[f"{name}/square"]


def _tensors(blob: bytes) -> dict[str, Tensor]:
    from safetensors.torch import load

    try:
        return load(blob)
    except Exception as error:  # the library has an exception type of its own
        raise ValueError(f"the weights cannot be read: {error}") from None
