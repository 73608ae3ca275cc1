"""Why inputs were rejected: which choices go along with rejections.

Counted are inputs, not draws: each choice once, and each pair of choices that lie close together: in the
same object, one inside the other, or one right after the other. A choice is *blamed* when hardly any of the
many inputs that have it is valid, and a pair when neither of its parts is. Each reason names the line that
rejected most of these inputs.

    `scope='system'` in `Dependency`, with `kind='exclusion'`: 0 of 41 valid (pom.py:12, assume(...))
"""

from __future__ import annotations

import ast
import linecache
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from inspect import signature
from pathlib import Path
from types import CodeType
from typing import Any, TypeAlias

from untrod.engines.inputs.backend.draws import Drawn
from untrod.engines.inputs.backend.spans import ELEMENT, Span, StrategyNames
from untrod.engines.inputs.counts import BlamedChoice

LEAST = 8  # inputs, before anything is said about a choice
TOLERATED = 0.02  # the share of valid ones that a blamed choice may have
_MISSED = 5.0  # how many valid ones a blamed choice must be missing, going by all inputs
_MISSED_PAIR = 8.0  # and a pair, going by its parts: there are many pairs, and chance convicts some
_LOOKED_AT = 48  # choices of one input
_PAIRED = 3_000  # inputs whose pairs are counted: later ones avoid what was blamed, and cost as much
_MAX_SINGLES, _MAX_PAIRS = 10_000, 30_000

SingleChoice: TypeAlias = tuple[tuple[Any, ...], Any, int]  # site, value, number of the argument
Combination: TypeAlias = tuple[SingleChoice, ...] | tuple[SingleChoice, SingleChoice, str]


class Count:
    """Of the inputs with a choice or a pair: how many, how many valid, and the lines that rejected."""

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
    def hardly_valid(self) -> bool:
        return self.tried >= LEAST and self.valid <= TOLERATED * self.tried


class RejectionCounts:
    """Of one test. May outlive the provider that fills it, and so do the names of strategies."""

    def __init__(self) -> None:
        self.names = StrategyNames()
        self.all = Count()
        self.singles: dict[Combination, Count] = {}
        self.pairs: dict[Combination, Count] = {}

    def add(self, drawn: list[Drawn], valid: bool, place: str) -> None:
        """One input; `place` is the line that rejected it, as `file:line`, where known."""
        self.all.add(valid, place)
        looked_at = [_single(one) for one in drawn[:_LOOKED_AT]]
        for single in dict.fromkeys(looked_at):
            _count(self.singles, (single,), _MAX_SINGLES, valid, place)
        if self.all.tried > _PAIRED:
            return
        for pair in dict.fromkeys(_pairs(drawn[:_LOOKED_AT], looked_at)):
            _count(self.pairs, pair, _MAX_PAIRS, valid, place)

    def blamed(self) -> list[tuple[Combination, Count]]:
        """The choices and pairs that rejections have in common, the most frequent first."""
        if not self.all.valid:
            return self._stopped_by_one_line()
        blamed = [item for item in self.singles.items() if self._is_blamed(item[1])]
        known = {combination[0] for combination, _ in blamed}
        pairs = [
            (combination, count)
            for combination, count in self.pairs.items()
            if count.hardly_valid
            and not known.intersection(combination[:2])
            and self._adds_to_its_parts(combination, count)
        ]
        return sorted([*blamed, *_most_frequent(pairs)], key=lambda item: -item[1].tried)

    def suspect(self, drawn: list[Drawn]) -> tuple[Combination, Count] | None:
        """The choice or pair of one input that was rejected most often and never valid."""
        looked_at = [_single(one) for one in drawn[:_LOOKED_AT]]
        combinations: Iterable[Combination] = [
            *((single,) for single in looked_at),
            *_pairs(drawn[:_LOOKED_AT], looked_at),
        ]
        known = (
            (combination, self.singles.get(combination) or self.pairs.get(combination))
            for combination in combinations
        )
        blamed = [
            (combination, count)
            for combination, count in known
            if count and count.hardly_valid and not count.valid
        ]
        return max(blamed, key=lambda item: (len(item[0]) == 1, item[1].tried), default=None)

    def places(self) -> list[tuple[str, int]]:
        """The lines that reject, the busiest first."""
        return Counter(self.all.places).most_common()

    def _is_blamed(self, count: Count) -> bool:
        return count.hardly_valid and count.tried * self.all.rate >= _MISSED

    def _adds_to_its_parts(self, combination: Combination, count: Count) -> bool:
        parts = [self.singles.get((combination[0],)), self.singles.get((combination[1],))]
        return all(part is not None and part.rate * count.tried >= _MISSED_PAIR for part in parts)

    def _stopped_by_one_line(self) -> list[tuple[Combination, Count]]:
        """Nothing was valid. A choice is blamed if one line stops all inputs with it, but not all others."""
        found = []
        for place, times in self.places():
            for combination, count in self.singles.items():
                stopped = count.places.get(place, 0)
                goes_on = any(_is_later(other, place) for other in self.all.places)
                if count.tried >= LEAST and stopped == count.tried > times / 10 and goes_on:
                    found.append((combination, count))
        return sorted(found, key=lambda item: -item[1].tried)


def _single(one: Drawn) -> SingleChoice:
    site, value, span = one
    return site, value, span.argument


def _level(one: Drawn) -> Span | None:
    """The object that a choice is a part of."""
    return one[2] if one[0][0] == "char" else one[2].outer


def _pairs(drawn: list[Drawn], singles: list[SingleChoice]) -> Iterator[Combination]:
    levels = [_level(one) for one in drawn]
    for later in range(1, len(drawn)):
        around, level = set(), levels[later]
        outer = level.outer if level is not None else None
        while outer is not None and outer.outer is not None:
            around.add(id(outer))
            outer = outer.outer
        for earlier in range(later):
            if levels[earlier] is level:
                in_a_row = drawn[later][0] == drawn[earlier][0]
                if not in_a_row:
                    yield singles[later], singles[earlier], "with"
                elif earlier == later - 1:
                    yield singles[later], singles[earlier], "right after"
            elif id(levels[earlier]) in around:
                yield singles[later], singles[earlier], "under"


def _most_frequent(pairs: list[tuple[Combination, Count]]) -> Iterator[tuple[Combination, Count]]:
    """Of several pairs with the same first choice, the one that was met most often."""
    best: dict[Any, tuple[Combination, Count]] = {}
    for combination, count in pairs:
        if combination[0] not in best or best[combination[0]][1].tried < count.tried:
            best[combination[0]] = (combination, count)
    yield from best.values()


def _count(
    counts: dict[Combination, Count], combination: Combination, at_most: int, valid: bool, place: str
) -> None:
    count = counts.get(combination)
    if count is None:
        if len(counts) >= at_most:
            return
        count = counts[combination] = Count()
    count.add(valid, place)


def _is_later(place: str, than: str) -> bool:
    (file, _, line), (other_file, _, other_line) = place.rpartition(":"), than.rpartition(":")
    return file == other_file and line.isdigit() and other_line.isdigit() and int(line) > int(other_line)


# -- for people ------------------------------------------------------------------------------------------


_SOURCE = 60


@dataclass(frozen=True, slots=True)
class Reason:
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

    def to_json(self) -> BlamedChoice:
        return {
            "text": str(self),
            "choice": self.choice,
            "valid": self.valid,
            "tried": self.tried,
            "at": self.at,
            "source": self.source,
        }


def explain(counts: RejectionCounts, labels: ChoiceLabels, project: Path, at_most: int = 10) -> list[Reason]:
    """The blamed choices, the most frequent first; or, if there are none, the lines that reject."""
    blamed = [_reason(combination, count, labels, project) for combination, count in counts.blamed()]
    by_label = {reason.choice: reason for reason in reversed(blamed)}  # of equal labels, the most frequent
    if by_label or not counts.all.places:
        return [reason for reason in blamed if by_label[reason.choice] is reason][:at_most]
    if counts.all.rate > 0.5:
        return []  # most inputs get through: nothing to worry about
    return busiest_lines(counts, project)


def busiest_lines(counts: RejectionCounts, project: Path, at_most: int = 2) -> list[Reason]:
    """The lines that reject most, when no choice is to blame alone."""
    return [
        Reason("", counts.all.tried - times, counts.all.tried, *_line(place, project))
        for place, times in counts.places()[:at_most]
    ]


def described(combination: Combination, labels: ChoiceLabels) -> str:
    """`scope='system'` in `Dependency`, with `kind='exclusion'`"""
    first = combination[0]
    text = f"`{labels.choice(*first)}`"
    where = labels.place(first[0])
    text += f" in `{where}`" if where else ""
    if len(combination) == 3:
        text += f", {combination[2]} `{labels.choice(*combination[1])}`"
    return text


def _reason(combination: Combination, count: Count, labels: ChoiceLabels, project: Path) -> Reason:
    place = max(count.places, key=lambda place: count.places[place], default="")
    return Reason(described(combination, labels), count.valid, count.tried, *_line(place, project))


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


# -- labels: `country='us'` in `Order` instead of option 2 of a strategy
# ---------------------------------------
#
# A choice is labelled with what the test calls it: the argument of the test, the field of a class that is
# built, the key of a dictionary, the variable of a `@composite` function that the draw is assigned to. Where
# nothing has a name, the kind of strategy has to do.


_LONGEST = 40

Site = tuple[Any, ...]


class ChoiceLabels:
    """`arguments` are those of the running test, in order."""

    def __init__(self, names: StrategyNames, arguments: Sequence[str]) -> None:
        self._names = names
        self._arguments = tuple(arguments)

    def choice(self, site: Site, value: Any, argument: int) -> str:
        """`scope='system'`"""
        return f"{self._what(site, argument)}={self._shown(site, value)}"

    def place(self, site: Site) -> str:
        """Where the choice is made: the class that is built, the `@composite` function; or nothing."""
        parent: Any = self._names.strategies.get(str(site[3]))
        if type(parent).__name__ == "BuildsStrategy":
            return str(getattr(parent.target, "__name__", ""))
        if type(parent).__name__ == "CompositeStrategy":
            return str(getattr(parent.definition, "__name__", ""))
        return ""

    def _what(self, site: Site, argument: int) -> str:
        kind, name, place, around = site
        outer = self._arguments[argument] if 0 <= argument < len(self._arguments) else ""
        if kind == "char":
            return f"{outer}[i]" if outer else "letter"
        if around == "" and outer:
            return outer
        if place == ELEMENT:
            return f"{outer}[i]" if outer else "element"
        parent = self._names.strategies.get(str(around))
        if type(parent).__name__ == "TupleStrategy":
            return f"{outer}[...][{place}]"
        if word := self._part_of(parent, str(around), place):
            return word
        return f"{outer}[...]" if outer else str(name).partition("#")[0].partition("(")[0].lower()

    def _part_of(self, parent: Any, around: str, place: int) -> str:
        """What `parent` calls its part number `place`; or the draw at that offset."""
        kind = type(parent).__name__
        try:
            if kind == "BuildsStrategy":
                return str(_fields(parent)[place])
            if kind == "FixedDictStrategy":
                return repr(list(parent.mapping)[place])
            if (around, place) in self._names.calls:
                return _assigned(self._names.calls[around, place], place)
        except (AttributeError, IndexError, TypeError, ValueError):
            pass
        return ""

    def _shown(self, site: Site, value: Any) -> str:
        kind, name = site[0], site[1]
        if kind == "bool":
            return str(bool(value))
        elements = self._names.elements.get(str(name), ())
        if kind == "int" and isinstance(value, int) and 0 <= value < len(elements):
            return elements[value]
        text = repr(value)
        return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _fields(builds: Any) -> list[str]:
    names = list(signature(builds.target).parameters) if builds.args else []
    return [*names[: len(builds.args)], *builds.kwargs]


@lru_cache(maxsize=1024)
def _assigned(code: CodeType, offset: int) -> str:
    """The variable, argument or key that the call at `offset` is for."""
    position = list(code.co_positions())[offset // 2]
    path = _calls(code.co_filename).get(position)
    return "" if path is None else _name_of(path)


@lru_cache(maxsize=64)
def _calls(filename: str) -> dict[tuple[int | None, ...], list[ast.AST]]:
    """Every call in the file by its position, with the nodes around it, the innermost first."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found: dict[tuple[int | None, ...], list[ast.AST]] = {}

    def visit(node: ast.AST, around: list[ast.AST]) -> None:
        if isinstance(node, ast.Call):
            found[node.lineno, node.end_lineno, node.col_offset, node.end_col_offset] = [node, *around]
        for child in ast.iter_child_nodes(node):
            visit(child, [node, *around[:4]])

    visit(tree, [])
    return found


def _name_of(path: list[ast.AST]) -> str:
    node, several = path[0], ""
    for around in path[1:]:
        if isinstance(around, ast.keyword):
            return (around.arg or "") + several
        if isinstance(around, ast.NamedExpr):
            return around.target.id + several
        if isinstance(around, ast.Dict) and node in around.values:
            key = around.keys[around.values.index(node)]
            return repr(key.value) if isinstance(key, ast.Constant) else ""
        if isinstance(around, ast.Assign | ast.AnnAssign):
            target = around.targets[0] if isinstance(around, ast.Assign) else around.target
            return target.id + several if isinstance(target, ast.Name) else ""
        if not isinstance(around, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.List):
            return ""
        node, several = around, "[i]"
    return ""
