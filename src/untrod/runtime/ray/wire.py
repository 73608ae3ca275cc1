"""What a node answers, as frames of JSON and bytes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from untrod.core.vocabulary import Json, Outcome
from untrod.runtime.channel import ChannelError, Decoder, encode
from untrod.runtime.messages import Failure, Lost, Reply


def unpack_frame(frame: bytes) -> tuple[dict[str, Json], bytes]:
    """The one frame that these bytes are. Raises ChannelError for anything else."""
    decoder = Decoder()
    frames = decoder.feed(frame)
    decoder.finish()
    if len(frames) != 1:
        raise ChannelError(f"{len(frames)} frames where one was due")
    return frames[0]


def pack(message: Reply | Lost, cpu: float) -> bytes:
    """`cpu`: seconds that the workers of this host have used so far."""
    if isinstance(message, Lost):
        answers = None if message.answers is None else list(message.answers)
        return encode({"lost": {**asdict(message), "answers": answers}, "cpu": cpu})
    header: dict[str, Any] = {"op": message.op, "body": message.body, "refusals": list(message.refusals)}
    if message.error is not None:
        header["error"] = asdict(message.error)
    return encode({"reply": header, "cpu": cpu}, message.blob)


def unpack(shard: int, frame: bytes) -> tuple[Reply | Lost, float]:
    """Raises ChannelError, KeyError, TypeError or ValueError when this is no answer."""
    header, blob = unpack_frame(frame)
    cpu = float(header["cpu"])
    if "lost" in header:
        lost = dict(header["lost"])
        answers = None if lost["answers"] is None else tuple(lost["answers"])
        return Lost(**{**lost, "shard": shard, "outcome": Outcome(lost["outcome"]), "answers": answers}), cpu
    body = header["reply"]
    error = Failure(**body["error"]) if "error" in body else None
    return Reply(shard, body["op"], body["body"], blob, tuple(body["refusals"]), error), cpu
