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
then an episode *restarts* from a prefix of a known valid one and probes there. What is new may need more
than one new answer (a tag *and* its text), so the decisions right after a probe ignore all convictions.

Cold starts. While valid episodes are rare, short inputs come first (options are discounted by how much has
followed them so far), and rejected episodes that made *progress* are *climbed* from: repeated with one or
two answers redrawn.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import exp, log
from random import Random

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Choice, Episode, Json, Outcome
from untrod.learn.features import KINDS, SITE, features
from untrod.learn.frozen import dump_key, dump_random, load_key, load_random
from untrod.learn.unseen import Unseen

HARMLESS = log(0.999)
_SHARE_OF_DOUBT = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
_CURIOUS = 4
_STALE = 60
_TIMID = 1.5
_TRUST = 2.0
"""How far below the best an option may fall, in logs, before anything was valid and for each that was: as
long as nothing is exonerated, what all rejected episodes have in common looks guilty."""
_DEEPEST = 30.0  # exp(-30) is never drawn, and never underflows


@dataclass(frozen=True, slots=True)
class Settings:
    """`prior` is the probability that an unknown suspect is harmless; `beta` sharpens the policy; `noise`
    bounds how much one rejection can convict; `probe` and `restart` are the shares of such episodes, and
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
        if self.beta <= 0.0:
            raise UntrodError(f"beta {self.beta} does not prefer anything", "give a number above 0")


class Suspect:
    """One option in the light of one feature: log P(harmless), log odds of guilt, and its record."""

    __slots__ = ("after", "guilt", "invalid", "logp", "valid")

    def __init__(self, logp: float, guilt: float) -> None:
        self.logp = logp
        self.guilt = guilt
        self.valid = 0
        self.invalid = 0
        self.after = 0.0  # how many decisions followed, on average; kept for sites only


class Cell(dict[int, Suspect]):
    """The suspects of one feature, by option."""

    __slots__ = ("kind",)

    def __init__(self, kind: int) -> None:
        self.kind = kind


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
        self.frontier: list[list[int]] = []
        self.valid = 0
        priors = [1.0 - (1.0 - self.settings.prior) * share for share in _SHARE_OF_DOUBT]
        self._log_priors = [log(prior) for prior in priors]
        self._prior_guilts = [log((1.0 - prior) / prior) for prior in priors]
        self._mean_length = 8.0
        self._length_scale = 16.0
        self._since_progress = 0
        self._begin()

    def __len__(self) -> int:
        return len(self.cells)

    def _begin(self) -> None:
        self._steps: list[tuple[list[Cell], int, float, float]] = []
        self._plan: list[int] = []
        self._redrawn: tuple[int, ...] | None = None
        self._probe_at = -1
        self._planned = False

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
        at = len(self._steps)
        planned = self._plan[at] if at < len(self._plan) else choice.options
        if planned < choice.options and self._redrawn is None:
            self._follow(choice, planned)
            return planned
        cells, logps, known = self._look(choice)
        if at == self._probe_at:
            weights = self._seldom(cells[0], choice)
        else:
            curious = 0 <= self._probe_at < at <= self._probe_at + _CURIOUS
            sharpness = 0.0 if curious else beta or self.settings.beta
            weights = self._weights(logps, choice.weights, cells[0], sharpness)
        if planned < choice.options and self._redrawn is not None and at not in self._redrawn:
            option = planned
        else:
            option = self._draw(self.unseen.weigh(weights))
        self._record(choice, cells, option, logps, known, weights)
        return option

    def observe(self, choice: Choice, option: int) -> None:
        """Somebody else decided: remember it as if it had been this learner."""
        self._planned = True
        cells, logps, known = self._look(choice)
        self._record(
            choice,
            cells,
            option,
            logps,
            known,
            self._weights(logps, choice.weights, cells[0], self.settings.beta),
        )

    def _look(self, choice: Choice) -> tuple[list[Cell], list[float], list[float]]:
        """The cells of the choice; of each option, log p with and without what is merely assumed."""
        options = choice.options
        priors, find, cells, assumed = self._log_priors, self.cells.get, [], 0.0
        known = [0.0] * options
        logps = known[:]
        for feature in features(choice):
            cell = find(feature)
            prior = priors[feature[0]]
            assumed += prior
            if cell is None:
                cell = self.cells[feature] = Cell(feature[0])
            else:
                for option, suspect in cell.items():
                    logp = suspect.logp
                    known[option] += logp
                    logps[option] += logp - prior
            cells.append(cell)
        return cells, [logp + assumed for logp in logps], known

    def _weights(
        self, logps: list[float], preference: Sequence[float] | None, site: Cell, beta: float
    ) -> list[float]:
        scores = [logp * beta for logp in logps]
        if site:
            scale = self._length_scale
            shortest = min(suspect.after for suspect in site.values())
            for option, suspect in site.items():
                scores[option] -= (suspect.after - shortest) / scale
        top = max(scores)
        floor = top - min(_DEEPEST, _TIMID + _TRUST * self.valid)
        weights = [exp((score if score > floor else floor) - top) for score in scores]
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
                self._since_progress = 0 if episode.progress else self._since_progress + 1
                if episode.progress:
                    self.frontier.append([step[1] for step in steps])
                    del self.frontier[: -self.settings.max_seeds]
            else:
                self._exonerate(steps)
                if episode.new:
                    self.valid += 1
                    self._keep([step[1] for step in steps])
                    longer = 2.0 * len(steps) - self._length_scale
                    self._length_scale = max(16.0, self._length_scale + 0.05 * longer)
            self._note_lengths(steps)
        self.unseen.end()
        self._begin()
        if len(self.cells) > self.settings.max_cells:
            self._forget()

    def _note_lengths(self, steps: list[tuple[list[Cell], int, float, float]]) -> None:
        for at, (cells, option, _, _) in enumerate(steps):
            if cells:
                suspect = cells[0][option]
                follow = len(steps) - at - 1
                suspect.after += (follow - suspect.after) / min(suspect.valid + suspect.invalid, 100)

    def _exonerate(self, steps: list[tuple[list[Cell], int, float, float]]) -> None:
        for cells, option, _, _ in steps:
            for cell in cells:
                suspect = cell.get(option)
                if suspect is None:
                    suspect = cell[option] = Suspect(HARMLESS, 0.0)
                suspect.logp = HARMLESS
                suspect.valid += 1

    def _convict(self, steps: list[tuple[list[Cell], int, float, float]]) -> None:
        priors, prior_guilts, noise = self._log_priors, self._prior_guilts, self.settings.noise
        harmless = sum(step[3] for step in steps)
        for cells, option, logp, relative in steps:
            others = harmless - relative + logp
            for cell in cells:
                suspect = cell.get(option)
                if suspect is None:
                    suspect = cell[option] = Suspect(priors[cell.kind], prior_guilts[cell.kind])
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

    # -- persistence ------------------------------------------------------------------------------

    def tables(self) -> Json:
        """What was learned, without the random state and without the finished sequences."""
        return {
            "cells": [
                [dump_key(feature), [[option, *_dump(suspect)] for option, suspect in cell.items()]]
                for feature, cell in self.cells.items()
            ],
            "seeds": self.seeds,
            "frontier": self.frontier,
            "valid": self.valid,
            "lengths": [self._mean_length, self._length_scale],
            "since_progress": self._since_progress,
        }

    def load_tables(self, tables: Json) -> None:
        """Continue with what another run has learned. Raises ValueError or KeyError on anything else."""
        cells: dict[Hashable, Cell] = {}
        for key, suspects in tables["cells"]:
            feature = load_key(key)
            if not isinstance(feature, tuple) or feature[0] not in range(len(KINDS)):
                raise ValueError("a feature of no known kind")
            cell = cells[feature] = Cell(feature[0])
            for option, *record in suspects:
                cell[int(option)] = _load(record)
        seeds = [[int(answer) for answer in seed] for seed in tables["seeds"]]
        frontier = [[int(answer) for answer in seed] for seed in tables["frontier"]]
        mean, scale = (float(length) for length in tables["lengths"])
        self._since_progress = int(tables["since_progress"])
        self.valid = int(tables["valid"])
        self.cells, self.seeds, self.frontier = cells, seeds, frontier
        self._mean_length, self._length_scale = mean, scale
        self._begin()

    def state(self) -> Json:
        return {"random": dump_random(self._rng), "tables": self.tables(), "unseen": self.unseen.state()}

    def load(self, state: Json) -> None:
        self.load_tables(state["tables"])
        self.unseen.load(state["unseen"])
        load_random(self._rng, state["random"])


def _dump(suspect: Suspect) -> list[float]:
    return [suspect.logp, suspect.guilt, suspect.valid, suspect.invalid, suspect.after]


def _load(record: list[float]) -> Suspect:
    logp, guilt, valid, invalid, after = record
    suspect = Suspect(float(logp), float(guilt))
    suspect.valid, suspect.invalid, suspect.after = int(valid), int(invalid), float(after)
    return suspect
