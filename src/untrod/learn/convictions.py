"""What `exonerate` holds against which options, in a form that can be told.

A suspect is told when no valid episode ever took it, though enough were tried, and Bayes' rule says that it
is to blame rather than something beside it. Of its context only one level is told, its own or one around it:
longer ones say less with more words.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import log

from untrod.learn.features import FAR, NEAR, SITE
from untrod.learn.suspects import Cell

ENOUGH = 10
GUILTY = log(0.3)
"""So probable, at the most, that it is harmless."""


@dataclass(frozen=True, slots=True)
class Conviction:
    """`option` of `options` at `site` was in `tried` episodes, all rejected; `after` these answers of the
    same call, or `within` a call that had answered those. Options are numbered from 0, as in a trace."""

    site: str
    option: int
    options: int
    after: tuple[Hashable, ...]
    within: tuple[Hashable, ...]
    tried: int


def convictions(cells: Mapping[Hashable, Cell], at_most: int = 8) -> list[Conviction]:
    """The most often tried first. What is guilty anywhere is not told again for a context."""
    found: list[Conviction] = []
    for feature, cell in cells.items():
        if not isinstance(feature, tuple) or feature[0] not in (SITE, NEAR, FAR):
            continue
        site, options = feature[1]
        for option, suspect in cell.items():
            if suspect.valid or suspect.invalid < ENOUGH or suspect.logp > GUILTY:
                continue
            after, within = _context(feature)
            found.append(Conviction(str(site), option, options, after, within, suspect.invalid))
    anywhere = {(each.site, each.option) for each in found if not each.after and not each.within}
    told = [
        each for each in found if (each.site, each.option) not in anywhere or not (each.after or each.within)
    ]
    told.sort(key=lambda each: (-each.tried, each.site, each.option, repr((each.after, each.within))))
    return told[:at_most]


def _context(feature: tuple[Hashable, ...]) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...]]:
    if len(feature) < 3:
        return (), ()
    level = feature[2]
    if not isinstance(level, tuple):  # the target said itself what counts
        return feature[2:], ()
    way, *answers = level
    return (tuple(answers), ()) if way is None else ((), tuple(answers))
