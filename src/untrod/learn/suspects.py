"""The suspects of `exonerate`, filed twice: by feature, to learn; and by place, to look up fast.

A *place* is a decision in its whole context. Its features follow from it, so that their cells are looked up
once per place, and what the cells say together is summed up once per change. Most decisions are made at a
place that was met before, by cells that have nothing new to say: what is exonerated stays so.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import exp, log
from typing import Any, TypeAlias

from untrod.core.vocabulary import Choice, Json
from untrod.learn.features import KINDS, SITE, features, whereabouts
from untrod.learn.serialise import dump_key, load_key

HARMLESS = log(0.999)
_MOST_GUILT = 6.0


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
    """The suspects of one feature, by option; `changed` is when one of them last changed its probability."""

    __slots__ = ("changed",)

    def __init__(self) -> None:
        self.changed = 0


class Place:
    """One decision in one context: its cells, and log p of each option as of the time `summed`.

    `best` is log p of the best that the decision could have done, going by what is known, as of `rated`.

    There are as many places as there are contexts, so they own as few objects as they can: what Python's
    garbage collector has to walk through was a fifth of the whole cost.
    """

    __slots__ = ("best", "cells", "cleared", "logps", "rated", "summed")

    def __init__(self, cells: list[Cell]) -> None:
        self.cells = cells
        self.cleared = 0  # bit by bit, the options whose suspects are all exonerated
        self.logps: tuple[float, ...] = ()
        self.best = 0.0
        self.summed = self.rated = -1


Step: TypeAlias = tuple[Place | None, int]
"""Where, and which option. There is no place in a step that only followed a known valid prefix: it is
harmless, and nothing to learn from."""


class Suspects:
    """`cells` by feature, and the places that are known at the moment."""

    def __init__(self, prior: float, noise: float, max_cells: int) -> None:
        self.cells: dict[Hashable, Cell] = {}
        self._places: dict[Hashable, Place] = {}
        self._log_prior = log(prior)
        self._prior_guilt = log((1.0 - prior) / prior)
        self._noise = noise
        self._max_cells = max_cells
        self._now = 1

    def at(self, choice: Choice) -> Place:
        """The place of `choice`, summed up."""
        place = self.place(choice)
        summed = place.summed
        for cell in place.cells:
            if cell.changed > summed:
                self._sum_up(place, choice.options)
                break
        return place

    def place(self, choice: Choice) -> Place:
        """The place of `choice`, perhaps with sums of long ago: enough to exonerate."""
        key = whereabouts(choice)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = Place([self._cell(feature) for feature in features(choice)])
        return place

    def _cell(self, feature: tuple[Any, ...]) -> Cell:
        cell = self.cells.get(feature)
        if cell is None:
            cell = self.cells[feature] = Cell()
        return cell

    def _sum_up(self, place: Place, options: int) -> None:
        prior = self._log_prior
        logps = [prior * len(place.cells)] * options
        for cell in place.cells:
            if cell:
                for option, suspect in cell.items():
                    logps[option] += suspect.logp - prior
        place.logps = tuple(logps)
        place.summed = self._now

    # -- learning ---------------------------------------------------------------------------------

    def exonerate(self, steps: Sequence[Step]) -> None:
        """The episode was valid: what it took is harmless for good."""
        self._now = now = self._now + 1
        for place, option in steps:
            if place is None:
                continue
            if place.cleared >> option & 1:
                for cell in place.cells:
                    cell[option].valid += 1
                continue
            place.cleared |= 1 << option
            for cell in place.cells:
                suspect = cell.get(option)
                if suspect is None:
                    suspect = cell[option] = Suspect(HARMLESS, 0.0)
                    cell.changed = now
                elif not suspect.valid:
                    suspect.logp = HARMLESS
                    cell.changed = now
                suspect.valid += 1

    def convict(self, steps: Sequence[Step]) -> None:
        """The episode was rejected: something it took is to blame."""
        self._now += 1
        relative = [0.0 if place is None else _relative(place, option) for place, option in steps]
        harmless = sum(relative)
        for (place, option), own in zip(steps, relative, strict=True):
            if place is None:
                continue
            if place.cleared >> option & 1:
                for cell in place.cells:
                    cell[option].invalid += 1
            else:
                self._share_blame(place, option, harmless - own + place.logps[option])

    def _share_blame(self, place: Place, option: int, harmless: float) -> None:
        noise = self._noise
        for cell in place.cells:
            suspect = cell.get(option)
            if suspect is None:
                suspect = cell[option] = Suspect(self._log_prior, self._prior_guilt)
            suspect.invalid += 1
            if suspect.valid or suspect.guilt >= _MOST_GUILT:
                continue
            # log odds of guilt += log P(rejected | guilty) - log P(rejected | harmless)
            alibi = harmless - suspect.logp
            rejected_anyway = 1.0 - exp(alibi) if alibi < 0.0 else 0.0
            guilt = suspect.guilt - log(rejected_anyway if rejected_anyway > noise else noise)
            suspect.guilt = guilt = guilt if guilt < _MOST_GUILT else _MOST_GUILT
            suspect.logp = -log(1.0 + exp(guilt))
            cell.changed = self._now

    def trim(self) -> None:
        """Between two episodes: forget what is too much."""
        if len(self.cells) > self._max_cells:
            self._forget()
        elif len(self._places) > self._max_cells:
            self._places.clear()

    def _forget(self) -> None:
        """Keep the half of the cells that were used most; the sites themselves always stay."""

        def used(item: tuple[Hashable, Cell]) -> float:
            feature, cell = item
            if isinstance(feature, tuple) and feature[0] == SITE:
                return float("inf")
            return sum(suspect.valid + suspect.invalid for suspect in cell.values())

        kept = sorted(self.cells.items(), key=used, reverse=True)[: self._max_cells // 2]
        self._replace(dict(kept))

    def _replace(self, cells: dict[Hashable, Cell]) -> None:
        self.cells = cells
        self._places.clear()

    # -- persistence ------------------------------------------------------------------------------

    def dump(self) -> Json:
        return [
            [dump_key(feature), [[option, *_dump(suspect)] for option, suspect in cell.items()]]
            for feature, cell in self.cells.items()
        ]

    def load(self, body: Json) -> None:
        """Raises ValueError or KeyError on anything that `dump` did not give, and is then as before."""
        self._replace(_load_cells(body))


def _relative(place: Place, option: int) -> float:
    """Log p of `option`, relative to the best that the decision could have done."""
    if place.rated != place.summed:
        place.rated = place.summed
        place.best = _best(place)
    return place.logps[option] - place.best


def _best(place: Place) -> float:
    options = len(place.logps)
    if len(place.cells[0]) < options:  # the site knows all that were tried: nothing speaks against the rest
        return 0.0
    known = [0.0] * options
    for cell in place.cells:
        for other, suspect in cell.items():
            known[other] += suspect.logp
    return max(known)


def _load_cells(body: Json) -> dict[Hashable, Cell]:
    cells: dict[Hashable, Cell] = {}
    for key, suspects in body:
        feature = load_key(key)
        if not isinstance(feature, tuple) or feature[0] not in range(len(KINDS)):
            raise ValueError("a feature of no known kind")
        cell = cells[feature] = Cell()
        for option, *record in suspects:
            cell[int(option)] = _load(record)
    return cells


def _dump(suspect: Suspect) -> list[float]:
    return [suspect.logp, suspect.guilt, suspect.valid, suspect.invalid, suspect.after]


def _load(record: list[float]) -> Suspect:
    logp, guilt, valid, invalid, after = record
    suspect = Suspect(float(logp), float(guilt))
    suspect.valid, suspect.invalid, suspect.after = int(valid), int(invalid), float(after)
    return suspect
