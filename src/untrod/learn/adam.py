"""Adam (Kingma and Ba, 2015) in torch tensors.

Written out here because torch's own optimisers load its compiler when they are made. That takes as long as
torch itself, and fails where another package called `triton` is installed, as the extra `native` does.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor


class Adam:
    """`state` holds, for each parameter that has been moved, what a checkpoint has to keep."""

    def __init__(
        self, parameters: Iterable[Tensor], rate: float, betas: tuple[float, float] = (0.9, 0.999)
    ) -> None:
        self.rate = rate
        self.state: dict[Tensor, dict[str, Tensor]] = {}
        self._parameters = tuple(parameters)
        self._betas = betas

    def zero_grad(self) -> None:
        for parameter in self._parameters:
            parameter.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """One step along every gradient that is there."""
        for parameter in self._parameters:
            gradient = parameter.grad
            if gradient is None:
                continue
            kept = self.state.setdefault(parameter, _nothing(parameter))
            kept["step"] += 1
            time = int(kept["step"].item())
            move(parameter, gradient, kept["exp_avg"], kept["exp_avg_sq"], time, self.rate, self._betas)


def move(
    parameter: Tensor,
    gradient: Tensor,
    mean: Tensor,
    square: Tensor,
    time: int,
    rate: float,
    betas: tuple[float, float] = (0.9, 0.999),
) -> None:
    """The `time`-th step of one parameter, in place; `mean` and `square` are Adam's moments m and v."""
    first, second = betas
    mean.lerp_(gradient, 1 - first)  # m = b1 m + (1 - b1) g
    square.mul_(second).addcmul_(gradient, gradient, value=1 - second)  # v = b2 v + (1 - b2) g^2
    spread = (square.sqrt() / (1 - second**time) ** 0.5).add_(1e-8)  # sqrt(v / (1 - b2^t)) + eps
    parameter.addcdiv_(mean, spread, value=-rate / (1 - first**time))


def _nothing(parameter: Tensor) -> dict[str, Tensor]:
    return {
        "step": torch.tensor(0.0),
        "exp_avg": torch.zeros_like(parameter),
        "exp_avg_sq": torch.zeros_like(parameter),
    }
