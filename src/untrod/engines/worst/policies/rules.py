"""WISE and SPF-WCA: a rule from small sizes, and a search that obeys it.

WISE is Burnim, Juvekar and Sen, ICSE 2009; SPF-WCA is Luckow, Kersten and Pasareanu, ICST 2017. What differs
between them is one method each, at the end of this file.

Practice is exhaustive: all paths of the sizes 2, 3, ... as far as a limit allows. The worst of them say what
to do at a branch, by the *context* in which it stands: the site (WISE), or the site with the last k steps
(SPF-WCA). Where a worst path always takes the same side in a context, the rule takes that side, and the other
only when that one is infeasible. Where it takes both, or never was, the search takes both, one after the
other. So the number of paths at a large size says how much the rule knows: one path if it knows all.

Several paths may be equally bad, and any could be the example. The one with the fewest contradictions is
taken, in itself and with those of the smaller sizes. A forced step contradicts nothing: there was no other
side.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from untrod.core.vocabulary import Json
from untrod.engines.worst.policies.paths import Guide, Paths
from untrod.engines.worst.protocol import Attempt, Environment, Lesson
from untrod.learn.pyse.branch_q import Key
from untrod.symbolic.tree import CUT, INFEASIBLE

SIZES = range(2, 8)
PATHS = 400
"""A size that has more paths than this is not searched through."""
MAX_EXAMPLES = 200
LONGEST = 12
"""No rule looks further back than this."""


class WorstPaths(NamedTuple):
    """The worst paths of one practised size; a path is its free steps, each with its context."""

    size: int
    paths: tuple[tuple[tuple[Key, bool], ...], ...]


class Context:
    """The last steps of a run, the latest first."""

    def __init__(self, history: int) -> None:
        self._steps: deque[int] = deque(maxlen=history)

    def key(self, site: int) -> Key:
        return (site, *self._steps)

    def push(self, site: int, taken: bool) -> None:
        self._steps.appendleft(2 * site + taken)


class RulePolicy(ABC):
    """See the module's text."""

    name: str
    learning = False

    def __init__(self, seed: int, most: int = PATHS) -> None:
        self.paths = Paths()
        self._most = most
        self._size = 0
        self._lesson = False
        self._practised: dict[int, WorstPaths] = {}
        self._gave_up = False  # a size was too large to be searched through: so are all larger ones
        self._top = -1
        self._examples: list[list[bool]] = []
        self.rule: dict[Key, bool | None] = {}
        self.history = 0

    @abstractmethod
    def _learn(self, examples: Sequence[WorstPaths]) -> tuple[int, dict[Key, bool | None]]:
        """How far to look back, and the rule: None where both sides are to be tried."""

    # -- practice ---------------------------------------------------------------------------------

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        if self._gave_up:
            return ()
        return tuple(
            Lesson(small, self._most) for small in SIZES if small < size and small not in self._practised
        )

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self._conclude()
        self._size, self._lesson = size, lesson
        # Practice walks all paths, the search those that the rule allows: at one size these are two trees.
        self.paths.grow(-size if lesson else size)
        self._top, self._examples = -1, []
        if not lesson and self._practised:
            trained = [self._practised[known] for known in sorted(self._practised)[-2:]]
            self.history, self.rule = self._learn(trained)

    def _conclude(self) -> None:
        """The end of a lesson: what were its worst paths?"""
        if not self._lesson or self._gave_up:
            return
        if self.paths.tree.exhausted:
            self._practised[self._size] = WorstPaths(self._size, tuple(map(self._free_steps, self._examples)))
        else:
            self._gave_up = True

    def _free_steps(self, path: Sequence[bool]) -> tuple[tuple[Key, bool], ...]:
        tree, context, steps = self.paths.tree, Context(LONGEST), []
        for node, taken in zip(tree.follow(path), path, strict=False):
            site = tree.sites[node]
            if tree.side(node, not taken) != INFEASIBLE:
                steps.append((context.key(site), taken))
            context.push(site, taken)
        return tuple(steps)

    # -- one step ---------------------------------------------------------------------------------

    def step(self, env: Environment) -> Attempt | None:
        if env.executor is None or (self._lesson and self._gave_up):
            return None
        prefix = self._plan()
        if prefix is None:
            return None
        context = Context(self.history)
        guide = Guide(self.paths.sites, lambda site: self.want(context.key(site)) is not False, context.push)
        attempt = self.paths.walk(env, guide, prefix, self.name)
        if not self._lesson:
            self._obey(attempt, len(prefix))
        elif attempt.counts:
            self._note(attempt)
        return attempt

    def _plan(self) -> list[bool] | None:
        """Depth first, the side that the rule prefers before the other."""
        context, tree = Context(self.history), self.paths.tree

        def decide(node: int, site: int) -> bool:
            wanted = self.want(context.key(site)) is not False
            taken = wanted if tree.is_live(node, wanted) else not wanted
            context.push(site, taken)
            return taken

        return tree.virtual_run(decide)

    def want(self, key: Key) -> bool | None:
        return None if self._lesson else self.rule.get(key)

    def _note(self, attempt: Attempt) -> None:
        if attempt.cost > self._top:
            self._top, self._examples = attempt.cost, []
        if attempt.cost == self._top and len(self._examples) < MAX_EXAMPLES:
            self._examples.append([branch.taken for branch in attempt.branches])

    def _obey(self, attempt: Attempt, planned: int) -> None:
        """What the rule forbids is never tried. Only what came after the plan is new."""
        context, tree = Context(self.history), self.paths.tree
        taken = [branch.taken for branch in attempt.branches]
        for depth, (node, side) in enumerate(zip(tree.follow(taken), taken, strict=False)):
            site = tree.sites[node]
            if depth >= planned and self.want(context.key(site)) is side:
                tree.close(node, not side, CUT)
            context.push(site, side)
        tree.settle(taken)

    def offer(self, attempt: Attempt) -> None:
        """The rule comes from practice alone."""
        return

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        return {
            "paths": self.paths.state(),
            "now": [self._size, self._lesson, self._gave_up, self._top],
            "examples": self._examples,
            "practised": [
                [worst.size, [[[list(key), taken] for key, taken in path] for path in worst.paths]]
                for worst in self._practised.values()
            ],
            "rule": [self.history, [[list(key), side] for key, side in self.rule.items()]],
        }

    def load(self, state: Json) -> None:
        size, lesson, gave_up, top = state["now"]
        history, rule = state["rule"]
        practised = {
            int(known): WorstPaths(
                int(known),
                tuple(tuple((tuple(map(int, key)), bool(taken)) for key, taken in path) for path in paths),
            )
            for known, paths in state["practised"]
        }
        examples = [[bool(taken) for taken in path] for path in state["examples"]]
        known_rule = {tuple(map(int, key)): None if side is None else bool(side) for key, side in rule}
        self.paths.load(state["paths"])
        self._size, self._lesson, self._gave_up, self._top = int(size), bool(lesson), bool(gave_up), int(top)
        self.history, self.rule = int(history), known_rule
        self._practised, self._examples = practised, examples


def rule_of(examples: Sequence[WorstPaths], history: int) -> tuple[int, dict[Key, bool | None]]:
    """The rule with contexts of this length, and how many of its contexts are open (None).

    The example is a worst path of the largest size: the one with the fewest contradictions. Each smaller size
    then objects through that worst path of its own that objects the least.
    """
    *smaller, largest = examples
    best: tuple[int, dict[Key, bool | None]] | None = None
    for path in largest.paths:
        rule = _sides(path, history)
        for worst in smaller:
            objections = min(
                (_objections(_sides(other, history), rule) for other in worst.paths), key=len, default=[]
            )
            rule.update(dict.fromkeys(objections))
        contradictions = sum(side is None for side in rule.values())
        if best is None or contradictions < best[0]:
            best = contradictions, rule
    return best or (0, {})


def _sides(path: Iterable[tuple[Key, bool]], history: int) -> dict[Key, bool | None]:
    sides: dict[Key, bool | None] = {}
    for key, taken in path:
        context = key[: history + 1]
        sides[context] = taken if sides.get(context, taken) is taken else None
    return sides


def _objections(sides: Mapping[Key, bool | None], rule: Mapping[Key, bool | None]) -> list[Key]:
    return [
        key for key, side in sides.items() if key in rule and rule[key] is not None and side is not rule[key]
    ]


class Wise(RulePolicy):
    """The context is the site alone: "here, always True". Enough for insertion sort."""

    name = "wise"

    def _learn(self, examples: Sequence[WorstPaths]) -> tuple[int, dict[Key, bool | None]]:
        return 0, rule_of(examples, 0)[1]


class SpfWca(RulePolicy):
    """The context is the site and the last k steps, with the smallest k that leaves no contradiction."""

    name = "spf-wca"

    def _learn(self, examples: Sequence[WorstPaths]) -> tuple[int, dict[Key, bool | None]]:
        rules = [(rule_of(examples, history), history) for history in range(LONGEST + 1)]
        # Only "k = 0 leaves 3 open, k = 2 leaves none" can be compared: more contexts, more to be open.
        (_, rule), history = min(rules, key=lambda entry: (entry[0][0], entry[1]))
        return history, rule
