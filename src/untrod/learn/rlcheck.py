"""RLCheck: diverse valid inputs by on-policy Monte Carlo control (Reddy, Lemieux, Padhye, Sen, ICSE 2020).

A generator asks at *choice points* p = (location, finite domain). The paper gives each a learner of its own;
here the site and the number of options are part of the key of one table, which comes to the same:

    s       = A(c_1 ... c_n)                        state abstraction of the choices so far  (section 4.3)
    c       ~ epsilon-greedy(Q[s, .])               Algorithm 1, the policy
    r(x)    = 20, valid and never seen; 0, valid; -1, invalid                      (section 4.2, RLCheck)
    Q[s, c] = mean of the r of all episodes that contain (s, c)                    Algorithm 1, the update

One reward for the whole episode, without discount: an earlier choice of a generator is not less to blame than
a later one (section 4.1.2). What is new changes with what was found, so r is not stationary, and the policy
goes on changing: that is wanted.

What differs from the paper (`progress_reward`, `max_states`, a target's own weights) is in docs/papers.md.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import inf
from random import Random
from typing import TypeAlias

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Choice, Context, Episode, Frame, Json, Outcome, Site
from untrod.learn.serialise import dump_key, dump_random, load_key, load_random


@dataclass(frozen=True, slots=True)
class Settings:
    """The paper's values: w = 4 and epsilon = 0.25 in its tree study, rewards 20 / 0 / -1.

    `progress_reward` is not the paper's: for a rejected episode that came further than any before it.
    """

    state: str = "tree-lr"
    window: int = 4
    epsilon: float = 0.25
    unique_reward: float = 20.0
    valid_reward: float = 0.0
    invalid_reward: float = -1.0
    progress_reward: float = 0.0
    max_states: int = 500_000

    def __post_init__(self) -> None:
        if self.state not in ABSTRACTIONS:
            raise UntrodError(
                f"no state abstraction {self.state!r}", f"choose from {', '.join(ABSTRACTIONS)}"
            )
        if not 0.0 <= self.epsilon <= 1.0:
            raise UntrodError(f"epsilon {self.epsilon} is not a probability", "give a number from 0 to 1")
        if self.window < 1:
            raise UntrodError(f"a window of {self.window} sees nothing", "give a window of at least 1")


class MonteCarlo:
    """RLCheck's learner, Algorithm 1 for all choice points at once: one table of action values, in which a
    cell belongs to one site and one abstract state.

    Epsilon-greedy, ties broken at random; a single reward for the whole episode, without discount.
    """

    name = "montecarlo"
    settings_type = Settings
    needs_context = True

    def __init__(self, seed: int, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._rng = Random(seed)
        self._cells: dict[Hashable, Cell] = {}
        self._visited: list[Cell] = []
        self.decide = self._decider()

    @property
    def size(self) -> int:
        """How many states have been met."""
        return len(self._cells)

    def _decider(self) -> Callable[[Choice], int]:
        """`decide` as a closure: it runs a million times, and local names are the fastest there are."""
        abstract, window = ABSTRACTIONS[self.settings.state], self.settings.window
        given_counts = self.settings.state != "sequence"
        epsilon, greedy = self.settings.epsilon, 1.0 - self.settings.epsilon
        find, visit, random = self._cells.get, self._visited.append, self._rng.random

        def decide(choice: Choice) -> int:
            options, context = choice.options, choice.context
            # s = A(c_1 ... c_n). The number of options is part of it: the same line may offer a longer list.
            if given_counts and context.given is not None:  # what the abstraction would do, without the call
                key = (choice.site, options, context.given[-window:])
            else:
                key = (choice.site, options, abstract(context, window))
            cell = find(key)
            if cell is None:
                cell = self._cells[key] = Cell(options)
            visit(cell)
            draw = random()
            # Algorithm 1, the policy: with probability epsilon any c, else a c with the highest Q[s, c].
            # One draw serves twice: below epsilon it is uniform on [0, epsilon), above on [epsilon, 1).
            if draw < epsilon:
                if choice.weights is None:
                    return int(draw / epsilon * options)
                return self._rng.choices(range(options), choice.weights)[0]
            best = cell.best
            return best[0] if len(best) == 1 else best[int((draw - epsilon) / greedy * len(best))]

        return decide

    def learn(self, episode: Episode) -> None:
        reward = self._reward(episode)
        for cell, option in zip(self._visited, episode.answers, strict=False):
            # Algorithm 1, the update: Q[s, c] <- Q[s, c] + (r - Q[s, c]) / n, the running mean of the rewards
            # of all n episodes that came through (s, c).
            counts, values = cell.counts, cell.values
            counts[option] = count = counts[option] + 1
            before = values[option]
            values[option] = value = before + (reward - before) / count
            if value == before:
                continue
            if option == cell.leader:
                if value <= cell.second:
                    cell.rank()
            elif value >= cell.second:
                cell.rank()
            elif before == cell.second:
                cell.demote(option)
        self._visited.clear()
        if len(self._cells) > self.settings.max_states:
            self._forget()

    def _reward(self, episode: Episode) -> float:
        """R(x) of section 4.2: what counts as new is the judge's characteristic, by default the value."""
        if episode.outcome is Outcome.INVALID:
            return self.settings.progress_reward if episode.progress else self.settings.invalid_reward
        return self.settings.unique_reward if episode.new else self.settings.valid_reward

    def _forget(self) -> None:
        """Drop the half of the states that were visited least: they know least, and memory stays bounded."""
        by_visits = sorted(self._cells.items(), key=lambda item: sum(item[1].counts), reverse=True)
        self._cells.clear()
        self._cells.update(by_visits[: self.settings.max_states // 2])

    def state(self) -> Json:
        return {
            "random": dump_random(self._rng),
            "cells": [[dump_key(key), cell.values, cell.counts] for key, cell in self._cells.items()],
        }

    def load(self, state: Json) -> None:
        cells: dict[Hashable, Cell] = {}
        for key, values, counts in state["cells"]:
            if len(values) != len(counts):
                raise ValueError("a cell with more values than counts")
            cell = Cell(len(values))
            cell.values, cell.counts = [float(value) for value in values], [int(count) for count in counts]
            cell.rank()
            cells[load_key(key)] = cell
        load_random(self._rng, state["random"])
        self._cells.clear()
        self._cells.update(cells)
        self._visited.clear()


class Cell:
    """Q[s, .] and the visit counts of one state, with the greedy options kept ready.

    Deciding and learning happen far more often than the ranking changes. `best` lists the options of the
    highest value in ascending order, `leader` is the single best one (-1 on a tie), and no other option's
    value is above `second` (on a tie, `second` is the highest value itself): an update that keeps the
    leader above `second` and the others below it leaves `best` alone.
    """

    __slots__ = ("best", "counts", "leader", "second", "values")

    def __init__(self, options: int) -> None:
        self.values = [0.0] * options
        self.counts = [0] * options
        self.rank()

    def rank(self) -> None:
        values = self.values
        top = max(values)
        best = self.best = [option for option, value in enumerate(values) if value == top]
        if len(best) > 1:
            self.leader = -1
            self.second = top
        else:
            self.leader = best[0]
            self.second = max((value for value in values if value != top), default=-inf)

    def demote(self, option: int) -> None:
        """`option` had the value `second` and fell below it: only on a tie does that change `best`."""
        if self.leader >= 0:
            return  # `second` is now an upper bound instead of the exact value, which serves as well
        self.best.remove(option)
        if len(self.best) == 1:
            self.rank()


# -- state abstractions (section 4.3) -------------------------------------------------------------------
#
# What of the past a decision may depend on. Influence beats recency: what matters for a node of a tree is its
# parents, not the sibling generated just before it. Each abstraction takes the running episode's `Context`
# and a window w, and returns tail_w of the choices that it takes to influence this one.
#
# A target may say itself what a choice depends on (`context.given`), as the paper's generators do; the two
# tree abstractions then use the last w elements of that and nothing else.

Abstraction: TypeAlias = Callable[[Context, int], tuple[Hashable, ...]]


def sequence(context: Context, w: int) -> tuple[Hashable, ...]:
    """The last `w` answers, of all levels."""
    return tuple(context.answers[-w:])


def tree(context: Context, w: int) -> tuple[Hashable, ...]:
    """The last `w` answers of the enclosing levels: siblings that are complete do not count."""
    return _nested(context, w, marked=False)


def tree_lr(context: Context, w: int) -> tuple[Hashable, ...]:
    """Like `tree`, with a marker for *which* child of its parent each level is (left or right)."""
    return _nested(context, w, marked=True)


def _nested(context: Context, w: int, marked: bool) -> tuple[Hashable, ...]:
    if context.given is not None:
        return tuple(context.given[-w:])
    frames = context.frames
    if not frames:
        return ()
    frame = frames[-1]
    memo = frame.memo
    # While a level asks, the levels around it stand still: what they contribute is worked out once.
    if memo is None or memo[0] != w or memo[1] is not marked:
        memo = frame.memo = (w, marked, _around(frames, w, marked))
    return (*memo[2], *frame.answers)[-w:]


def _around(frames: list[Frame], w: int, marked: bool) -> tuple[Hashable, ...]:
    """What the levels around the innermost one contribute, and the innermost one's own marker."""
    tail: list[Hashable] = []
    for frame in reversed(frames[:-1]):
        tail[:0] = (_marker(frame.entered_from), *frame.answers) if marked else frame.answers
        if len(tail) >= w:
            break
    if marked:
        tail.append(_marker(frames[-1].entered_from))
    return tuple(tail[-w:])


def _marker(entered_from: Site) -> Hashable:
    """Answers are never negative, so a complemented offset cannot be taken for one."""
    return ~entered_from if isinstance(entered_from, int) else entered_from


ABSTRACTIONS: dict[str, Abstraction] = {"sequence": sequence, "tree": tree, "tree-lr": tree_lr}
