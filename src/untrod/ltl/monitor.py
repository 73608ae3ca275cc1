"""Follows a trace letter by letter and says how the formula stands.

Three verdicts. **Satisfied** and **violated** before the end are certain: no continuation of the trace
changes them. **Undecided** is everything else, and then the end of the trace decides: `G a` can only be
satisfied there, and `F a` can only be violated there. `Judgement.at_end` says so, and the verdict in words
says it, too.

`Progression` is the part that is shared: a table of steps, keyed by the formula and by what its atoms are
at a letter. It fills up as traces are followed, and then a step costs two look-ups. `Monitor` is one trace.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from untrod.ltl.labels import Letter
from untrod.ltl.nodes import FALSE, TRUE, Formula, atoms
from untrod.ltl.progression import conclude, expand, has_clock, progress, restrict, tick
from untrod.ltl.reward import reward
from untrod.ltl.simplify import simplify


class Verdict(StrEnum):
    SATISFIED = "satisfied"
    VIOLATED = "violated"
    UNDECIDED = "undecided"

    @classmethod
    def of(cls, truth: bool | None) -> Verdict:
        return cls.UNDECIDED if truth is None else cls.SATISFIED if truth else cls.VIOLATED


@dataclass(frozen=True, slots=True)
class Progressed:
    """One letter read. `rest` is what the trace from here on has to satisfy.

    `verdict` is certain. `if_ended` is the verdict if the trace ends with this letter. `reward` is the
    paper's.
    """

    rest: Formula
    verdict: Verdict
    if_ended: Verdict
    reward: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a trace stands. `step` is the number of the letter that decided it, the first being 0."""

    verdict: Verdict
    step: int
    at_end: bool
    rest: Formula

    def __str__(self) -> str:
        if not self.at_end:
            if self.verdict is Verdict.UNDECIDED:
                return f"undecided after step {self.step}: still to be shown is {self.rest}"
            return f"{self.verdict} at step {self.step}, whatever follows"
        match self.verdict:
            case Verdict.SATISFIED:
                return f"satisfied because the trace ends at step {self.step}: only the end shows {self.rest}"
            case Verdict.VIOLATED:
                return f"violated because the trace ends at step {self.step}: {self.rest} was still open"
        return f"undecided although the trace ends at step {self.step}: a label it depends on is not known"


Reading: TypeAlias = tuple[bool | int | None, ...]
"""The truth of each atom at a letter, and the elapsed time where a clock is running."""

LETTERS, STEPS = 4096, 1 << 16
"""How many letters and steps are remembered. A screen's texts make a letter large, a step is small."""


class Progression:
    """Steps of one formula and of everything that is left of it along the way, each worked out once."""

    def __init__(self, formula: Formula) -> None:
        self.start = simplify(formula)
        self.atoms = atoms(self.start)
        self._readings: dict[Letter, Reading] = {}
        self._steps: dict[Formula, dict[Reading, Progressed]] = {}
        self._predictions: dict[Formula, dict[Reading, Formula]] = {}
        self._size = 0

    def step(self, formula: Formula, letter: Letter) -> Progressed:
        """`formula` is `start`, or the `rest` of a step before."""
        reading = self._read(formula, letter)
        known = self._steps.get(formula)
        if known is None:
            known = self._steps[formula] = {}
        step = known.get(reading)
        if step is None:
            self._make_room()
            step = known[reading] = _work_out(formula, letter)
        return step

    def predict(self, formula: Formula, letter: Letter) -> Formula:
        """What is left of the present step once the labels that are known are put in: never advanced.

        False: this letter, whatever else it says, violates the formula for good. True: it satisfies it.
        """
        reading = self._read(formula, letter)
        known = self._predictions.get(formula)
        if known is None:
            known = self._predictions[formula] = {}
        rest = known.get(reading)
        if rest is None:
            self._make_room()
            rest = known[reading] = restrict(expand(tick(formula, letter.elapsed)), letter)
        return rest

    def _read(self, formula: Formula, letter: Letter) -> Reading:
        reading = self._readings.get(letter)
        if reading is None:
            if len(self._readings) >= LETTERS:
                self._readings.clear()
            reading = self._readings[letter] = tuple(letter.truth(atom) for atom in self.atoms)
        return (*reading, letter.elapsed) if has_clock(formula) else reading

    def _make_room(self) -> None:
        self._size += 1
        if self._size > STEPS:
            self._steps.clear()
            self._predictions.clear()
            self._size = 0


def _work_out(formula: Formula, letter: Letter) -> Progressed:
    rest = progress(formula, letter)
    ended = Verdict.of(conclude(formula, letter))
    # `X true` and `N false` speak about whether there is a next step: there the two can differ.
    certain = (rest, ended) in ((TRUE, Verdict.SATISFIED), (FALSE, Verdict.VIOLATED))
    return Progressed(rest, ended if certain else Verdict.UNDECIDED, ended, reward(formula, rest))


class Monitor:
    """One trace, read letter by letter. Give several monitors the same `Progression` to share its table."""

    def __init__(self, formula: Formula | Progression) -> None:
        self.progression = formula if isinstance(formula, Progression) else Progression(formula)
        self.rest = self.progression.start
        self.letters = 0
        self._decided: Judgement | None = None
        self._if_ended = Verdict.UNDECIDED
        self._pending = self.rest

    def read(self, letter: Letter) -> Progressed:
        step = self.progression.step(self.rest, letter)
        self.rest, self._pending, self._if_ended = step.rest, self.rest, step.if_ended
        if self._decided is None and step.verdict is not Verdict.UNDECIDED:
            self._decided = Judgement(step.verdict, self.letters, False, step.rest)
        self.letters += 1
        return step

    @property
    def judgement(self) -> Judgement:
        """As things stand, if the trace may go on."""
        return self._decided or Judgement(Verdict.UNDECIDED, self.letters - 1, False, self.rest)

    def end(self) -> Judgement:
        """The trace is over."""
        return self._decided or Judgement(self._if_ended, self.letters - 1, True, self._pending)


def judge(formula: Formula, letters: Iterable[Letter]) -> Judgement:
    """The verdict on a whole trace."""
    monitor = Monitor(formula)
    for letter in letters:
        monitor.read(letter)
    return monitor.end()
