"""What a run has learned about rejections, in words (see `tally` and `words`)."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from pathlib import Path

from untrod.core.vocabulary import Json
from untrod.engines.inputs.backend.tally import Claim, Count, Tally
from untrod.engines.inputs.backend.words import Words

_SOURCE = 60


@dataclass(frozen=True, slots=True)
class Verdict:
    """`choice` was in `tried` inputs, `valid` of which were valid; `at` rejected most of the others.

    Without a choice it is about a line: so many of all inputs got past it.
    """

    choice: str
    valid: int
    tried: int
    at: str = ""  # file:line, relative to the project where it lies there
    source: str = ""  # what stands in that line

    def __str__(self) -> str:
        if not self.choice:
            return f"`{self.source}` ({self.at}) rejects {self.tried - self.valid} of {self.tried} inputs"
        line = f" ({self.at}: {self.source})" if self.source else f" ({self.at})" if self.at else ""
        return f"{self.choice}: {self.valid} of {self.tried} valid{line}"

    def to_json(self) -> dict[str, Json]:
        return {
            "text": str(self),
            "choice": self.choice,
            "valid": self.valid,
            "tried": self.tried,
            "at": self.at,
            "source": self.source,
        }


def explain(tally: Tally, words: Words, project: Path, at_most: int = 10) -> list[Verdict]:
    """The convicted choices, the most frequent first; or, if there are none, the lines that reject."""
    convicted = [_verdict(claim, count, words, project) for claim, count in tally.convicted()]
    told = {verdict.choice: verdict for verdict in reversed(convicted)}  # of equal words, the most frequent
    if told or not tally.all.places:
        return [verdict for verdict in convicted if told[verdict.choice] is verdict][:at_most]
    if tally.all.rate > 0.5:
        return []  # most inputs get through: nothing to worry about
    return busiest_lines(tally, project)


def busiest_lines(tally: Tally, project: Path, at_most: int = 2) -> list[Verdict]:
    """The lines that reject most, when no choice is to blame alone."""
    return [
        Verdict("", tally.all.tried - times, tally.all.tried, *_line(place, project))
        for place, times in tally.places()[:at_most]
    ]


def in_words(claim: Claim, words: Words) -> str:
    """`scope='system'` in `Dependency`, with `kind='exclusion'`"""
    first = claim[0]
    text = f"`{words.choice(*first)}`"
    where = words.place(first[0])
    text += f" in `{where}`" if where else ""
    if len(claim) == 3:
        text += f", {claim[2]} `{words.choice(*claim[1])}`"
    return text


def _verdict(claim: Claim, count: Count, words: Words, project: Path) -> Verdict:
    place = max(count.places, key=lambda place: count.places[place], default="")
    return Verdict(in_words(claim, words), count.valid, count.tried, *_line(place, project))


def _line(place: str, project: Path) -> tuple[str, str]:
    """`tests/test_x.py:12` and the source of that line."""
    file, _, number = place.rpartition(":")
    if not number.isdigit():
        return place, ""
    source = linecache.getline(file, int(number)).strip()
    if len(source) > _SOURCE:
        source = source[: _SOURCE - 3] + "..."
    path = Path(file)
    return f"{path.relative_to(project) if path.is_relative_to(project) else path.name}:{number}", source
