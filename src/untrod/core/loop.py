"""The loop, written once.

    while budget lasts:
        episode = target.run(policy)      # the target asks, the policy answers; the answers are the trace
        judge(episode)                    # valid? new? failed?
        policy.learn(episode)
        yield episode                     # whoever drives the loop reports, stores and counts

Engines differ in what they put into the four holes, never in the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from untrod.core.protocols import Learner, Target
from untrod.core.vocabulary import Episode


def explore(
    target: Target, learner: Learner, judge: Callable[[Episode], None], start: int = 0
) -> Iterator[Episode]:
    """Episodes `start`, `start + 1`, ... until the caller stops asking for more."""
    number = start
    while True:
        episode = target.run(number, learner)
        judge(episode)
        learner.learn(episode)
        yield episode
        number += 1
