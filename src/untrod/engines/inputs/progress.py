"""How far a rejected input came.

As long as hardly any input is valid, the difference between rejected ones is all there is to learn from. A
check that gives up at the first problem runs further on a better input: it reaches another `assume`, another
line, or another turn of a loop. Lines run by the check are counted, in buckets (one by one up to 15, then
powers of two), and every bucket that no input had reached before is progress.

Watching costs time, so it is done only until a valid input is known (`COLD`): from then on the learners start
from that one, and no longer from rejected ones. Nor is it done when a debugger or a coverage tool is already
watching; then the place that rejected has to do.
"""

from __future__ import annotations

from collections.abc import Hashable

from untrod.core.vocabulary import Json
from untrod.engines.inputs.footprint import Line, is_code
from untrod.learn.serialise import dump_key, load_key

COLD = 1
"""Below this many valid inputs, rejected ones are watched for progress."""


class Progress:
    def __init__(self) -> None:
        self._seen: set[Hashable] = set()

    def made(self, lines: dict[Line, int], place: Hashable) -> int:
        """How many things the input that was just rejected reached first.

        `lines` is how often it ran each line of the check, `place` where it was rejected, if that is known.
        """
        reached: set[Hashable] = {(*line, _bucket(count)) for line, count in lines.items()}
        if place is not None:
            reached.add(place)
        fresh = reached - self._seen
        self._seen |= fresh
        return len(fresh)

    def state(self) -> Json:
        return sorted((dump_key(thing) for thing in self._seen), key=repr)

    def load(self, state: Json) -> None:
        self._seen = {load_key(thing) for thing in state}


def place_of(error: BaseException | None) -> tuple[str, int] | None:
    """Where an input was rejected: the innermost line that is the target's."""
    place = None
    trace = None if error is None else error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_code(file):
            place = (file, trace.tb_lineno)
        trace = trace.tb_next
    return place


def _bucket(count: int) -> int:
    return count if count < 16 else 11 + count.bit_length()
