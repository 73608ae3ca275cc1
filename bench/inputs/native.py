"""The paper's study of binary search trees, on the bare native loop: generator, guide, learner.

Values 0 to 10, at most four links deep, valid when it is a search tree; 298,234 such trees exist. The
generator that states its context keeps it as Figure 3 of the paper does: the last four of the parents'
values, each followed by what tells the children apart. The automatic one says nothing, and the guide
derives its context from nesting.

Every number comes from the same alternating chunks: all contenders run 2,500 trees, then the next 2,500,
so that the cost ratios do not depend on what else the machine was doing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any, TypeAlias

from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.core.protocols import Learner
from untrod.core.vocabulary import Episode, Outcome
from untrod.engines.inputs.target import Choose, Guide
from untrod.learn.rlcheck import MonteCarlo, Settings
from untrod.learn.uniform import Uniform

SUBJECT = "native-bst"
CHUNK = 2_500
SHORT, LONG = 10_000, 100_000
WINDOW = 4
LARGE = 5  # nodes
VALUES, BOOLEANS = range(11), (True, False)

Tree: TypeAlias = Any  # None or (value, left, right)
Generator: TypeAlias = Callable[[Choose], Tree]


def run(plan: Plan) -> Result:
    """Ten seeds to 10,000 trees; the first of them, in `--full` all of them, go on to 100,000."""
    seeds = plan.seeds_or(quick=10, full=10)
    further = seeds[: 1 if plan.quick else len(seeds)]
    loops = [run_seed(seed, LONG if seed in further else SHORT, plan.say) for seed in seeds]
    note = (
        f"{SUBJECT}: {len(seeds)} seeds to {SHORT:,} trees, {len(further)} of them to {LONG:,}; the explicit "
        "context is the paper's Figure 3, the automatic one is taken from nesting"
    )
    return Result(rows(loops), bars(loops), (note,))


STUDY = Study("the paper's search trees, native loop", (SUBJECT,), run)


def explicit(choose: Choose, left: Hashable, right: Hashable) -> Tree:
    """The paper's Figure 3: `left` and `right` are what a child adds to its state."""

    def tree(depth: int, state: tuple[Hashable, ...]) -> Tree:
        value = choose(VALUES, state, "value")
        state = (*state, value)[-WINDOW:]
        lefts = rights = None
        if depth < 4:
            if choose(BOOLEANS, state, "left"):
                lefts = tree(depth + 1, (*state, left)[-WINDOW:])
            if choose(BOOLEANS, state, "right"):
                rights = tree(depth + 1, (*state, right)[-WINDOW:])
        return (value, lefts, rights)

    return tree(0, ())


def automatic(choose: Choose, depth: int = 0) -> Tree:
    """The generator a user writes."""
    value = choose(VALUES)
    left = right = None
    if depth < 4:
        if choose(BOOLEANS):
            left = automatic(choose, depth + 1)
        if choose(BOOLEANS):
            right = automatic(choose, depth + 1)
    return (value, left, right)


def is_search_tree(tree: Tree, low: int = -1, high: int = 11) -> bool:
    if tree is None:
        return True
    value, left, right = tree
    return low < value < high and is_search_tree(left, low, value) and is_search_tree(right, value, high)


def size(tree: Tree) -> int:
    return 0 if tree is None else 1 + size(tree[1]) + size(tree[2])


_TREE, _TREE_LR = partial(explicit, left=True, right=True), partial(explicit, left="L", right="R")

CONTENDERS: Mapping[str, tuple[Generator, Callable[[int], Learner]]] = {
    "random": (_TREE_LR, Uniform),
    "sequence": (_TREE_LR, lambda seed: MonteCarlo(seed, Settings(state="sequence"))),
    "tree": (_TREE, lambda seed: MonteCarlo(seed, Settings(state="tree"))),
    "tree-lr": (_TREE_LR, lambda seed: MonteCarlo(seed, Settings(state="tree-lr"))),
    "random, automatic": (automatic, Uniform),
    "tree-lr, automatic": (automatic, lambda seed: MonteCarlo(seed, Settings(state="tree-lr"))),
}


@dataclass(frozen=True, slots=True)
class Mark:
    """What a contender had after so many trees."""

    valid: int
    unique: int
    large: int


@dataclass
class Loop:
    """One contender at work, chunk by chunk."""

    generator: Generator
    learner: Learner
    valid: int = 0
    seen: set[Tree] = field(default_factory=set)
    costs: list[float] = field(default_factory=list)  # CPU microseconds per tree, chunk by chunk
    marks: dict[int, Mark] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._guide = Guide(self.learner)
        self._done = 0

    def chunk(self, trees: int) -> None:
        guide, learner, generator, seen = self._guide, self.learner, self.generator, self.seen
        started = time.process_time()
        for number in range(trees):
            guide.begin()
            episode = Episode(number, guide.answers)
            tree = generator(guide.choose)
            if is_search_tree(tree):
                self.valid += 1
                if tree not in seen:
                    seen.add(tree)
                    episode.new = True
            else:
                episode.outcome = Outcome.INVALID
            learner.learn(episode)
        self.costs.append((time.process_time() - started) / trees * 1e6)
        self._done += trees
        if self._done in (SHORT, LONG):
            self.marks[self._done] = self.mark()

    def mark(self) -> Mark:
        sizes = Counter(map(size, self.seen))
        return Mark(self.valid, len(self.seen), sum(n for nodes, n in sizes.items() if nodes >= LARGE))


Loops: TypeAlias = Mapping[str, Loop]


def run_seed(seed: int, trees: int, say: Callable[[str], None] = lambda text: None) -> Loops:
    """Every contender on `trees` trees, taking turns."""
    loops = {name: Loop(generator, learner(seed)) for name, (generator, learner) in CONTENDERS.items()}
    for _ in range(trees // CHUNK):
        for loop in loops.values():
            loop.chunk(CHUNK)
    unique = ", ".join(f"{name} {len(loop.seen):,}" for name, loop in loops.items())
    say(f"{SUBJECT} seed {seed}, {trees:,} trees, unique valid: {unique}")
    for loop in loops.values():
        loop.seen.clear()  # the marks hold the counts; the trees of ten seeds would not fit
    return loops


def rows(runs: Sequence[Loops]) -> tuple[Row, ...]:
    """One subject for each number of trees, named after it."""
    result = []
    for trees in (SHORT, LONG):
        for name in CONTENDERS:
            reached = [loops[name] for loops in runs if trees in loops[name].marks]
            if not reached:
                continue
            marks = [loop.marks[trees] for loop in reached]
            of = partial(Row.of, f"{SUBJECT} {trees:,}", name)
            costs = [median(loop.costs[: trees // CHUNK]) for loop in reached]
            result += [
                of("valid", [mark.valid for mark in marks]),
                of("unique valid", [mark.unique for mark in marks]),
                of(f"unique of {LARGE}+ nodes", [mark.large for mark in marks]),
                of("CPU us per tree", costs),
            ]
    return tuple(result)


def bars(runs: Sequence[Loops]) -> tuple[Bar, ...]:
    def unique(name: str, trees: int) -> float:
        return median(loops[name].marks[trees].unique for loops in runs if trees in loops[name].marks)

    def cost(name: str, baseline: str) -> float:
        """How many times a tree of `baseline` a tree of `name` costs: median of the paired chunks."""
        return median(
            guided / plain
            for loops in runs
            for guided, plain in zip(loops[name].costs, loops[baseline].costs, strict=True)
        )

    label = f"{SUBJECT}: unique valid of"
    gain = unique("tree-lr", LONG) / unique("random", LONG)
    return (
        Bar.at_least(f"{label} {LONG:,}, tree-lr / random", gain, 8),
        Bar.within(f"{label} {LONG:,}, tree-lr", unique("tree-lr", LONG), 9_397, 0.15),
        Bar.within(f"{label} {SHORT:,}, random", unique("random", SHORT), 222, 0.15),
        Bar.within(f"{label} {SHORT:,}, sequence", unique("sequence", SHORT), 853, 0.15),
        Bar.within(f"{label} {SHORT:,}, tree-lr", unique("tree-lr", SHORT), 805, 0.15),
        Bar.at_most(f"{SUBJECT}: cost of a tree, tree-lr / random", cost("tree-lr", "random"), 4),
        Bar.at_most(f"{SUBJECT}: cost of a tree, sequence / random", cost("sequence", "random"), 4),
        Bar.at_most(
            f"{SUBJECT}: cost of a tree, tree-lr / random, both automatic",
            cost("tree-lr, automatic", "random, automatic"),
            4,
        ),
    )
