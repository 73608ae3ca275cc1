"""Why was it rejected? The choices that most rejections have in common.

Read from what `exonerate` has recorded: for every option in the light of every feature, how many episodes
that took it were valid and how many were rejected. A line of the report is an option that was rejected often
and almost never valid; a line that a shorter one already explains is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from untrod.learn.exonerate import Exonerate
from untrod.learn.features import NEAR, PAIR, RECENT, SIBLING, SITE

_TOLD = (SITE, NEAR, RECENT, SIBLING, PAIR)
"""The kinds of feature that a person can make sense of, the most general first."""


@dataclass(frozen=True, slots=True)
class Blame:
    """Option `option` at `site`, in the light of `context` (empty: wherever the site asks)."""

    site: Hashable
    options: int
    option: int
    kind: int
    context: tuple[Any, ...]
    valid: int
    tried: int


def blame(learner: Exonerate, at_most: int = 10, least: int = 8, tolerated: float = 0.02) -> list[Blame]:
    """The worst first: tried at least `least` times, valid in at most a share `tolerated` of them."""
    convicted: list[Blame] = []
    known: set[tuple[Hashable, int]] = set()
    for kind in _TOLD:
        found = [
            entry
            for entry in _entries(learner, kind)
            if entry.tried >= least
            and entry.valid <= tolerated * entry.tried
            and (entry.site, entry.option) not in known
        ]
        found.sort(key=lambda entry: (-entry.tried, str(entry.site), entry.option))
        convicted += found[:at_most]
        # What is bad everywhere needs no example of where.
        if kind == SITE:
            known |= {(entry.site, entry.option) for entry in found}
    convicted.sort(key=lambda entry: -entry.tried)
    return convicted[:at_most]


def _entries(learner: Exonerate, kind: int) -> Iterator[Blame]:
    for feature, cell in learner.cells.items():
        if not isinstance(feature, tuple) or feature[0] != kind:
            continue
        (site, options), context = feature[1], feature[2:]
        for option, suspect in cell.items():
            tried = suspect.valid + suspect.invalid
            yield Blame(site, options, option, kind, context, suspect.valid, tried)
