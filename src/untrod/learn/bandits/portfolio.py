"""`auto`: several learners, and a bandit that learns during the run which of them to trust.

No learner dominates: Monte Carlo control wins where one state says it all, elimination where validity is a
conjunction of small rules, plain random where nothing can be learned. Each episode is played by one *arm*;
its reward is a new valid input. The bandit is Thompson sampling on discounted counts, so that an arm that has
used up its corner loses its trust again. All members learn from every episode they can follow.

Waking up costs nothing until it pays. As long as nothing is rejected there is nothing to learn, and the
portfolio does not even ask for contexts. Asleep, draws are the target's own, and cost less. Once something is
valid and the members have had their time (`patience`), a second bandit weighs the new valid inputs of an
episode awake, which costs more, against those of one asleep: what brings nothing is soon slept through, and
tried again now and then, the less often the more evidence there is.

While nothing is valid there are no rewards, and the bandit is not asked. At first most episodes are played by
`exonerate`, which climbs, and soon finds what is merely rare. After that `evolve` has most of them; it learns
from how far rejected ones came, also while the others play, and is forgotten with the first valid one.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from untrod.core.errors import UntrodError
from untrod.core.seeds import derive
from untrod.core.vocabulary import Choice, Episode, Json, Outcome
from untrod.learn.bandits import rate_bandit
from untrod.learn.bandits.rate_bandit import RateBandit
from untrod.learn.evolve import Evolve
from untrod.learn.exonerate.learner import Exonerate
from untrod.learn.rlcheck import MonteCarlo
from untrod.learn.serialise import dump_random, load_random
from untrod.learn.uniform import Uniform

ARMS = ("random", "montecarlo", "exonerate", "bold")
"""`bold` is exonerate with a higher beta and without probes: the same tables, a sharper policy."""


COLD = 1
"""Until this many valid episodes are known, rewards say nothing, and climbing is what helps."""


_CLIMBS_FIRST = 300
"""So many rejected episodes say that climbing alone does not do it. Five numbers in order are found within
them; well-typed terms and nested documents are not."""

_STAMINA = 10
"""While nothing is valid, nothing says that the members are no better than chance, and patience is so many
times as long. But a check that lets nothing through at all must not cost for ever."""

_PRICE = 2.0
"""What an episode awake costs, in episodes asleep: an estimate, from profiles of tests that do little
themselves. It is not taken from the clock, so that a run with the same seed is the same run."""


@dataclass(frozen=True, slots=True)
class Settings:
    discount: float = 0.997
    floor: float = 0.04
    bold: float = 8.0
    patience: int = 600
    doze: int = 12

    def __post_init__(self) -> None:
        for name in ("discount", "floor"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise UntrodError(f"{name} {getattr(self, name)} is not a share", "give a number from 0 to 1")
        for name in ("bold", "patience", "doze"):
            if getattr(self, name) < 0:
                raise UntrodError(f"{name} {getattr(self, name)} is negative", "give 0 or more")


class Portfolio:
    """See the module's text."""

    name = "auto"
    settings_type = Settings
    needs_context = True  # whenever it is awake
    sleeps_for_random: bool
    """Whether it sleeps while the arm `random` plays: for a caller whose own draws are better than uniform
    ones, and that plays the valid inputs of the sleep again."""

    def __init__(self, seed: int, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._rng = Random(derive(seed, "portfolio"))
        self.random = Uniform(derive(seed, "random"))
        self.montecarlo = MonteCarlo(derive(seed, "montecarlo"))
        self.exonerate = Exonerate(derive(seed, "exonerate"))
        self.evolve = Evolve(derive(seed, "evolve"))
        self.wins = dict.fromkeys(ARMS, 0.0)
        self.losses = dict.fromkeys(ARMS, 0.0)
        self.episodes = self.rejected = 0
        self.arm = "random"
        self.awake = False
        self.sleeps_for_random = False
        self._shown = False  # another policy decides in this episode
        self._tries = 0  # episodes awake since something is valid, up to `patience`
        self._worth = RateBandit(
            ("awake", "asleep"), derive(seed, "worth"), rate_bandit.Settings(discount=0.999, gain=0.5)
        )

    @property
    def transferable(self) -> Exonerate:
        """The member whose knowledge another run can begin with."""
        return self.exonerate

    def wake(self) -> None:
        """There is something to learn from: a warm start, or a corpus."""
        self.awake = True

    def rest(self) -> None:
        """The warm start or the corpus is over. It sleeps on, unless an input was rejected meanwhile."""
        self.awake = self.awake and self.rejected > 0

    # -- one episode ------------------------------------------------------------------------------

    def decide(self, choice: Choice) -> int:
        if not self.awake:
            return self.random.decide(choice)
        arm = self.arm
        if arm in ("exonerate", "bold"):
            option = self.exonerate.decide(choice, self.settings.bold if arm == "bold" else None)
            self.montecarlo.decide(choice)  # remembers the state; what was really answered is in the episode
        else:
            option = self.montecarlo.decide(choice)
            if arm == "random":
                option = self.random.decide(choice)
            elif arm == "evolve":
                option = self.evolve.decide(choice)
            self.exonerate.observe(choice, option)
        if self._evolves and arm != "evolve":
            self.evolve.observe(choice, option)
        return option

    def observe(self, choice: Choice, option: int) -> None:
        """`Observes`: another policy decided."""
        self._shown = True
        self.montecarlo.decide(choice)
        self.exonerate.observe(choice, option)
        if self._evolves:
            self.evolve.observe(choice, option)

    @property
    def _is_cold(self) -> bool:
        return self.exonerate.valid < COLD

    @property
    def _evolves(self) -> bool:
        """Cold, and no valid input is known from before: rejected ones are all there is to start from."""
        return self._is_cold and self.episodes == self.rejected

    def learn(self, episode: Episode) -> None:
        self.episodes += 1
        valid = episode.outcome is not Outcome.INVALID
        self.rejected += not valid
        if self.awake:
            self.montecarlo.learn(episode)
            self.exonerate.learn(episode)
            if self._evolves:
                self.evolve.learn(episode)
            elif self.evolve.niches:
                self.evolve.clear()
        if self.rejected and not self._shown:
            self._settle(valid and episode.new)
        self._shown = False
        self._plan_next()

    def _settle(self, won: bool) -> None:
        if not self.awake:
            self.arm = "random"
        if not self._is_cold:
            awake = self.arm != "random"
            self._tries += awake and self._tries < self.settings.patience
            self._worth.reward("awake" if awake else "asleep", float(won), _PRICE if awake else 1.0)
        for arm in ARMS:
            self.wins[arm] *= self.settings.discount
            self.losses[arm] *= self.settings.discount
        if self.arm not in ARMS:
            return
        if won:
            self.wins[self.arm] += 1.0
        else:
            self.losses[self.arm] += 1.0

    def _plan_next(self) -> None:
        self.awake = self._is_worth_it()
        if self.awake:
            self.arm = self._choose_arm()
            self.awake = not (self._may_sleep and self.arm == "random")

    @property
    def _may_sleep(self) -> bool:
        """Not before `patience` is used up: until then, the members should observe all draws."""
        return self.sleeps_for_random and self._tries >= self.settings.patience

    def _is_worth_it(self) -> bool:
        if not self.rejected:
            return self.awake  # only a warm start or a corpus wakes it before
        patience = self.settings.patience
        if self._is_cold:
            return self.episodes < patience * _STAMINA or self._rng.random() * self.settings.doze < 1.0
        return self._tries < patience or self._worth.choose() == "awake"

    def _choose_arm(self) -> str:
        luck = self._rng.random()
        if self.exonerate.frontier and self._is_cold:
            climber = "evolve" if self._evolves and self.episodes >= _CLIMBS_FIRST else "exonerate"
            return climber if luck < 0.75 else ARMS[int(luck * len(ARMS) * 4) % len(ARMS)]
        if luck < self.settings.floor * len(ARMS):
            return ARMS[int(luck / self.settings.floor)]
        draws = {arm: self._rng.betavariate(self.wins[arm] + 0.5, self.losses[arm] + 0.5) for arm in ARMS}
        return max(draws, key=draws.__getitem__)

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        return {
            "choice": dump_random(self._rng),
            "random": self.random.state(),
            "montecarlo": self.montecarlo.state(),
            "exonerate": self.exonerate.state(),
            "evolve": self.evolve.state(),
            "bandit": [[arm, self.wins[arm], self.losses[arm]] for arm in ARMS],
            "counts": [self.episodes, self.rejected],
            "worth": [self._tries, self._worth.state()],
            "next": [self.arm, self.awake],
        }

    def load(self, state: Json) -> None:
        bandit = {arm: (float(wins), float(losses)) for arm, wins, losses in state["bandit"]}
        episodes, rejected = (int(count) for count in state["counts"])
        arm, awake = state["next"]
        if arm not in (*ARMS, "evolve") or set(bandit) != set(ARMS):
            raise ValueError("a portfolio with other arms")
        self.random.load(state["random"])
        self.montecarlo.load(state["montecarlo"])
        self.exonerate.load(state["exonerate"])
        if "evolve" in state:
            self.evolve.load(state["evolve"])
        else:  # saved before there was `evolve`
            self.evolve.clear()
        if "worth" in state:  # or saved before
            self._tries = int(state["worth"][0])
            self._worth.load(state["worth"][1])
        load_random(self._rng, state["choice"])
        self.wins = {name: wins for name, (wins, _) in bandit.items()}
        self.losses = {name: losses for name, (_, losses) in bandit.items()}
        self.episodes, self.rejected = episodes, rejected
        self.arm, self.awake = arm, bool(awake)
