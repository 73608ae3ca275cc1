"""A shard's state as bytes, and what of it the next campaign on the same target is given."""

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


def learned_in(snapshot: bytes) -> Json:
    """What a shard has found and learned: `CoverSearch` adopts it. Raises Malformed."""
    body = read_snapshot(snapshot)
    try:
        prunings = [shared["pruning"] for shared in body["symbolic"]]
        return {**body["exploration"], "prunings": prunings}
    except (LookupError, TypeError) as error:
        raise Malformed("not a snapshot of this campaign") from error
