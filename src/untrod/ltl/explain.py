"""Why a verdict is what it is: which part of the formula, at which step, because of which label.

A trace that violates `G a` does so at its first step without an a, and there because of the labels of that
step. So the explanation walks down from the formula to the atoms, each time into a part that settles the
matter: the first false part of a conjunction, all parts of a false disjunction, the step at which something
first held. Where the end of the trace settles it, that is the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from untrod.ltl.labels import Letter, matches
from untrod.ltl.monitor import Verdict
from untrod.ltl.nodes import (
    Always,
    And,
    Atom,
    Bound,
    Constant,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Temporal,
    Until,
    WeakNext,
    WeakUntil,
)
from untrod.ltl.printing import duration
from untrod.ltl.trace import FiniteTrace, Truth

HOW = {True: "held", False: "did not hold", None: "is not known"}
Settling: TypeAlias = Mapping[Truth, tuple[Formula, ...]]
"""For each truth of a temporal operator, which of its parts having that truth at some step settles it."""

SHOWN_REASONS, SHOWN_VALUES, SHOWN_CHARACTERS = 3, 3, 40


@dataclass(frozen=True, slots=True)
class Reason:
    """`formula` was `truth` at `step`, because ... It matters as a part of `inside`."""

    step: int
    formula: Formula
    truth: Truth
    because: str
    inside: Formula

    def __str__(self) -> str:
        return f"at step {self.step} {self.formula} {HOW[self.truth]}, because {self.because}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a trace, now ended, satisfies or violates a formula. `reasons` are in the order of the formula."""

    verdict: Verdict
    step: int
    reasons: tuple[Reason, ...]

    def __str__(self) -> str:
        """One sentence."""
        shown = "; ".join(map(str, self.reasons[:SHOWN_REASONS]))
        more = len(self.reasons) - SHOWN_REASONS
        parts = dict.fromkeys(reason.inside for reason in self.reasons if reason.inside is not reason.formula)
        inside = f" (part of {next(iter(parts))})" if len(parts) == 1 else ""
        others = f"; and {more} more reason{'s' * (more > 1)}" if more > 0 else ""
        return f"{self.verdict.capitalize()} at step {self.step}: {shown}{inside}{others}."


def explain(formula: Formula, letters: Sequence[Letter]) -> Explanation:
    """Why `letters`, at least one, satisfy or violate `formula`."""
    trace = FiniteTrace(letters)
    verdict = Verdict.of(trace.truth(formula))
    reasons = tuple(dict.fromkeys(_Why(trace).of(formula, 0, formula)))
    return Explanation(verdict, max(reason.step for reason in reasons), reasons)


class _Why:
    """The reasons for the truth of a formula at a step. `inside` is the last temporal operator on the way."""

    def __init__(self, trace: FiniteTrace) -> None:
        self.trace = trace

    def of(self, formula: Formula, i: int, inside: Formula) -> list[Reason]:
        truth = self.trace.truth(formula, i)
        match formula:
            case Atom() | Constant():
                return [Reason(i, formula, truth, self._seen(formula, i), inside)]
            case Not(Atom() as atom):
                return [Reason(i, formula, truth, self._seen(atom, i), inside)]
            case Not(of):
                return self.of(of, i, inside)
            case And(parts):
                return self._settled(parts, i, inside, truth, by=False)
            case Or(parts):
                return self._settled(parts, i, inside, truth, by=True)
            case Implies(left, right):
                return self._settled((Not(left), right), i, inside, truth, by=True)
            case Next(of) | WeakNext(of):
                if i < self.trace.end:
                    return self.of(of, i + 1, formula)
                return [Reason(i, formula, truth, "the trace ended there", inside)]
            case Eventually(of):
                return self._ahead(formula, i, {True: (of,), None: (of,)}, of)
            case Always(of):
                return self._ahead(formula, i, {False: (of,), None: (of,)}, of)
            case Until(left, right):
                return self._ahead(formula, i, {True: (right,), False: (left,), None: (right, left)}, right)
            case WeakUntil(left, right):
                return self._ahead(formula, i, {True: (right,), False: (left,), None: (right, left)}, left)
            case Release(left, right):
                return self._ahead(formula, i, {True: (left,), False: (right,), None: (right, left)}, right)
        raise TypeError(f"not a formula: {formula!r}")

    def _settled(
        self, parts: Iterable[Formula], i: int, inside: Formula, truth: Truth, *, by: bool
    ) -> list[Reason]:
        """One part with the value `by` settles it alone; without one, all of them are needed."""
        deciding = [part for part in parts if self.trace.truth(part, i) is truth]
        if truth is by or truth is None:
            deciding = deciding[:1]
        return [reason for part in deciding for reason in self.of(part, i, inside)]

    def _ahead(self, whole: Temporal, i: int, settling: Settling, waiting: Formula) -> list[Reason]:
        """The first step where a part has the value that settles the whole. If none has, the end did."""
        truth = self.trace.truth(whole, i)
        for j in self.trace.window(i, whole.bound):
            for part in settling.get(truth, ()):
                if self.trace.truth(part, j) is truth:
                    return self.of(part, j, whole)
        return [self._to_the_end(whole, waiting, i)]

    def _to_the_end(self, whole: Temporal, of: Formula, i: int) -> Reason:
        """Nothing happened, and that settles it."""
        truth = self.trace.truth(whole, i)
        last = self.trace.window(i, whole.bound)[-1]
        if truth is None:
            return Reason(last, whole, truth, "a step was not timed", whole)
        held = self.trace.truth(of, last)
        steps = f"at step {i}" if i == last else f"at {'every' if held else 'any'} step from {i} to {last}"
        end = (
            "where the trace ended"
            if last == self.trace.end
            else f"the last one within {_limit(whole.bound)}"
        )
        return Reason(last, whole, truth, f"{of} {HOW[held]} {steps}, {end}", whole)

    def _seen(self, formula: Formula, i: int) -> str:
        """What the letter has to say about an atom."""
        if not isinstance(formula, Atom):
            return f"{formula} always is"
        letter = self.trace.letters[i]
        values = letter.values(formula.name)
        matching = [value for value in values if matches(formula, value)]
        if letter.truth(formula) is None:
            return f"{formula.name} could not be read"
        if not values:
            return f"there was no {formula.name}"
        shown = sorted(values)[:SHOWN_VALUES] if not matching else [min(sorted(matching), key=len)]
        more = (
            f" and {len(values) - SHOWN_VALUES} more" if not matching and len(values) > SHOWN_VALUES else ""
        )
        return f"{formula.name} was {', '.join(map(_short, shown))}{more}"


def _limit(bound: Bound | None) -> str:
    if bound is None:
        return "the trace"
    return duration(bound.limit) if bound.unit == "ms" else f"{bound.limit} step{'s' * (bound.limit != 1)}"


def _short(value: str) -> str:
    flat = " ".join(value.split())
    return f'"{flat}"' if len(flat) <= SHOWN_CHARACTERS else f'"{flat[: SHOWN_CHARACTERS - 3]}..."'
