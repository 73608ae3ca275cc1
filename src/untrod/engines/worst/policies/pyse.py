"""PySE: the branching policy is learned, at small sizes first, and goes on learning at the size that counts.

One step:

1. *Unique Path Finder*: a virtual run of the policy over the tree of observed paths, to the first step that
   nobody has taken. No code is executed. Where the policy would only repeat a path, the run leaves it where
   the policy regrets it least (the smallest difference between the two Q-values), or, with probability
   epsilon, anywhere.
2. A real run along that beginning and then as the policy wants. Its first step behind the tree is new.
3. What the tree now says about every branch of the path goes into the memory (`BranchQ`), and what it no
   longer says is taken out.

States, targets and memory are the learner's: `learn/pyse/branch_q.py`. With probability epsilon a path is
explored instead, by a rule that holds for all of it (`sticky.py`, which is ours). docs/papers.md says line by
line what differs from the paper.

As `pyse` the Q-values come from a network if torch is installed, and else from a table, which is what
`pyse-table` always uses; `approximator` says which it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from untrod.core.errors import MissingExtra
from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.engines.worst.policies.paths import Guide, Paths, Step
from untrod.engines.worst.policies.sticky import StickyExploration, StickyRule, sticky_side
from untrod.engines.worst.protocol import Attempt, Environment, Lesson
from untrod.learn.pyse.branch_q import Approximator, BranchQ, Key
from untrod.learn.pyse.branch_q import Settings as LearnerSettings
from untrod.learn.pyse.q_network import QNetwork
from untrod.learn.pyse.q_values import QValues
from untrod.learn.serialise import dump_random, load_random
from untrod.symbolic.tree import INFEASIBLE, UNSEEN

LESSONS = (*(Lesson(size, 150) for size in range(2, 8)), Lesson(10, 100), Lesson(14, 60), Lesson(20, 30))
"""Small sizes show most of what there is; the larger ones, what only begins at some size."""


@dataclass(frozen=True, slots=True)
class Settings:
    approximator: str = "auto"
    """`network`, `table`, or `auto`: the network if torch is there."""
    history: int = 8
    epsilon: float = 0.3
    penalty: float = -20.0
    memory: int = 10_000


class Exit(NamedTuple):
    """A side that leads to something new, `depth` steps from the root, and how much the policy is against."""

    regret: float
    depth: int
    node: int
    taken: bool


class PySE:
    """See the module's text."""

    learning = False

    def __init__(self, seed: int, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.name = "pyse-table" if self.settings.approximator == "table" else "pyse"
        self.paths = Paths()
        self._rng = Random(derive(seed, "pyse"))
        learner = LearnerSettings(self.settings.history, self.settings.penalty, self.settings.memory)
        self.q = BranchQ(seed, _approximator(seed, self.settings), learner)
        self._practised: set[int] = set()
        self.sticky = StickyExploration()
        self._rule: StickyRule = {}
        self._sticky_helps = True  # was the best path found by a sticky rule?

    @property
    def approximator(self) -> str:
        return self.q.approximator.name

    # -- sizes ------------------------------------------------------------------------------------

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        return tuple(
            lesson
            for lesson in LESSONS
            if lesson.size not in self._practised
            and lesson.size < (size if lesson.size < 8 else size // 2 + 1)
        )

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self._practised.add(size)
        self.q.consolidate()
        self.paths.grow(size)
        self.sticky.grow()
        self._sticky_helps = True

    # -- one step ---------------------------------------------------------------------------------

    def step(self, env: Environment) -> Attempt | None:
        if env.executor is None:
            return None
        prefix: list[bool] | None = []
        self._rule = {}
        guide = self.paths.follower(env)
        if guide is None:
            self._rule = self._draw_rule()
            prefix, guide = self.plan(), self._guide()
        if prefix is None:
            return None
        best = self.paths.tree.bests[0]
        attempt = self.paths.run(env, guide, prefix, self.name)
        self._learn(attempt, prefix)
        if attempt.counts:
            self.sticky.note(self._rule, attempt.cost, self.paths.sites.along(attempt.branches))
        if attempt.cost > best:
            self._sticky_helps = bool(self._rule)
        return attempt

    def _guide(self) -> Guide:
        cursor = self.q.cursor()

        def want(site: int) -> bool:
            false, true, sticky = self._judge(cursor.key(site))
            return true >= false if sticky is None else sticky

        return Guide(self.paths.sites, want, cursor.push)

    def _judge(self, key: Key) -> tuple[float, float, bool | None]:
        """Q(s, False), Q(s, True), and the side that the sticky rule of this path insists on."""
        sticky = self._rule.get(key[0])
        return *self.q.values(key), None if sticky is None else sticky_side(sticky, key)

    def _draw_rule(self) -> StickyRule:
        """For the next path: with probability epsilon, or twice that as long as sticky rules are what helps.

        The first path of a size is the policy's own.
        """
        odds = self.settings.epsilon * (2 if self._sticky_helps else 1)
        if not self.paths.tree.paths or not len(self.paths.sites) or self._rng.random() >= odds:
            return {}
        return self.sticky.draw(len(self.paths.sites), self._rng)

    def offer(self, attempt: Attempt) -> None:
        """A path is a path, whoever found it."""
        if attempt.branches:
            self._learn(attempt, ())

    # -- Unique Path Finder -----------------------------------------------------------------------

    def plan(self) -> list[bool] | None:
        """The beginning of a path that nobody has walked; None when all have been."""
        tree = self.paths.tree
        if tree.exhausted:
            return None
        node, steps = 0, list[Step]()
        while True:
            exits = self._virtual_run(node, steps)
            if exits is None:
                return [taken for _, taken in steps]
            # The policy only repeats what was seen: leave its path where that is regretted least.
            depth, node, taken = self._choose(exits)
            del steps[depth:]
            steps.append(Step(tree.sites[node], taken))
            node = tree.side(node, taken)
            if node < 0:
                return [taken for _, taken in steps]

    def _virtual_run(self, node: int, steps: list[Step]) -> list[Exit] | None:
        """Follow the policy from `node`, adding to `steps`, until it leaves the tree (None) or what is new.

        In the second case: the sides on the way that lead to something new, and were not what it wanted.
        """
        tree, cursor, exits = self.paths.tree, self.q.cursor(), list[Exit]()
        for step in steps:
            cursor.push(*step)
        while not tree.is_leaf(node):
            site = tree.sites[node]
            false, true, sticky = self._judge(cursor.key(site))
            taken = true >= false if sticky is None else sticky
            if tree.side(node, taken) < UNSEEN:
                taken = not taken  # what it wants cannot be had
            elif tree.is_live(node, not taken):
                exits.append(Exit(abs(true - false), len(steps), node, not taken))
            steps.append(Step(site, taken))
            cursor.push(site, taken)
            node = tree.side(node, taken)
            if node < 0:
                return None
            if tree.done[node]:
                return exits
        return None  # a tree without any path yet

    def _choose(self, exits: list[Exit]) -> tuple[int, int, bool]:
        least = min(exit.regret for exit in exits)
        if self._rng.random() >= self.settings.epsilon:
            exits = [exit for exit in exits if exit.regret == least]
        return exits[self._rng.randrange(len(exits))][1:]

    # -- learning ---------------------------------------------------------------------------------

    def _learn(self, attempt: Attempt, prefix: Sequence[bool]) -> None:
        """The tree before and after: what it no longer says is taken back, what it says now is remembered."""
        taken = [branch.taken for branch in attempt.branches]
        path = taken if len(taken) > len(prefix) else prefix
        said = self._experiences(path)
        self.paths.add(attempt, prefix)
        says = self._experiences(path)
        for experience, moments in (says - said).items():
            self.q.remember(*experience, moments)
        for experience, moments in (said - says).items():
            self.q.remember(*experience, -moments)
        self.q.learn()

    def _experiences(self, path: Sequence[bool]) -> Counter[tuple[Key, bool, float]]:
        """What the tree says about the branches on this path, both sides."""
        tree, cursor = self.paths.tree, self.q.cursor()
        found = Counter[tuple[Key, bool, float]]()
        for node, taken in zip(tree.follow(path), path, strict=False):
            site = tree.sites[node]
            key = cursor.key(site)
            closed = (tree.falses[node] == INFEASIBLE, tree.trues[node] == INFEASIBLE)
            targets = self.q.targets((tree.best(node, False), tree.best(node, True)), closed)
            for action, target in zip((False, True), targets, strict=True):
                if target is not None:
                    found[key, action, target] += 1
            cursor.push(site, taken)
        return found

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        return {
            "paths": self.paths.state(),
            "random": dump_random(self._rng),
            "q": self.q.state(),
            "whims": self.sticky.state(),
            "whimsical": self._sticky_helps,
            "practised": sorted(self._practised),
        }

    def load(self, state: Json) -> None:
        practised = {int(size) for size in state["practised"]}
        self.q.load(state["q"])
        self.paths.load(state["paths"])
        load_random(self._rng, state["random"])
        self.sticky.load(state["whims"])
        self._practised, self._sticky_helps = practised, bool(state["whimsical"])


def _approximator(seed: int, settings: Settings) -> Approximator:
    if settings.approximator == "table":
        return QValues()
    try:
        return QNetwork(derive(seed, "network"), settings.history)
    except MissingExtra:
        if settings.approximator == "network":
            raise
        return QValues()


def pyse_table(seed: int) -> PySE:
    """`pyse-table`, as the catalogue makes it."""
    return PySE(seed, Settings("table"))
