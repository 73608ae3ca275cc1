"""Frames over a pipe: a JSON header and a raw blob, both length-prefixed and size-capped.

    magic (4 bytes) | header length (u32) | blob length (u32) | header: UTF-8 JSON object | blob

JSON and bytes only, never pickle: what comes out of a worker comes from hostile code.
"""

from __future__ import annotations

import json
import struct
from os import read as read_some
from os import write as write_some  # bound: a target may replace those in `os`

from untrod.core.vocabulary import Json

MAX_HEADER = 64 * 2**20
MAX_BLOB = 512 * 2**20

_MAGIC = b"\x93utr"
_PREFIX = struct.Struct("<4sII")
_CHUNK = 2**16


class ChannelError(Exception):
    """The other side broke the protocol: a torn, oversized or malformed frame."""


def encode(header: dict[str, Json], blob: bytes = b"") -> bytes:
    """Raises TypeError, ValueError or RecursionError unless `header` is JSON, ChannelError if too large."""
    text = _ENCODER.encode(header).encode()
    if len(text) > MAX_HEADER or len(blob) > MAX_BLOB:
        raise ChannelError(f"a frame of {len(text)} + {len(blob)} bytes is too large to send")
    return _PREFIX.pack(_MAGIC, len(text), len(blob)) + text + blob


class Decoder:
    """Turns the bytes of a pipe into frames, however they were cut."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[dict[str, Json], bytes]]:
        """The frames that `data` completes. Raises ChannelError when this is no frame of ours."""
        self._buffer += data
        frames = []
        while (frame := self._take()) is not None:
            frames.append(frame)
        return frames

    def finish(self) -> None:
        """The pipe has ended. Raises ChannelError when it ended inside a frame."""
        if self._buffer:
            raise ChannelError(f"torn frame: the pipe ended {len(self._buffer)} bytes into it")

    def _take(self) -> tuple[dict[str, Json], bytes] | None:
        buffer = self._buffer
        if not _MAGIC.startswith(buffer[:4]):
            raise ChannelError("these bytes are not a frame")
        if len(buffer) < _PREFIX.size:
            return None
        _, header_size, blob_size = _PREFIX.unpack_from(buffer)
        if header_size > MAX_HEADER or blob_size > MAX_BLOB:
            raise ChannelError("a frame that is too large")
        blob_at = _PREFIX.size + header_size
        end = blob_at + blob_size
        if len(buffer) < end:
            return None
        header = _parse(bytes(buffer[_PREFIX.size : blob_at]))
        blob = bytes(buffer[blob_at:end])
        del buffer[:end]
        return header, blob


def read(descriptor: int) -> tuple[dict[str, Json], bytes] | None:
    """The next frame of a blocking pipe on which one frame is under way at a time; None at its end."""
    decoder = Decoder()
    while data := read_some(descriptor, _CHUNK):
        frames = decoder.feed(data)
        if frames:
            return frames[0]
    decoder.finish()
    return None


def write(descriptor: int, frame: bytes) -> None:
    """All of `frame`, on a blocking pipe."""
    rest = memoryview(frame)
    while rest:
        rest = rest[write_some(descriptor, rest) :]


_ENCODER = json.JSONEncoder(separators=(",", ":"))


def _refuse(constant: str) -> None:
    """JSON knows no NaN and no infinity."""
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _parse(text: bytes) -> dict[str, Json]:
    try:
        header = _DECODER.decode(text.decode())
    except (ValueError, RecursionError) as error:
        raise ChannelError("malformed header: it is no JSON") from error
    if not isinstance(header, dict):
        raise ChannelError("a header is a JSON object")
    return header
