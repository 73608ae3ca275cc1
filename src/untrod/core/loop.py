"""The loop, written once: every engine runs through it.

    while budget lasts:
        episode = target.run(policy)      # the target asks, the policy answers; the answers are the trace
        judge(episode)                    # valid? new? failed?
        policy.learn(episode)
        report, store and count           # whoever drives the loop

`play` is one turn of it. What engines put around their turns is a **search** (`core.protocols.Search`):
`drive` lets it step until a batch is used up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

from untrod.core.protocols import Batch, Search

E = TypeVar("E")
E_co = TypeVar("E_co", covariant=True)
E_contra = TypeVar("E_contra", contravariant=True)
L_contra = TypeVar("L_contra", contravariant=True)


class Runs(Protocol[L_contra, E_co]):
    """What `core.protocols.Target` is for numbered options."""

    def run(self, number: int, policy: L_contra, /) -> E_co:
        """Episode `number`, in which `policy` decides."""
        ...


class Learns(Protocol[E_contra]):
    def learn(self, episode: E_contra, /) -> None:
        """Called once after each episode, when it has been judged."""
        ...


L = TypeVar("L", bound=Learns[Any])


def play(target: Runs[L, E], learner: L, judge: Callable[[E], None], number: int) -> E:
    """Episode `number`: run it, judge it, learn from it."""
    episode = target.run(number, learner)
    judge(episode)
    learner.learn(episode)
    return episode


def explore(target: Runs[L, E], learner: L, judge: Callable[[E], None], start: int = 0) -> Iterator[E]:
    """Episodes `start`, `start + 1`, ... until the caller stops asking for more."""
    number = start
    while True:
        yield play(target, learner, judge, number)
        number += 1


def drive(search: Search, batch: Batch, clock: Callable[[], float] = time.monotonic) -> None:
    """Steps, until the episodes or the seconds of `batch` are used up, or nothing is left to do."""
    deadline = clock() + batch.seconds
    last = search.episodes + batch.episodes
    while search.episodes < last and clock() < deadline and not search.finished:
        search.step(last - search.episodes)
