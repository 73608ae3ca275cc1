"""What a way of choosing inputs promises, and the loop around it.

    explorer.begin(world)
    while inputs are left:
        given = explorer.propose()
        explorer.observe(given, world.run(given))

An input counts the moment it is run: who tries many to hand over one is measured by the many.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from untrod.engines.explore.programs.world import ProgramWorld, share


class Explorer(Protocol):
    """Deterministic for its seed and for what it is shown. One explorer may see many worlds in turn."""

    @property
    def name(self) -> str: ...

    def begin(self, world: ProgramWorld) -> None:
        """A new program. What was known of the last one is void."""
        ...

    def propose(self) -> Any:
        """The next input."""
        ...

    def observe(self, given: Any, mask: int) -> None:
        """What the run of `given` has reached."""
        ...


@dataclass(slots=True)
class Tries:
    """The inputs that were run, and what each of them reached."""

    world: ProgramWorld
    inputs: list[Any] = field(default_factory=list)
    masks: list[int] = field(default_factory=list)

    @property
    def mask(self) -> int:
        """All of them together."""
        return self.joint(len(self.masks))

    def joint(self, count: int) -> int:
        """The first `count` of them together."""
        seen = 0
        for mask in self.masks[:count]:
            seen |= mask
        return seen

    def coverage(self, count: int | None = None) -> float:
        return share(self.world, self.mask if count is None else self.joint(count))


def explore(world: ProgramWorld, explorer: Explorer, inputs: int) -> Tries:
    """Run `inputs` inputs, or fewer once everything that counts is reached."""
    tries = Tries(world)
    seen = 0
    explorer.begin(world)
    while len(tries.inputs) < inputs and world.counted & ~seen:
        given = explorer.propose()
        mask = world.run(given)
        explorer.observe(given, mask)
        tries.inputs.append(given)
        tries.masks.append(mask)
        seen |= mask
    return tries
