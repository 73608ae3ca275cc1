"""Texts as inputs of RobustFill programs: letters, digits and delimiters, up to a longest length."""

from __future__ import annotations

import string
from collections.abc import Sequence
from random import Random

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs.robustfill.language import DELIMITERS

ALPHABET = string.ascii_letters + string.digits + DELIMITERS
LONGEST = 20


class Texts:
    """A row is a text: 0 ends it, any other number is a character of the alphabet, counted from 1."""

    def __init__(self, longest: int = LONGEST, alphabet: str = ALPHABET) -> None:
        if longest < 1 or not alphabet:
            raise UntrodError(f"texts of up to {longest} of {len(alphabet)} characters", "at least 1 of each")
        self.longest = longest
        self.alphabet = alphabet
        self.sizes = (len(alphabet) + 1,) * longest

    def draw(self, random: Random) -> str:
        """Every length from 1 on is as likely as any other, and so is every character."""
        return "".join(random.choices(self.alphabet, k=random.randint(1, self.longest)))

    def stray(self, random: Random) -> str:
        return self.draw(random)

    def mutate(self, given: str, random: Random) -> str:
        """One to three edits: a character more, less or another, or a piece of the text once more."""
        for _ in range(random.randint(1, 3)):
            at = random.randint(0, len(given))
            kind = random.randrange(4)
            if kind == 0 or not given:
                given = given[:at] + random.choice(self.alphabet) + given[at:]
            elif kind == 1:
                given = given[:at] + random.choice(self.alphabet) + given[at + 1 :]
            elif kind == 2:
                given = given[:at] + given[at + 1 :]
            else:
                begin = random.randrange(len(given))
                given = given[:at] + given[begin : begin + random.randint(1, 4)] + given[at:]
        return given[: self.longest]

    def decode(self, row: Sequence[int]) -> str:
        characters = []
        for number in row[: self.longest]:
            if not number:
                break
            characters.append(self.alphabet[number - 1])
        return "".join(characters)

    def encode(self, given: str) -> tuple[int, ...]:
        if len(given) > self.longest or not set(given) <= set(self.alphabet):
            hint = f"at most {self.longest} characters of {self.alphabet}"
            raise UntrodError(f"{given!r:.60} is no input of these programs", hint)
        row = [self.alphabet.index(character) + 1 for character in given]
        return tuple(row + [0] * (self.longest - len(row)))

    def show(self, given: str) -> str:
        return repr(given)
