"""What came of exploring a program, for people and as JSON."""

from __future__ import annotations

from typing import Any

from untrod.core.vocabulary import Json
from untrod.engines.explore.programs.explorers.base import Tries
from untrod.engines.explore.programs.world import missing, names, share


def text(tries: Tries) -> str:
    """Input by input, what it covers; the program with marks; what is missing."""
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


def to_json(tries: Tries) -> Json:
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
