"""What a `worst` campaign leaves behind, as test cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.vocabulary import Finding, Json, Outcome
from untrod.engines.worst.counts import WorstCounts, decode, growth_lines, result_line, run_line, size_lines
from untrod.engines.worst.engine import WorstConfig
from untrod.output.cases import TAKES_PYTEST_DOWN, AtMost, KnownFailure, TestCase, failure_words
from untrod.output.helpers import CALLS, COUNTED, COUNTED_BY, COUNTED_FROM, PEAK_BYTES, STEPS
from untrod.output.summary import Section, Words
from untrod.runtime.loading import TargetName
from untrod.runtime.replayer import Replayed, Replayer
from untrod.source import codec
from untrod.source.nodes import Call, Node, Ref, Text

MARGIN = 10
"""Counts that depend on the version of Python may be so many percent above what was found."""
SLACK = 4096
"""Bytes that a bound on memory leaves besides: a first call fills the interpreter's caches."""
CONFIRMATIONS = 3

_COUNTERS = {"steps": STEPS, "calls": CALLS, "allocations": PEAK_BYTES}


class WorstRecipe:
    def __init__(self, config: WorstConfig) -> None:
        self._config = config

    def slug(self) -> str:
        target = self._config.target
        return f"{target.module.rpartition('.')[2]}_{target.attribute}_worst".replace(".", "_")

    def folders(self, project: Path) -> tuple[Path, ...]:
        names = [self._config.target]
        if isinstance(self._config.cost, TargetName):
            names.append(self._config.cost)
        return tuple(dict.fromkeys(project / name.root for name in names))

    def sections(self, extra: dict[str, Json]) -> tuple[Section, ...]:
        counts = decode(extra)
        if counts is None:
            return ()
        return (
            *worst_input(counts),
            Section(f"cost against size ({counts['cost']})", size_lines(counts), table=True),
            Section("growth", growth_lines(counts) if len(counts["sizes"]) > 1 else ()),
            Section("symbolic engine", (counts["engine"],) if counts["engine"] else ()),
        )

    def words(self, finished: CampaignFinished) -> Words:
        counts = decode(finished.extra) or {}
        return Words(result_line(counts), run_line(finished.episodes, counts), samples=False)

    def cases(
        self, findings: Sequence[Finding], corpus: Iterable[CorpusGrown], replayer: Replayer
    ) -> list[TestCase]:
        """One known failure for each input that raises, and one bound on the worst input's cost."""
        cases = [case for finding in findings if (case := self._failure(finding)) is not None]
        bound = self._bound(corpus, replayer)
        if bound is not None:
            alarm = [finding.id for finding in findings if finding.kind == "growth"]
            cases.append(replace(bound, finding=alarm[0] if alarm else ""))
        return cases

    def _failure(self, finding: Finding) -> TestCase | None:
        held, of = finding.detail.get("held", (1, 1))
        arguments = _arguments(finding.detail.get("value"))
        if held < of or arguments is None or finding.kind in (Outcome.REFUSED, "growth"):
            return None
        error = finding.detail.get("exception")
        ref = Ref(error["module"], error["name"]) if error else Ref("builtins", "BaseException")
        what = ref.qualname.rpartition(".")[2] if error else finding.kind
        return TestCase(
            name_hint=f"{self._config.target.attribute} {failure_words(what)}",
            call=Call(self._function, arguments),
            known_failure=KnownFailure(
                finding.title, ref, run=Outcome(finding.kind) not in TAKES_PYTEST_DOWN
            ),
            finding=finding.id,
        )

    def _bound(self, corpus: Iterable[CorpusGrown], replayer: Replayer) -> TestCase | None:
        """The costliest input of the largest size, if it costs the same every time."""
        claims = [entry for entry in corpus if len(entry.trace.answers) > 2]
        for claim in sorted(claims, key=lambda entry: entry.trace.answers[1:3], reverse=True):
            results = [replayer.replay(claim.trace) for _ in range(CONFIRMATIONS)]
            arguments = _arguments(results[0].report.get("value"))
            costs = [result.report.get("cost", 0) for result in results]
            if all(map(_ran, results)) and arguments is not None:
                if 100 * max(costs) > (100 + MARGIN // 2) * min(costs):
                    return None  # no bound holds for what is not repeatable
                made = self._case(int(str(claim.trace.answers[1])), max(costs), arguments, results[0])
                return None if made is None else replace(made, repeats=(claim.trace,))
        return None

    def _case(self, size: int, cost: int, arguments: tuple[Node, ...], result: Replayed) -> TestCase | None:
        name = self._config.target.attribute
        if isinstance(self._config.cost, TargetName):
            return self._counter_case(size, cost, arguments, self._config.cost, result.report)
        if self._config.cost == "branches":
            if "steps" not in result.report:
                return None
            cost = result.report["steps"]
        counter = _COUNTERS.get(self._config.cost, STEPS)
        bound = -(-cost * (100 + MARGIN) // 100) + (SLACK if counter is PEAK_BYTES else 0)
        return TestCase(
            name_hint=f"{name} at size {size} takes at most {bound} {counter.qualname.replace('_', ' ')}",
            call=Call(counter, (self._function, *arguments)),
            expectation=AtMost(bound),
        )

    def _counter_case(
        self, size: int, cost: int, arguments: tuple[Node, ...], counter: TargetName, report: Json
    ) -> TestCase | None:
        ref = Ref(counter.module, counter.attribute)
        kinds: dict[str, tuple[Node, ...]] = {
            "variable": (COUNTED, Text(counter.module), Text(counter.attribute)),
            "function": (COUNTED_BY, ref),
            "of result": (COUNTED_FROM, ref),
        }
        if "counter" not in report:
            return None
        helper, *given = kinds[report["counter"]]
        assert isinstance(helper, Ref)
        return TestCase(
            name_hint=f"{self._config.target.attribute} at size {size} counts at most {cost}",
            call=Call(helper, (*given, self._function, *arguments)),
            expectation=AtMost(cost),
        )

    @property
    def _function(self) -> Ref:
        return Ref(self._config.target.module, self._config.target.attribute)


def worst_input(counts: WorstCounts) -> tuple[Section, ...]:
    """That of the largest size: a person wants to see it, alarm or not."""
    known = [row for row in counts["sizes"] if row["input"]]
    return (Section(f"worst input at size {known[-1]['size']}", (known[-1]["input"],)),) if known else ()


def _ran(result: Replayed) -> bool:
    return result.outcome is Outcome.VALID and "cost" in result.report


def _arguments(value: Json) -> tuple[Node, ...] | None:
    if not value or value.get("nodes") is None:
        return None
    try:
        return tuple(codec.decode(node) for node in value["nodes"])
    except ValueError:
        return None  # what the code under test has made up
