"""What a value may be: kinds draw values and change them. Here are the scalars.

A value is a source tree (`source.nodes`): it can be stored, changed, written into a test, and evaluated to
fresh objects as often as one likes. `mutate` accepts any tree, since inputs come from elsewhere, too: what it
cannot change it draws anew.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from untrod.engines.cover.values.words import Words
from untrod.source.literals import express
from untrod.source.nodes import Atom, Node, Text

DEEPEST = 5
NEAR = 0.4
_EASY = (0, 1, -1, 2, 3, 5, 10, 100)
_LETTERS = string.ascii_letters + string.digits + string.punctuation + " "
_PLAIN = 10**50
_DIGITS = re.compile("[0-9]+")
_ODD = "\n\t\0äßéÅ中😀\u200b"


@dataclass(frozen=True, slots=True)
class DrawContext:
    """Where draws come from. `room` is how much deeper a value may nest; `largest`: how large a whole number
    may be, if not as large as it likes. `near` are the words of the very function that is called."""

    rng: Random
    words: Words
    room: int = DEEPEST
    largest: int | None = None
    near: Words | None = None

    @property
    def inner(self) -> DrawContext:
        return DrawContext(self.rng, self.words, self.room - 1, self.largest, self.near)

    @property
    def ints(self) -> list[int]:
        """To draw one from, if there are any."""
        return self._nearly.ints or self.words.ints

    @property
    def texts(self) -> list[str]:
        return self._nearly.texts or self.words.texts

    @property
    def examples(self) -> list[str]:
        return self._nearly.examples or self.words.examples

    @property
    def _nearly(self) -> Words:
        return self.near if self.near is not None and self.happens(NEAR) else self.words

    def within(self, value: int) -> int:
        """`value`, or one that is not too large."""
        if self.largest is None or -self.largest <= value <= self.largest:
            return value
        return value % (self.largest + 1)

    def happens(self, probability: float) -> bool:
        return self.rng.random() < probability

    def size(self) -> int:
        """Of a container or a text: mostly small, now and then not; empty where there is no room."""
        if self.room <= 0:
            return 0
        return self.rng.randint(0, 3) if self.happens(0.75) else self.rng.randint(0, 12)


class Kind(Protocol):
    def draw(self, context: DrawContext) -> Node: ...

    def mutate(self, node: Node, context: DrawContext) -> Node:
        """A value of this kind that is like `node`; maybe the same."""
        ...


@dataclass(frozen=True, slots=True)
class Fixed:
    """One of these."""

    nodes: tuple[Node, ...]

    def draw(self, context: DrawContext) -> Node:
        return context.rng.choice(self.nodes)

    def mutate(self, node: Node, context: DrawContext) -> Node:
        return self.draw(context)


TRUTH = Fixed((Atom("True"), Atom("False")))
NOTHING = Fixed((Atom("None"),))


@dataclass(frozen=True, slots=True)
class Integer:
    low: int | None = None
    high: int | None = None

    def draw(self, context: DrawContext) -> Node:
        rng, words = context.rng, context.ints
        dice = rng.random()
        if self.low is not None and self.high is not None and dice < 0.7:
            return self._node(rng.randint(self.low, self.high))
        if dice < 0.3:
            return self._node(context.within(rng.choice(_EASY)))
        if dice < 0.6 and words:
            return self._node(context.within(rng.choice(words) + rng.choice((0, 0, 1, -1))))
        bits = rng.choice((3, 5, 8, 16, 32, 64))
        return self._node(context.within(rng.getrandbits(bits) * rng.choice((1, 1, -1))))

    def mutate(self, node: Node, context: DrawContext) -> Node:
        value = literal(node)
        if type(value) is not int or context.happens(0.2):
            return self.draw(context)
        rng = context.rng
        step = rng.choice((1, -1, 2, -2, 7, -10, 100, value, -2 * value, -value // 2))
        return self._node(context.within(value + step))

    def _node(self, value: int) -> Node:
        value = value if self.low is None else max(self.low, value)
        value = value if self.high is None else min(self.high, value)
        if -_PLAIN < value < _PLAIN:
            return Atom(str(value))  # `express` would say the same, and takes its time
        return express(value) or Atom("0")


@dataclass(frozen=True, slots=True)
class Real:
    def draw(self, context: DrawContext) -> Node:
        rng, dice = context.rng, context.rng.random()
        if dice < 0.3:
            value = float(rng.choice(_EASY))
        elif dice < 0.55 and context.words.floats:
            value = rng.choice(context.words.floats)
        elif dice < 0.7 and context.words.ints:
            value = _as_float(rng.choice(context.words.ints)) + rng.choice((0.0, 0.5, -0.5))
        elif dice < 0.78:
            value = rng.choice((float("inf"), float("-inf"), float("nan"), 1e-9, -0.0, 1e18))
        else:
            value = round(rng.uniform(-10.0, 10.0) * 10 ** rng.choice((-2, 0, 1, 4)), rng.choice((1, 2, 6)))
        return _expressed(value)

    def mutate(self, node: Node, context: DrawContext) -> Node:
        value = literal(node)
        if type(value) not in (int, float) or context.happens(0.3):
            return self.draw(context)
        return _expressed(float(value) + context.rng.choice((1.0, -1.0, 0.1, -0.5, float(value), 100.0)))


@dataclass(frozen=True, slots=True)
class Textual:
    """A str. Its mutations are those of fuzzers: characters and words come, go and change places."""

    def draw(self, context: DrawContext) -> Node:
        rng, words, dice = context.rng, context.words, context.rng.random()
        if dice < 0.2 and words.matching:
            return Text(rng.choice(words.matching))
        if dice < 0.3 and words.examples:
            return Text(rng.choice(context.examples))
        if dice < 0.37 and words.texts:
            return Text(rng.choice(context.texts))
        if dice < 0.5 and words.texts:
            parts = [self._piece(context) for _ in range(max(1, context.size()))]
            return Text(rng.choice(("", "", " ")).join(parts))
        if dice < 0.6:
            return Text(str(rng.choice(_EASY)) if context.happens(0.5) else str(rng.getrandbits(10)))
        if dice < 0.75:  # 1.2.3, a=b=c: what many formats look like
            short = [word for word in words.texts if len(word) <= 2 and not word.isalnum()]
            separator = rng.choice(short) if short and context.happens(0.7) else rng.choice(".-:/ ,=")
            return Text(separator.join(self._field(context) for _ in range(rng.randint(2, 4))))
        return Text("".join(_letter(context) for _ in range(context.size() * rng.choice((1, 2)))))

    def mutate(self, node: Node, context: DrawContext) -> Node:
        if not isinstance(node, Text) or not isinstance(node.value, str) or context.happens(0.08):
            return self.draw(context)
        text, rng = node.value, context.rng
        for _ in range(rng.choice((1, 1, 2, 3))):
            start = rng.randint(0, len(text))
            end = min(len(text), start + rng.choice((0, 0, 1, 1, 2, 5)))
            numbers = list(_DIGITS.finditer(text)) if context.happens(0.1) else []
            if numbers:
                text = _renumbered(text, rng.choice(numbers).span(), context)
                continue
            dice = rng.random() * (1.0 if len(text) < 20 else 0.75) + (0.0 if len(text) < 20 else 0.2)
            if dice < 0.55:  # put something in, or in the place of something
                text = text[:start] + self._piece(context) + text[end:]
            elif dice < 0.75:
                text = text[:start] + text[end:]
            elif dice < 0.85:  # once more
                text = text[:end] + text[start:end] + text[end:]
            elif dice < 0.95:  # once more, somewhere else: what repeats is often a case of its own
                place = rng.randint(0, len(text))
                text = text[:place] + text[start : rng.randint(start, len(text))] + text[place:]
            else:
                text = text[start:] + text[:start]
        return Text(text[:500])

    def _field(self, context: DrawContext) -> str:
        if context.happens(0.7):
            return str(context.rng.getrandbits(context.rng.choice((2, 4, 11))))
        return context.rng.choice(context.texts) if context.words.texts else _letter(context)

    def _piece(self, context: DrawContext) -> str:
        words, rng, dice = context.words, context.rng, context.rng.random()
        if dice < 0.5 and words.texts:
            return rng.choice(context.texts)
        if dice < 0.58 and words.matching:
            return rng.choice(words.matching)
        if dice < 0.75:
            return str(rng.choice(_EASY[:6]) if context.happens(0.7) else rng.getrandbits(8))
        return _letter(context)


@dataclass(frozen=True, slots=True)
class Octets:
    def draw(self, context: DrawContext) -> Node:
        rng, words = context.rng, context.words
        if words.octets and context.happens(0.4):
            return Text(rng.choice(words.octets))
        if context.happens(0.5):
            drawn = Textual().draw(context)
            assert isinstance(drawn, Text)
            return Text(str(drawn.value).encode("utf-8", "replace"))
        return Text(bytes(rng.getrandbits(8) for _ in range(2 * context.size())))

    def mutate(self, node: Node, context: DrawContext) -> Node:
        if not isinstance(node, Text) or not isinstance(node.value, bytes) or context.happens(0.1):
            return self.draw(context)
        rng, value = context.rng, node.value
        start = rng.randint(0, len(value))
        end = min(len(value), start + rng.choice((0, 1, 1, 3)))
        drawn = self.draw(context) if context.happens(0.4) else Text(bytes([rng.getrandbits(8)]))
        assert isinstance(drawn, Text)
        piece = drawn.value if isinstance(drawn.value, bytes) and context.happens(0.8) else b""
        return Text((value[:start] + piece + value[end:])[:500])


@dataclass(frozen=True, slots=True)
class OneOf:
    """A union. A value keeps its kind, mostly: which one it is of is not known, so all may try."""

    kinds: tuple[Kind, ...]

    def draw(self, context: DrawContext) -> Node:
        flat = [kind for kind in self.kinds if isinstance(kind, Fixed)]
        if context.room <= 0 and flat:
            return context.rng.choice(flat).draw(context)
        return context.rng.choice(self.kinds).draw(context)

    def mutate(self, node: Node, context: DrawContext) -> Node:
        if context.happens(0.15):
            return self.draw(context)
        return context.rng.choice(self.kinds).mutate(node, context)


def literal(node: Node) -> Any:
    """The value of an atom; None for all else, which is no number."""
    if not isinstance(node, Atom):
        return None
    try:
        return ast.literal_eval(node.text)
    except (SyntaxError, ValueError):
        return None


def pick(context: DrawContext, items: Sequence[Any]) -> int:
    """A place in `items`."""
    return context.rng.randrange(len(items))


def _renumbered(text: str, span: tuple[int, int], context: DrawContext) -> str:
    """With another number there, one of the code's if it has any: also as it would be written in hex."""
    rng, words = context.rng, context.words.ints
    value = abs(
        rng.choice(words) + rng.choice((0, 1, -1)) if words else rng.getrandbits(rng.choice((3, 8, 16)))
    )
    written = f"{value:x}" if context.happens(0.2) and value < _PLAIN else str(value % _PLAIN)
    return text[: span[0]] + written + text[span[1] :]


def _letter(context: DrawContext) -> str:
    return context.rng.choice(_LETTERS if context.happens(0.95) else _ODD)


def _expressed(value: float) -> Node:
    node = express(value)
    assert node is not None
    return node


def _as_float(value: int) -> float:
    return float(value) if abs(value) < 1 << 200 else 0.0
