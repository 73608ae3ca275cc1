"""A walk through a running app, inside a worker: the browser and the setup script are locked in there.

A batch is a few moves. What was seen is handed over as a snapshot, JSON that is checked outside (`seen_in`).
"""

from __future__ import annotations

import json
import time
import zlib
from dataclasses import dataclass

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch, Beacon
from untrod.core.seeds import derive
from untrod.core.shapes import Malformed, anything, flag, listed, mapping, record, texts, unpacked, whole
from untrod.core.vocabulary import Json, Trace
from untrod.drivers.catalogue import open_driver
from untrod.drivers.graph import ScreenGraph
from untrod.drivers.graph_reader import decode
from untrod.drivers.graph_writer import encode
from untrod.drivers.recording import RecordingDriver
from untrod.engines.explore.live.walk import ScreenWalk
from untrod.runtime.deadline import EpisodeStopped, EpisodeTimeout
from untrod.runtime.reports import COUNTS

JOB = f"{__name__}:ScreenWalkJob"
REPORT = record({**COUNTS, "exhausted": flag})
SEEN = record(
    {
        "graph": anything,  # for `decode` to look at
        "visits": mapping(whole()),
        "growth": listed(whole()),
        "events": texts(),
        "steps": whole(),
        "resets": whole(),
        "untried": whole(),
        "trouble": texts(most=1),
    }
)


class ScreenWalkJob:
    """`spec` is that of a `gui` job, with `steps`, `walker`, `seed`, and the `graph` of earlier walks."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        graph = decode(spec["graph"]) if spec["graph"] else None
        self._driver = RecordingDriver(open_driver(spec, derive(spec["seed"], "screens")), graph)
        self._walk = ScreenWalk(self._driver, spec["steps"], spec["walker"], spec["seed"])
        self._beacon = beacon
        self._batches = 0
        self._over = False
        self._trouble: list[str] = []

    def run(self, batch: Batch) -> Json:
        deadline = time.monotonic() + batch.seconds
        self._batches += 1
        try:
            self._beacon.begin(self._batches)
            while not self._over:
                self._over = not self._walk.move()
                if time.monotonic() >= deadline:
                    break
        except UntrodError as error:
            if not self._walk.found.screens.visits:
                raise  # the application was never there
            self._end(str(error))
        except EpisodeTimeout:
            self._end("a step took too long: the walk ends here")
        except EpisodeStopped:
            pass  # somebody waits for what was seen so far
        self._beacon.end()
        seen = len(self._walk.found.screens.visits)
        counts = {"episodes": self._batches, "valid": self._batches, "unique": seen, "keys": []}
        return {**counts, "exhausted": self._over}

    def snapshot(self) -> bytes:
        found = self._walk.found
        body: dict[str, Json] = {
            "graph": encode(self._driver.graph),
            "visits": found.screens.visits,
            "growth": found.growth,
            "events": found.events,
            "steps": found.steps,
            "resets": found.resets,
            "untried": sum(map(len, found.screens.untried.values())),
            "trouble": self._trouble,
        }
        return zlib.compress(json.dumps(body, separators=(",", ":")).encode(), 1)

    def _end(self, trouble: str) -> None:
        self._over, self._trouble = True, [trouble]

    def replay(self, trace: Trace) -> Json:
        raise UntrodError("a walk cannot be replayed")

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        raise UntrodError("a walk skips nothing")

    def restore(self, blob: bytes) -> Json:
        raise UntrodError("a walk is not resumed")


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of a walk: see `walk.WalkRecord`. `trouble` is why it ended early, if it did."""

    graph: ScreenGraph
    visits: dict[str, int]
    growth: list[int]
    events: list[str]
    steps: int
    resets: int
    untried: int
    trouble: tuple[str, ...]


def seen_in(blob: bytes) -> Seen:
    """Raises Malformed when this is no snapshot of the job's."""
    body = unpacked(blob)
    SEEN(body, "what was seen")
    try:
        graph = decode(body["graph"])
    except (UntrodError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Malformed("what was seen is no screen graph") from error
    known = {screen.id for screen in graph.screens.values()}
    if not body["visits"].keys() <= known:
        raise Malformed("what was visited is not in the screen graph")
    return Seen(**{**body, "graph": graph, "trouble": tuple(body["trouble"])})
