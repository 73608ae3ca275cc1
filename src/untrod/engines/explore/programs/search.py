"""Inputs for a program as a search: an episode is an input.

Explorers are deterministic for their seed and what they are shown, so it goes on by being done again.
"""

from __future__ import annotations

from typing import Any

from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json, Outcome, Trace, digest
from untrod.engines.explore.programs.choice import open_explorer
from untrod.engines.explore.programs.karel.parsing import parse as parse_karel
from untrod.engines.explore.programs.karel.world import KarelWorld
from untrod.engines.explore.programs.robustfill.parsing import parse as parse_robustfill
from untrod.engines.explore.programs.robustfill.world import RobustFillWorld
from untrod.engines.explore.programs.world import ProgramWorld, missing, names, share

MOST_TOLD = 200
"""Inputs, and names of goals."""


def program_of(spec: Json) -> ProgramWorld:
    """Raises UntrodError."""
    if spec["kind"] == "karel":
        return KarelWorld(parse_karel(spec["program"]), spec["measure"])
    return RobustFillWorld(parse_robustfill(spec["program"]), spec["longest"])


class ProgramSearch:
    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self._world = program_of(spec)
        self._most = spec["steps"]
        self._explorer = open_explorer(spec, self._world)
        self._beacon = beacon
        self._explorer.begin(self._world)
        self._rows: list[tuple[int, ...]] = []
        self._seen = 0  # the mask of all goals that were reached
        self._new: list[str] = []  # the digests of inputs that reached something new
        self._told: list[Json] = []
        self._skipped: set[int] = set()
        self._news = _no_news()

    @property
    def episodes(self) -> int:
        return len(self._rows)

    @property
    def finished(self) -> bool:
        return self.episodes >= self._most or not self._world.counted & ~self._seen

    def step(self, most: int) -> None:
        self._beacon.begin(self.episodes)
        self._step()
        self._beacon.end()

    def _step(self) -> None:
        world, given = self._world, self._explorer.propose()
        mask = 0 if self.episodes in self._skipped else world.run(given)
        self._explorer.observe(given, mask)
        row = world.inputs.encode(given)
        self._rows.append(row)
        new = (mask & ~self._seen & world.counted).bit_count()
        self._seen |= mask
        if new:
            key, shown = digest(repr(row)), world.inputs.show(given)
            self._new.append(key)
            self._news["keys"].append(key)
            self._news["corpus"].append([key, list(row), shown])
        if len(self._told) < MOST_TOLD:
            self._told.append(self._described(given, row, mask, new))

    def _described(self, given: Any, row: tuple[int, ...], mask: int, new: int) -> Json:
        world = self._world
        return {
            "input": list(row),
            "shown": world.inputs.show(given),
            "coverage": share(world, mask),
            "new": new,
            "joint": share(world, self._seen),
        }

    def counts(self) -> dict[str, Json]:
        world, seen = self._world, self._seen
        return {
            "episodes": self.episodes,
            "valid": self.episodes,
            "unique": len(self._new),
            "explorer": self._explorer.name,
            "reached": (seen & world.counted).bit_count(),
            "goals": world.counted.bit_count(),
            "inputs": self._told,
            "program": world.text(seen),
            "missing": missing(world, seen)[:MOST_TOLD],
            "beyond": names(world, world.wanted & ~world.counted)[:MOST_TOLD],
        }

    def news(self) -> dict[str, Json]:
        news, self._news = self._news, _no_news()
        return dict(news)

    def keys(self) -> list[str]:
        return list(self._new)

    def replay(self, trace: Trace) -> Json:
        inputs = self._world.inputs
        report: dict[str, Json] = {
            "outcome": Outcome.INVALID.value,
            "answers": list(trace.answers),
            "finding": None,
            "value": {},
        }
        row: list[Json] = list(trace.answers)
        fits = len(row) == len(inputs.sizes) and all(
            type(step) is int and 0 <= step < size for step, size in zip(row, inputs.sizes, strict=False)
        )
        if not fits:
            return report
        given = inputs.decode(row)
        self._world.run(given)
        return {**report, "outcome": Outcome.VALID.value, "value": {"text": inputs.show(given)}}

    def skip(self, number: int, made: bool) -> None:
        self._skipped.add(number)

    def state(self) -> dict[str, Json]:
        return {"rows": self._rows, "skipped": sorted(self._skipped)}

    def load(self, state: dict[str, Json]) -> None:
        self._skipped |= set(state["skipped"])
        for row in state["rows"]:
            self._step()
            if self._rows[-1] != tuple(row):
                raise ValueError("the explorer does not propose what it proposed before")
        self._news = _no_news()


def _no_news() -> dict[str, list[Json]]:
    return {"keys": [], "corpus": [], "findings": [], "notices": []}
