"""A gradient learner: weights, an optimiser and a random state, what all learners of weights share.

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


class OptimiserSettings(Protocol):
    """The learning rate at the beginning, and the norm that gradients are clipped to."""

    @property
    def rate(self) -> float: ...

    @property
    def clip(self) -> float: ...


class GradientLearner(Generic[P]):
    def __init__(self, policy: P, seed: int, settings: OptimiserSettings) -> None:
        self.policy = policy
        self._optimiser_settings = settings
        self.optimiser = Adam(policy.parameters(), settings.rate)
        self.generator = torch.Generator().manual_seed(derive(seed, "actor-critic"))
        self.gradient_only = False
        """Compute the gradient only: the step is taken elsewhere."""

    def descend(self, loss: Tensor, progress: float) -> None:
        """One step down. `progress` from 0 to 1 lowers the learning rate to a tenth. Raises Diverged, and
        leaves the weights as they are, where there is no number."""
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if not self.gradient_only:
            self.step(progress, loss)

    def step(self, progress: float, loss: Tensor | None = None) -> None:
        """Along the gradient that is there."""
        self.optimiser.rate = self._optimiser_settings.rate * (1 - 0.9 * progress)
        norm = nn.utils.clip_grad_norm_(self.policy.parameters(), self._optimiser_settings.clip)
        if loss is not None and not (torch.isfinite(loss) and torch.isfinite(norm)):
            raise Diverged(f"the loss is {loss.item():g} and its gradient {norm.item():g}")
        if not torch.isfinite(norm):
            raise Diverged(f"the gradient is {norm.item():g}")
        self.optimiser.step()
