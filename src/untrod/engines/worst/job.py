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
from untrod.engines.worst.costs import Counter, Steps
from untrod.engines.worst.curves import Curves, SizeRecord
from untrod.engines.worst.protocol import Inputs
from untrod.engines.worst.search import SizeSearch
from untrod.engines.worst.subject import CLAIM, RUN, Executors, Trouble, code_of, load_subject
from untrod.engines.worst.transfer import FORMAT, adopt
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
        self._adopted: Json = spec["transfer"]
        self._code = code_of(self._subject.function)
        self._sizes: tuple[int, ...] = tuple(spec["sizes"])
        for size in self._sizes:
            self._subject.encoding(size)  # complains about shapes before anything has run
        self._growth_key = f"growth:{self._subject.name}:{self._subject.cost.name}"
        self._known: set[str] = set()
        self._keys: list[str] = []
        self._judged = 0
        self._report: dict[str, list[Json]] = _empty()

    @cached_property
    def _search(self) -> SizeSearch:
        """Made when the first batch runs: a worker that only replays needs no policy, and no torch."""
        policy, told = adopt(self._policy_name, self._seed, self._code, self._adopted)
        if told:
            self.tell(told)
        return SizeSearch(self._subject, policy, self._sizes, self._seed, self)

    @property
    def episodes(self) -> int:
        return self._subject.runs

    @property
    def finished(self) -> bool:
        return self._search.finished

    def step(self, most: int) -> None:
        search = self._search
        search.step()
        if search.rounds > self._judged:
            self._judged = search.rounds
            self._judge()

    def news(self) -> dict[str, Json]:
        report, self._report = self._report, _empty()
        return report

    def keys(self) -> list[str]:
        return self._keys

    def worst(self, record: SizeRecord) -> None:
        """The search has a new worst input."""
        answers = [CLAIM, record.size, record.cost, *record.numbers]
        key = digest(json.dumps(answers))
        self._keys.append(key)
        self._report["keys"].append(key)
        record.text = self._value(record.size, record.numbers)["text"][:_CORPUS_TEXT]
        text = f"size {record.size}, {record.cost:,} {self._subject.cost.name}: {record.text}"
        self._report["corpus"].append([key, answers, text[:_CORPUS_TEXT]])

    def failed(self, size: int, trouble: Trouble) -> None:
        """The search met an input that must be told of."""
        if trouble.told["key"] not in self._known:
            self._known.add(trouble.told["key"])
            self._report["findings"].append({**self._described(size, trouble), "episode": trouble.episode})

    def tell(self, text: str) -> None:
        self._report["notices"].append(text)

    def _judge(self) -> None:
        """A round is over: how do the costs grow, and is that worth an alarm?"""
        curves = Curves.of([record.to_json() for record in self._search.records])
        if curves.flat and self._subject.cost.name in ("steps", "calls", "branches"):
            self.tell(
                f"every input cost the same {self._subject.cost.name}: that of {self._subject.name} does not "
                "depend on its input, or only in C code, which cannot be traced (try --cost allocations)"
            )
        title, record = curves.alarm(), curves.largest
        if not title or record is None or self._growth_key in self._known:
            return
        self._known.add(self._growth_key)
        finding = {
            "key": self._growth_key,
            "kind": "growth",
            "title": title,
            "answers": [CLAIM, record.size, record.cost, *record.numbers],
            "value": self._value(record.size, record.numbers),
            "shrunk": True,
            "episode": self._subject.runs,
        }
        self._report["findings"].append(finding)

    def replay(self, trace: Trace) -> Json:
        answers = [answer if isinstance(answer, int) else 0 for answer in trace.answers]
        if len(answers) < 3 or answers[1] < 1:
            return {"outcome": Outcome.INVALID.value, "answers": answers, "finding": None, "value": {}}
        kind, size, claimed, *numbers = answers
        env = self._subject.environment(size)
        inputs = env.encoding.from_numbers(numbers)
        attempt = env.run(inputs)
        numbers = env.encoding.numbers(inputs)
        finding, outcome = None, Outcome.VALID
        if kind == CLAIM and attempt.cost >= HOLDS * claimed:
            finding = self._claim(size, attempt.cost, claimed)
        elif kind == RUN and env.trouble is not None:
            finding, outcome = self._described(size, env.trouble), env.trouble.outcome
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
        inputs = self._subject.encoding(size).from_numbers(numbers)
        nodes = [express(argument) for argument in inputs]
        literal = None if None in nodes else [encode(node) for node in nodes if node is not None]
        shown = ", ".join(text_of(argument, "repr") for argument in inputs)
        return {"text": f"{self._subject.name.rpartition(':')[2]}({shown})", "nodes": literal}

    def skip(self, number: int, made: bool) -> None:
        (self._subject.untested if made else self._subject.passed_over).add(number)

    def counts(self) -> dict[str, Json]:
        search = self._search
        return {
            "episodes": self._subject.runs,
            "valid": self._subject.measured,
            "unique": len(self._keys),
            "places": [record.to_json() for record in search.records],
            "size": search.record.size,
            "rounds": search.rounds,
            "paths": search.paths,
            "decisions": search.decisions,
            "infeasible": search.infeasible,
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
            "records": self._keys,
            "judged": self._judged,
            "hunt": self._search.state(),
        }

    def load(self, state: dict[str, Json]) -> None:
        self._adopted = None  # the snapshot knows it all
        if state["format"] != FORMAT or state["policy"] != self._policy_name:
            raise ValueError(f"a snapshot of {state['policy']} in format {state['format']}")
        self._search.load(state["hunt"])
        self._subject.runs, self._subject.measured = state["runs"], state["measured"]
        self._known, self._keys = set(state["known"]), state["records"]
        self._judged = state["judged"]


def _empty() -> dict[str, list[Json]]:
    return {"keys": [], "corpus": [], "findings": [], "notices": []}


class WorstJob(SearchJob):
    def __init__(self, spec: Json, beacon: Beacon) -> None:
        super().__init__(WorstSearch(spec, beacon), beacon)
