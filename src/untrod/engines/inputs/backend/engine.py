"""The `inputs` campaign over Hypothesis tests, seen from outside the workers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from untrod.core.events import CorpusGrown, Notice
from untrod.core.protocols import Table, Tables
from untrod.core.reading import is_regular
from untrod.core.seeds import derive
from untrod.core.shapes import (
    Malformed,
    anything,
    listed,
    mapping,
    one_of,
    optional,
    record,
    row,
    text,
    texts,
    unpacked,
    whole,
)
from untrod.core.vocabulary import Finding, Json
from untrod.engines.inputs.backend.observe import MOST_BYTES, ObservationFile
from untrod.engines.inputs.backend.transfer import table_key
from untrod.engines.inputs.counts import REJECTIONS, BlamedChoice, InputsCounts, inputs_counts
from untrod.runtime.engine import BaseEngine
from untrod.runtime.loading import TargetName
from untrod.runtime.reports import EXCEPTION, batch_report, node, replay_report

FORMAT = 1
KEEP = 10_000
_DETAIL = (
    "exception",
    "message",
    "place",
    "traceback",
    "value",
    "test",
    "setup",
    "shrunk",
    "complete",
    "arguments",
)


def _arguments(value: Json, name: str) -> None:
    mapping(node)(value, name)
    if not all(each.isidentifier() for each in value):
        raise Malformed(f"{name} has a name that is none")


SETUPS = ("", "setup_method()", "setup_method(method)", "?")
_TOLD = {"test": text(), "setup": one_of(SETUPS), "arguments": optional(_arguments)}
REPORT = batch_report(
    {"rejections": REJECTIONS, "observed": texts()},
    detail=_TOLD,
    finding={"exception": EXCEPTION},
    trace=row(text(), text()),
)
REPLAY = replay_report(detail=_TOLD)


def _place(value: Json, name: str) -> None:
    """Where tests are, and no option of pytest's."""
    text()(value, name)
    if value.startswith(("-", "@")):
        raise Malformed(f"{name} is an option")


_CONFIG = record(
    {"paths": listed(_place), "learner": text(), "keep": whole()},
    {"reward": text(), "corpus": listed(row(whole(), text())), "observe": optional(text())},
)


@dataclass(frozen=True, slots=True)
class HypothesisConfig:
    """`paths` are pytest's: files, folders, `file.py::test`.

    `different` is a word (see `characteristic`), the name of a function in each test's module, or one
    elsewhere.
    """

    paths: tuple[str, ...]
    learner: str = "auto"
    different: TargetName | str = "value"
    reward: str = "greybox"
    keep: int = KEEP
    corpus: tuple[tuple[int, str], ...] = ()  # lines and their numbers, as `corpus.read_corpus` gives them
    observe: str | None = None  # the file that records of all test cases are appended to

    def to_json(self) -> dict[str, Json]:
        different = self.different
        return {
            "paths": list(self.paths),
            "learner": self.learner,
            "different": different if isinstance(different, str) else different.to_json(),
            "reward": self.reward,
            "keep": self.keep,
            "corpus": [list(line) for line in self.corpus],
            "observe": self.observe,
        }

    @classmethod
    def from_json(cls, body: Json) -> HypothesisConfig:
        _CONFIG(body, "settings")
        different = body.get("different", "value")
        return cls(
            paths=tuple(body["paths"]),
            learner=body["learner"],
            different=different if isinstance(different, str) else TargetName.from_json(different),
            reward=body.get("reward", "greybox"),
            keep=body["keep"],
            corpus=tuple((number, line) for number, line in body.get("corpus", ())),
            observe=body.get("observe"),
        )


class HypothesisEngine(BaseEngine):
    name = "hypothesis"
    job = "untrod.engines.inputs.backend.job:HypothesisJob"
    report_shape, replay_shape, kept = REPORT, REPLAY, _DETAIL

    def __init__(
        self,
        config: HypothesisConfig,
        seed: int,
        project: Path,
        workers: int,
        tables: dict[str, Json] | None = None,
    ) -> None:
        """`tables` is what earlier campaigns have learned, by test."""
        self.config = config
        self._seed = seed
        self._project = project
        self._workers = workers
        self._tables = tables or {}
        self._observed = ObservationFile(project / config.observe) if config.observe else None

    def adopt(self, tables: Tables) -> None:
        """Which tests there are is not known yet: all that were ever run."""
        for manifest in tables.tables():
            if manifest.get("engine") == self.name and "test" in manifest:
                found = tables.table(table_key(manifest["test"]))
                if found is not None:
                    self._tables[manifest["test"]] = found

    def spec(self, shard: int) -> Json:
        return {
            **self.config.to_json(),
            "keep": -(-self.config.keep // self._workers),
            "seed": derive(self._seed, "hypothesis"),
            "shard": shard,
            "shards": self._workers,
            "project": str(self._project),
            "tables": self._tables,
            "corpus": [list(line) for line in self.config.corpus],
            "observe": self.config.observe is not None,
        }

    def absorb(self, report: Json) -> Iterable[CorpusGrown | Notice | tuple[Finding, int]]:
        news = super().absorb(report)
        if self._observed and not self._observed.write(report["observed"]):
            yield Notice(f"{self.config.observe} is full: no more than {MOST_BYTES >> 20} MB are written")
        yield from news

    def transfer(self, snapshot: bytes) -> Iterable[Table]:
        """What a shard has learned, test by test, for the next campaign."""
        found = read_snapshot(snapshot)
        record({"tables": mapping(optional(record({"structure": anything})))})(found, "snapshot")
        for test, tables in found["tables"].items():
            if tables is not None:
                manifest = {"engine": self.name, "learner": self.config.learner, "test": test}
                manifest["structure"] = tables["structure"]
                yield Table(table_key(test), manifest, json.dumps(tables).encode())

    def extra(self, reports: list[Json]) -> dict[str, Json]:
        rejections: dict[str, list[BlamedChoice]] = {}
        for report in reports:
            rejections |= inputs_counts(report)["rejections"]
        return {**InputsCounts(rejections=rejections)}


def check_format(body: Json) -> None:
    """Raises Malformed when `body` is no state of this engine's search."""
    try:
        if body["format"] != FORMAT:
            raise ValueError(f"format {body['format']}")
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed(f"not a snapshot of this campaign: {error}") from error


def read_snapshot(blob: bytes) -> Json:
    """Raises Malformed when `blob` is not a snapshot of this engine's job."""
    body = unpacked(blob)
    check_format(body)
    return body


def split_node(node: str, project: Path) -> tuple[str, str]:
    """A test as pytest names it (`tests/test_cart.py::TestCart::test_total[1]`): the path, and the rest
    with its colons. Folders may have colons in their names, too."""
    cut = node.find("::")
    while cut >= 0:
        if node[:cut].endswith(".py") and is_regular(project / node[:cut]):
            return node[:cut], node[cut:]
        cut = node.find("::", cut + 1)
    return node, ""
