"""The search: arms propose inputs, real runs judge them, a bandit learns whom to ask.

    while arcs are left:
        the bandit gives one arm a turn
        during the turn: the arm proposes, `run` runs for real, notes what is new, and keeps those inputs
        the bandit is told what the turn has gained, and what it cost

Cheap arms have half of what is spent at least, whatever the bandit believes: a campaign that learns is then
never far behind one that only draws. Costs are CPU seconds when the campaign has a time budget. With an
episode budget they are episodes, so that the same seed finds the same.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

from untrod.core.seeds import derive, stream
from untrod.core.vocabulary import Json
from untrod.engines.cover.archive import Archive
from untrod.engines.cover.arms.base import Arm
from untrod.engines.cover.case import Input
from untrod.engines.cover.drawing import Drawer
from untrod.engines.cover.roster import Roster
from untrod.engines.cover.subject import Run, Subject
from untrod.engines.cover.values.kinds import Chance
from untrod.engines.cover.values.words import Words
from untrod.learn.frozen import dump_random, load_random
from untrod.learn.rate_bandit import RateBandit, Settings
from untrod.runtime.deadline import EpisodeTimeout

TURN_EPISODES = 30
TURN_SECONDS = 0.05
LOOK = 10
PATIENCE, LULL = 10, 0.2
"""Turns without a find, and as a share of all turns."""
MOST_SEEN = 200_000
MEMORY = Settings(discount=0.995)
"""Turns are short, and most find nothing: whoever forgets faster has nothing to go by."""
EARLIER = "earlier"
"""Who found what an earlier campaign had found already."""


class Exploration:
    """`tell` hears of every run that took something new, or ended in something that must be told. It returns
    the arcs that a test of the run takes: at least those of the run."""

    def __init__(
        self,
        subject: Subject,
        arms: Sequence[Arm],
        words: Words,
        seed: int,
        tell: Callable[[Run, str, bool], int],
        *,
        timed: bool = False,
    ) -> None:
        self.subject = subject
        self.words = words
        self.drawers: Mapping[str, Drawer] = {entry.name: Drawer(entry) for entry in subject.survey.entries}
        self.roster = Roster(list(self.drawers))
        self.archive = Archive(subject.atlas)
        self.covered = subject.imported
        self.timed = timed
        self.gained: dict[str, int] = {arm.name: 0 for arm in arms}  # arcs, by who found them
        self.exhausted: set[str] = set()  # entries all of whose paths were walked
        self._arms = {arm.name: arm for arm in arms}
        self._bandit = RateBandit(list(self._arms), derive(seed, "bandit"), MEMORY)
        self._rng = stream(seed, "archive")
        self._tell = tell
        self._seen: set[int] = set()
        self._turn: _Turn | None = None
        self._spent = {False: 0.0, True: 0.0}  # by cheap and by dear arms
        self._cheap_turns = 0
        self._dry = 0  # turns of cheap arms since one of them found something

    @property
    def finished(self) -> bool:
        """Everything is covered, or what is not cannot be."""
        return not self.everything & ~self.covered or self.is_exhausted

    @property
    def is_exhausted(self) -> bool:
        """Every path of every entry was walked."""
        return self.exhausted.issuperset(self.drawers)

    @property
    def everything(self) -> int:
        return (1 << len(self.subject.atlas.arcs)) - 1

    def step(self) -> None:
        """One episode, or a little more."""
        turn = self._turn
        if turn is None:
            turn = self._turn = self._begin()
        goes_on = turn.arm.step(self)
        if not goes_on or turn.is_over(self):
            self._end(turn)

    def run(self, given: Input, number: int | None = None) -> Run:
        """For arms: a real run, and everything that follows from it."""
        run = self.subject.run(given, number)
        self._seen.add(hash(given))
        if len(self._seen) > MOST_SEEN:
            self._seen.clear()
        by = self._turn.arm.name if self._turn else EARLIER
        if run.testable:
            self._learn(run, by)
        elif run.valid:  # what no test can show is not covered; but it may be something to tell
            if isinstance(run.error, EpisodeTimeout):
                self.roster.dread(given.entry)
            if run.error is not None:
                self._tell(run, by, False)
        return run

    def _learn(self, run: Run, by: str) -> None:
        new = run.arcs & ~self.covered
        self.covered |= run.arcs
        self.archive.note(run.given, run.arcs, self.covered, self._rng)
        self.roster.learn(run.given.entry, new.bit_count())
        if new:
            self.archive.keep(run.given)
            self.gained[by] = self.gained.get(by, 0) + new.bit_count()
        if new or run.error is not None:
            self.covered |= self._tell(run, by, bool(new))

    def is_fresh(self, given: Input) -> bool:
        """Has it not been run, as far as is remembered?"""
        return hash(given) not in self._seen

    def recall(self, inputs: Sequence[Input], lesson: Json) -> None:
        """Start from an earlier campaign: its inputs are run again, its weights are kept."""
        for given in inputs:
            if given.entry in self.drawers:
                self.run(given)
        try:
            self._bandit.load(lesson["bandit"])
            for name, arm in self._arms.items():
                arm.recall(lesson["arms"].get(name))
        except (LookupError, TypeError, ValueError):
            pass  # of another version: the inputs are what counts

    def sample(self, entry: str, rng: Random) -> Input:
        """For arms that need some input to begin with."""
        return self.drawers[entry].draw(Chance(rng, self.words))

    def like(self, given: Input, rng: Random) -> Input:
        """For the same arms: another one, a change away from `given`."""
        mates = self.archive.of(given.entry)
        return self.drawers[given.entry].mutate(given, mates, Chance(rng, self.words))

    @property
    def is_dry(self) -> bool:
        """Have the cheap arms found all that they easily find? Then it is time for the dear ones.

        Finds become rarer in proportion to the time spent, so patience grows with it.
        """
        patience = max(PATIENCE, LULL * self._cheap_turns)
        return self._dry >= patience or all(arm.is_dear for arm in self._arms.values())

    @property
    def turn_cost(self) -> float:
        """Of the running turn so far, in turns of the usual length."""
        return self._turn.cost(self) if self._turn is not None else 0.0

    # -- turns ------------------------------------------------------------------------------------

    def _begin(self) -> _Turn:
        ready = [name for name, arm in self._arms.items() if arm.ready(self)] or list(self._arms)
        cheap = [name for name in ready if not self._arms[name].is_dear]
        if cheap and self._spent[True] > self._spent[False]:
            ready = cheap
        first = not self.subject.runs  # the first arm is the cheapest one, and there is nothing to go by yet
        arm = self._arms[ready[0] if first else self._bandit.choose(ready)]
        turn = self._turn = _Turn(arm, self)  # before `begin`, which may run inputs
        arm.begin(self)
        return turn

    def _end(self, turn: _Turn) -> None:
        turn.arm.end(self)
        self._turn = None
        gain = turn.gain(self)
        if not turn.arm.is_dear:
            self._cheap_turns += 1
            self._dry = 0 if gain else self._dry + 1
        cost = turn.cost(self)
        self._spent[turn.arm.is_dear] += cost
        self._bandit.reward(turn.arm.name, gain, cost)

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        """A turn that is under way is forgotten: its arm begins another one."""
        return {
            "covered": f"{self.covered:x}",
            "archive": self.archive.state(),
            "roster": self.roster.state(),
            "bandit": self._bandit.state(),
            "random": dump_random(self._rng),
            "gained": list(self.gained.items()),
            "exhausted": sorted(self.exhausted),
            "spent": [self._spent[False], self._spent[True]],
            "dry": [self._dry, self._cheap_turns],
            "arms": {name: arm.state() for name, arm in self._arms.items()},
        }

    def load(self, state: Json) -> None:
        covered = int(state["covered"], 16)
        if covered & ~self.everything:
            raise ValueError("more arcs than there are")
        self.archive.load(state["archive"])
        self.roster.load(state["roster"])
        self._bandit.load(state["bandit"])
        load_random(self._rng, state["random"])
        self.gained |= {str(name): int(count) for name, count in state["gained"]}
        for name, arm in self._arms.items():
            if name in state["arms"]:
                arm.load(state["arms"][name])
        self.covered = covered | self.subject.imported
        self.exhausted = set(state["exhausted"])
        self._spent = dict(zip((False, True), map(float, state.get("spent", (0, 0))), strict=True))
        self._dry, self._cheap_turns = map(int, state.get("dry", (0, 0)))
        self._turn = None


class _Turn:
    def __init__(self, arm: Arm, exploration: Exploration) -> None:
        self.arm = arm
        self._covered = exploration.covered
        self._episodes = exploration.subject.runs
        self._started = time.process_time()
        self._steps = 0

    def gain(self, exploration: Exploration) -> float:
        """Doubling what a turn has found adds one: the first turns find much, whoever has them."""
        return math.log2(1 + (exploration.covered & ~self._covered).bit_count())

    def cost(self, exploration: Exploration) -> float:
        """In turns of the usual length."""
        if exploration.timed:
            return (time.process_time() - self._started) / TURN_SECONDS
        return (exploration.subject.runs - self._episodes) / TURN_EPISODES

    def is_over(self, exploration: Exploration) -> bool:
        """Looked at now and then only: on some machines reading the CPU clock costs more than a run."""
        self._steps += 1
        if self.arm.is_dear or self._steps % LOOK:
            return False
        return self.cost(exploration) >= 1.0
