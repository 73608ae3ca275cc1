"""The search: what a worker does. An episode is one text, given to the function twice."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Outcome, Trace, digest
from untrod.runtime.deadline import EpisodeStopped, EpisodeTimeout
from untrod.runtime.describe import describe_failure, outcome_of
from untrod.runtime.job import SearchJob
from untrod.runtime.loading import TargetName, load_function

ALPHABET = " -_aAbB1.é\t"
FORMAT = 1


class IdempotentSearch:
    finished = False

    def __init__(self, spec: Any, beacon: Beacon) -> None:
        self._project = Path(spec["project"])
        self._clean = load_function(TargetName(**spec["target"]), self._project)
        self._longest: int = spec["longest"]
        self._beacon = beacon
        self._random = Random(spec["seed"])
        self._seen: dict[str, None] = {}  # digests of results
        self._known: set[str] = set()
        self._passed_over: set[int] = set()
        self._news = _nothing()
        self._length = 0
        self.episodes = 0

    def step(self, most: int) -> None:
        number, given = self.episodes, self._draw()
        if number in self._passed_over:  # drawn all the same: the others stay what they are
            self.episodes += 1
            return
        _, finding = self._run(number, given)
        self.episodes += 1
        self._length = max(self._length, len(given))
        if finding is not None and finding["key"] not in self._known:
            self._known.add(finding["key"])
            self._news["findings"].append({**finding, "answers": list(given), "episode": number})

    def _draw(self) -> str:
        return "".join(self._random.choices(ALPHABET, k=self._random.randint(0, self._longest)))

    def _run(self, number: int, given: str) -> tuple[Outcome, dict[str, Any] | None]:
        value = {"text": repr(given)}
        try:
            self._beacon.begin(number)
            once = self._clean(given)
            twice = self._clean(once)
            self._beacon.end()
        except EpisodeStopped as error:
            self._beacon.end()
            if not isinstance(error, EpisodeTimeout):
                raise
            return Outcome.TIMED_OUT, {
                **describe_failure(error, Outcome.TIMED_OUT, self._project),
                "value": value,
            }
        except BaseException as error:
            self._beacon.end()
            outcome = outcome_of(error)
            return outcome, {**describe_failure(error, outcome, self._project), "value": value}
        key = digest(repr(once))
        if key not in self._seen:
            self._seen[key] = None
            self._news["keys"].append(key)
            self._news["corpus"].append([key, list(given), repr(given)])
        if once == twice:
            return Outcome.VALID, None
        title = f"cleaned again, {once!r} becomes {twice!r}"
        told = {"key": "not idempotent", "kind": Outcome.FAILED.value, "title": title}
        return Outcome.FAILED, {**told, "value": value, "once": repr(once), "twice": repr(twice)}

    def counts(self) -> dict[str, Any]:
        unique = len(self._seen)
        return {"episodes": self.episodes, "valid": self.episodes, "unique": unique, "longest": self._length}

    def news(self) -> dict[str, Any]:
        news, self._news = self._news, _nothing()
        return news

    def keys(self) -> list[str]:
        return list(self._seen)

    def replay(self, trace: Trace) -> Any:
        given = "".join(map(str, trace.answers))
        outcome, finding = self._run(0, given)
        return {
            "outcome": outcome.value,
            "answers": list(given),
            "finding": finding,
            "value": {"text": repr(given)},
        }

    def skip(self, number: int, made: bool) -> None:
        self._passed_over.add(number)

    def state(self) -> dict[str, Any]:
        version, numbers, gauss = self._random.getstate()
        return {
            "format": FORMAT,
            "random": [version, list(numbers), gauss],
            "seen": list(self._seen),
            "known": sorted(self._known),
            "length": self._length,
            "episodes": self.episodes,
        }

    def load(self, state: dict[str, Any]) -> None:
        if state["format"] != FORMAT:
            raise ValueError(f"a snapshot in format {state['format']}")
        version, numbers, gauss = state["random"]
        self._random.setstate((version, tuple(numbers), gauss))
        self._seen = dict.fromkeys(state["seen"])
        self._known = set(state["known"])
        self._length, self.episodes = state["length"], state["episodes"]


class IdempotentJob(SearchJob):
    def __init__(self, spec: Any, beacon: Beacon) -> None:
        super().__init__(IdempotentSearch(spec, beacon), beacon)


def _nothing() -> dict[str, Any]:
    return {"keys": [], "corpus": [], "findings": [], "notices": []}
