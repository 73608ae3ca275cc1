"""Where inputs come from: each arm proposes some during its turn, and bandits learn whose turn is worth most.

From top to bottom: `Arm` (what an arm must have), `RandomArm` and `MutationArm` (which draw), `SymbolicArm`
(which solves), `Turns` (whose turn it is; what arms that solve may spend is in `quota.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Protocol

from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.engines.cover.case import Input
from untrod.engines.cover.paths.python import ExecutorChoice, PythonExecutors, PythonLines
from untrod.engines.cover.paths.rounds import Round, SymbolicSession
from untrod.engines.cover.quota import SolverQuota
from untrod.engines.cover.subject import Subject
from untrod.engines.cover.values.kinds import DrawContext
from untrod.learn.bandits.rate_bandit import RateBandit, Settings
from untrod.learn.pruning import Pruning
from untrod.learn.serialise import dump_random, load_random

if TYPE_CHECKING:
    from untrod.engines.cover.search import Exploration

TRIES = 4
"""Draws that come up with an input that was run before may be repeated so often."""
ENDLESS = 40
"""Paths in a turn of a round that has no end."""
FIRST = 400
"""So many paths a cheaper executor walks before an expensive one has a turn."""
LONGEST_ROUND = 5.0
"""Turns of the usual length that a round may cost, when time is what counts."""
TURN_EPISODES = 30
TURN_SECONDS = 0.05
LONGEST_TURN = 1.0
"""CPU seconds of a turn of a cheap arm, where every run takes long."""
PATIENCE, LULL = 30, 0.5
"""Turns without a find, and as a share of all turns."""
QUIET, QUIET_SHARE = 12, 0.2
MEMORY = Settings(discount=0.995)
"""Turns are short, and most find nothing: a bandit that forgets faster has nothing to go by."""


class Arm(Protocol):
    """A turn is `begin`, some calls of `step`, `end`. Everything else an arm needs to know, the exploration
    has: the archive of inputs, what is covered, the entries."""

    name: str
    is_expensive: bool
    """A step may take as long as a turn of the others. So its turns are over when `step` says so, and it
    waits until the cheap arms have found what is easy. The turns of cheap ones end after a while."""

    def begin(self, exploration: Exploration) -> None: ...

    def step(self, exploration: Exploration) -> bool:
        """At most one real run, by `exploration.run`. False when the turn is over of its own accord."""
        ...

    def end(self, exploration: Exploration) -> None: ...

    def ready(self, exploration: Exploration) -> bool:
        """Is there anything for it to do now?"""
        ...

    def adopt(self, state: Json) -> None:
        """Take on what an arm of the same name had learned in an earlier campaign; None: nothing."""
        ...

    def state(self) -> Json: ...

    def load(self, state: Json) -> None: ...


# -- arms that draw ---------------------------------------------------------------------------------


class _DrawingArm:
    """A turn is some runs, of inputs that were not run before: `step` is to call `_run`."""

    is_expensive = False

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def begin(self, exploration: Exploration) -> None:
        pass

    def _run(self, exploration: Exploration, propose: Callable[[], Input]) -> bool:
        for _ in range(TRIES):
            given = propose()
            if exploration.is_fresh(given):
                break
        exploration.run(given)
        return True

    def end(self, exploration: Exploration) -> None:
        pass

    def adopt(self, state: Json) -> None:
        """Another campaign is to draw something else."""

    def state(self) -> Json:
        return dump_random(self._rng)

    def load(self, state: Json) -> None:
        load_random(self._rng, state)


class RandomArm(_DrawingArm):
    """`random`: inputs drawn from types, of an entry that the scheduler chooses."""

    name = "random"

    def ready(self, exploration: Exploration) -> bool:
        return True

    def step(self, exploration: Exploration) -> bool:
        context = DrawContext(self._rng, exploration.words)
        drawer = exploration.drawers[exploration.scheduler.choose(self._rng)]
        return self._run(exploration, lambda: drawer.draw(context))


class MutationArm(_DrawingArm):
    """`mutate`: inputs that came close to an untaken branch, changed a little; a small greybox fuzzer. Which
    input to change, the archive says."""

    name = "mutate"

    def ready(self, exploration: Exploration) -> bool:
        return len(exploration.archive) > 0

    def step(self, exploration: Exploration) -> bool:
        archive = exploration.archive
        parent = archive.choose(self._rng)
        mates = archive.of(parent.entry)
        drawer = exploration.drawers[parent.entry]
        context = DrawContext(self._rng, exploration.words)
        return self._run(exploration, lambda: drawer.mutate(parent, mates, context))


# -- arms that solve --------------------------------------------------------------------------------


class SharedSession:
    """The symbolic session that several arms use, opened when the first of them has a turn: solvers take time
    to load."""

    def __init__(self, pruning: Pruning, seconds: float, choice: ExecutorChoice) -> None:
        self.pruning = pruning
        self._seconds = seconds
        self._choice: ExecutorChoice = choice
        self.session: SymbolicSession | None = None
        self._counters: Json = None  # of the session of a worker that this one has replaced

    def open(self, exploration: Exploration) -> SymbolicSession:
        if self.session is None:
            self.session = self._make(exploration)
            if self._counters is not None:
                self.session.restore_counters(self._counters)
        return self.session

    def state(self) -> Json:
        counters = self.session.counters() if self.session else self._counters
        return {"pruning": self.pruning.state(), "books": counters}

    def load(self, state: Json, exploration: Exploration) -> None:
        """Of the same campaign: what was counted goes on."""
        self.pruning.load(state["pruning"])
        self._counters = state["books"]
        if self._counters is not None:
            self.open(exploration)

    def _make(self, exploration: Exploration) -> SymbolicSession:
        subject = exploration.subject
        assert isinstance(subject, Subject)
        executors = PythonExecutors(subject.branch_map.files.values(), subject.entries, self._choice)
        return SymbolicSession(executors, PythonLines(subject.branch_map), self.pruning, self._seconds)


class SymbolicArm:
    """One for each searcher: a turn is a round of symbolic execution, with what the pruning has learned.

    `after`: it has nothing to do before that session has walked `FIRST` paths, or is of no use.
    """

    is_expensive = True

    def __init__(
        self, name: str, searcher: str, seed: int, shared: SharedSession, after: SharedSession | None = None
    ) -> None:
        self.name = name
        self._after = after
        self._searcher = searcher
        self._shared = shared
        self._rng = Random(seed)
        self._round: Round | None = None
        self._left = 0

    def ready(self, exploration: Exploration) -> bool:
        session = self._shared.session
        if self._after is not None:
            before = self._after.session
            if before is None or (before.paths < FIRST and not before.is_useless):
                return False
        return exploration.turns.is_dry and (session is None or not session.is_useless)

    def begin(self, exploration: Exploration) -> None:
        self._left = ENDLESS
        if self._round is None:
            self._round = Round(self._shared.open(exploration), self._searcher, self._rng.getrandbits(32))
        else:
            self._round.refresh(exploration)

    def step(self, exploration: Exploration) -> bool:
        assert self._round is not None
        self._left -= 1
        if not self._round.step(exploration):
            return False
        endless = self._round.plan.length is None
        return self._left > 0 if endless else exploration.turns.cost(exploration) < LONGEST_ROUND

    def end(self, exploration: Exploration) -> None:
        assert self._round is not None
        if self._round.plan.length is not None or not len(self._round.frontier):
            self._round.end(exploration)
            self._round = None

    def adopt(self, state: Json) -> None:
        """Another campaign is to draw something else. What the pruning has learned is taken on once for all
        arms, by the search."""

    def state(self) -> Json:
        return dump_random(self._rng)

    def load(self, state: Json) -> None:
        load_random(self._rng, state)
        self._round = None


# -- whose turn is it? ------------------------------------------------------------------------------


class Turns:
    """Cheap arms draw and mutate; expensive ones have a solver. Each kind has its own bandit, and turns of
    cheap ones are counted in episodes: so a campaign with expensive arms draws the same inputs in the same
    order as one without, until an expensive arm finds something. Expensive arms wait until the cheap ones
    have run dry, and then have what their quota allows. So a campaign with solvers is hardly ever behind one
    that only draws.

    What expensive arms cost is CPU time when the campaign has a time budget (`timed`). With an episode budget
    it is episodes, so that the same seed finds the same.
    """

    def __init__(
        self,
        arms: Sequence[Arm],
        seed: int,
        *,
        timed: bool = False,
        turn_seconds: float = TURN_SECONDS,
        quota: SolverQuota | None = None,
        lull: float = LULL,
    ) -> None:
        self.timed = timed
        self.arms = {arm.name: arm for arm in arms}
        self.current: _Turn | None = None
        self._turn_seconds = turn_seconds
        self._bandits = {
            expensive: RateBandit(
                [arm.name for arm in arms if arm.is_expensive == expensive],
                derive(seed, "bandit", expensive),
                MEMORY,
            )
            for expensive in (False, True)
        }
        self._quota = quota or SolverQuota()
        self._lull = lull
        self._cheap_turns = 0
        self._dry = 0  # turns of cheap arms since one of them found something

    def step(self, exploration: Exploration) -> None:
        """A step of the arm whose turn it is."""
        turn = self.current or self._begin(exploration)
        goes_on = turn.arm.step(exploration)
        if not goes_on or self._is_over(turn, exploration):
            self._end(turn, exploration)

    @property
    def is_dry(self) -> bool:
        """Have the cheap arms found all that they easily find? Then it is time for the expensive ones.

        Finds become rarer in proportion to the time spent, so patience grows with it.
        """
        patience = max(PATIENCE, self._lull * self._cheap_turns)
        return self._dry >= patience or all(arm.is_expensive for arm in self.arms.values())

    @property
    def is_quiet(self) -> bool:
        """Have the cheap arms found nothing for a while? That is so some time before they are dry."""
        return self._dry >= max(QUIET, QUIET_SHARE * self._cheap_turns) or self.is_dry

    @property
    def draws(self) -> bool:
        """Are there arms that draw inputs, for others which may need some?"""
        return bool(self._bandits[False].arms)

    @property
    def is_expensive(self) -> bool:
        """Is it the turn of an expensive arm, where there are cheap ones, too?"""
        return self.current is not None and self.current.arm.is_expensive and self.draws

    def cost(self, exploration: Exploration) -> float:
        """Of the running turn so far, in turns of the usual length."""
        turn = self.current
        if turn is None:
            return 0.0
        if self.timed:
            return turn.seconds(exploration) / self._turn_seconds
        return turn.episodes(exploration)

    def _begin(self, exploration: Exploration) -> _Turn:
        ready = [name for name, arm in self.arms.items() if arm.ready(exploration)] or list(self.arms)
        cheap = [name for name in ready if not self.arms[name].is_expensive]
        expensive = [name for name in ready if self.arms[name].is_expensive]
        is_expensive = not cheap or bool(expensive and self._quota.allows)
        among = expensive if is_expensive else cheap
        first = not exploration.subject.runs  # nothing to go by yet: the first arm is the cheapest one
        arm = self.arms[among[0] if first else self._bandits[is_expensive].choose(among)]
        turn = self.current = _Turn(arm, exploration)  # before `begin`, which may run inputs
        arm.begin(exploration)
        return turn

    def _is_over(self, turn: _Turn, exploration: Exploration) -> bool:
        """Of a cheap arm, by episodes: what it does next must not depend on a clock, unless runs are slow."""
        if turn.arm.is_expensive:
            return False
        late = self.timed and turn.seconds(exploration) > LONGEST_TURN
        return late or turn.episodes(exploration) >= 1.0

    def _end(self, turn: _Turn, exploration: Exploration) -> None:
        arm = turn.arm
        arm.end(exploration)
        cost = self.cost(exploration)
        self.current = None
        found = turn.found(exploration)
        gain = math.log2(1 + found)  # the first turns find much, whichever arm has them
        if not arm.is_expensive:
            self._cheap_turns += 1
            self._dry = 0 if gain else self._dry + 1
        self._quota.spend(arm.is_expensive, cost, found)
        reward_cost = cost if arm.is_expensive else turn.episodes(exploration)
        self._bandits[arm.is_expensive].reward(arm.name, gain, reward_cost)

    # -- persistence ------------------------------------------------------------------------------

    def adopt(self, transfer: Json) -> None:
        """Take on what an earlier campaign had learned of the arms."""
        for bandit, learned in zip(self._bandits.values(), transfer["bandits"], strict=True):
            bandit.load(learned)
        for name, arm in self.arms.items():
            arm.adopt(transfer["arms"].get(name))

    def state(self) -> dict[str, Json]:
        """A turn that is under way is forgotten: its arm begins another one."""
        return {
            "bandits": [bandit.state() for bandit in self._bandits.values()],
            "purse": self._quota.state(),
            "dry": [self._dry, self._cheap_turns],
            "arms": {name: arm.state() for name, arm in self.arms.items()},
        }

    def load(self, state: Json) -> None:
        for bandit, learned in zip(self._bandits.values(), state["bandits"], strict=True):
            bandit.load(learned)
        for name, arm in self.arms.items():
            if name in state["arms"]:
                arm.load(state["arms"][name])
        self._quota.load(state["purse"])
        self._dry, self._cheap_turns = map(int, state.get("dry", (0, 0)))
        self.current = None


class _Turn:
    def __init__(self, arm: Arm, exploration: Exploration) -> None:
        self.arm = arm
        self._covered = exploration.covered
        self._episodes = exploration.subject.runs
        self._started = exploration.subject.cpu()

    def found(self, exploration: Exploration) -> int:
        """New branches."""
        return (exploration.covered & ~self._covered).bit_count()

    def seconds(self, exploration: Exploration) -> float:
        return exploration.subject.cpu() - self._started

    def episodes(self, exploration: Exploration) -> float:
        """In turns of the usual length."""
        return (exploration.subject.runs - self._episodes) / TURN_EPISODES
