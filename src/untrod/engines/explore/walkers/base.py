"""What a walker promises, and the loop around it."""

from __future__ import annotations

from typing import Protocol

from untrod.engines.explore.worlds.world import World


class Walker(Protocol):
    """Deterministic for its seed and for what it is shown. One walker may walk many worlds, one after the
    other."""

    @property
    def name(self) -> str: ...

    def begin(self, world: World) -> None:
        """A new world. What was known of the last one is void."""
        ...

    def choose(self, world: World) -> int | None:
        """One of the nodes that a link from here leads to. None: there is nothing to gain any more."""
        ...


def walk(world: World, walker: Walker) -> float:
    """Walk until the world is over, or the walker has had enough. Returns the coverage."""
    walker.begin(world)
    while not world.over:
        node = walker.choose(world)
        if node is None:
            break
        world.step(node)
    return world.coverage
