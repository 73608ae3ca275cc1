"""The snapshots of a shard over Hypothesis tests, readable without importing Hypothesis."""

from __future__ import annotations

import json
import zlib

from untrod.core.shapes import Malformed, unpacked
from untrod.core.vocabulary import Json

FORMAT = 1


def write_snapshot(body: dict[str, Json]) -> bytes:
    text = json.dumps({"format": FORMAT, **body}, separators=(",", ":"))
    return zlib.compress(text.encode(), 1)


def read_snapshot(blob: bytes) -> Json:
    """Raises Malformed when `blob` is not a snapshot of this job."""
    try:
        body = unpacked(blob)
        if body["format"] != FORMAT:
            raise ValueError(f"format {body['format']}")
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed(f"not a snapshot of this campaign: {error}") from error
    return body
