"""Snapshots are compressed JSON; what is none is named, and nothing of it is used."""

from __future__ import annotations

import json
import zlib

import pytest

from untrod.core.shapes import Malformed, packed, unpacked

BODY = {"format": 1, "seed": -(2**70), "texts": ["ä", "\ud800"], "rate": 0.1, "none": None}


def test_a_snapshot_is_unpacked_as_it_was_packed() -> None:
    blob = packed(BODY)
    assert unpacked(blob) == unpacked(blob, format=1) == BODY
    assert blob == zlib.compress(json.dumps(BODY, separators=(",", ":")).encode(), 1)
    assert unpacked(packed([1, 2])) == [1, 2]


@pytest.mark.parametrize(
    ("blob", "why"),
    [
        (packed({**BODY, "format": 2}), "not a snapshot in format 1"),
        (packed({**BODY, "format": True}), "not a snapshot in format 1"),
        (packed({"seed": 1}), "not a snapshot in format 1"),
        (packed([1]), "no object"),
        (packed(BODY)[:-5], "too large, or torn"),
        (b"", "too large, or torn"),
        (b"{}", "no compressed JSON"),
        (zlib.compress(b"{"), "no compressed JSON"),
        (zlib.compress(b"[" * 100_000), "no compressed JSON"),
    ],
)
def test_what_is_no_snapshot_is_named(blob: bytes, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        unpacked(blob, format=1)


def test_what_is_no_json_is_not_packed() -> None:
    with pytest.raises(TypeError):
        packed({"format": 1, "bytes": b""})
