"""How one shard of an `inputs` campaign over Hypothesis tests explores, inside a worker.

A step is a chunk of examples of one test; tests take turns. What a chunk has learned, the next one starts
from, and so does the next campaign (see `warm`). A test that has failed is done: Hypothesis has shrunk the
failure, and would only find it again.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from hypothesis.errors import FailedHealthCheck, Flaky, Unsatisfiable

from untrod.core.protocols import Beacon
from untrod.core.seeds import derive
from untrod.core.vocabulary import Json, Outcome, Trace
from untrod.engines.inputs.backend.characteristic import Different
from untrod.engines.inputs.backend.engine import FORMAT, check_format
from untrod.engines.inputs.backend.observe import Observer
from untrod.engines.inputs.backend.rejections import RejectionCounts, busiest_lines
from untrod.engines.inputs.backend.running import ExampleCall, RunResult, collect, run_test
from untrod.engines.inputs.backend.transfer import transfer
from untrod.engines.inputs.corpus import Entry, entry_of, misfits
from untrod.engines.inputs.counts import BlamedChoice
from untrod.runtime.deadline import EpisodeStopped, EpisodeTimeout, Interrupted
from untrod.runtime.describe import describe_failure, text_of
from untrod.runtime.job import SearchJob
from untrod.runtime.loading import TargetName, load_function
from untrod.source.codec import encode
from untrod.source.literals import express

CHUNK = 200
_CORPUS_TEXT = 500
_NO_FINDING = (Interrupted, FailedHealthCheck, Unsatisfiable)


class HypothesisSearch:
    """Built from the JSON that `engine.HypothesisEngine.spec` makes."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self._project = Path(spec["project"])
        self._seed: int = spec["seed"]
        self._learner: str = spec["learner"]
        self._keep: int = spec["keep"]
        self._observe: bool = spec["observe"]
        self._beacon = beacon
        self._reward: str = spec["reward"]
        self._different = _different(spec["different"], self._project)
        self._everything = collect(spec["paths"], self._project, self._different)
        self._tests = self._everything[spec["shard"] :: spec["shards"]]
        self._tables: dict[str, Json] = {node: spec["tables"].get(node) for node in self._tests}
        self._known: dict[str, set[str]] = {node: set() for node in self._tests}
        self._done: set[str] = set()
        self._complaints: set[str] = set()
        self._rejections: dict[str, list[BlamedChoice]] = {}
        self._rejection_counts: dict[str, RejectionCounts] = {node: RejectionCounts() for node in self._tests}
        # Tests whose examples, saved failures and corpus lines were tried:
        self._bootstrapped: set[str] = set()
        self._corpus = [entry_of(number, line) for number, line in spec["corpus"]]
        self._unused = {entry.line for entry in self._corpus if entry is not None}
        self.episodes = self._valid = self._kept = self._turn = 0
        self._skipped: set[int] = set()
        self._report = _empty()

    @property
    def finished(self) -> bool:
        return all(node in self._done for node in self._tests)

    def step(self, most: int) -> None:
        """A chunk of examples of one test."""
        waiting = [node for node in self._tests if node not in self._done]
        node = waiting[self._turn % len(waiting)]
        self._turn += 1
        self._play(node, most, self._report)

    def news(self) -> dict[str, Json]:
        report, self._report = self._report, _empty()
        return report

    def keys(self) -> list[str]:
        return [digest_in(node, key) for node, known in self._known.items() for key in known]

    def _play(self, node: str, calls: int, report: dict[str, Json]) -> None:
        started = self.episodes
        if started in self._skipped:
            self._done.add(node)
            report["notices"].append(f"{node} kills its worker and is not run any more")
            self.episodes += 1
            return
        observer = Observer()
        with observer.watching() if self._observe else nullcontext():
            run = self._run(node, min(CHUNK, calls), calls)
        if run.cut:
            observer.drop_last()
        report["observed"] += observer.lines
        self._note_bootstrapped(node, run, report)
        self._beacon.end()
        self.episodes += max(run.episodes, 1)
        self._valid += run.valid
        self._learn_from(node, run)
        for complaint in sorted(run.complaints - self._complaints):
            report["notices"].append(f"{node}: {complaint}")
        self._complaints |= run.complaints
        for key, call in run.new:
            report["keys"].append(digest_in(node, key))
            if self._kept < self._keep:
                self._kept += 1
                text = f"{node}: {call.text}"[:_CORPUS_TEXT]
                report["corpus"].append([digest_in(node, key), [node, call.blob], text])
        self._report_failures(node, run, report, started)

    def _run(self, node: str, examples: int, calls: int | None = None, blob: str = "") -> RunResult:
        def begin() -> None:
            self._beacon.begin(self.episodes)

        return run_test(
            node,
            self._project,
            examples=examples,
            calls=calls,
            known=self._known.setdefault(node, set()),
            begin=begin,
            blob=blob,
            different=self._different,
            learner=self._learner,
            reward=self._reward,
            seed=derive(self._seed, node, self.episodes),
            tables=self._tables.get(node),
            rejection_counts=self._rejection_counts.get(node),
            bootstrap=node not in self._bootstrapped,
            entries=() if node in self._bootstrapped else self._entries(node),
        )

    def _entries(self, node: str) -> tuple[Entry, ...]:
        """The lines of the corpus that may be for this test: exported ones name theirs."""
        return tuple(
            entry
            for entry in self._corpus
            if entry is not None
            and (entry.answers is None or len(self._everything) == 1 or entry.answers[:1] == (node,))
        )

    def _note_bootstrapped(self, node: str, run: RunResult, report: dict[str, Json]) -> None:
        for provider in run.providers:
            self._unused -= provider.used_lines
        self._bootstrapped.add(node)
        # A test of another shard may have used the others: only one who sees all can tell.
        if self._unused and self._bootstrapped.issuperset(self._everything):
            report["notices"].append(misfits(self._unused, self._everything))
            self._unused.clear()

    def _learn_from(self, node: str, run: RunResult) -> None:
        for provider in run.providers:
            tables = transfer(provider)
            if tables is not None:
                self._tables[node] = tables
            reasons = provider.rejections(self._project, at_most=5)
            if reasons:
                self._rejections[node] = [reason.to_json() for reason in reasons]

    def _report_failures(self, node: str, run: RunResult, report: dict[str, Json], episode: int) -> None:
        trouble = run.trouble
        if isinstance(trouble, Interrupted):
            if run.cut and not self._known[node] and not run.valid:
                report["notices"].append(f"{node}: no input is valid; {self._blamed(node)}")
            return
        for error, call in run.failures.values():
            if not isinstance(error, EpisodeStopped):
                report["findings"].append({**self._describe(node, error, call), "episode": episode})
        if isinstance(trouble, EpisodeTimeout):
            report["findings"].append({**self._describe(node, trouble, None), "episode": episode})
        elif isinstance(trouble, FailedHealthCheck):  # says nothing about an input
            said = str(trouble).partition("\n")[0]
            report["notices"].append(f"{node}: Hypothesis refuses to run it: {said}")
        elif isinstance(trouble, Unsatisfiable):
            report["notices"].append(f"{node}: no input is valid; {self._blamed(node)}")
        elif trouble is not None and not run.failures:
            report["findings"].append({**self._describe(node, trouble, None), "episode": episode})
        if trouble is not None:
            self._done.add(node)

    def _blamed(self, node: str) -> str:
        """One line: which choices are always rejected, and where most inputs end."""
        worst = [reason["text"] for reason in self._rejections.get(node, ())[:2]]
        busiest = [str(reason) for reason in busiest_lines(self._rejection_counts[node], self._project)]
        return "; ".join([*worst, *busiest]) or "nothing that they have in common was found"

    def _describe(self, node: str, error: BaseException, call: ExampleCall | None) -> Json:
        outcome = Outcome.TIMED_OUT if isinstance(error, EpisodeTimeout) else Outcome.FAILED
        told = describe_failure(error, outcome, self._project)
        notes = "\n".join(getattr(error, "__notes__", ()))
        arguments = None
        if call is not None:
            nodes = {name: express(value) for name, value in call.arguments.items()}
            if all(value is not None for value in nodes.values()):
                arguments = {name: encode(value) for name, value in nodes.items() if value is not None}
        return {
            **told,
            "key": f"{told['key']}:{node}",
            "answers": [node, call.blob if call else ""],
            "test": node,
            "setup": call.setup if call else "?",
            "shrunk": True,
            "complete": bool(call and call.blob),
            "flaky": isinstance(error, Flaky),
            "arguments": arguments,
            "value": {"text": call.text if call else text_of(notes)},
        }

    def replay(self, trace: Trace) -> Json:
        node, blob = str(trace.answers[0]), str(trace.answers[1])
        run = self._run(node, 1, blob=blob)
        finding, outcome, value = None, Outcome.VALID, None
        failures = [*run.failures.values()]
        if not failures and run.trouble is not None and not isinstance(run.trouble, _NO_FINDING):
            failures = [(run.trouble, None)]  # in a fixture, or what all of it came to
        for error, call in failures:
            finding = self._describe(node, error, call)
            outcome, value = Outcome(finding["kind"]), finding["value"]
        return {"outcome": outcome.value, "answers": [], "finding": finding, "value": value}

    def skip(self, number: int, made: bool) -> None:
        self._skipped.add(number)

    def counts(self) -> dict[str, Json]:
        return {
            "episodes": self.episodes,
            "valid": self._valid,
            "unique": sum(map(len, self._known.values())),
            "rejections": self._rejections,
        }

    def state(self) -> dict[str, Json]:
        return {
            "format": FORMAT,
            "episodes": self.episodes,
            "valid": self._valid,
            "kept": self._kept,
            "turn": self._turn,
            "done": sorted(self._done),
            "met": sorted(self._bootstrapped),
            "known": {node: sorted(known) for node, known in self._known.items()},
            "tables": self._tables,
            "rejections": self._rejections,
        }

    def load(self, state: dict[str, Json]) -> None:
        check_format(state)
        self.episodes, self._valid, self._kept = state["episodes"], state["valid"], state["kept"]
        self._turn, self._done = state["turn"], set(state["done"])
        self._bootstrapped = set(state["met"] if "met" in state else state["done"])
        self._known = {node: set(known) for node, known in state["known"].items()}
        self._tables = state["tables"]
        self._rejections = state["rejections"]


def _empty() -> dict[str, Json]:
    return {"keys": [], "corpus": [], "findings": [], "notices": [], "observed": []}


def _different(name: Json, project: Path) -> Different:
    """A named characteristic, the name of a function in each test's module, or a function from elsewhere."""
    return name if isinstance(name, str) else load_function(TargetName(**name), project)


def digest_in(node: str, key: str) -> str:
    """The key of an input, test by test: equal values of two tests are two inputs."""
    return f"{key}-{node}"


class HypothesisJob(SearchJob):
    def __init__(self, spec: Json, beacon: Beacon) -> None:
        super().__init__(HypothesisSearch(spec, beacon), beacon)
