"""A shard's state as bytes."""

from __future__ import annotations

import json
import zlib

from untrod.core.shapes import Malformed, unpacked
from untrod.core.vocabulary import Json

FORMAT = 3


def write_snapshot(body: dict[str, Json]) -> bytes:
    return zlib.compress(json.dumps({"format": FORMAT, **body}, separators=(",", ":")).encode(), 1)


def read_snapshot(blob: bytes) -> Json:
    """Raises Malformed on anything else."""
    try:
        body = unpacked(blob)
        if body["format"] != FORMAT:
            raise ValueError(f"a snapshot in format {body['format']}")
    except (LookupError, TypeError) as error:
        raise Malformed(f"not a snapshot: {error}") from error
    return body
