"""Exonerate and blame: which choices make an input invalid, found by elimination. Ours, from no paper.

Every decision has a handful of features; each (feature, option) pair is a *suspect* with a probability p of
being harmless (`suspects.py`). A valid episode exonerates all of its suspects for good.
After a rejected episode at least one of them is guilty, and Bayes' rule shares the blame: with H = "suspect s
is harmless" and the others' probabilities p,

    P(rejected | H) = 1 - product of the others' p        P(rejected | not H) = 1

so a suspect among many unknowns learns little, and a lone one is blamed fast.

One correction makes the blame find its way upwards. Where *every* option of a decision is blamed, the
decision was hopeless before it was made: its probability is taken relative to the best it could have done,
and the blame moves to whatever led there.

Options are drawn in proportion to p^beta times the target's own weights, without replacement
(`unseen.py`). That is what makes the priors uncritical: a policy that may not repeat itself cannot sit on the
corner of the space it already knows. Two more guards keep every option of every site alive: now and then
one decision of an episode is a *probe*, drawn by how seldom an option was taken at its site; and now and
then an episode *restarts* from a prefix of a known valid one and probes there. What is new may need more
than one new answer (a tag *and* its text), so the decisions right after a probe ignore all blame.

Cold starts. While valid episodes are rare, short inputs come first (options are discounted by how much has
followed them so far), and rejected episodes that made *progress* are *climbed* from: repeated with one or
two answers redrawn.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp
from random import Random

from untrod.core.errors import UntrodError
from untrod.core.protocols import HasTransferable
from untrod.core.vocabulary import Choice, Episode, Json, Outcome
from untrod.learn.exonerate.suspects import Cell, Decision, Step, Suspects
from untrod.learn.exonerate.unseen import Unseen
from untrod.learn.serialise import dump_random, load_random

_CURIOUS = 4  # so many decisions right after a probe ignore all blame
_STALE = 60  # after so many rejected episodes without progress, climbing is rarer
_TIMID = 1.5
_TRUST = 2.0
"""How far below the best an option may fall, in logs, before anything was valid and for each that was: as
long as nothing is exonerated, what all rejected episodes have in common looks guilty."""
_DEEPEST = 30.0  # exp(-30) is never drawn, and never underflows


@dataclass(frozen=True, slots=True)
class Settings:
    """`prior` is the probability that an unknown suspect is harmless; `beta` sharpens the policy; `noise`
    bounds how much one rejection can blame; `probe` and `restart` are the shares of such episodes, and
    `climb` is until `warm` new valid episodes are known (a third of it when it leads nowhere)."""

    beta: float = 4.0
    prior: float = 0.9
    noise: float = 0.05
    probe: float = 0.1
    restart: float = 0.2
    climb: float = 0.7
    warm: int = 1
    max_cells: int = 200_000
    max_nodes: int = 300_000
    max_seeds: int = 256

    def __post_init__(self) -> None:
        for name in ("prior", "noise"):
            if not 0.0 < getattr(self, name) < 1.0:
                raise UntrodError(f"{name} {getattr(self, name)} is out of range", "give a number in (0, 1)")
        for name in ("probe", "restart", "climb"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise UntrodError(f"{name} {getattr(self, name)} is not a probability", "give 0 to 1")
        for name in ("max_cells", "max_nodes", "max_seeds"):
            if getattr(self, name) < 1:
                raise UntrodError(f"{name} {getattr(self, name)} leaves nothing to keep", "give 1 or more")
        if self.beta <= 0.0:
            raise UntrodError(f"beta {self.beta} does not prefer anything", "give a number above 0")


class Exonerate:
    """See the module's text."""

    name = "exonerate"
    settings_type = Settings
    needs_context = True

    def __init__(self, seed: int, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._rng = Random(seed)
        self.suspects = Suspects(self.settings.prior, self.settings.noise, self.settings.max_cells)
        self.unseen = Unseen(self.settings.max_nodes)
        self.seeds: list[list[int]] = []
        self.frontier: list[list[int]] = []
        self.valid = 0
        self._mean_length = 8.0
        self._length_scale = 16.0
        self._since_progress = 0
        self._begin()

    @property
    def cells(self) -> dict[Hashable, Cell]:
        """What is known, by feature."""
        return self.suspects.cells

    def __len__(self) -> int:
        return len(self.cells)

    def _begin(self) -> None:
        self._steps: list[Step] = []
        self._discounts: dict[int, list[float]] = {}
        self._plan: list[int] = []
        self._redrawn: tuple[int, ...] | None = None
        self._probe_at = -1
        self._planned = self._observed = False

    def _make_plan(self, settled: bool) -> None:
        """What is special about this episode, decided at its first choice. `settled` ones do not explore."""
        self._planned = True
        settings, draw = self.settings, self._rng.random
        luck = draw()
        climb = settings.climb if self._since_progress < _STALE else settings.climb / 3.0
        if self.frontier and self.valid < settings.warm and luck < climb:
            back = int(draw() ** 2 * len(self.frontier))  # the latest progress is the furthest
            self._plan = self.frontier[-1 - back]
            self._redrawn = tuple(int(draw() * len(self._plan)) for _ in range(1 + (draw() < 0.5)))
        elif settled:
            return
        elif luck < settings.probe:
            self._probe_at = int(draw() * self._mean_length)
        elif self.seeds and luck < settings.probe + settings.restart:
            seed = self.seeds[int(draw() * len(self.seeds))]
            self._plan = seed[: int(draw() * len(seed))]
            self._probe_at = len(self._plan)

    # -- deciding ---------------------------------------------------------------------------------

    def decide(self, choice: Choice, beta: float | None = None) -> int:
        """With a `beta` of its own, the episode is settled: it neither probes nor restarts."""
        if not self._planned:
            self._make_plan(settled=beta is not None)
        at, options = len(self._steps), choice.options
        planned = self._plan[at] if at < len(self._plan) else options
        if planned < options and self._redrawn is None:
            self._steps.append((None, planned))
            self.unseen.step(planned, None, planned >= options - choice.open)
            return planned
        decision = self.suspects.at(choice)
        if at == self._probe_at:
            weights = _seldom(decision.cells[0], options)
        else:
            curious = 0 <= self._probe_at < at <= self._probe_at + _CURIOUS
            sharpness = 0.0 if curious else beta or self.settings.beta
            weights = self._weights(decision, choice.weights, sharpness)
        if planned < options and self._redrawn is not None and at not in self._redrawn:
            option = planned
        else:
            option = self._draw(self.unseen.weigh(weights))
        self._steps.append((decision, option))
        self.unseen.step(option, weights, option >= options - choice.open)
        return option

    def observe(self, choice: Choice, option: int) -> None:
        """`Observes`: another policy decided. If the episode comes out valid, that counts like its own.

        A rejection does not: Bayes' rule takes rejections for independent draws of this learner's policy, and
        another policy makes the same mistake over and over, which would blame all that surrounds it.
        """
        self._planned = self._observed = True
        self._steps.append((self.suspects.decision(choice), option))
        options = choice.options
        self.unseen.step(option, _uniform(options), option >= options - choice.open)

    def _weights(self, decision: Decision, preference: Sequence[float] | None, beta: float) -> list[float]:
        site = decision.cells[0]
        discounts = self._discounts.get(id(site)) or self._discount(site, len(decision.logps))
        scores = [logp * beta - discount for logp, discount in zip(decision.logps, discounts)]  # noqa: B905 - hot
        top = max(scores)
        trust = _TIMID + _TRUST * self.valid
        floor = top - (trust if trust < _DEEPEST else _DEEPEST)
        if min(scores) >= floor:  # the common case
            weights = [exp(score - top) for score in scores]
        else:
            weights = [exp((score if score > floor else floor) - top) for score in scores]
        if preference is not None:
            weights = [weight * liked for weight, liked in zip(weights, preference, strict=True)]
        return weights

    def _discount(self, site: Cell, options: int) -> list[float]:
        """What long inputs cost the options of `site`: the same for the whole episode."""
        discounts = self._discounts[id(site)] = [0.0] * options
        shortest = min((suspect.after for suspect in site.values()), default=0.0)
        for option, suspect in site.items():
            discounts[option] = (suspect.after - shortest) / self._length_scale
        return discounts

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

    # -- learning ---------------------------------------------------------------------------------

    def learn(self, episode: Episode) -> None:
        steps = self._steps
        if steps and episode.outcome is Outcome.INVALID:
            self._since_progress = 0 if episode.progress else self._since_progress + 1
            if episode.progress:
                self.frontier.append([step[1] for step in steps])
                del self.frontier[: -self.settings.max_seeds]
        if steps and not (self._observed and episode.outcome is Outcome.INVALID):
            self._mean_length += 0.05 * (len(steps) - self._mean_length)
            if episode.outcome is Outcome.INVALID:
                self.suspects.blame(steps)
            else:
                self.suspects.exonerate(steps)
                if episode.new:
                    self.valid += 1
                    self._keep([step[1] for step in steps])
                    longer = 2.0 * len(steps) - self._length_scale
                    self._length_scale = max(16.0, self._length_scale + 0.05 * longer)
            self._note_lengths(steps)
        self.unseen.end()
        self._begin()
        self.suspects.trim()

    def _note_lengths(self, steps: list[Step]) -> None:
        follow = len(steps)
        for decision, option in steps:
            follow -= 1
            if decision is not None:
                suspect = decision.cells[0][option]
                suspect.after += (follow - suspect.after) / min(suspect.valid + suspect.invalid, 100)

    def _keep(self, answers: list[int]) -> None:
        if len(self.seeds) < self.settings.max_seeds:
            self.seeds.append(answers)
        else:
            self.seeds[int(self._rng.random() * len(self.seeds))] = answers

    # -- persistence ------------------------------------------------------------------------------

    def transfer(self) -> Json:
        """What another run can begin with: what was learned, without the random state and without the
        finished sequences."""
        return {
            "cells": self.suspects.dump(),
            "seeds": self.seeds,
            "frontier": self.frontier,
            "valid": self.valid,
            "lengths": [self._mean_length, self._length_scale],
            "since_progress": self._since_progress,
        }

    def adopt(self, transferred: Json) -> None:
        """Begin with what another run has learned. Raises ValueError or KeyError on anything else."""
        seeds = [[int(answer) for answer in seed] for seed in transferred["seeds"]]
        frontier = [[int(answer) for answer in seed] for seed in transferred["frontier"]]
        mean, scale = (float(length) for length in transferred["lengths"])
        since_progress, valid = int(transferred["since_progress"]), int(transferred["valid"])
        self.suspects.load(transferred["cells"])  # the last thing that can be refused
        self._since_progress, self.valid = since_progress, valid
        self.seeds, self.frontier = seeds, frontier
        self._mean_length, self._length_scale = mean, scale
        self._begin()

    def state(self) -> Json:
        return {"random": dump_random(self._rng), "tables": self.transfer(), "unseen": self.unseen.state()}

    def load(self, state: Json) -> None:
        self.adopt(state["tables"])
        self.unseen.load(state["unseen"])
        load_random(self._rng, state["random"])


@cache
def _uniform(options: int) -> tuple[float, ...]:
    return (1.0,) * options


def _seldom(site: Cell, options: int) -> list[float]:
    taken = [1] * options
    for option, suspect in site.items():
        taken[option] += suspect.valid + suspect.invalid
    return [1.0 / count for count in taken]


def exonerate_of(learner: object) -> Exonerate | None:
    """The learner itself, or that member of a portfolio whose tables another run can begin with."""
    member = learner.transferable if isinstance(learner, HasTransferable) else learner
    return member if isinstance(member, Exonerate) else None
