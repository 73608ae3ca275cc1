"""Inputs of a program by chance: drawn, or changed a little."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from untrod.engines.cover.case import Input
from untrod.engines.cover.native.inputs import as_input, as_values
from untrod.engines.cover.native.target import NativeTarget
from untrod.engines.cover.values.kinds import DrawContext
from untrod.engines.cover.values.words import LONGEST, Words

_PRINTABLE = bytes(range(32, 127))
_ODD = b"\n\t\0\r\x7f\x80\xff"
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_CHARACTER = re.compile(r"'([^'\\\n]|\\.)'")


class NativeDrawer:
    def __init__(self, target: NativeTarget) -> None:
        self._target = target
        self._fields = target.fields
        self.avoidance: dict[str, float] = {}

    is_private = False

    def open(self, names: Collection[str]) -> None:
        """A program has nothing private."""

    def stopped(self, given: Input) -> bool:
        """There is nothing but `main`."""
        return False

    def slowed(self, given: Input) -> bool:
        return False

    def draw(self, context: DrawContext) -> Input:
        return as_input(
            self._fields.check([self._field(size, context) for size in self._fields.sizes]), self._target
        )

    def mutate(self, given: Input, mates: Sequence[Input], context: DrawContext) -> Input:
        """One to three changes; fields may be borrowed from `mates`."""
        found = as_values(given, self._fields)
        if found is None:
            return self.draw(context)
        count, rng = len(self._fields.arguments), context.rng
        values = [v.split(b"\0", 1)[0] if n < count else v for n, v in enumerate(found)]
        places = [place for place, size in enumerate(self._fields.sizes) if size]
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            place = rng.choice(places)
            size = self._fields.sizes[place]
            mate = as_values(rng.choice(mates), self._fields) if mates and context.happens(0.15) else None
            if mate is not None:
                other = mate[place].rstrip(b"\0") if place < count else mate[place]
                cut = rng.randint(0, size)
                values[place] = (values[place][:cut] + other[cut:])[:size]
            else:
                values[place] = self._changed(values[place], size, context)
        values = [v.replace(b"\0", b"") if n < count else v for n, v in enumerate(values)]
        return as_input(self._fields.check(values), self._target)

    def _field(self, size: int, context: DrawContext) -> bytes:
        if context.words.octets and context.happens(0.3):
            return context.rng.choice(context.words.octets)[:size]
        length = size if context.happens(0.5) else context.rng.randint(0, size)
        return bytes(self._byte(context) for _ in range(length)).replace(b"\0", b"0")

    def _changed(self, data: bytes, size: int, context: DrawContext) -> bytes:
        rng = context.rng
        at = rng.randint(0, len(data))
        dice = rng.random()
        if dice < 0.35 and data:
            at = rng.randrange(len(data))
            return data[:at] + bytes([self._byte(context)]) + data[at + 1 :]
        if dice < 0.55:
            return (data[:at] + bytes([self._byte(context)]) + data[at:])[:size]
        if dice < 0.7:
            return data[:at] + data[at + 1 :]
        if dice < 0.85 and context.words.octets:
            return (data[:at] + rng.choice(context.words.octets) + data[at:])[:size]
        if dice < 0.93 and data:
            at = rng.randrange(len(data))
            return data[:at] + bytes([(data[at] + rng.choice((-1, 1, 128))) & 255]) + data[at + 1 :]
        return (data[:at] + data[at // 2 :])[:size]

    def _byte(self, context: DrawContext) -> int:
        rng = context.rng
        if context.happens(0.85):
            return rng.choice(_PRINTABLE)
        return rng.choice(_ODD) if context.happens(0.5) else rng.randrange(256)


def words_of_source(texts: Sequence[str]) -> Words:
    """The strings and characters that a C source is written with: options, keywords."""
    words = Words()
    for text in texts:
        for pattern in (_STRING, _CHARACTER):
            for found in pattern.findall(text):
                try:
                    octets = found.encode("latin-1", "ignore").decode("unicode_escape").encode("latin-1")
                except (UnicodeError, ValueError):
                    continue
                if 0 < len(octets) <= LONGEST and b"\0" not in octets:
                    words.add(octets)
    return words
