"""The search: arms propose inputs, real runs judge them, a bandit learns whom to ask.

    while arcs are left:
        the bandit gives one arm a turn
        during the turn: the arm proposes, `run` runs for real, notes what is new, and keeps those inputs
        the bandit is told what the turn has gained, and what it cost

Cheap arms draw and mutate; dear ones have a solver. Each kind has its own bandit, and turns of cheap ones
are counted in episodes: so a campaign with dear arms draws the same inputs in the same order as one without,
until a dear arm finds something. What a dear arm runs in vain leaves no trace. And dear arms have to earn
their time: a twentieth is free, once the cheap ones have run dry; more they get while they find more than
those do, or those have found nothing for long (`purse.py`). So a campaign with solvers is hardly ever behind
one that only draws.

What dear arms cost is CPU time when the campaign has a time budget. With an episode budget it is episodes, so
that the same seed finds the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from untrod.core.seeds import derive, stream
from untrod.core.vocabulary import Json
from untrod.engines.cover.archive import Archive
from untrod.engines.cover.arms.base import Arm
from untrod.engines.cover.case import Input
from untrod.engines.cover.purse import Purse
from untrod.engines.cover.roster import Roster
from untrod.engines.cover.subject import Run
from untrod.engines.cover.under_test import UnderTest
from untrod.engines.cover.values.kinds import Chance
from untrod.engines.cover.values.words import Words
from untrod.learn.bandits.rate_bandit import RateBandit, Settings
from untrod.learn.serialise import dump_random, load_random
from untrod.runtime.deadline import EpisodeTimeout

TURN_EPISODES = 30
TURN_SECONDS = 0.05
LONGEST_TURN = 1.0
"""CPU seconds of a turn of a cheap arm, where every run takes long."""
PATIENCE, LULL = 30, 0.5
"""Turns without a find, and as a share of all turns."""
SLOW = 0.2
"""CPU seconds of a run: hundreds of others could have been made."""
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
        subject: UnderTest,
        arms: Sequence[Arm],
        words: Words,
        seed: int,
        tell: Callable[[Run, str, bool], int],
        *,
        timed: bool = False,
        turn_seconds: float = TURN_SECONDS,
        purse: Purse | None = None,
        lull: float = LULL,
    ) -> None:
        self.subject = subject
        self.words = words
        self.drawers = subject.drawers
        self.roster = Roster(list(self.drawers))
        self.archive = Archive(subject.atlas)
        self.covered = subject.imported
        self.timed = timed
        self.turn_seconds = turn_seconds
        self.gained: dict[str, int] = {arm.name: 0 for arm in arms}  # arcs, by who found them
        self.exhausted: set[str] = set()  # entries all of whose paths were walked
        self.chancy: set[str] = set()  # entries that were seen to draw from chance: that proves nothing
        self._arms = {arm.name: arm for arm in arms}
        self._bandits = {
            dear: RateBandit(
                [arm.name for arm in arms if arm.is_dear == dear], derive(seed, "bandit", dear), MEMORY
            )
            for dear in (False, True)
        }
        self._rng = stream(seed, "archive")
        self._tell = tell
        self._seen: set[int] = set()
        self._turn: _Turn | None = None
        self._purse = purse or Purse()
        self._lull = lull
        self._cheap_turns = 0
        self._dry = 0  # turns of cheap arms since one of them found something

    @property
    def finished(self) -> bool:
        """Everything is covered, or what is not cannot be."""
        return not self.everything & ~self.covered or self.is_exhausted

    @property
    def is_exhausted(self) -> bool:
        """Every path of every entry was walked, and the input alone decides which one it is."""
        return (self.exhausted - self.chancy).issuperset(self.drawers)

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
        started = self.subject.cpu() if self.timed else 0.0
        run = self.subject.run(given, number)
        if run.drew:
            self.chancy.add(given.entry)
        if self.timed and self.subject.cpu() - started > SLOW and given.entry in self.drawers:
            self.drawers[given.entry].slowed(run.given)
        by = self._turn.arm.name if self._turn else EARLIER
        in_vain = self._is_dear_turn and not run.arcs & ~self.covered
        if not in_vain:
            self._seen.add(hash(given))
        if len(self._seen) > MOST_SEEN:
            self._seen.clear()
        if run.testable and in_vain:
            if run.error is not None:
                self._tell(run, by, False)
        elif run.testable:
            self._learn(run, by)
        elif run.valid:  # what no test can show is not covered; but it may be something to tell
            if isinstance(run.error, EpisodeTimeout | MemoryError):
                self._dread(run.given)
            if run.error is not None:
                self._tell(run, by, False)
        return run

    def _dread(self, given: Input) -> None:
        """Where it had to be stopped, do not go so soon again."""
        drawer = self.drawers.get(given.entry)
        if drawer is None or not drawer.stopped(given):
            self.roster.dread(given.entry)

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
            for bandit, learned in zip(self._bandits.values(), lesson["bandits"], strict=True):
                bandit.load(learned)
            for name, arm in self._arms.items():
                arm.recall(lesson["arms"].get(name))
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
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
        patience = max(PATIENCE, self._lull * self._cheap_turns)
        return self._dry >= patience or all(arm.is_dear for arm in self._arms.values())

    @property
    def draws(self) -> bool:
        """Are there arms that draw inputs, for whoever else may need some?"""
        return bool(self._bandits[False].arms)

    @property
    def turn_cost(self) -> float:
        """Of the running turn so far, in turns of the usual length."""
        return self._turn.cost(self) if self._turn is not None else 0.0

    # -- turns ------------------------------------------------------------------------------------

    @property
    def _is_dear_turn(self) -> bool:
        """In a turn of a dear arm, where there are cheap ones, too."""
        return self._turn is not None and self._turn.arm.is_dear and self.draws

    def _begin(self) -> _Turn:
        ready = [name for name, arm in self._arms.items() if arm.ready(self)] or list(self._arms)
        cheap = [name for name in ready if not self._arms[name].is_dear]
        dear = [name for name in ready if self._arms[name].is_dear]
        is_dear = not cheap or bool(dear and self._purse.allows)
        among = dear if is_dear else cheap
        first = not self.subject.runs  # the first arm is the cheapest one, and there is nothing to go by yet
        arm = self._arms[among[0] if first else self._bandits[is_dear].choose(among)]
        turn = self._turn = _Turn(arm, self)  # before `begin`, which may run inputs
        arm.begin(self)
        return turn

    def _end(self, turn: _Turn) -> None:
        turn.arm.end(self)
        self._turn = None
        found = turn.found(self)
        gain = math.log2(1 + found)  # the first turns find much, whoever has them
        if not turn.arm.is_dear:
            self._cheap_turns += 1
            self._dry = 0 if gain else self._dry + 1
        cost = turn.cost(self)
        self._purse.pay(turn.arm.is_dear, cost, found)
        self._bandits[turn.arm.is_dear].reward(
            turn.arm.name, gain, cost if turn.arm.is_dear else turn.episodes(self)
        )

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        """A turn that is under way is forgotten: its arm begins another one."""
        return {
            "covered": f"{self.covered:x}",
            "archive": self.archive.state(),
            "roster": self.roster.state(),
            "bandits": [bandit.state() for bandit in self._bandits.values()],
            "random": dump_random(self._rng),
            "gained": list(self.gained.items()),
            "exhausted": sorted(self.exhausted),
            "chancy": sorted(self.chancy),
            "purse": self._purse.state(),
            "dread": {name: drawer.dread for name, drawer in self.drawers.items() if drawer.dread},
            "dry": [self._dry, self._cheap_turns],
            "arms": {name: arm.state() for name, arm in self._arms.items()},
        }

    def load(self, state: Json) -> None:
        covered = int(state["covered"], 16)
        if covered & ~self.everything:
            raise ValueError("more arcs than there are")
        self.archive.load(state["archive"])
        self.roster.load(state["roster"])
        for bandit, learned in zip(self._bandits.values(), state["bandits"], strict=True):
            bandit.load(learned)
        load_random(self._rng, state["random"])
        self.gained |= {str(name): int(count) for name, count in state["gained"]}
        for name, arm in self._arms.items():
            if name in state["arms"]:
                arm.load(state["arms"][name])
        self.covered = covered | self.subject.imported
        self.exhausted = set(state["exhausted"])
        self.chancy = set(state.get("chancy", ()))
        self._purse.load(state["purse"])
        for name, drawer in self.drawers.items():
            drawer.dread = {str(step): float(share) for step, share in state["dread"].get(name, {}).items()}
        self._dry, self._cheap_turns = map(int, state.get("dry", (0, 0)))
        self._turn = None


class _Turn:
    def __init__(self, arm: Arm, exploration: Exploration) -> None:
        self.arm = arm
        self._covered = exploration.covered
        self._episodes = exploration.subject.runs
        self._started = exploration.subject.cpu()

    def found(self, exploration: Exploration) -> int:
        """New branches."""
        return (exploration.covered & ~self._covered).bit_count()

    def cost(self, exploration: Exploration) -> float:
        """In turns of the usual length."""
        if exploration.timed:
            return (exploration.subject.cpu() - self._started) / exploration.turn_seconds
        return self.episodes(exploration)

    def episodes(self, exploration: Exploration) -> float:
        """The same, counted."""
        return (exploration.subject.runs - self._episodes) / TURN_EPISODES

    def is_over(self, exploration: Exploration) -> bool:
        """Of a cheap arm, by episodes: what it does next must not depend on a clock, unless runs are slow."""
        if self.arm.is_dear:
            return False
        late = exploration.timed and exploration.subject.cpu() - self._started > LONGEST_TURN
        return late or self.episodes(exploration) >= 1.0
