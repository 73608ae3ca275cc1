"""The loop, written once.

    while budget lasts:
        episode = target.run(policy)      # the target asks, the policy answers; the answers are the trace
        judge(episode)                    # valid? new? failed?
        policy.learn(episode)
        yield episode                     # whoever drives the loop reports, stores and counts

Engines differ in what they put into the four holes, never in the loop. What the target asks, and what an
episode is, is between the four: `Target` and `Learner` in `core/protocols.py` have it for numbered options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

E = TypeVar("E")
E_co = TypeVar("E_co", covariant=True)
E_contra = TypeVar("E_contra", contravariant=True)
L_contra = TypeVar("L_contra", contravariant=True)


class Runs(Protocol[L_contra, E_co]):
    def run(self, number: int, policy: L_contra, /) -> E_co:
        """Episode `number`, in which `policy` decides."""
        ...


class Learns(Protocol[E_contra]):
    def learn(self, episode: E_contra, /) -> None:
        """Called once after each episode, when it has been judged."""
        ...


L = TypeVar("L", bound=Learns[Any])


def explore(target: Runs[L, E], learner: L, judge: Callable[[E], None], start: int = 0) -> Iterator[E]:
    """Episodes `start`, `start + 1`, ... until the caller stops asking for more."""
    number = start
    while True:
        episode = target.run(number, learner)
        judge(episode)
        learner.learn(episode)
        yield episode
        number += 1
