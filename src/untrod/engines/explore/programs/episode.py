"""An episode: an explorer chooses inputs for a program, and sees what each of them reached.

    explorer.begin(world)
    while inputs are left:
        given = explorer.propose()
        explorer.observe(given, world.run(given))

An input counts the moment it is run: an explorer that tries many to hand over one is measured by the many.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from untrod.core.vocabulary import Json
from untrod.engines.explore.programs.world import ProgramWorld, missing, names, share


class Explorer(Protocol):
    """A policy for inputs: deterministic for its seed and for what it is shown. One explorer may see many
    worlds in turn."""

    @property
    def name(self) -> str: ...

    def begin(self, world: ProgramWorld) -> None:
        """Forget the last program; an episode on this one begins."""
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


def as_text(tries: Tries) -> str:
    """For people. Input by input, what it covers; the program with marks; what is missing."""
    world, seen, parts = tries.world, 0, []
    for number, (given, mask) in enumerate(zip(tries.inputs, tries.masks, strict=True), 1):
        new = (mask & ~seen & world.counted).bit_count()
        seen |= mask
        shown = _indented(world.inputs.show(given))
        head = f"input {number}: covers {share(world, mask):.0%}, {new} new, {share(world, seen):.0%} so far"
        parts.append(f"{head}\n{shown}")
    parts.append(world.text(seen))
    counted = world.counted.bit_count()
    parts.append(f"coverage {share(world, seen):.0%}: {(seen & world.counted).bit_count()} of {counted}")
    left = missing(world, seen)
    if left:
        parts.append("not reached:\n" + _indented("\n".join(left)))
    beyond = names(world, world.wanted & ~world.counted)
    if beyond:
        parts.append("not counted, no input is known to reach it:\n" + _indented("\n".join(beyond)))
    return "\n\n".join(parts) + "\n"


def as_json(tries: Tries) -> Json:
    world, seen = tries.world, 0
    inputs: list[dict[str, Any]] = []
    for given, mask in zip(tries.inputs, tries.masks, strict=True):
        seen |= mask
        inputs.append(
            {
                "input": list(world.inputs.encode(given)),
                "shown": world.inputs.show(given),
                "coverage": share(world, mask),
                "joint": share(world, seen),
            }
        )
    return {
        "inputs": inputs,
        "coverage": share(world, seen),
        "goals": world.counted.bit_count(),
        "missing": missing(world, seen),
        "not counted": names(world, world.wanted & ~world.counted),
    }


def _indented(block: str) -> str:
    return "\n".join(f"    {line}" for line in block.splitlines())
