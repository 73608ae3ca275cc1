"""What the rows of a store have to be. Checksums find accidents: whoever writes a row can give it one."""

from __future__ import annotations

import json
import re
from typing import Any

from untrod.core.event_shapes import DETAIL
from untrod.core.shapes import (
    DEEPEST,
    Malformed,
    answers,
    anything,
    dotted_name,
    mapping,
    number,
    one_of,
    optional,
    parsed,
    record,
    row,
    text,
    texts,
    whole,
)
from untrod.core.vocabulary import Json

RUNNING, FINISHED, INTERRUPTED = "running", "finished", "interrupted"
SETTINGS_DEEPEST = 100
"""Levels of what an engine was told, and of what it counts."""
_BODY = text(2**27)
_CAMPAIGN_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_ID = 100
_SEED = re.compile(r"-?[0-9]{1,1000}")
_CHECKPOINT = re.compile(r"[0-9]+-[0-9]+(\.[0-9]+)?\.bin")
MOMENT = number(0, 200_000_000_000)  # in seconds: calendars go no further


def is_campaign_id(name: object) -> bool:
    """Letters, digits and dashes, such as `inputs-7f3a`: files are called so, and addresses."""
    return isinstance(name, str) and len(name) <= _LONGEST_ID and _CAMPAIGN_ID.fullmatch(name) is not None


def _campaign_id(value: Json, name: str) -> None:
    """A `Shape`: the id of a campaign."""
    if not is_campaign_id(value):
        raise Malformed(f"{name} is no name of a campaign")


def json_of(value: Any, *, deepest: int = DEEPEST) -> Json:
    """What stands in a column as JSON. Raises Malformed."""
    _BODY(value, "it")
    return parsed(value, deepest)


def text_of(value: Any) -> str:
    """What stands in a column as text, escaped as JSON. Raises Malformed."""
    _BODY(value, "it")
    try:
        return str(json.loads(f'"{value}"'))
    except ValueError as error:
        raise Malformed("it holds no escaped text") from error


def _seed(value: Json, name: str) -> None:
    if type(value) is not str or not _SEED.fullmatch(value):
        raise Malformed(f"{name} is no seed")


def _checkpoint(value: Json, name: str) -> None:
    """A file beside the others of the campaign."""
    if type(value) is not str or not _CHECKPOINT.fullmatch(value):
        raise Malformed(f"{name} is no file of a checkpoint")


_LIMITS = {"episodes": optional(whole()), "wall": optional(number()), "cpu": optional(number())}
CAMPAIGN = record(
    {
        "id": _campaign_id,
        "engine": dotted_name,
        "target": text(),
        "config": mapping(anything),
        "seed": _seed,
        "budget": record({}, _LIMITS),
        "status": one_of((RUNNING, FINISHED, INTERRUPTED)),
        "reason": text(2**23),
        "created_at": MOMENT,
        "updated_at": MOMENT,
        **{name: whole() for name in ("episodes", "valid", "unique", "findings")},
        **{name: number(0, 1e12) for name in ("wall", "cpu")},
        "extra": mapping(anything),
        "rows": mapping(whole()),
    }
)
FINDING = record({"kind": text(), "title": text(), "trace": answers, "detail": DETAIL})
"""The body of a finding's row."""
CORPUS = row(answers, text())
TESTED = texts()
CHECKPOINT = row(whole(), whole(), _checkpoint, text())
"""Shard, episodes, file and digest."""
