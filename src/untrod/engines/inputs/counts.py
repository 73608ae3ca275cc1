"""What an `inputs` campaign counts, of generators and of Hypothesis tests: the engines write it, the page and
the summary read it, and so do programs (`Result.counted`)."""

from __future__ import annotations

from typing import TypedDict, cast

from untrod.core.shapes import Shape, listed, mapping, record, text, texts, whole
from untrod.core.vocabulary import Json


class BlamedOptionCount(TypedDict):
    """An option of a generator's choice that no valid input has (`learn.exonerate.suspects.BlamedOption`)."""

    site: str
    option: int
    options: int
    after: list[str]
    within: list[str]
    tried: int


class BlamedChoice(TypedDict):
    """A choice of a Hypothesis test that rejections have in common. Without one, the line that rejects."""

    text: str
    choice: str
    valid: int
    tried: int
    at: str
    source: str


class InputsCounts(TypedDict, total=False):
    states: int
    """How many the learners have met."""
    convicted: list[BlamedOptionCount]
    """The options that make inputs invalid, as far as the learner can tell."""
    rejections: dict[str, list[BlamedChoice]]
    """Hypothesis tests: why examples were rejected, by test."""


STATES: Shape = whole()
BLAMED_OPTIONS: Shape = listed(
    record(
        {
            "site": text(),
            "option": whole(),
            "options": whole(),
            "after": texts(),
            "within": texts(),
            "tried": whole(),
        }
    )
)
REJECTIONS: Shape = mapping(
    listed(
        record(
            {
                "text": text(),
                "choice": text(),
                "valid": whole(),
                "tried": whole(),
                "at": text(),
                "source": text(),
            }
        )
    )
)
_COUNTS = record({}, {"states": STATES, "convicted": BLAMED_OPTIONS, "rejections": REJECTIONS})


def inputs_counts(body: Json) -> InputsCounts:
    """The counts in a job's report, or in what the store kept of a campaign. Raises Malformed."""
    _COUNTS(body, "counts")
    return cast(InputsCounts, body)
