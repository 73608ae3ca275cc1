"""Why was it rejected? Counts which choices went along with which rejections, and names the guilty.

Counted are inputs, not draws: each choice once, and each pair of choices that lie close together: in the
same object, one inside the other, or one right after the other. A choice is *convicted* when hardly any of
the many inputs that had it was valid, and a pair when neither of its parts is. For each verdict the line
that rejected most of these inputs is told.

    `scope='system'` in `Dependency`, with `kind='exclusion'`: 0 of 41 valid (pom.py:12, assume(...))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from untrod.engines.inputs.backend.asking import Fact
from untrod.engines.inputs.backend.names import Names
from untrod.engines.inputs.backend.spans import Span

LEAST = 8  # inputs, before anything is said about a choice
TOLERATED = 0.02  # the share of valid ones that a convicted choice may have
_MISSED = 5.0  # how many valid ones a convicted choice must be missing, going by all inputs
_MISSED_PAIR = 8.0  # and a pair, going by its parts: there are many pairs, and chance convicts some
_LOOKED_AT = 48  # choices of one input
_PAIRED = 3_000  # inputs whose pairs are counted: later ones avoid what was convicted, and cost as much
_MAX_SINGLES, _MAX_PAIRS = 10_000, 30_000
_ELEMENT = -1

Single: TypeAlias = tuple[tuple[Any, ...], Any, int]  # site, value, number of the argument
Claim: TypeAlias = tuple[Single, ...] | tuple[Single, Single, str]


class Count:
    """How many inputs had it, how many of them were valid, and where the others were rejected."""

    __slots__ = ("places", "tried", "valid")

    def __init__(self) -> None:
        self.tried = self.valid = 0
        self.places: dict[str, int] = {}

    def add(self, valid: bool, place: str) -> None:
        self.tried += 1
        if valid:
            self.valid += 1
        elif place:
            self.places[place] = self.places.get(place, 0) + 1

    @property
    def rate(self) -> float:
        return self.valid / self.tried if self.tried else 0.0

    @property
    def guilty(self) -> bool:
        return self.tried >= LEAST and self.valid <= TOLERATED * self.tried


class Tally:
    """One per test; it may outlive the provider that fills it, and so do the names of what it counts."""

    def __init__(self) -> None:
        self.names = Names()
        self.all = Count()
        self.singles: dict[Claim, Count] = {}
        self.pairs: dict[Claim, Count] = {}

    def add(self, facts: list[Fact], valid: bool, place: str) -> None:
        """One input; `place` is the line that rejected it, as `file:line`, where known."""
        self.all.add(valid, place)
        looked_at = [_single(fact) for fact in facts[:_LOOKED_AT]]
        for single in dict.fromkeys(looked_at):
            _count(self.singles, (single,), _MAX_SINGLES, valid, place)
        if self.all.tried > _PAIRED:
            return
        for pair in dict.fromkeys(_pairs(facts[:_LOOKED_AT], looked_at)):
            _count(self.pairs, pair, _MAX_PAIRS, valid, place)

    def convicted(self) -> list[tuple[Claim, Count]]:
        """The choices and pairs that rejections have in common, the most frequent first."""
        if not self.all.valid:
            return self._separated()
        guilty = [item for item in self.singles.items() if self._is_guilty(item[1])]
        known = {claim[0] for claim, _ in guilty}
        pairs = [
            (claim, count)
            for claim, count in self.pairs.items()
            if count.guilty and not known.intersection(claim[:2]) and self._is_news(claim, count)
        ]
        return sorted([*guilty, *_the_plainest(pairs)], key=lambda item: -item[1].tried)

    def suspect(self, facts: list[Fact]) -> tuple[Claim, Count] | None:
        """The choice or pair of one input that was rejected most often and never valid."""
        looked_at = [_single(fact) for fact in facts[:_LOOKED_AT]]
        claims: Iterable[Claim] = [
            *((single,) for single in looked_at),
            *_pairs(facts[:_LOOKED_AT], looked_at),
        ]
        known = ((claim, self.singles.get(claim) or self.pairs.get(claim)) for claim in claims)
        guilty = [(claim, count) for claim, count in known if count and count.guilty and not count.valid]
        return max(guilty, key=lambda item: (len(item[0]) == 1, item[1].tried), default=None)

    def places(self) -> list[tuple[str, int]]:
        """The lines that reject, the busiest first."""
        return Counter(self.all.places).most_common()

    def _is_guilty(self, count: Count) -> bool:
        return count.guilty and count.tried * self.all.rate >= _MISSED

    def _is_news(self, claim: Claim, count: Count) -> bool:
        parts = [self.singles.get((claim[0],)), self.singles.get((claim[1],))]
        return all(part is not None and part.rate * count.tried >= _MISSED_PAIR for part in parts)

    def _separated(self) -> list[tuple[Claim, Count]]:
        """Nothing was valid. Whatever is always stopped by one line, which lets others pass, is to blame."""
        found = []
        for place, times in self.places():
            for claim, count in self.singles.items():
                stopped = count.places.get(place, 0)
                goes_on = any(_is_later(other, place) for other in self.all.places)
                if count.tried >= LEAST and stopped == count.tried > times / 10 and goes_on:
                    found.append((claim, count))
        return sorted(found, key=lambda item: -item[1].tried)


def _single(fact: Fact) -> Single:
    site, value, span = fact
    return site, value, span.argument


def _level(fact: Fact) -> Span | None:
    """The object that a choice is a part of."""
    return fact[2] if fact[0][0] == "char" else fact[2].outer


def _pairs(facts: list[Fact], singles: list[Single]) -> Iterator[Claim]:
    levels = [_level(fact) for fact in facts]
    for later in range(1, len(facts)):
        around, level = set(), levels[later]
        outer = level.outer if level is not None else None
        while outer is not None and outer.outer is not None:
            around.add(id(outer))
            outer = outer.outer
        for earlier in range(later):
            if levels[earlier] is level:
                in_a_row = facts[later][0] == facts[earlier][0]
                if not in_a_row:
                    yield singles[later], singles[earlier], "with"
                elif earlier == later - 1:
                    yield singles[later], singles[earlier], "right after"
            elif id(levels[earlier]) in around:
                yield singles[later], singles[earlier], "under"


def _the_plainest(pairs: list[tuple[Claim, Count]]) -> Iterator[tuple[Claim, Count]]:
    """Of several pairs with the same first choice, the one that was met most often."""
    best: dict[Any, tuple[Claim, Count]] = {}
    for claim, count in pairs:
        if claim[0] not in best or best[claim[0]][1].tried < count.tried:
            best[claim[0]] = (claim, count)
    yield from best.values()


def _count(counts: dict[Claim, Count], claim: Claim, at_most: int, valid: bool, place: str) -> None:
    count = counts.get(claim)
    if count is None:
        if len(counts) >= at_most:
            return
        count = counts[claim] = Count()
    count.add(valid, place)


def _is_later(place: str, than: str) -> bool:
    (file, _, line), (other_file, _, other_line) = place.rpartition(":"), than.rpartition(":")
    return file == other_file and line.isdigit() and other_line.isdigit() and int(line) > int(other_line)
