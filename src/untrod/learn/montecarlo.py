"""On-policy Monte Carlo control: the learner of RLCheck (Algorithm 1 of the paper)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import inf
from random import Random

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Choice, Episode, Json, Outcome
from untrod.learn.abstraction import ABSTRACTIONS
from untrod.learn.frozen import dump_key, dump_random, load_key, load_random


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


class MonteCarlo:
    """One table of action values for all choice points; a cell belongs to one site and one abstract state.

    Epsilon-greedy, ties broken at random; a single reward for the whole episode, without discount, because
    an earlier choice of a generator is not less to blame than a later one.
    """

    name = "montecarlo"
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
            # The number of options is part of the state: the same line may offer a longer list next time.
            if given_counts and context.given is not None:  # what the abstraction would do, without the call
                key = (choice.site, options, context.given[-window:])
            else:
                key = (choice.site, options, abstract(context, window))
            cell = find(key)
            if cell is None:
                cell = self._cells[key] = Cell(options)
            visit(cell)
            draw = random()
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
            # Q <- Q + (r - Q) / n: the running mean of the rewards of all episodes that came through here.
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
