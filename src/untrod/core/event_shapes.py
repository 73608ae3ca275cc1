"""The shapes of events and findings as JSON. A store may be anybody's, and so may what it says happened."""

from __future__ import annotations

from collections.abc import Mapping

from untrod.core.shapes import (
    Malformed,
    Shape,
    answers,
    anything,
    flag,
    listed,
    mapping,
    number,
    optional,
    record,
    row,
    text,
    texts,
    whole,
)
from untrod.core.vocabulary import Json

_LONG = 2**23
"""Characters of what a worker has said last, escaped."""


def integer(value: Json, name: str) -> None:
    """An integer of any size, as seeds are."""
    if type(value) is not int:
        raise Malformed(f"{name} is no whole number")


_STEP = record(
    {},
    {
        "action": text(),
        "screen": text(),
        "activity": text(),
        "url": text(),
        "events": listed(row(text(), text())),
    },
)
DETAIL = record(
    {},
    {
        "value": optional(record({}, {"text": text()})),
        "held": row(whole(), whole()),
        "exception": optional(record({"module": text(), "name": text()})),
        "arguments": optional(mapping(anything)),
        "steps": listed(_STEP),
        "reasons": listed(row(whole(), text(), text(), text(), flag)),
        **dict.fromkeys(("session", "shrunk", "complete"), flag),
        **{
            name: optional(text(_LONG))
            for name in ("message", "place", "traceback", "stage", "explanation", "formula", "test", "log")
        },
    },
)
"""What is told of a finding. An engine adds its own, which only it reads."""
_FINDING = record(
    {"key": text(), "kind": text(), "title": text(), "trace": record({"answers": answers})},
    {"detail": DETAIL},
)
_EXTRA = mapping(anything)
_COUNTS: Mapping[str, Shape] = {
    **{name: whole() for name in ("episodes", "valid", "unique", "findings")},
    "wall": number(),
    "cpu": number(),
}
_PLACE = whole(-1)  # -1 where it is not known
EVENTS: Mapping[str, Shape] = {
    "campaign-started": record(
        {
            "campaign": text(),
            "engine": text(),
            "target": text(),
            "seed": integer,
            "budget": mapping(optional(number())),
        },
        {"resumed_at": whole()},
    ),
    "progress": record(_COUNTS, {"extra": _EXTRA}),
    "corpus": record({"key": text(), "trace": record({"answers": answers}), "text": text()}),
    "finding": record({"finding": _FINDING, "episode": _PLACE, "shard": _PLACE}),
    "checkpoint": record({"shard": whole(), "episodes": whole()}),
    "worker-lost": record({"shard": whole(), "cause": text(_LONG), "restarts": whole()}),
    "notice": record({"text": text(_LONG)}),
    "test-written": record({"path": text(), "findings": texts()}),
    "campaign-finished": record({"campaign": text(), "reason": text(_LONG), **_COUNTS}, {"extra": _EXTRA}),
}
"""By the name of the event, of all that it says besides."""
