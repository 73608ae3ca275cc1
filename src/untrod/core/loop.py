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

from untrod.core.protocols import Batch, Learner, Search, Target
from untrod.core.vocabulary import Episode


def play(target: Target, learner: Learner, judge: Callable[[Episode], None], number: int) -> Episode:
    """Episode `number`: run it, judge it, learn from it."""
    episode = target.run(number, learner)
    judge(episode)
    learner.learn(episode)
    return episode


def explore(
    target: Target, learner: Learner, judge: Callable[[Episode], None], start: int = 0
) -> Iterator[Episode]:
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
