"""Episodes as trees that can be cut and grafted: levels of nesting, with the answers given in each.

A flat list of answers falls out of step at the first answer that is changed. In a tree, what stands beside
the change keeps its meaning: an episode *follows* a genome level by level, takes from each level the next
answer that the same site asked for, and where the genome has nothing to say, somebody else decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from untrod.core.vocabulary import Choice, Frame, Site


class Gene:
    """One answer. `answer` is None where it is to be drawn anew."""

    __slots__ = ("answer", "site", "options", "burden")

    def __init__(self, site: Site, answer: int | None, options: int = 0, burden: list[int] | None = None) -> None:
        self.site = site
        self.answer = answer
        self.options = options
        self.burden = [0] if burden is None else burden


class Level:
    """A level of nesting: genes and deeper levels, in order. Its `label` says what it may be replaced by:
    the site that asked first, and how much deeper than this level that was."""

    __slots__ = ("items", "label", "burden")

    def __init__(self, label: Label, burden: list[int] | None = None) -> None:
        self.label = label
        self.burden = [0] if burden is None else burden
        self.items: list[Gene | Level] = []

    def levels(self) -> Iterator[Level]:
        yield self
        for item in self.items:
            if isinstance(item, Level):
                yield from item.levels()

    def copy(self) -> Level:
        copied = Level(self.label, self.burden)
        copied.items = [item.copy() if isinstance(item, Level) else item for item in self.items]
        return copied

    def flat(self) -> Iterator[int | None]:
        for item in self.items:
            if isinstance(item, Level):
                yield from item.flat()
            else:
                yield item.answer

    def __len__(self) -> int:
        return sum(len(item) if isinstance(item, Level) else 1 for item in self.items)


Label: TypeAlias = tuple[Site, int]


class Following:
    """One episode along a genome, and the record of what it really answers: a genome of its own."""

    def __init__(self, genome: Level | None) -> None:
        self.record = Level((None, 0))
        self._genome = genome
        self._frames: list[Frame] = []
        self._levels: list[Level] = [self.record]
        self._sources: list[_Source | None] = [None if genome is None else _Source(genome)]
        self._gene: Gene | None = None

    def next(self, choice: Choice) -> int | None:
        """What the genome answers here, or None. `note` must follow."""
        self._enter(choice)
        source = self._sources[-1]
        gene = self._gene = None if source is None else source.answer(choice.site)
        return gene.answer if gene is not None and gene.answer is not None and gene.answer < choice.options else None

    def note(self, choice: Choice, answer: int) -> None:
        gene = self._gene
        burden = gene.burden if gene is not None and gene.answer == answer else None
        self._levels[-1].items.append(Gene(choice.site, answer, choice.options, burden))

    def _enter(self, choice: Choice) -> None:
        frames: list[Any] = choice.context.frames
        known, same = self._frames, 0
        for mine, theirs in zip(known, frames):  # noqa: B905 - the shorter one ends it
            if mine is not theirs:
                break
            same += 1
        if same == len(known) == len(frames):
            return
        del known[same:], self._levels[same + 1 :], self._sources[same + 1 :]
        for depth in range(same, len(frames)):
            label = (choice.site, len(frames) - depth)
            source = self._sources[-1]
            inner = None if source is None else source.level(label)
            level = Level(label, None if inner is None else inner.burden)
            self._levels[-1].items.append(level)
            self._levels.append(level)
            self._sources.append(None if inner is None else _Source(inner))
            known.append(frames[depth])


class _Source:
    """A level that is being followed, and how far."""

    __slots__ = ("_at", "_items")

    def __init__(self, level: Level) -> None:
        self._items = level.items
        self._at = 0

    def answer(self, site: Site) -> Gene | None:
        for at in range(self._at, len(self._items)):
            item = self._items[at]
            if isinstance(item, Gene) and item.site == site:
                self._at = at + 1
                return item
        return None

    def level(self, label: Label) -> Level | None:
        for at in range(self._at, len(self._items)):
            item = self._items[at]
            if isinstance(item, Level) and item.label == label:
                self._at = at + 1
                return item
        return None
