"""The suspects of `exonerate`, filed twice: by feature, to learn; and by decision, to look up fast.

A *decision* is a choice in its whole context. One abstract state per decision must choose between too
little and too much context. Here every decision is described by a handful of *features*, from the bare site
to the whole path, and the learner finds out which of them matter.

The features follow from the decision, so their cells are looked up once per decision, and what the cells say
together is summed up once per change. Most choices are a decision that was met before, with cells that have
nothing new to say: what is exonerated stays so.

`Suspects.exonerate` and `Suspects.blame` are the two updates; the equation is in `learner.py`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any, TypeAlias

from untrod.core.vocabulary import Choice, Context, Json
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


class Decision:
    """One choice in one context: its cells, and log p of each option as of the time `summed`.

    `best` is log p of the best that the decision could have done, going by what is known, as of `rated`.

    There are as many decisions as there are contexts, so they own as few objects as they can: what Python's
    garbage collector has to walk through was a fifth of the whole cost.
    """

    __slots__ = ("best", "cells", "cleared", "logps", "rated", "summed")

    def __init__(self, cells: list[Cell]) -> None:
        self.cells = cells
        self.cleared = 0  # bit by bit, the options whose suspects are all exonerated
        self.logps: tuple[float, ...] = ()
        self.best = 0.0
        self.summed = self.rated = -1


Step: TypeAlias = tuple[Decision | None, int]
"""A decision, and which option was taken. There is none (None) in a step that only followed a known valid
prefix: it is harmless, and nothing to learn from."""


class Suspects:
    """`cells` by feature, and the decisions that are known at the moment."""

    def __init__(self, prior: float, noise: float, max_cells: int) -> None:
        self.cells: dict[Hashable, Cell] = {}
        self._decisions: dict[Hashable, Decision] = {}
        self._log_prior = log(prior)
        self._prior_guilt = log((1.0 - prior) / prior)
        self._noise = noise
        self._max_cells = max_cells
        self._now = 1

    def at(self, choice: Choice) -> Decision:
        """The decision of `choice`, summed up."""
        decision = self.decision(choice)
        summed = decision.summed
        for cell in decision.cells:
            if cell.changed > summed:
                self._sum_up(decision, choice.options)
                break
        return decision

    def decision(self, choice: Choice) -> Decision:
        """The decision of `choice`, perhaps with sums of long ago: enough to exonerate."""
        key = context_key(choice)
        decision = self._decisions.get(key)
        if decision is None:
            decision = self._decisions[key] = Decision([self._cell(feature) for feature in features(choice)])
        return decision

    def _cell(self, feature: tuple[Any, ...]) -> Cell:
        cell = self.cells.get(feature)
        if cell is None:
            cell = self.cells[feature] = Cell()
        return cell

    def _sum_up(self, decision: Decision, options: int) -> None:
        prior = self._log_prior
        logps = [prior * len(decision.cells)] * options
        for cell in decision.cells:
            if cell:
                for option, suspect in cell.items():
                    logps[option] += suspect.logp - prior
        decision.logps = tuple(logps)
        decision.summed = self._now

    # -- learning ---------------------------------------------------------------------------------

    def exonerate(self, steps: Sequence[Step]) -> None:
        """The episode was valid: its options are harmless from now on."""
        self._now = now = self._now + 1
        for decision, option in steps:
            if decision is None:
                continue
            if decision.cleared >> option & 1:
                for cell in decision.cells:
                    cell[option].valid += 1
                continue
            decision.cleared |= 1 << option
            for cell in decision.cells:
                suspect = cell.get(option)
                if suspect is None:
                    suspect = cell[option] = Suspect(HARMLESS, 0.0)
                    cell.changed = now
                elif not suspect.valid:
                    suspect.logp = HARMLESS
                    cell.changed = now
                suspect.valid += 1

    def blame(self, steps: Sequence[Step]) -> None:
        """The episode was rejected: something it took is to blame."""
        self._now += 1
        relative = [0.0 if decision is None else _relative(decision, option) for decision, option in steps]
        harmless = sum(relative)
        for (decision, option), own in zip(steps, relative, strict=True):
            if decision is None:
                continue
            if decision.cleared >> option & 1:
                for cell in decision.cells:
                    cell[option].invalid += 1
            else:
                self._share_blame(decision, option, harmless - own + decision.logps[option])

    def _share_blame(self, decision: Decision, option: int, harmless: float) -> None:
        """`harmless` is log of the product of p over all steps of the episode, this one's included."""
        noise = self._noise
        for cell in decision.cells:
            suspect = cell.get(option)
            if suspect is None:
                suspect = cell[option] = Suspect(self._log_prior, self._prior_guilt)
            suspect.invalid += 1
            if suspect.valid or suspect.guilt >= _MOST_GUILT:
                continue
            # Bayes: log odds of guilt += log P(rejected | guilty) - log P(rejected | harmless), that is
            #        log 1 - log(1 - product of the others' p), but for the noise
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
        elif len(self._decisions) > self._max_cells:
            self._decisions.clear()

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
        self._decisions.clear()

    # -- persistence ------------------------------------------------------------------------------

    def dump(self) -> Json:
        return [
            [dump_key(feature), [[option, *_dump(suspect)] for option, suspect in cell.items()]]
            for feature, cell in self.cells.items()
        ]

    def load(self, body: Json) -> None:
        """Raises ValueError or KeyError on anything that `dump` did not give, and is then as before."""
        self._replace(_load_cells(body))


def _relative(decision: Decision, option: int) -> float:
    """Log p of `option`, relative to the best that the decision could have done."""
    if decision.rated != decision.summed:
        decision.rated = decision.summed
        decision.best = _best(decision)
    return decision.logps[option] - decision.best


def _best(decision: Decision) -> float:
    options = len(decision.logps)
    if len(decision.cells[0]) < options:  # an option was never tried: nothing speaks against it
        return 0.0
    known = [0.0] * options
    for cell in decision.cells:
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


# -- features ------------------------------------------------------------------------------------------
#
# A feature is a hashable key; its first element is its kind, an index into `KINDS`. Its tokens: a level of
# nesting is summed up by how it was entered and by a window of its own answers. The first answer of a
# completed inner level (its *head*) represents it among its siblings.

Feature: TypeAlias = tuple[Any, ...]

SITE, NEAR, FAR, PAIR, PATH, RECENT, SIBLING = range(7)
KINDS = ("site", "inside", "under", "under two", "path", "after", "beside")

_MAX_LEVELS = 6
_PAIRED_LEVELS = 4
_MAX_SIBLINGS = 6


def features(choice: Choice) -> list[Feature]:
    """The features of one decision, the most general first. The keys hold no reference to the context."""
    base = (choice.site, choice.options)
    context = choice.context
    if context.given is not None:
        return _of_given(base, tuple(context.given))
    found: list[Feature] = [(SITE, base)]
    levels = _levels(context)
    if levels:
        near = levels[0]
        found.append((NEAR, base, near))
        for far in levels[1:]:
            found.append((FAR, base, far))
        for outer in range(1, min(len(levels), _PAIRED_LEVELS)):
            for inner in range(outer):
                found.append((PAIR, base, levels[inner], levels[outer]))
        if len(levels) > 2:
            found.append((PATH, base, *levels))
    _add_recent(found, base, context)
    return found


def context_key(choice: Choice) -> Hashable:
    """A key of the decision that determines `features(choice)`, at a fraction of the cost."""
    context = choice.context
    if context.given is not None:
        return (choice.site, choice.options, tuple(context.given))
    key: list[Hashable] = [choice.site, choice.options]
    way: Hashable = None
    told = levels = 0
    for frame in reversed(context.frames):
        answers = frame.answers
        heads: Sequence[Any] = getattr(frame, "heads", ())
        if not told and (answers or heads):
            told = 1
            # Where `_add_recent` looks, all that it sees counts, not only the window.
            key.append((*heads[-_MAX_SIBLINGS:],))
            if len(answers) > _MAX_SIBLINGS + 1:
                answers = [answers[0], *answers[-_MAX_SIBLINGS - 1 :]]
            key.append((way, *answers))
            levels += bool(answers)
        elif answers:
            key.append((way, *_window(answers)))
            levels += 1
        if levels == _MAX_LEVELS:
            break
        way = frame.entered_from
    return tuple(key)


def _levels(context: Context) -> list[tuple[Hashable, ...]]:
    """The tokens of the enclosing levels that have answered something, innermost first."""
    tokens: list[tuple[Hashable, ...]] = []
    way: Hashable = None  # how the level below was entered from this one
    for frame in reversed(context.frames):
        answers = frame.answers
        if answers:
            tokens.append((way, *_window(answers)))
            if len(tokens) == _MAX_LEVELS:
                break
        way = frame.entered_from
    return tokens


def _window(answers: Sequence[Any]) -> Sequence[Any]:
    return answers if len(answers) <= 5 else (answers[0], *answers[-3:])


def _add_recent(found: list[Feature], base: Feature, context: Context) -> None:
    """Neighbours in time and among siblings: order, repetition and balance show up here."""
    for frame in reversed(context.frames):
        answers: Sequence[Any] = frame.answers
        heads: Sequence[Any] = getattr(frame, "heads", ())
        if answers or heads:
            break
    else:
        return
    if len(answers) > 1:
        found.append((RECENT, base, answers[-1]))
        found.append((RECENT, base, answers[-2], answers[-1]))
    siblings = heads if heads else answers[:-1]
    if siblings:
        for sibling in dict.fromkeys(siblings[-_MAX_SIBLINGS:]):
            found.append((SIBLING, base, sibling))


def _of_given(base: Feature, given: tuple[Hashable, ...]) -> list[Feature]:
    """The target said what counts: every suffix of it, and every two neighbours in it."""
    found: list[Feature] = [(SITE, base)]
    for length in range(1, len(given) + 1):
        found.append((NEAR if length < len(given) else PATH, base, *given[-length:]))
    for start in range(len(given) - 2):
        found.append((FAR, base, given[start], given[start + 1]))
    return found


# -- blamed options, for people --------------------------------------------------------------------------
#
# An option is reported as blamed when no valid episode ever took it, though enough were tried, and Bayes'
# rule says that it is to blame rather than another of the episode's. Of its context only one level is
# reported, its own or one around it: longer ones say less with more words.

ENOUGH = 10
"""Rejected episodes with it."""
GUILTY = log(0.3)
"""So probable, at the most, that it is harmless."""


@dataclass(frozen=True, slots=True)
class BlamedOption:
    """`option` of `options` at `site` was in `tried` episodes, all rejected; `after` these answers of the
    same call, or `within` a call that had answered those. Options are numbered from 0, as in a trace."""

    site: str
    option: int
    options: int
    after: tuple[Hashable, ...]
    within: tuple[Hashable, ...]
    tried: int


def blamed_options(cells: Mapping[Hashable, Cell], at_most: int = 8) -> list[BlamedOption]:
    """The most often tried first. An option blamed in all contexts is not reported again for one."""
    found: list[BlamedOption] = []
    for feature, cell in cells.items():
        if not isinstance(feature, tuple) or feature[0] not in (SITE, NEAR, FAR):
            continue
        site, options = feature[1]
        for option, suspect in cell.items():
            if suspect.valid or suspect.invalid < ENOUGH or suspect.logp > GUILTY:
                continue
            after, within = _context(feature)
            found.append(BlamedOption(str(site), option, options, after, within, suspect.invalid))
    anywhere = {(each.site, each.option) for each in found if not each.after and not each.within}
    reported = [
        each for each in found if (each.site, each.option) not in anywhere or not (each.after or each.within)
    ]
    reported.sort(key=lambda each: (-each.tried, each.site, each.option, repr((each.after, each.within))))
    return reported[:at_most]


def _context(feature: tuple[Hashable, ...]) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...]]:
    if len(feature) < 3:
        return (), ()
    level = feature[2]
    if not isinstance(level, tuple):  # the target said itself what counts
        return feature[2:], ()
    way, *answers = level
    return (tuple(answers), ()) if way is None else ((), tuple(answers))
