"""What a node answers, as frames of JSON and bytes."""

from __future__ import annotations

from dataclasses import asdict

from untrod.core.shapes import Malformed, answers, flag, number, one_of, optional, record, text, whole
from untrod.core.vocabulary import Json, Outcome
from untrod.runtime.channel import ChannelError, Decoder, encode
from untrod.runtime.messages import Lost, Reply, reply_of


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
    refusals = [refusal.to_json() for refusal in message.refusals]
    header: dict[str, Json] = {"op": message.op, "body": message.body, "refusals": refusals}
    if message.error is not None:
        header["error"] = asdict(message.error)
    return encode({"reply": header, "cpu": cpu}, message.blob)


def unpack(shard: int, op: str, frame: bytes) -> tuple[Reply | Lost, float]:
    """What a node says of the operation `op`. Raises ChannelError or Malformed when this is no answer."""
    header, blob = unpack_frame(frame)
    _ANSWER(header, "answer")
    if ("lost" in header) == ("reply" in header):
        raise Malformed("the answer is neither a reply nor a death")
    cpu = float(header["cpu"])
    if "lost" in header:
        return _lost_of(shard, header["lost"]), cpu
    return reply_of(shard, op, header["reply"], blob), cpu


_ANSWER = record({"cpu": number(0.0, 1e12)}, {"reply": record({}), "lost": record({})})
_LOST = record(
    {
        "outcome": one_of(tuple(outcome.value for outcome in Outcome)),
        "cause": text(),
        "episode": optional(whole()),
        "answers": optional(answers),
        "log": text(),
        "op": text(100),
        "truncated": flag,
    }
)


def _lost_of(shard: int, body: Json) -> Lost:
    """A death as another machine tells it. Raises Malformed."""
    _LOST(body, "lost")
    told = None if body["answers"] is None else tuple(body["answers"])
    if told is not None and not all(type(answer) is int for answer in told):
        raise Malformed("lost.answers are no numbers")
    return Lost(
        shard=shard,
        outcome=Outcome(body["outcome"]),
        cause=body["cause"],
        episode=body["episode"],
        answers=told,
        log=body["log"],
        op=body["op"],
        truncated=body["truncated"],
    )
