"""Exonerate and convict: which choices make an input invalid, found by elimination.

Every decision has a handful of features (see `features`); each (feature, option) pair is a *suspect* with a
probability of being harmless. A valid episode exonerates all of its suspects for good. After a rejected
episode at least one of them is guilty, and Bayes' rule shares the blame: with H = "suspect s is harmless"
and the others' probabilities p,

    P(rejected | H) = 1 - product of the others' p        P(rejected | not H) = 1

so a suspect among many unknowns learns little and a lone one is convicted fast.

One correction makes the blame find its way upwards. Where *every* option of a decision is convicted, the
decision was hopeless before it was made: its probability is taken relative to the best it could have
done, and the blame moves to whatever led there.

Options are drawn in proportion to p^beta times the target's own weights, without replacement (see
`unseen`). That is what makes the priors uncritical: a policy that may not repeat itself cannot sit on the
corner of the space it already knows. Two more guards keep every option of every site alive: now and then
one decision of an episode is a *probe*, drawn by how seldom an option was taken at its site; and now and
then an episode *restarts* from a prefix of a known valid one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import exp, log
from random import Random

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Choice, Episode, Json, Outcome
from untrod.learn.features import KINDS, SITE, features
from untrod.learn.frozen import dump_key, dump_random, load_key, load_random
from untrod.learn.unseen import Unseen

HARMLESS = log(0.999)
_DEEPEST = 30.0  # exp(-30) is never drawn, and never underflows


@dataclass(frozen=True, slots=True)
class Settings:
    """`prior` is the probability that an unknown suspect is harmless; `beta` sharpens the policy; `noise`
    bounds how much one rejection can convict; `probe` and `restart` are the shares of such episodes."""

    beta: float = 4.0
    prior: float = 0.9
    noise: float = 0.05
    probe: float = 0.1
    restart: float = 0.0
    max_cells: int = 200_000
    max_nodes: int = 300_000
    max_seeds: int = 256

    def __post_init__(self) -> None:
        for name in ("prior", "noise"):
            if not 0.0 < getattr(self, name) < 1.0:
                raise UntrodError(f"{name} {getattr(self, name)} is out of range", "give a number in (0, 1)")
        for name in ("probe", "restart"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise UntrodError(f"{name} {getattr(self, name)} is not a probability", "give 0 to 1")
        if self.beta <= 0.0:
            raise UntrodError(f"beta {self.beta} does not prefer anything", "give a number above 0")


class Suspect:
    """One option in the light of one feature: log P(harmless), log odds of guilt, and its record."""

    __slots__ = ("guilt", "invalid", "logp", "valid")

    def __init__(self, logp: float, guilt: float) -> None:
        self.logp = logp
        self.guilt = guilt
        self.valid = 0
        self.invalid = 0


Cell = dict[int, Suspect]


class Exonerate:
    """See the module's text."""

    name = "exonerate"
    needs_context = True

    def __init__(self, seed: int, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._rng = Random(seed)
        self.cells: dict[Hashable, Cell] = {}
        self.unseen = Unseen(self.settings.max_nodes)
        self.seeds: list[list[int]] = []
        self._log_prior = log(self.settings.prior)
        self._prior_guilt = log((1.0 - self.settings.prior) / self.settings.prior)
        self._mean_length = 8.0
        self._begin()

    def __len__(self) -> int:
        return len(self.cells)

    def _begin(self) -> None:
        self._steps: list[tuple[list[Cell], int, float, float]] = []
        self._plan: list[int] | None = None
        self._probe_at = -1
        self._planned = False

    def _make_plan(self) -> None:
        """What is special about this episode, decided at its first choice."""
        self._planned = True
        settings, draw = self.settings, self._rng.random
        luck = draw()
        if luck < settings.probe:
            self._probe_at = int(draw() * self._mean_length)
        elif self.seeds and luck < settings.probe + settings.restart:
            seed = self.seeds[int(draw() * len(self.seeds))]
            self._plan = seed[: int(draw() * len(seed))]

    # -- deciding ---------------------------------------------------------------------------------

    def decide(self, choice: Choice) -> int:
        if not self._planned:
            self._make_plan()
        at = len(self._steps)
        if self._plan is not None and at < len(self._plan):
            option = self._plan[at]
            if option < choice.options:
                self._follow(choice, option)
                return option
            self._plan = None
        cells, logps, known = self._look(choice)
        if at == self._probe_at:
            weights = self._seldom(cells[0], choice)
        else:
            weights = self._weights(logps, choice.weights)
        option = self._draw(self.unseen.weigh(weights))
        self._record(choice, cells, option, logps, known, weights)
        return option

    def observe(self, choice: Choice, option: int) -> None:
        """Somebody else decided: remember it as if it had been this learner."""
        self._planned = True
        cells, logps, known = self._look(choice)
        self._record(choice, cells, option, logps, known, self._weights(logps, choice.weights))

    def _look(self, choice: Choice) -> tuple[list[Cell], list[float], list[float]]:
        """The cells of the choice; of each option, log p with and without what is merely assumed."""
        options = choice.options
        prior, find, cells = self._log_prior, self.cells.get, []
        known = [0.0] * options
        logps = known[:]
        for feature in features(choice):
            cell = find(feature)
            if cell is None:
                cell = self.cells[feature] = {}
            else:
                for option, suspect in cell.items():
                    logp = suspect.logp
                    known[option] += logp
                    logps[option] += logp - prior
            cells.append(cell)
        assumed = prior * len(cells)
        return cells, [logp + assumed for logp in logps], known

    def _weights(self, logps: list[float], preference: Sequence[float] | None) -> list[float]:
        top, beta = max(logps), self.settings.beta
        floor = top - _DEEPEST / beta
        weights = [exp((logp if logp > floor else floor) * beta - top * beta) for logp in logps]
        if preference is not None:
            weights = [weight * liked for weight, liked in zip(weights, preference, strict=True)]
        return weights

    def _seldom(self, site: Cell, choice: Choice) -> list[float]:
        taken = [1] * choice.options
        for option, suspect in site.items():
            taken[option] += suspect.valid + suspect.invalid
        return [1.0 / count for count in taken]

    def _draw(self, weights: list[float]) -> int:
        total = sum(weights)
        if total <= 0.0:
            return int(self._rng.random() * len(weights))
        rest = self._rng.random() * total
        for option, weight in enumerate(weights):
            rest -= weight
            if rest < 0.0:
                return option
        return max(range(len(weights)), key=weights.__getitem__)  # rounding ate the last of it

    def _record(
        self,
        choice: Choice,
        cells: list[Cell],
        option: int,
        logps: list[float],
        known: list[float],
        weights: list[float],
    ) -> None:
        self._steps.append((cells, option, logps[option], logps[option] - max(known)))
        self.unseen.step(option, weights, option >= choice.options - choice.open)

    def _follow(self, choice: Choice, option: int) -> None:
        """A step of a known valid prefix: harmless, and nothing to learn from."""
        self._steps.append(([], option, 0.0, 0.0))
        self.unseen.step(option, None, option >= choice.options - choice.open)

    # -- learning ---------------------------------------------------------------------------------

    def learn(self, episode: Episode) -> None:
        steps = self._steps
        if steps:
            self._mean_length += 0.05 * (len(steps) - self._mean_length)
            if episode.outcome is Outcome.INVALID:
                self._convict(steps)
            else:
                self._exonerate(steps)
                if episode.new:
                    self._keep([step[1] for step in steps])
        self.unseen.end()
        self._begin()
        if len(self.cells) > self.settings.max_cells:
            self._forget()

    def _exonerate(self, steps: list[tuple[list[Cell], int, float, float]]) -> None:
        for cells, option, _, _ in steps:
            for cell in cells:
                suspect = cell.get(option)
                if suspect is None:
                    suspect = cell[option] = Suspect(HARMLESS, 0.0)
                suspect.logp = HARMLESS
                suspect.valid += 1

    def _convict(self, steps: list[tuple[list[Cell], int, float, float]]) -> None:
        prior, prior_guilt, noise = self._log_prior, self._prior_guilt, self.settings.noise
        harmless = sum(step[3] for step in steps)
        for cells, option, logp, relative in steps:
            others = harmless - relative + logp
            for cell in cells:
                suspect = cell.get(option)
                if suspect is None:
                    suspect = cell[option] = Suspect(prior, prior_guilt)
                suspect.invalid += 1
                if suspect.valid:
                    continue
                # log odds of guilt += log P(rejected | guilty) - log P(rejected | harmless)
                alibi = others - suspect.logp
                rejected_anyway = 1.0 - exp(alibi) if alibi < 0.0 else 0.0
                guilt = suspect.guilt - log(max(rejected_anyway, noise))
                suspect.guilt = guilt = min(guilt, 6.0)
                suspect.logp = -log(1.0 + exp(guilt))

    def _keep(self, answers: list[int]) -> None:
        if len(self.seeds) < self.settings.max_seeds:
            self.seeds.append(answers)
        else:
            self.seeds[int(self._rng.random() * len(self.seeds))] = answers

    def _forget(self) -> None:
        """Keep the half of the cells that were used most; the sites themselves always stay."""

        def used(item: tuple[Hashable, Cell]) -> float:
            feature, cell = item
            if isinstance(feature, tuple) and feature[0] == SITE:
                return float("inf")
            return sum(suspect.valid + suspect.invalid for suspect in cell.values())

        kept = sorted(self.cells.items(), key=used, reverse=True)[: self.settings.max_cells // 2]
        self.cells.clear()
        self.cells.update(kept)
