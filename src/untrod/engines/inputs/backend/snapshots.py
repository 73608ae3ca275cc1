"""The snapshots of a shard over Hypothesis tests, readable without importing Hypothesis."""

from __future__ import annotations

from untrod.core.shapes import Malformed, unpacked
from untrod.core.vocabulary import Json

FORMAT = 1


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
