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
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from untrod.engines.cover.case import Input
from untrod.engines.cover.paths.frontier import Frontier, Walked
from untrod.engines.cover.paths.lab import Books, Lab
from untrod.learn.pruning import RoundPlan, RoundTest
from untrod.runtime.deadline import EpisodeStopped, EpisodeTimeout, Interrupted
from untrod.symbolic.protocol import Branch, Condition, Location, PathResult, State
from untrod.symbolic.searchers.catalogue import make_searcher

if TYPE_CHECKING:
    from untrod.engines.cover.exploration import Exploration

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


class Round:
    """One round, with one searcher. `step` until it says that it is over, then `end`."""

    def __init__(self, lab: Lab, searcher: str, seed: int) -> None:
        self._lab = lab
        self._rng = Random(seed)
        self.plan: RoundPlan = lab.pruning.begin_round()
        chosen = make_searcher(searcher, seed, lab.knowledge)
        self.frontier = Frontier(chosen, name=lab.name, numbers=lab.numbers)
        self._tests: list[RoundTest] = []
        self._seeds: list[Input] = []
        self._walks = 0
        self._followed: set[Input] = set()
        self._proofs: dict[Walked, Books] = {}

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
        self._lab.note_open(exploration)
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
        self._lab.pruning.end_round(self._tests)

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
        nearest = self._lab.nearest(NEAREST)
        near = list(dict.fromkeys([*nearest, *exploration.archive.open_inputs()]))
        near = [given for given in near if given not in self._followed][:SEEDS]
        for given in near:
            exploration.archive.tried(given)
        like = [self._variant(exploration, given) for given in nearest]
        like += [exploration.like(given, self._rng) for given in near[: SEEDS // 2 - len(nearest)]]
        fresh = 0 if near and exploration.draws else FRESH if near else SEEDS
        drawn = [exploration.sample(name, self._rng) for name in self._lab.in_turn(exploration, fresh)]
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
        found = self._lab.executors.for_input(given)
        if found is None:
            exploration.run(given)
            return
        walked, template = found
        start = self.frontier.start(walked.executor.initial())
        if walked in self._proofs:  # another input of the same template: some of its states come twice
            self._proofs[walked].broken()
        else:
            self._proofs[walked] = self._lab.executors.proof(template)
        self._advance(exploration, start, walked, template.values)

    def _walk(self, exploration: Exploration) -> None:
        state, walked = self.frontier.pick()
        self._advance(exploration, state, walked, None)

    def _advance(
        self, exploration: Exploration, state: State, walked: Walked, values: tuple[Any, ...] | None
    ) -> None:
        subject, lab = exploration.subject, self._lab
        number = subject.begin()
        if number in subject.passed_over:
            subject.beacon.end()
            return
        deadline = time.monotonic() + lab.seconds
        try:
            result = _path(walked, state, values, deadline, self._rng)
        except EpisodeTimeout:
            result = PathResult("limit", ())
        except Exception as error:  # the code under test met symbolic values in a way no engine foresaw
            result = PathResult("unsupported", (), reason=str(error))
        subject.beacon.end()
        subject.forget_caches()
        if isinstance(result.error, Interrupted):
            raise result.error
        if isinstance(result.error, EpisodeStopped):
            result = PathResult("limit", result.branches)
        lab.count(state, result)
        lab.note_near(state, walked, result)
        self.frontier.add(result.pending, walked)
        lab.note_live(len(result.pending), len(self.frontier))
        proof = self._proofs[walked]
        proof.walked(result)
        if proof.is_complete and not self.frontier.overflowed:
            exploration.exhausted.add(walked.template.entry)
        if result.inputs is not None:
            subject.beacon.begin(number)
            found = Found(walked, result.inputs)
            self._test(exploration, number, found, result.branches, state)

    def _test(
        self, exploration: Exploration, number: int, found: Found, branches: Sequence[Branch], state: State
    ) -> None:
        """What a walk has found, run for real."""
        template = found.walked.template
        run = exploration.run(template.input(found.values), number)
        lines = self._lab.lines.of(exploration.subject.taken)
        self._lab.knowledge.tell(state, branches, lines)
        if run.valid and len(self._tests) < MOST_TESTS:
            taken = [str(arc) for arc in exploration.subject.atlas.named(run.arcs)]
            atoms = self.frontier.atoms.of_path(tuple(branches), template)
            self._tests.append(RoundTest(taken, atoms, self._lab.pruning.serving))

    # -- pruning ----------------------------------------------------------------------------------

    def _prune(self, exploration: Exploration) -> None:
        if len(self.frontier) < 2:
            return
        ids = self._lab.pruning.prune(self.frontier.features())
        if not ids:
            return
        dropped = self.frontier.drop(ids)
        self._lab.dropped += len(dropped)
        for _, walked in dropped:
            self._proofs[walked].broken()
        self._harvest(exploration, self._rng.sample(dropped, min(HARVEST, len(dropped))))

    def _harvest(self, exploration: Exploration, states: Sequence[tuple[State, Walked]]) -> None:
        """A test for each, with nothing explored beyond."""
        subject = exploration.subject
        for state, walked in states:
            number = subject.begin()
            try:
                known = number in subject.passed_over
                deadline = time.monotonic() + self._lab.seconds
                inputs = None if known else walked.executor.solve(state, deadline=deadline)
            except (EpisodeTimeout, Exception):
                inputs = None
            subject.beacon.end()
            if inputs is not None:
                subject.beacon.begin(number)
                trail = state.trail[: state.depth]
                self._test(exploration, number, Found(walked, inputs), trail, state)


class Found(NamedTuple):
    """What is to be put into the holes, and whose they are."""

    walked: Walked
    values: tuple[Any, ...]


def _path(
    walked: Walked, state: State, values: tuple[Any, ...] | None, deadline: float, rng: Random
) -> PathResult:
    """From `state` on, where a known input goes if there is one: a solver's model is such an input, too."""
    executor = walked.executor
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
