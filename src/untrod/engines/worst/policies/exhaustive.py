"""All paths, depth first. The only policy that can say: this is the worst there is."""

from __future__ import annotations

from untrod.core.vocabulary import Json
from untrod.engines.worst.arena import Arena, Attempt
from untrod.engines.worst.policies.base import Lesson
from untrod.engines.worst.policies.paths import Guide, Paths


class Exhaustive:
    """Takes True first; then the deepest side not taken yet. Exhausted when all have been."""

    name = "exhaustive"
    learning = False

    def __init__(self, seed: int) -> None:
        self.paths = Paths()

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        return ()

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self.paths.grow(size)

    def step(self, arena: Arena) -> Attempt | None:
        if arena.executor is None:
            return None
        prefix = self.paths.tree.virtual_run(lambda node, site: True)
        if prefix is None:
            return None
        guide = Guide(self.paths.sites, lambda site: True, lambda site, taken: None)
        return self.paths.walk(arena, guide, prefix, self.name)

    @property
    def complete(self) -> bool:
        """Were all paths run, and none broken off or left open by the solver?"""
        return self.paths.tree.exhausted and not self.paths.tree.unknown

    def offer(self, attempt: Attempt) -> None:
        """A path of somebody else need not be run again; but then it would not be run at all: ignored."""

    def state(self) -> Json:
        return self.paths.state()

    def load(self, state: Json) -> None:
        self.paths.load(state)
