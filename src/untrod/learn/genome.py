"""Episodes as trees that can be cut and grafted: levels of nesting, with the answers given in each.

A flat list of answers falls out of step at the first answer that is changed. In a tree, what stands beside
the change keeps its meaning: an episode *follows* a genome level by level, takes from each level the next
answer that the same site asked for, and where the genome has nothing to say, somebody else decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from untrod.core.vocabulary import Choice, Frame, Json, Site
from untrod.learn.serialise import dump_key, load_key

Label: TypeAlias = tuple[Site, int]
"""What a level may be replaced by: the site that asked first in it, and how much deeper that was."""


@dataclass(frozen=True, slots=True)
class Gene:
    """One answer of one site, out of so many options. `asks`: not where the target has a preference."""

    site: Site
    answer: int
    options: int
    asks: bool = False


class Level:
    """A level of nesting: genes and deeper levels, in order. An empty one is to be drawn anew."""

    __slots__ = ("items", "label")

    def __init__(self, label: Label = (None, 0)) -> None:
        self.label = label
        self.items: list[Gene | Level] = []

    def levels(self) -> Iterator[Level]:
        """This one and all inside it, outermost first."""
        yield self
        for item in self.items:
            if isinstance(item, Level):
                yield from item.levels()

    def copy(self) -> Level:
        copied = Level(self.label)
        copied.items = [item.copy() if isinstance(item, Level) else item for item in self.items]
        return copied

    def answers(self) -> Iterator[int]:
        for item in self.items:
            if isinstance(item, Level):
                yield from item.answers()
            else:
                yield item.answer

    def dump(self) -> Json:
        items = [
            item.dump() if isinstance(item, Level) else [dump_key(item.site), item.answer, item.options]
            for item in self.items
        ]
        return {"label": dump_key(self.label), "items": items}

    @classmethod
    def load(cls, body: Json) -> Level:
        level = cls(load_key(body["label"]))
        for item in body["items"]:
            if isinstance(item, dict):
                level.items.append(cls.load(item))
            else:
                site, answer, options = item
                level.items.append(Gene(load_key(site), int(answer), int(options)))
        return level


class Following:
    """One episode along a genome. `record` is the genome of what was really answered."""

    def __init__(self, genome: Level | None = None) -> None:
        self.record = Level()
        self._frames: list[Frame] = []
        self._levels = [self.record]
        self._sources = [None if genome is None else _Source(genome)]

    def next(self, choice: Choice) -> int | None:
        """What the genome answers here, or None. `note` must follow."""
        self._enter(choice)
        source = self._sources[-1]
        gene = None if source is None else source.gene(choice.site)
        if gene is None or gene.answer >= choice.options or (gene.asks and choice.weights is not None):
            return None
        return gene.answer

    def note(self, choice: Choice, answer: int) -> None:
        self._levels[-1].items.append(Gene(choice.site, answer, choice.options))

    def _enter(self, choice: Choice) -> None:
        frames, known, same = choice.context.frames, self._frames, 0
        while same < len(known) and same < len(frames) and known[same] is frames[same]:
            same += 1
        del known[same:], self._levels[same + 1 :], self._sources[same + 1 :]
        for depth in range(same, len(frames)):
            level, source = Level((choice.site, len(frames) - depth)), self._sources[-1]
            inner = None if source is None else source.level(level.label)
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

    def gene(self, site: Site) -> Gene | None:
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
