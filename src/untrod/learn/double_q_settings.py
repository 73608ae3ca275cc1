"""The numbers of double Q-learning."""

from __future__ import annotations

from dataclasses import dataclass

from untrod.core.errors import UntrodError


@dataclass(frozen=True, slots=True)
class DoubleQSettings:
    """In the paper's letters: T, eps, eta with their steps, factors and floors, lambda, e_min, rho, alpha.

    The paper keeps them fixed and does not print them. These are ours.
    """

    temperature: float = 0.5
    temperature_step: float = 0.01
    temperature_floor: float = 0.1
    epsilon: float = 0.3
    epsilon_factor: float = 0.99
    epsilon_floor: float = 0.05
    rate: float = 0.5
    rate_factor: float = 0.995
    rate_floor: float = 0.1
    trace_decay: float = 0.8
    trace_floor: float = 0.05
    bound: float = 2.0
    doubleness: float = 0.5

    def __post_init__(self) -> None:
        shares = ("epsilon", "epsilon_factor", "epsilon_floor", "rate_factor", "trace_decay", "doubleness")
        for name in shares:
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise UntrodError(
                    f"{name} = {getattr(self, name)} is out of range", "give a number from 0 to 1"
                )
        for name in ("temperature", "temperature_floor", "rate", "bound"):
            if not getattr(self, name) > 0.0:
                raise UntrodError(f"{name} = {getattr(self, name)} is out of range", "give a number above 0")
