"""How one shard of a `worst` campaign explores, inside a worker.

A trace is a list of integers: [RUN, size, 0, leaves...] for an input that was run, [CLAIM, size, cost,
leaves...] for one that is claimed to cost so much. Replaying the first says how the run ends, replaying the
second whether the claim still holds.
"""

from __future__ import annotations

import copy
import json
from functools import cached_property

from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json, Outcome, Trace, digest
from untrod.engines.worst.arena import Inputs
from untrod.engines.worst.costs import Counter, Steps
from untrod.engines.worst.curves import Curves
from untrod.engines.worst.executors import Executors
from untrod.engines.worst.hunt import Hunt
from untrod.engines.worst.loading import load_subject
from untrod.engines.worst.place import Place
from untrod.engines.worst.recall import code_of, recalled
from untrod.engines.worst.snapshots import FORMAT
from untrod.engines.worst.subject import CLAIM, RUN, Trouble
from untrod.runtime.describe import text_of
from untrod.runtime.job import SearchJob
from untrod.source.codec import encode
from untrod.source.literals import express

HOLDS = 0.9
"""A claim holds while the input costs at least this share of what it cost when it was found."""
_CORPUS_TEXT = 500


class WorstSearch:
    """Built from the JSON that `engine.WorstEngine.spec` makes."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self._beacon = beacon
        self._subject = load_subject(spec, beacon)
        self._policy_name: str = spec["policy"]
        self._executors = Executors()
        self._subject.make_executor = self._executors
        self._seed: int = spec["seed"]
        self._learned: Json = spec["learned"]
        self._code = code_of(self._subject.function)
        self._sizes: tuple[int, ...] = tuple(spec["sizes"])
        for size in self._sizes:
            self._subject.row(size)  # complains about shapes before anything has run
        self._growth_key = f"growth:{self._subject.name}:{self._subject.cost.name}"
        self._known: set[str] = set()
        self._records: list[str] = []
        self._judged = 0
        self._report: dict[str, list[Json]] = _empty()

    @cached_property
    def _hunt(self) -> Hunt:
        """Made when the first batch runs: a worker that only replays needs no policy, and no torch."""
        policy, told = recalled(self._policy_name, self._seed, self._code, self._learned)
        if told:
            self.tell(told)
        return Hunt(self._subject, policy, self._sizes, self._seed, self)

    @property
    def episodes(self) -> int:
        return self._subject.runs

    @property
    def finished(self) -> bool:
        return self._hunt.finished

    def step(self, most: int) -> None:
        hunt = self._hunt
        hunt.step()
        if hunt.rounds > self._judged:
            self._judged = hunt.rounds
            self._judge()

    def news(self) -> dict[str, Json]:
        report, self._report = self._report, _empty()
        return report

    def keys(self) -> list[str]:
        return self._records

    def worst(self, place: Place) -> None:
        """The hunt has a new worst input."""
        answers = [CLAIM, place.size, place.cost, *place.numbers]
        key = digest(json.dumps(answers))
        self._records.append(key)
        self._report["keys"].append(key)
        place.text = self._value(place.size, place.numbers)["text"][:_CORPUS_TEXT]
        text = f"size {place.size}, {place.cost:,} {self._subject.cost.name}: {place.text}"
        self._report["corpus"].append([key, answers, text[:_CORPUS_TEXT]])

    def failed(self, size: int, trouble: Trouble) -> None:
        """The hunt met an input that must be told of."""
        if trouble.told["key"] not in self._known:
            self._known.add(trouble.told["key"])
            self._report["findings"].append({**self._described(size, trouble), "episode": trouble.episode})

    def tell(self, text: str) -> None:
        self._report["notices"].append(text)

    def _judge(self) -> None:
        """A round is over: how do the costs grow, and is that worth an alarm?"""
        curves = Curves.of([place.to_json() for place in self._hunt.places])
        if curves.flat and self._subject.cost.name in ("steps", "calls", "branches"):
            self.tell(
                f"every input cost the same {self._subject.cost.name}: that of {self._subject.name} does not "
                "depend on its input, or only in C code, which cannot be traced (try --cost allocations)"
            )
        title, place = curves.alarm(), curves.largest
        if not title or place is None or self._growth_key in self._known:
            return
        self._known.add(self._growth_key)
        finding = {
            "key": self._growth_key,
            "kind": "growth",
            "title": title,
            "answers": [CLAIM, place.size, place.cost, *place.numbers],
            "value": self._value(place.size, place.numbers),
            "shrunk": True,
            "episode": self._subject.runs,
        }
        self._report["findings"].append(finding)

    def replay(self, trace: Trace) -> Json:
        answers = [answer if isinstance(answer, int) else 0 for answer in trace.answers]
        if len(answers) < 3 or answers[1] < 1:
            return {"outcome": Outcome.INVALID.value, "answers": answers, "finding": None, "value": {}}
        kind, size, claimed, *numbers = answers
        arena = self._subject.arena(size)
        inputs = arena.row.from_numbers(numbers)
        attempt = arena.run(inputs)
        numbers = arena.row.numbers(inputs)
        finding, outcome = None, Outcome.VALID
        if kind == CLAIM and attempt.cost >= HOLDS * claimed:
            finding = self._claim(size, attempt.cost, claimed)
        elif kind == RUN and arena.trouble is not None:
            finding, outcome = self._described(size, arena.trouble), arena.trouble.outcome
        return {
            **(self._for_a_test(inputs) if attempt.counts else {}),
            "outcome": outcome.value,
            "answers": [kind, size, claimed, *numbers],
            "finding": finding,
            "value": self._value(size, numbers),
            "cost": attempt.cost,
            "error": attempt.error,
        }

    def _for_a_test(self, inputs: Inputs) -> dict[str, Json]:
        """What a test has to know besides: how the counter is read, and the steps where it cannot count."""
        cost = self._subject.cost
        if isinstance(cost, Counter):
            return {"counter": cost.kind}
        if cost.name == "branches":
            self._subject.begin()
            steps = Steps().measure(self._subject.function, copy.deepcopy(inputs)).cost
            self._beacon.end()
            return {"steps": steps}
        return {}

    def _claim(self, size: int, cost: int, claimed: int) -> Json:
        told = f"{cost:,} {self._subject.cost.name} at size {size}; {claimed:,} when it was found"
        return {"key": self._growth_key, "traceback": told + "\n"}

    def _described(self, size: int, trouble: Trouble) -> Json:
        value = self._value(size, trouble.numbers)
        return {**trouble.told, "answers": [RUN, size, 0, *trouble.numbers], "value": value, "size": size}

    def _value(self, size: int, numbers: list[int]) -> Json:
        """The call as a person writes it, and its arguments as source."""
        inputs = self._subject.row(size).from_numbers(numbers)
        nodes = [express(argument) for argument in inputs]
        literal = None if None in nodes else [encode(node) for node in nodes if node is not None]
        shown = ", ".join(text_of(argument, "repr") for argument in inputs)
        return {"text": f"{self._subject.name.rpartition(':')[2]}({shown})", "nodes": literal}

    def skip(self, number: int, made: bool) -> None:
        (self._subject.untested if made else self._subject.passed_over).add(number)

    def counts(self) -> dict[str, Json]:
        hunt = self._hunt
        return {
            "episodes": self._subject.runs,
            "valid": self._subject.measured,
            "unique": len(self._records),
            "places": [place.to_json() for place in hunt.places],
            "size": hunt.place.size,
            "rounds": hunt.rounds,
            "paths": hunt.paths,
            "decisions": hunt.decisions,
            "infeasible": hunt.infeasible,
            "engine": self._executors.told,
        }

    def state(self) -> dict[str, Json]:
        return {
            "format": FORMAT,
            "policy": self._policy_name,
            "code": self._code,
            "runs": self._subject.runs,
            "measured": self._subject.measured,
            "known": sorted(self._known),
            "records": self._records,
            "judged": self._judged,
            "hunt": self._hunt.state(),
        }

    def load(self, state: dict[str, Json]) -> None:
        self._learned = None  # the snapshot knows it all
        if state["format"] != FORMAT or state["policy"] != self._policy_name:
            raise ValueError(f"a snapshot of {state['policy']} in format {state['format']}")
        self._hunt.load(state["hunt"])
        self._subject.runs, self._subject.measured = state["runs"], state["measured"]
        self._known, self._records = set(state["known"]), state["records"]
        self._judged = state["judged"]


def _empty() -> dict[str, list[Json]]:
    return {"keys": [], "corpus": [], "findings": [], "notices": []}


class WorstJob(SearchJob):
    def __init__(self, spec: Json, beacon: Beacon) -> None:
        super().__init__(WorstSearch(spec, beacon), beacon)
