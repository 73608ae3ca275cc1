"""What a way of hunting for the costliest input promises the engine.

The loop, written once:

    for size in sizes:
        for lesson in policy.lessons(size):              # practice at small sizes, most of it done only once
            policy.grow(lesson.size, lesson=True)
            for _ in range(lesson.steps):
                if policy.step(arena(lesson.size)) is None:
                    break
        policy.grow(size)
        while budget lasts:
            attempt = policy.step(arena(size))
            if attempt is None:
                break                                    # nothing left to try at this size

What a policy learned it carries from lesson to lesson and from size to size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from untrod.core.vocabulary import Json
from untrod.engines.worst.arena import Arena, Attempt


@dataclass(frozen=True, slots=True)
class Lesson:
    """Practice: at most `steps` attempts at `size`, before the size that counts."""

    size: int
    steps: int


class HuntPolicy(Protocol):
    """Makes one attempt at a time and learns from it. Deterministic for its seed."""

    name: str

    @property
    def learning(self) -> bool:
        """Too early to conclude from its silence that there is nothing: part of it has yet to begin."""
        ...

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        """What to practise before `size`, smallest first; what was practised before is not listed again."""
        ...

    def grow(self, size: int, *, lesson: bool = False) -> None:
        """From now on the arena has this size. Forgets the paths of the last size, keeps what they taught."""
        ...

    def step(self, arena: Arena) -> Attempt | None:
        """Make one attempt. None: nothing is left to try at this size.

        An attempt without an input (see `Attempt.counts`) is normal: the solver gave up, a deadline passed.
        """
        ...

    def offer(self, attempt: Attempt) -> None:
        """Another policy made this attempt at the present size: take from it what is of use."""
        ...

    def state(self) -> Json:
        """Everything, random state included: `load(state())` goes on bit for bit."""
        ...

    def load(self, state: Json) -> None:
        """Raises ValueError, TypeError, LookupError or AttributeError when `state` is not one of its own."""
        ...
