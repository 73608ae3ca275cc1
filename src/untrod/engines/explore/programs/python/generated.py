"""Arguments made by a generator, a plain function as for `untrod inputs`: it asks `choose` for its values.

The answers are the row. A generator asks as often as it likes; after `LENGTH` answers the first option is
taken, and an option counts modulo how many there are, so that every row makes an input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

LENGTH = 64
OPTIONS = 64


@dataclass(frozen=True, slots=True)
class Made:
    """Equal when the answers are."""

    row: tuple[int, ...]
    value: Any = field(compare=False)


class Generated:
    """Inputs are what `generate(choose)` returns: the single argument of the function."""

    sizes = (OPTIONS,) * LENGTH

    def __init__(self, generate: Callable[..., Any]) -> None:
        self._generate = generate

    def draw(self, random: Random) -> Made:
        return self.decode(random.choices(range(OPTIONS), k=LENGTH))

    def stray(self, random: Random) -> Made:
        return self.draw(random)

    def mutate(self, given: Made, random: Random) -> Made:
        """One or two of the answers that were asked for otherwise."""
        row = list(given.row)
        asked = max((place for place, answer in enumerate(row, 1) if answer), default=1)
        for _ in range(random.randint(1, 2)):
            row[random.randrange(asked)] = random.randrange(OPTIONS)
        return self.decode(row)

    def decode(self, row: Sequence[int]) -> Made:
        answers: list[int] = []

        def choose(options: Sequence[Any], context: Any = None, site: str | None = None) -> Any:
            answer = row[len(answers)] % len(options) if len(answers) < len(row) else 0
            answers.append(answer)
            return options[answer]

        value = self._generate(choose)
        kept = answers[:LENGTH]
        return Made((*kept, *[0] * (LENGTH - len(kept))), value)

    def encode(self, given: Made) -> tuple[int, ...]:
        return given.row

    def show(self, given: Made) -> str:
        return f"({given.value!r})"
