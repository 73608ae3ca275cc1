"""Down a gradient, step by step: what all learners of weights share.

The random state is the learner's own, so that a checkpoint can hold all that the next step depends on.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

import torch
from torch import Tensor, nn

from untrod.core.seeds import derive
from untrod.learn.adam import Adam

P = TypeVar("P", bound=nn.Module)


class Diverged(Exception):
    """A loss or a gradient is no number. The weights are those from before."""


class Pace(Protocol):
    """How far a step goes: the learning rate at the beginning, and the longest gradient."""

    @property
    def rate(self) -> float: ...

    @property
    def clip(self) -> float: ...


class Descent(Generic[P]):
    def __init__(self, policy: P, seed: int, pace: Pace) -> None:
        self.policy = policy
        self._pace = pace
        self.optimiser = Adam(policy.parameters(), pace.rate)
        self.generator = torch.Generator().manual_seed(derive(seed, "actor-critic"))
        self.stands = False
        """Only the gradient is wanted: somebody else takes the step."""

    def descend(self, loss: Tensor, progress: float) -> None:
        """One step down. `progress` from 0 to 1 lowers the learning rate to a tenth. Raises Diverged, and
        leaves the weights as they are, where there is no number."""
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if not self.stands:
            self.step(progress, loss)

    def step(self, progress: float, loss: Tensor | None = None) -> None:
        """Along the gradient that is there."""
        self.optimiser.rate = self._pace.rate * (1 - 0.9 * progress)
        norm = nn.utils.clip_grad_norm_(self.policy.parameters(), self._pace.clip)
        if loss is not None and not (torch.isfinite(loss) and torch.isfinite(norm)):
            raise Diverged(f"the loss is {loss.item():g} and its gradient {norm.item():g}")
        if not torch.isfinite(norm):
            raise Diverged(f"the gradient is {norm.item():g}")
        self.optimiser.step()
