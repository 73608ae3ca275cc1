"""Matching by backtracking, as `re` does it, with a branch wherever a character decides.

The pattern is parsed by `re` itself. A piece yields every place at which it may end, the one that `re` tries
first coming first; so the first way through all pieces is the match that `re` finds. Neighbouring literals
are asked for as one: a solver then finds a keyword in one go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from re import _constants as sre
from re import _parser
from typing import Any

from untrod.symbolic.lean.characters import need_ascii
from untrod.symbolic.lean.current import internally, unsupported
from untrod.symbolic.lean.folding import all_of, equal
from untrod.symbolic.lean.regex.conditions import allowed, is_single, is_word
from untrod.symbolic.lean.terms import FALSE, Term, constant

Codes = tuple[Term, ...]
Groups = Mapping[int, tuple[int, int]]
"""Spans by number, in the order in which the groups were closed."""
Ways = Iterator[tuple[int, Groups]]
_NEWLINE = constant(10)


@lru_cache(maxsize=500)
def parsed(pattern: str, flags: int) -> tuple[tuple[Any, Any], ...]:
    return tuple(_parser.parse(pattern, flags & ~re.DEBUG))


class Matcher:
    """`text` ends where the search is to end."""

    def __init__(self, pattern: re.Pattern[str], text: Codes) -> None:
        self._pieces = parsed(pattern.pattern, pattern.flags)
        self._flags = pattern.flags
        self._text = text
        if not pattern.flags & re.ASCII:
            need_ascii(text)  # what is a digit, a space or a letter is simple there only

    def match(self, start: int, *, whole: bool = False, nonempty: bool = False) -> tuple[int, Groups] | None:
        """Where the match that starts there ends, and its groups."""
        for end, groups in self._walk(self._pieces, start, {}, self._flags):
            if (not whole or end == len(self._text)) and (not nonempty or end > start):
                return end, groups
        return None

    def _walk(self, pieces: tuple[tuple[Any, Any], ...], place: int, groups: Groups, flags: int) -> Ways:
        if not pieces:
            yield place, groups
            return
        literal = _literal_run(pieces, flags)
        if len(literal) > 1:
            if self._is_at(place, literal):
                yield from self._walk(pieces[len(literal) :], place + len(literal), groups, flags)
            return
        for after, inner in self._piece(*pieces[0], place, groups, flags):
            yield from self._walk(pieces[1:], after, inner, flags)

    def _piece(self, operator: Any, argument: Any, place: int, groups: Groups, flags: int) -> Ways:
        if is_single(operator):
            if self._allows(operator, argument, place, flags):
                yield place + 1, groups
        elif operator is sre.AT:
            if self._is_anchored(argument, place, flags):
                yield place, groups
        elif operator is sre.BRANCH:
            for option in argument[1]:
                yield from self._walk(tuple(option), place, groups, flags)
        elif operator is sre.SUBPATTERN:
            yield from self._group(argument, place, groups, flags)
        elif operator in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            yield from self._repeat(operator is sre.MAX_REPEAT, argument, place, groups, flags)
        elif operator is sre.POSSESSIVE_REPEAT:
            yield from _first(self._repeat(True, argument, place, groups, flags))
        elif operator is sre.ATOMIC_GROUP:
            yield from _first(self._walk(tuple(argument), place, groups, flags))
        elif operator in (sre.ASSERT, sre.ASSERT_NOT):
            yield from self._look(operator is sre.ASSERT, argument, place, groups, flags)
        elif operator is sre.GROUPREF:
            yield from self._again(argument, place, groups, flags)
        elif operator is sre.GROUPREF_EXISTS:
            number, then, otherwise = argument
            chosen = then if number in groups else otherwise
            yield from self._walk(tuple(chosen or ()), place, groups, flags)
        else:
            unsupported(f"{operator} in a regular expression")

    def _group(self, argument: Any, place: int, groups: Groups, flags: int) -> Ways:
        number, added, dropped, inside = argument
        for after, inner in self._walk(tuple(inside), place, groups, flags & ~dropped | added):
            if number is None:
                yield after, inner
            else:
                others = {known: span for known, span in inner.items() if known != number}
                yield after, {**others, number: (place, after)}

    def _repeat(self, greedy: bool, argument: Any, place: int, groups: Groups, flags: int) -> Ways:
        least, most, inside = argument
        most = len(self._text) + least + 1 if most == sre.MAXREPEAT else most
        pieces = tuple(inside)
        if len(pieces) == 1 and is_single(pieces[0][0]):
            yield from self._run(greedy, least, most, pieces[0], place, groups, flags)
        else:
            yield from self._rounds(greedy, least, most, pieces, place, groups, flags)

    def _run(
        self,
        greedy: bool,
        least: int,
        most: int,
        piece: tuple[Any, Any],
        place: int,
        groups: Groups,
        flags: int,
    ) -> Ways:
        """Of single characters: how far it goes is all there is to say."""
        count = 0
        while count < (most if greedy else least) and self._allows(*piece, place + count, flags):
            count += 1
        if count < least:
            return
        if greedy:
            for taken in range(count, least - 1, -1):
                yield place + taken, groups
            return
        yield place + count, groups
        while count < most and self._allows(*piece, place + count, flags):
            count += 1
            yield place + count, groups

    def _rounds(
        self,
        greedy: bool,
        least: int,
        most: int,
        pieces: tuple[tuple[Any, Any], ...],
        place: int,
        groups: Groups,
        flags: int,
    ) -> Ways:
        if least <= 0 and not greedy:
            yield place, groups
        if most > 0:
            for after, inner in self._walk(pieces, place, groups, flags):
                if after == place and least <= 0:
                    continue  # an empty round more would change nothing, for ever
                yield from self._rounds(greedy, least - 1, most - 1, pieces, after, inner, flags)
        if least <= 0 and greedy:
            yield place, groups

    def _look(self, wanted: bool, argument: Any, place: int, groups: Groups, flags: int) -> Ways:
        direction, inside = argument
        pieces = tuple(inside)
        start = place
        if direction < 0:
            start = place - inside.getwidth()[0]
        ways = self._walk(pieces, start, groups, flags) if start >= 0 else iter(())
        found = next((inner for after, inner in ways if direction > 0 or after == place), None)
        if wanted and found is not None:
            yield place, found
        elif not wanted and found is None:
            yield place, groups

    def _again(self, number: int, place: int, groups: Groups, flags: int) -> Ways:
        """What a group has matched, once more."""
        if flags & re.IGNORECASE:
            unsupported("a group met again where case is ignored")
        if number not in groups:
            return
        start, end = groups[number]
        if self._is_at(place, self._text[start:end]):
            yield place + end - start, groups

    # -- questions --------------------------------------------------------------------------------

    def _allows(self, operator: Any, argument: Any, place: int, flags: int) -> bool:
        if place >= len(self._text):
            return False
        return internally(allowed(operator, argument, self._text[place], flags))

    def _is_at(self, place: int, wanted: Codes) -> bool:
        found = self._text[place : place + len(wanted)]
        return len(found) == len(wanted) and internally(all_of(map(equal, found, wanted)))

    def _is_anchored(self, where: Any, place: int, flags: int) -> bool:
        text, end = self._text, len(self._text)
        lines = bool(flags & re.MULTILINE)
        if where is sre.AT_BEGINNING_STRING or (where is sre.AT_BEGINNING and not lines):
            return place == 0
        if where is sre.AT_BEGINNING:
            return place == 0 or internally(equal(text[place - 1], _NEWLINE))
        if where is sre.AT_END_STRING:
            return place == end
        if where is sre.AT_END:
            may_end = place < end and (lines or place == end - 1)
            return place == end or (may_end and internally(equal(text[place], _NEWLINE)))
        if where not in (sre.AT_BOUNDARY, sre.AT_NON_BOUNDARY):
            unsupported(f"{where} in a regular expression")
        before = is_word(text[place - 1], flags) if place else FALSE
        after = is_word(text[place], flags) if place < end else FALSE
        differs = internally(before) != internally(after)
        return bool(text) and differs == (where is sre.AT_BOUNDARY)


def _first(ways: Ways) -> Ways:
    for way in ways:
        yield way
        return


def _literal_run(pieces: tuple[tuple[Any, Any], ...], flags: int) -> Codes:
    """The literals that it begins with, where case counts."""
    found = []
    for operator, argument in () if flags & re.IGNORECASE else pieces:
        if operator is not sre.LITERAL:
            break
        found.append(constant(argument))
    return tuple(found)
