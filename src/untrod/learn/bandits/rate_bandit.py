"""Which of several sources to trust, when each yields now and then, and costs differently: rates, sampled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from untrod.core.vocabulary import Json
from untrod.learn.serialise import dump_random, load_random


@dataclass(frozen=True, slots=True)
class Settings:
    discount: float = 0.98
    """What a cost of 1 leaves of all that came before: sources dry up, others become worth a try again."""
    gain: float = 0.3
    cost: float = 1.0
    """The prior: `gain` was gained for `cost`."""


class RateBandit:
    """Thompson sampling on gains per cost.

    Gains of an arm are taken to be Poisson with a rate of its own. With a gamma prior the rate's posterior is
    Gamma(prior gain + gains, prior cost + costs); one draw for each arm, and the highest has the turn.
    """

    def __init__(self, arms: Sequence[str], seed: int, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.arms = tuple(arms)
        self._rng = Random(seed)
        self.gains = dict.fromkeys(self.arms, 0.0)
        self.costs = dict.fromkeys(self.arms, 0.0)

    def choose(self, among: Sequence[str] | None = None, hopes: Mapping[str, float] | None = None) -> str:
        """`among` are the arms that can be had now, at least one; `hopes` are prior gains of their own."""
        prior, hopes = self.settings, hopes or {}
        draws = {
            arm: self._rng.gammavariate(
                hopes.get(arm, prior.gain) + self.gains[arm], 1 / (prior.cost + self.costs[arm])
            )
            for arm in (self.arms if among is None else among)
        }
        return max(draws, key=draws.__getitem__)

    def reward(self, arm: str, gain: float, cost: float) -> None:
        """A turn of `arm` is over."""
        left = self.settings.discount**cost
        for name in self.arms:
            self.gains[name] *= left
            self.costs[name] *= left
        self.gains[arm] += gain
        self.costs[arm] += cost

    def rate(self, arm: str) -> float:
        """The mean of the posterior."""
        prior = self.settings
        return (prior.gain + self.gains[arm]) / (prior.cost + self.costs[arm])

    def state(self) -> Json:
        return {
            "random": dump_random(self._rng),
            "arms": [[arm, self.gains[arm], self.costs[arm]] for arm in self.arms],
        }

    def load(self, state: Json) -> None:
        """Raises ValueError or KeyError when `state` is not one of its own. Arms may have come or gone."""
        known = {str(arm): (float(gain), float(cost)) for arm, gain, cost in state["arms"]}
        load_random(self._rng, state["random"])
        for arm in self.arms:
            self.gains[arm], self.costs[arm] = known.get(arm, (0.0, 0.0))
