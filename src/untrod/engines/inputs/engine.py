"""The `inputs` campaign, seen from outside the workers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from untrod.core.seeds import derive
from untrod.core.shapes import anything, listed, mapping, numbers, record, text, whole
from untrod.core.vocabulary import Json
from untrod.engines.inputs.counts import BLAMED_OPTIONS, STATES, InputsCounts, inputs_counts
from untrod.runtime.engine import BaseEngine
from untrod.runtime.loading import TargetName
from untrod.runtime.reports import batch_report, replay_report

KEEP = 10_000
MOST_BLAMED = 8
_DETAIL = ("exception", "message", "place", "traceback", "stage", "value")
REPORT = batch_report({"states": STATES}, {"convicted": BLAMED_OPTIONS}, trace=numbers)
REPLAY = replay_report()
_CONFIG = record(
    {"learner": text(), "settings": mapping(anything), "keep": whole(), "invalid": listed(anything)},
    {"reward": text(), "corpus": listed(numbers)},
)


@dataclass(frozen=True, slots=True)
class InputsConfig:
    """What a person asked for, as it is kept with the campaign and used to resume and replay it."""

    generator: TargetName
    valid: TargetName | None = None
    test: TargetName | None = None
    invalid: tuple[TargetName, ...] = ()
    characteristic: TargetName | str = "value"
    learner: str = "auto"
    reward: str = "greybox"
    settings: dict[str, Json] = field(default_factory=dict)
    keep: int = KEEP
    corpus: tuple[tuple[int, ...], ...] = ()  # traces to begin with

    def to_json(self) -> dict[str, Json]:
        return {
            "generator": self.generator.to_json(),
            "valid": self.valid and self.valid.to_json(),
            "test": self.test and self.test.to_json(),
            "invalid": [name.to_json() for name in self.invalid],
            "characteristic": _name_json(self.characteristic),
            "learner": self.learner,
            "reward": self.reward,
            "settings": self.settings,
            "keep": self.keep,
            "corpus": [list(trace) for trace in self.corpus],
        }

    @classmethod
    def from_json(cls, body: Json) -> InputsConfig:
        _CONFIG(body, "settings")
        characteristic = body["characteristic"]
        return cls(
            generator=TargetName.from_json(body["generator"]),
            valid=body["valid"] and TargetName.from_json(body["valid"]),
            test=body["test"] and TargetName.from_json(body["test"]),
            invalid=tuple(TargetName.from_json(name) for name in body["invalid"]),
            characteristic=characteristic
            if isinstance(characteristic, str)
            else TargetName.from_json(characteristic),
            learner=body["learner"],
            reward=body.get("reward", "blackbox"),  # campaigns from before there was a choice
            settings=body["settings"],
            keep=body["keep"],
            corpus=tuple(tuple(trace) for trace in body.get("corpus", ())),
        )


class InputsEngine(BaseEngine):
    name = "inputs"
    job = "untrod.engines.inputs.job:InputsJob"
    report_shape, replay_shape, kept = REPORT, REPLAY, _DETAIL

    def __init__(self, config: InputsConfig, seed: int, project: Path, workers: int = 1) -> None:
        self.config = config
        self._seed = seed
        self._project = project
        self._workers = workers

    def spec(self, shard: int) -> Json:
        body = self.config.to_json()
        body["keep"] = -(-self.config.keep // self._workers)
        body["corpus"] = body["corpus"][shard :: self._workers]
        return {**body, "seed": derive(self._seed, "inputs", shard), "project": str(self._project)}

    def extra(self, reports: list[Json]) -> dict[str, Json]:
        """Of the options that the shards' learners blame, those that one shard has tried most often."""
        counted = [inputs_counts(report) for report in reports]
        blamed = [each for counts in counted for each in counts.get("convicted", ())]
        blamed.sort(key=lambda each: each["tried"], reverse=True)
        states = sum(counts["states"] for counts in counted)
        return {**InputsCounts(states=states, convicted=blamed[:MOST_BLAMED])}


def _name_json(name: TargetName | str) -> Json:
    return name if isinstance(name, str) else name.to_json()
