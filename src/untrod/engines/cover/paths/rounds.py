"""Symbolic execution in rounds, as in HOMI, with the real runs of `cover` for a judge.

    plan = pruning.begin_round()
    paths of a few inputs are followed; what they leave aside is the first frontier
    for `plan.length` paths:
        the searcher picks a state; its path is walked, and the input that walks it is run for real
        every `PERIOD` paths the pruning drops states; a few of them are made inputs of, and run
    a few of the states that are left are made inputs of, and run
    the pruning is told what each test has covered

HOMI starts each round at the beginning of the program. Here a round starts from inputs that came close to an
untaken branch: following a known input needs next to no solver, and what it leaves aside is near.
`Round` is one of them; `SymbolicSession` is what all rounds of a campaign share.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from untrod.engines.cover.case import Arc, Input
from untrod.engines.cover.paths.frontier import Frontier, Name, Walker, atom
from untrod.learn.pruning import Pruning, RoundPlan, RoundTest
from untrod.runtime.deadline import EpisodeStopped, EpisodeTimeout, Interrupted
from untrod.symbolic.protocol import Branch, Condition, Location, MeasuresShortfalls, PathResult, State
from untrod.symbolic.searchers.catalogue import make_searcher
from untrod.symbolic.searchers.knowledge import Knowledge, Line, Nearness

if TYPE_CHECKING:
    from untrod.engines.cover.search import Exploration

PERIOD = 5
MOST_BRANCHES = 3_000
HARVEST = 3
"""So many of the states that a prune drops, or a round leaves over, are made inputs of."""
SEEDS = 6
NEAREST, VARIANTS = 2, 8
"""So many lines that were nearly open give an input to start from, each by one change of so many."""
FRESH = 2
"""So many inputs of a round that has others to start from are drawn, where there is no other source."""
MOST_TESTS = 400
TRIAL = 12
"""After so many paths it is clear whether an executor can do anything here."""
_COUNTED = ("paths", "infeasible", "unknown", "unsupported", "states", "dropped", "peak", "waited", "outages")


class Round:
    """One round, with one searcher. `step` until it says that it is over, then `end`."""

    def __init__(self, session: SymbolicSession, searcher: str, seed: int) -> None:
        self._session = session
        self._rng = Random(seed)
        self.plan: RoundPlan = session.pruning.begin_round()
        chosen = make_searcher(searcher, seed, session.knowledge)
        self.frontier = Frontier(chosen, name=session.name, numbers=session.numbers)
        self._tests: list[RoundTest] = []
        self._seeds: list[Input] = []
        self._walks = 0
        self._followed: set[Input] = set()
        self._proofs: dict[Walker, ExhaustionProof] = {}

    def step(self, exploration: Exploration) -> bool:
        """One path. False when the round is over."""
        length = self.plan.length
        if length is not None and self._walks >= length:
            return False
        if not self._seeds and not len(self.frontier):
            self._seeds = self._more_seeds(exploration)
            if not self._seeds:
                return False
        self._walks += 1
        self._session.note_open(exploration)
        if self._seeds:
            self._follow(exploration, self._seeds.pop(0))
        else:
            self._walk(exploration)
            if self._walks % PERIOD == 0:
                self._prune(exploration)
        return True

    def end(self, exploration: Exploration) -> None:
        ids = self.frontier.ids()
        chosen = self._rng.sample(ids, min(HARVEST, len(ids)))
        self._harvest(exploration, self.frontier.drop(chosen))
        self._session.pruning.end_round(self._tests)

    def refresh(self, exploration: Exploration) -> None:
        """For a round that never ends: inputs that came close since it began."""
        self._seeds += self._more_seeds(exploration)

    # -- paths ------------------------------------------------------------------------------------

    def _more_seeds(self, exploration: Exploration) -> list[Input]:
        """Inputs that were not followed in this round yet: near to untaken branches, and others like them.

        A solver changes what is in the holes, never the template: longer texts, more items and other methods
        come from mutation. Where nothing is near, inputs are drawn; and where nobody else draws any, a few
        always are, or a round that begins again would never come to what was not drawn in the first one.
        """
        nearest = self._session.nearest(NEAREST)
        near = list(dict.fromkeys([*nearest, *exploration.archive.open_inputs()]))
        near = [given for given in near if given not in self._followed][:SEEDS]
        for given in near:
            exploration.archive.tried(given)
        like = [self._variant(exploration, given) for given in nearest]
        like += [exploration.like(given, self._rng) for given in near[: SEEDS // 2 - len(nearest)]]
        fresh = 0 if near and exploration.turns.draws else FRESH if near else SEEDS
        drawn = [exploration.sample(name, self._rng) for name in self._session.in_turn(exploration, fresh)]
        found = list(dict.fromkeys([*near, *like, *drawn]))
        self._followed.update(found)
        return found

    def _variant(self, exploration: Exploration, given: Input) -> Input:
        """One that takes the same branches, with longer texts, more items or other methods. Most changes
        break an input, and what a real run costs is little beside a path; where none is found, any change."""
        arcs = exploration.run(given).arcs
        for _ in range(VARIANTS):
            changed = exploration.like(given, self._rng)
            if changed not in self._followed and not arcs & ~exploration.run(changed).arcs:
                return changed
        return changed

    def _follow(self, exploration: Exploration, given: Input) -> None:
        """The path of a known input: what it leaves aside joins the frontier."""
        found = self._session.executors.for_input(given)
        if found is None:
            exploration.run(given)
            return
        walker, template = found
        start = self.frontier.start(walker.executor.initial())
        if walker in self._proofs:  # another input of the same template: some of its states come twice
            self._proofs[walker].break_off()
        else:
            self._proofs[walker] = self._session.executors.proof(template)
        self._advance(exploration, start, walker, template.values)

    def _walk(self, exploration: Exploration) -> None:
        state, walker = self.frontier.pick()
        self._advance(exploration, state, walker, None)

    def _advance(
        self, exploration: Exploration, state: State, walker: Walker, values: tuple[Any, ...] | None
    ) -> None:
        subject, session = exploration.subject, self._session
        number = subject.begin()
        if number in subject.passed_over:
            subject.beacon.end()
            return
        deadline = time.monotonic() + session.seconds
        try:
            result = _path(walker, state, values, deadline, self._rng)
        except EpisodeTimeout:
            result = PathResult("limit", ())
        except Exception as error:  # the code under test met symbolic values in a way no executor foresaw
            result = PathResult("unsupported", (), reason=str(error))
        subject.beacon.end()
        subject.forget_caches()
        if isinstance(result.error, Interrupted):
            raise result.error
        if isinstance(result.error, EpisodeStopped):
            result = PathResult("limit", result.branches)
        session.count(state, result)
        session.note_near(state, walker, result)
        self.frontier.add(result.pending, walker)
        session.note_live(len(result.pending), len(self.frontier))
        proof = self._proofs[walker]
        proof.record(result)
        if proof.is_complete and not self.frontier.overflowed:
            exploration.exhausted.add(walker.template.entry)
        if result.inputs is not None:
            subject.beacon.begin(number)
            found = Found(walker, result.inputs)
            self._test(exploration, number, found, result.branches, state)

    def _test(
        self, exploration: Exploration, number: int, found: Found, branches: Sequence[Branch], state: State
    ) -> None:
        """What a walk has found, run for real."""
        template = found.walker.template
        run = exploration.run(template.input(found.values), number)
        lines = self._session.lines.of(exploration.subject.taken)
        self._session.knowledge.tell(state, branches, lines)
        if run.valid and len(self._tests) < MOST_TESTS:
            taken = [str(arc) for arc in exploration.subject.branch_map.named(run.arcs)]
            atoms = self.frontier.atoms.of_path(tuple(branches), template)
            self._tests.append(RoundTest(taken, atoms, self._session.pruning.serving))

    # -- pruning ----------------------------------------------------------------------------------

    def _prune(self, exploration: Exploration) -> None:
        if len(self.frontier) < 2:
            return
        ids = self._session.pruning.prune(self.frontier.features())
        if not ids:
            return
        dropped = self.frontier.drop(ids)
        self._session.dropped += len(dropped)
        for _, walker in dropped:
            self._proofs[walker].break_off()
        self._harvest(exploration, self._rng.sample(dropped, min(HARVEST, len(dropped))))

    def _harvest(self, exploration: Exploration, states: Sequence[tuple[State, Walker]]) -> None:
        """A test for each, with nothing explored beyond."""
        subject = exploration.subject
        for state, walker in states:
            number = subject.begin()
            try:
                known = number in subject.passed_over
                deadline = time.monotonic() + self._session.seconds
                inputs = None if known else walker.executor.solve(state, deadline=deadline)
            except (EpisodeTimeout, Exception):
                inputs = None
            subject.beacon.end()
            if inputs is not None:
                subject.beacon.begin(number)
                trail = state.trail[: state.depth]
                self._test(exploration, number, Found(walker, inputs), trail, state)


class Found(NamedTuple):
    """What is to be put into the holes, and whose they are."""

    walker: Walker
    values: tuple[Any, ...]


def _path(
    walker: Walker, state: State, values: tuple[Any, ...] | None, deadline: float, rng: Random
) -> PathResult:
    """From `state` on, where a known input goes if there is one: a solver's model is such an input, too."""
    executor = walker.executor
    if "follow" not in executor.capabilities:
        return executor.advance(state, _Coin(rng), max_branches=MOST_BRANCHES, deadline=deadline)
    if values is None:
        values = executor.solve(state, deadline=deadline)
    if values is None:  # which of the two it is, `advance` says
        return executor.advance(state, _Coin(rng), max_branches=MOST_BRANCHES, deadline=deadline)
    policy = executor.follow(values)
    return executor.advance(state, policy, max_branches=MOST_BRANCHES, deadline=deadline)


class _Coin:
    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        return self._rng.random() < 0.5

    def feedback(self, branch: Branch, feasible: bool) -> None:
        """Nothing to learn."""


# -- what rounds share -----------------------------------------------------------------------------


class ExhaustionProof(Protocol):
    """Whether every path of an entry was walked, as far as one template shows it within one round."""

    @property
    def is_complete(self) -> bool: ...

    def record(self, result: PathResult) -> None: ...

    def break_off(self) -> None: ...


class Executors(Protocol):
    """Who executes what is under test symbolically."""

    def for_input(self, given: Input) -> tuple[Walker, Any] | None:
        """The walker of its paths, and the input as a template; None where no executor can take it."""
        ...

    def proof(self, template: Any) -> ExhaustionProof: ...


class LineMap(Protocol):
    """What the last real run has reached, in the searchers' terms."""

    @property
    def distances(self) -> Nearness: ...

    def of(self, taken: Mapping[str, Any]) -> set[Line]: ...

    def starting(self, arcs: Iterable[Arc]) -> set[Line]: ...


class SymbolicSession:
    """What all rounds of a campaign share."""

    def __init__(
        self,
        executors: Executors,
        lines: LineMap,
        pruning: Pruning,
        seconds: float,
        name: Name = atom,
    ) -> None:
        """`name` gives a decision the name that it has in every round."""
        self.executors = executors
        self.name = name
        self.lines = lines
        self.pruning = pruning
        self.knowledge = Knowledge(lines.distances)
        self.numbers = count(1)
        self.seconds = seconds
        self.paths = self.infeasible = self.unknown = self.unsupported = self.dropped = 0
        self.states = self.peak = self.waited = self.outages = 0
        self._covered = -1
        self._drawn: Counter[str] = Counter()
        self._nearest: dict[Line, tuple[int, Input]] = {}
        self._started: Counter[Line] = Counter()
        self.undecided: set[tuple[str, int]] = set()
        """Lines at which the solver gave up."""

    def count(self, state: State, result: PathResult) -> None:
        self.paths += 1
        self.outages += result.stats.outages
        location = state.location
        place = (location.unit, location.line) if location is not None else None
        if result.status == "infeasible":
            self.infeasible += 1
        elif result.status in ("unknown", "limit"):
            self.unknown += 1
            self.undecided.update([place] if place else [])
        elif result.status in ("unsupported", "diverged"):
            self.unsupported += 1

    def in_turn(self, exploration: Exploration, count: int) -> list[str]:
        """The entries of which the fewest inputs were drawn so far, for rounds."""
        names = sorted(exploration.drawers, key=self._drawn.__getitem__)[:count]
        self._drawn.update(names)
        return names

    def note_open(self, exploration: Exploration) -> None:
        """For searchers: which lines have a branch left that nobody took?"""
        if self._covered != exploration.covered:
            self._covered = exploration.covered
            self.knowledge.open = self.lines.starting(exploration.subject.branch_map.untaken(self._covered))

    def note_near(self, state: State, walker: Walker, result: PathResult) -> None:
        """For searchers: by how much did the path miss what nobody took at the lines it came by?"""
        if result.inputs is None or "shortfalls" not in walker.executor.capabilities:
            return
        places = [((one.location.unit, one.location.line), one) for one in result.branches]
        near = [(line, one) for line, one in places if line in self.knowledge.open]
        found: dict[Line, int] = {}
        offs = cast(MeasuresShortfalls, walker.executor).shortfalls([one for _, one in near], result.inputs)
        for (line, _), off in zip(near, offs, strict=True):
            if off is not None:
                found[line] = min(off, found.get(line, off))
        self.knowledge.tell_shortfalls(state, found)
        for line, off in found.items():
            if (
                line not in self._nearest or off <= self._nearest[line][0]
            ):  # of equals the newest: it is another
                self._nearest[line] = off, walker.template.input(result.inputs)

    def nearest(self, count: int) -> list[Input]:
        """What came nearest to a way that nobody took, at lines that take turns."""
        lines = sorted(self.knowledge.open & self._nearest.keys(), key=lambda one: (self._started[one], one))
        self._started.update(lines[:count])
        return [self._nearest[line][1] for line in lines[:count]]

    def note_live(self, new: int, live: int) -> None:
        """A path has left `new` states; `live` wait now, pruned ones not among them."""
        self.states += new
        self.peak = max(self.peak, live)
        self.waited += live

    @property
    def live(self) -> int:
        """States that wait, on average over the paths."""
        return round(self.waited / max(1, self.paths))

    @property
    def is_useless(self) -> bool:
        """Is most of what the code under test does beyond the executor?"""
        return self.paths >= TRIAL and self.unsupported * 2 > self.paths

    def counters(self) -> dict[str, int]:
        """What was counted so far, for `restore_counters` in another process: a worker may have to be
        replaced."""
        return {name: getattr(self, name) for name in _COUNTED}

    def restore_counters(self, counters: Mapping[str, int]) -> None:
        for name in _COUNTED:
            setattr(self, name, int(counters.get(name, 0)))

    def counts(self) -> dict[str, int]:
        """For people."""
        return {name: getattr(self, name) for name in (*_COUNTED, "live") if name != "waited"}
