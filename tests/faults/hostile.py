"""A small real job whose targets misbehave, one function each: what the fault tests run in real workers.

A trace is the index of a target in TARGETS; the job runs the one named in its spec for every episode, or
the traced one on replay.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch, Beacon
from untrod.core.vocabulary import Json, Outcome, Trace
from untrod.runtime import guard, randomness
from untrod.runtime.deadline import EpisodeTimeout, Interrupted

TARGETS: dict[str, Callable[[], object]] = {}


def target(function: Callable[[], object]) -> Callable[[], object]:
    TARGETS[function.__name__] = function
    return function


class HostileJob:
    def __init__(self, spec: Json, beacon: Beacon) -> None:
        if "complain" in spec:
            raise UntrodError(spec["complain"], "try something else")
        self._script = spec["script"]  # which target each episode runs; the last one repeats
        self._beacon = beacon
        self._skipped: set[int] = set()
        self._episodes = 0

    def run(self, batch: Batch) -> Json:
        results = []
        for _ in range(batch.episodes):
            number = self._episodes
            self._episodes += 1
            name = self._script[min(number, len(self._script) - 1)]
            if number in self._skipped:
                results.append([number, "skipped", ""])
                continue
            result = self._once(number, name)
            results.append([number, *result])
            if result[0] == "interrupted":
                break
        return {"episodes": self._episodes, "results": results}

    def replay(self, trace: Trace) -> Json:
        return self._once(0, list(TARGETS)[int(trace.answers[0] or 0)])

    def skip(self, episodes: list[int]) -> None:
        self._skipped.update(episodes)

    def snapshot(self) -> bytes:
        return json.dumps({"episodes": self._episodes}).encode()

    def restore(self, blob: bytes) -> None:
        self._episodes = json.loads(blob)["episodes"]

    def _once(self, number: int, name: str) -> tuple[str, str]:
        beacon = self._beacon
        randomness.reseed(number)
        guard.go_home()
        try:
            beacon.begin(number)
            beacon.trace([list(TARGETS).index(name)])
            value = TARGETS[name]()
            beacon.end()
        except Interrupted:
            beacon.end()
            return "interrupted", ""
        except EpisodeTimeout:
            beacon.end()
            return Outcome.TIMED_OUT, ""
        except MemoryError:
            beacon.end()
            return Outcome.OUT_OF_MEMORY, ""
        except SystemExit as error:
            beacon.end()
            return Outcome.EXITED, str(error.code)
        except guard.Refused as error:
            beacon.end()
            return Outcome.REFUSED, str(error)
        except BaseException as error:
            beacon.end()
            return Outcome.FAILED, type(error).__name__
        return Outcome.VALID, repr(value)


@target
def fine() -> str:
    return "fine"


@target
def leave_at_once() -> None:
    import os

    os._exit(3)
