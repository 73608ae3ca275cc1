"""The snapshot of a shard, as bytes: all of it for the one who resumes, the lore for campaigns to come."""

from __future__ import annotations

from untrod.core.shapes import Malformed, unpacked
from untrod.core.vocabulary import Json
from untrod.engines.worst.policies.lore import lore_of

FORMAT = 2
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading a snapshot, or anything taken from one, may raise when it is not what it should be."""


def learned_in(blob: bytes) -> Json:
    """What the next campaign on the same function can start from; None: nothing was learned.

    Raises Malformed when this is no snapshot of ours.
    """
    body = unpacked(blob)
    try:
        lore = lore_of(body["policy"], body["hunt"]["policy"])
        if lore is None:
            return None
        sizes = [int(place["size"]) for place in body["hunt"]["places"] if place["attempts"]]
    except UNREADABLE as error:
        raise Malformed("not a snapshot of this campaign") from error
    return {
        "format": FORMAT,
        "policy": body["policy"],
        "code": body["code"],
        "sizes": sorted(sizes),
        "lore": lore,
    }
