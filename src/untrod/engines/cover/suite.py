"""From everything that `cover` has run to a suite that a person would keep: few cases, with small values.

    choose      the fewest cases that take all arcs together, by greedy set cover: first those that return,
                then those that refuse their input, and last those that only a wrong type has brought there
    shrink      each of them in turn gets simpler values, as long as the suite takes the same arcs

Shrinking is last, because the arcs that a case must keep are those that no other case of the suite takes.
What a case is worth is seen by running it: each candidate is run in a worker, and what it did then is what
the test will say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from untrod.engines.cover.case import Arc, Case, Input, Step
from untrod.engines.cover.outside.pinned import simpler_worlds
from untrod.learn.set_cover import set_cover
from untrod.source.nodes import Atom, Node, Pairs, Text
from untrod.source.simpler import leaves, simpler, with_leaf

Try = Callable[[Input], Case | None]
"""Runs an input for real. None: it could not be run, or not always with the same result."""

Expired = Callable[[], bool]
CHECKS_EACH = 150
CHECKS = 3_000
"""How many candidates may be run for one case and for the whole suite."""


def build_suite(
    cases: Sequence[Case], run: Try, checks: int = CHECKS, expired: Expired = lambda: False
) -> list[Case]:
    """Every case in the result has just been run. The same cases give the same suite, in whatever order.

    The suite takes what the cases take, no more and no less: that was said before there was a suite. Once
    time has `expired` nothing more is run: what was chosen stays as it is.
    """
    ordered = sorted(cases, key=lambda case: (case.given.weight, str(case.given)))
    confirmed: list[Case] = []
    everything = wanted = _arcs(ordered)
    while ordered and wanted:
        for case in choose([replace(case, arcs=case.arcs & wanted) for case in ordered]):
            again = case if expired() else run(case.given)
            if again is not None:
                confirmed.append(again)
            ordered = [other for other in ordered if other.given != case.given]
        # What a case did not take when it was run again, another one may.
        wanted &= _arcs(ordered) - _arcs(confirmed)
    return shrink_all(choose(confirmed), within(run, everything), checks, expired)


def within(run: Try, arcs: frozenset[Arc]) -> Try:
    """Refuses what takes others."""

    def limited(given: Input) -> Case | None:
        case = run(given)
        return case if case is not None and case.arcs <= arcs else None

    return limited


def choose(cases: Sequence[Case]) -> list[Case]:
    """A small cover; on a tie, what comes first. What a better kind of case takes needs no worse one."""
    numbers = {arc: number for number, arc in enumerate(sorted(_arcs(cases)))}
    sets = [sum(1 << numbers[arc] for arc in case.arcs) for case in cases]
    chosen: list[Case] = []
    covered = 0
    for worth in sorted({_worth(case) for case in cases}):
        places = [place for place, case in enumerate(cases) if _worth(case) == worth]
        found = [places[place] for place in set_cover([sets[place] & ~covered for place in places])]
        chosen += [cases[place] for place in found]
        for place in found:
            covered |= sets[place]
    return chosen


def _worth(case: Case) -> int:
    """The less, the better: it returns; it raises what is meant, or what looks like a bug; nonsense."""
    if case.outcome.error is None:
        return 0 if not case.raised else 1
    return 3 if case.outcome.is_nonsense else 2


def worth_keeping(suite: Sequence[Case], asserts: Callable[[Case], bool]) -> list[Case]:
    """Without what only says that nonsense fails, or nothing at all, unless it takes a branch that no other
    case takes."""
    kept: list[Case] = []
    doubtful = [case for case in suite if case.outcome.is_nonsense or not asserts(case)]
    taken = _arcs([case for case in suite if case not in doubtful])
    for case in doubtful:
        if any(arc.start > 0 for arc in case.arcs - taken):
            kept.append(case)
            taken |= case.arcs
    return [case for case in suite if case not in doubtful or case in kept]


def shrink_all(suite: list[Case], run: Try, checks: int, expired: Expired = lambda: False) -> list[Case]:
    """From the last chosen to the first: those take least that is new, and so have the least to keep."""
    taken = Counter(arc for case in suite for arc in case.arcs)
    small = list(suite)
    for place in reversed(range(len(suite))):
        case = suite[place]
        alone = frozenset(arc for arc in case.arcs if taken[arc] == 1)
        tried = _Counted(run, min(CHECKS_EACH, checks), expired)
        small[place] = shrink(case, alone, tried)
        checks -= tried.runs
        taken.subtract(case.arcs)
        taken.update(small[place].arcs)
    return choose(small)  # what was shrunk may take more than before, and make another one superfluous


def shrink(case: Case, keep: frozenset[Arc], run: Try) -> Case:
    """The case with the simplest values found that takes the arcs in `keep` and ends in the same way."""
    improved = True
    while improved:
        improved = False
        for candidate in simpler_inputs(case.given):
            found = run(candidate)
            if found is None or found.given.weight >= case.given.weight:
                continue  # what a test cannot do without was put back
            if keep <= found.arcs and _ends_alike(case, found):
                case, improved = found, True
                break
    return case


def bounded(run: Try, expired: Expired = lambda: False) -> Try:
    """At most as many runs as one case is worth, and none once time has expired."""
    return _Counted(run, CHECKS_EACH, expired)


def simpler_inputs(given: Input) -> Iterator[Input]:
    """Without one of the steps between the first and the last; then with one argument made simpler; then
    with a value that stands in several places made simpler in all of them: `f(5, 5)` to `f(1, 1)`."""
    for place in range(1, len(given.steps) - 1):
        yield replace(given, steps=given.steps[:place] + given.steps[place + 1 :])
    for place, step in enumerate(given.steps):
        for simpler_step in _simpler_steps(step):
            yield replace(given, steps=(*given.steps[:place], simpler_step, *given.steps[place + 1 :]))
    for world in simpler_worlds(given.world):
        yield replace(given, world=world)
    values = Counter(leaf for step in given.steps for node in _nodes(step) for leaf in leaves(node))
    for leaf in [leaf for leaf, times in values.items() if times > 1]:
        for other in simpler(leaf):
            yield replace(given, steps=tuple(_with_leaf(step, leaf, other) for step in given.steps))


def _nodes(step: Step) -> tuple[Node, ...]:
    return (*step.arguments, *(value for _, value in step.keywords))


def _with_leaf(step: Step, old: Atom | Text, new: Node) -> Step:
    return replace(
        step,
        arguments=tuple(with_leaf(node, old, new) for node in step.arguments),
        keywords=tuple((name, with_leaf(node, old, new)) for name, node in step.keywords),
    )


def _simpler_steps(step: Step) -> Iterator[Step]:
    if step.kind in ("with", "async with") and step.arguments:
        yield replace(step, arguments=())
    if step.kind == "host" and step.arguments[:2] == (Pairs(()), Pairs(())):
        yield replace(step, arguments=step.arguments[2:], kind="call")
    for place in range(len(step.keywords)):
        yield replace(step, keywords=step.keywords[:place] + step.keywords[place + 1 :])
    for place, node in enumerate(step.arguments):
        for other in simpler(node):
            yield replace(step, arguments=(*step.arguments[:place], other, *step.arguments[place + 1 :]))
    for place, (name, node) in enumerate(step.keywords):
        for other in simpler(node):
            keywords = (*step.keywords[:place], (name, other), *step.keywords[place + 1 :])
            yield replace(step, keywords=keywords)


def _ends_alike(case: Case, other: Case) -> bool:
    """Values may change, but an exception stays the same one, and what had a value keeps one."""
    before, now = case.outcome, other.outcome
    if (before.error, before.place, before.driven, before.suspect) != (
        now.error,
        now.place,
        now.driven,
        now.suspect,
    ):
        return False
    return len(other.given.steps) <= len(case.given.steps) and (before.value is None or now.value is not None)


def _arcs(cases: Sequence[Case]) -> frozenset[Arc]:
    return frozenset(arc for case in cases for arc in case.arcs)


class _Counted:
    """Runs at most `limit` inputs, each once, until time has expired."""

    def __init__(self, run: Try, limit: int, expired: Expired) -> None:
        self._run = run
        self._limit = limit
        self._expired = expired
        self._known: dict[Input, Case | None] = {}
        self.runs = 0

    def __call__(self, given: Input) -> Case | None:
        if given not in self._known:
            if self.runs >= self._limit or self._expired():
                return None
            self.runs += 1
            self._known[given] = self._run(given)
        return self._known[given]
