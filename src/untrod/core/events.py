"""What a campaign tells its listeners: store, progress line, NDJSON, report and dashboard.

Engines emit, listeners consume, neither knows the other. Every event is a frozen dataclass; its JSON form
carries the class's `name`, and `from_json(to_json(event)) == event`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeAlias

from untrod.core.event_shapes import EVENTS
from untrod.core.vocabulary import Finding, Json, Trace


@dataclass(frozen=True, slots=True)
class CampaignStarted:
    name: ClassVar[str] = "campaign-started"
    campaign: str
    engine: str
    target: str
    seed: int
    budget: dict[str, float | int | None]
    resumed_at: int = 0  # episodes already run when this process took over


@dataclass(frozen=True, slots=True)
class Progress:
    name: ClassVar[str] = "progress"
    episodes: int
    valid: int
    unique: int
    findings: int
    wall: float
    cpu: float
    extra: dict[str, Json] = field(default_factory=dict)  # what only this engine counts


@dataclass(frozen=True, slots=True)
class CorpusGrown:
    """An input with a characteristic never seen before. `key` is its digest."""

    name: ClassVar[str] = "corpus"
    key: str
    trace: Trace
    text: str  # the value, as Python source where possible, bounded in length


@dataclass(frozen=True, slots=True)
class FindingFound:
    name: ClassVar[str] = "finding"
    finding: Finding
    episode: int
    shard: int


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The learner of one shard, as of `episodes`. The blob itself never travels as JSON."""

    name: ClassVar[str] = "checkpoint"
    shard: int
    episodes: int
    blob: bytes = field(repr=False, compare=False, default=b"")


@dataclass(frozen=True, slots=True)
class WorkerLost:
    name: ClassVar[str] = "worker-lost"
    shard: int
    cause: str
    restarts: int


@dataclass(frozen=True, slots=True)
class Notice:
    """One line a person should see: something was refused, set aside, or not as asked."""

    name: ClassVar[str] = "notice"
    text: str


@dataclass(frozen=True, slots=True)
class TestWritten:
    name: ClassVar[str] = "test-written"
    __test__: ClassVar[bool] = False  # not a pytest class
    path: str
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CampaignFinished:
    name: ClassVar[str] = "campaign-finished"
    campaign: str
    reason: str  # budget (episodes, wall time, CPU time), interrupted, exhausted, gave-up
    episodes: int
    valid: int
    unique: int
    findings: int
    wall: float
    cpu: float
    extra: dict[str, Json] = field(default_factory=dict)


Event: TypeAlias = (
    CampaignStarted
    | Progress
    | CorpusGrown
    | FindingFound
    | Checkpoint
    | WorkerLost
    | Notice
    | TestWritten
    | CampaignFinished
)
Listener: TypeAlias = Callable[[Event], None]

KINDS: dict[str, type[Any]] = {
    kind.name: kind
    for kind in (
        CampaignStarted,
        Progress,
        CorpusGrown,
        FindingFound,
        Checkpoint,
        WorkerLost,
        Notice,
        TestWritten,
        CampaignFinished,
    )
}


def to_json(event: Event) -> dict[str, Json]:
    """A JSON object with the event's name first; `Checkpoint.blob` stays behind."""
    return {"event": event.name, **_plain(event)}


def _plain(thing: Any) -> dict[str, Json]:
    body = {each.name: getattr(thing, each.name) for each in fields(thing) if each.name != "blob"}
    if isinstance(thing, Finding):
        body["id"] = thing.id  # what `untrod replay` takes; derived, so not read back
    return {
        key: _plain(value) if isinstance(value, Finding | Trace) else value for key, value in body.items()
    }


def from_json(body: dict[str, Json]) -> Event:
    """Raises ValueError on an unknown or malformed event."""
    if type(body) is not dict or type(body.get("event")) is not str or body["event"] not in KINDS:
        raise ValueError("an unknown event")
    fields_of = dict(body)
    kind = KINDS[fields_of.pop("event")]
    known = {f.name for f in fields(kind)} - {"blob"}
    if not set(fields_of) <= known:
        raise ValueError(f"unknown fields in {kind.name}: {sorted(set(fields_of) - known)}")
    EVENTS[kind.name](fields_of, f"event {kind.name}")
    return kind(**{key: _revive(key, value) for key, value in fields_of.items()})  # type: ignore[no-any-return]


def _revive(key: str, value: Json) -> Any:
    if key == "trace":
        return Trace(tuple(value["answers"]))
    if key == "finding":
        known = {f.name for f in fields(Finding)}
        return Finding(**{k: _revive(k, v) for k, v in value.items() if k in known})
    if key == "findings" and isinstance(value, list):
        return tuple(value)
    return value


class Bus:
    """Hands every event to every listener, in order."""

    def __init__(self, *listeners: Listener) -> None:
        self._listeners = list(listeners)

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def __call__(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)
