"""A trained policy as an explorer of one program: `proposing.py` on a batch of one."""

from __future__ import annotations

from typing import Any

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs.proposing import Proposing
from untrod.engines.explore.programs.weights import load_program_weights
from untrod.engines.explore.programs.world import ProgramWorld
from untrod.engines.explore.shipped import shipped
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy


class Trained:
    name = "trained"

    def __init__(self, policy: ProgramPolicy, seed: int) -> None:
        self._policy, self._seed = policy, seed
        self._proposing: Proposing

    @classmethod
    def from_package(cls, kind: str, seed: int) -> Trained:
        """By the weights that come with the package. Raises UntrodError where there are none."""
        folder = shipped(kind)
        if folder is None:
            raise UntrodError(f"no weights for {kind} come with untrod", f"train some: untrod train {kind}")
        return cls(load_program_weights(folder, kind)[0], seed)

    def begin(self, world: ProgramWorld) -> None:
        self._proposing = Proposing(self._policy, [world], self._seed)

    def propose(self) -> Any:
        return self._proposing.propose()[0]

    def observe(self, given: Any, mask: int) -> None:
        self._proposing.observe([given], [mask])
