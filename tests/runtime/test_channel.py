from __future__ import annotations

import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.runtime import channel
from untrod.runtime.channel import ChannelError, Decoder, encode

headers = st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.lists(st.booleans()))


@given(st.lists(st.tuples(headers, st.binary()), max_size=5), st.integers(1, 50))
def test_frames_arrive_whole_however_the_pipe_cuts_them(frames, size):
    stream = b"".join(encode(header, blob) for header, blob in frames)
    decoder = Decoder()
    arrived = [frame for at in range(0, len(stream), size) for frame in decoder.feed(stream[at : at + size])]
    decoder.finish()
    assert arrived == frames


@given(headers, st.data())
def test_a_torn_frame_is_an_error(header, data):
    frame = encode(header, b"blob")
    cut = data.draw(st.integers(1, len(frame) - 1))
    decoder = Decoder()
    assert decoder.feed(frame[:cut]) == []
    with pytest.raises(ChannelError, match="torn"):
        decoder.finish()


@pytest.mark.parametrize(
    ("stream", "complaint"),
    [
        (b"nonsense", "not a frame"),
        (b"n", "not a frame"),
        (struct.pack("<4sII", b"\x93utr", 2**31, 0), "too large"),
        (struct.pack("<4sII", b"\x93utr", 0, 2**31), "too large"),
        (struct.pack("<4sII", b"\x93utr", 2, 0) + b"[]", "object"),
        (struct.pack("<4sII", b"\x93utr", 2, 0) + b"\xff\xff", "malformed"),
    ],
)
def test_what_is_no_frame_is_an_error(stream, complaint):
    with pytest.raises(ChannelError, match=complaint):
        Decoder().feed(stream)


def test_a_frame_too_large_is_not_sent(monkeypatch):
    monkeypatch.setattr(channel, "MAX_BLOB", 3)
    with pytest.raises(ChannelError, match="too large"):
        encode({}, b"four")


def test_only_json_is_sent():
    with pytest.raises(TypeError):
        encode({"value": object()})


def test_reading_and_writing_a_pipe():
    reader, writer = os.pipe()
    channel.write(writer, encode({"op": "run"}, b"blob"))
    os.close(writer)
    assert channel.read(reader) == ({"op": "run"}, b"blob")
    assert channel.read(reader) is None
    os.close(reader)
