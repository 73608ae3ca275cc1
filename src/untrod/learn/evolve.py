"""Evolve: evolution of rejected inputs, what `auto` does while nothing is valid. Ours, from no paper.

Rejected episodes differ in how far they came. Those that ran the same lines of the check and were rejected by
the same one make a *niche*; it keeps a few of them. A niche is as *advanced* as it ran many of the lines that
are known to reject. Children are made mostly from the most advanced niches, and there from those that were
used least, short ones first: a niche that was just found gets as many tries as the older ones have had.

A child is its parent with one part changed, sometimes more: an answer, a whole level of nesting drawn anew
or taken from another member, a turn of a loop left out, or a level replaced by one of its kind inside it,
which is what makes inputs short. See *genomes*, below, for how the rest of the parent keeps its place.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from untrod.core.vocabulary import Choice, Episode, Frame, Json, Outcome, Site
from untrod.learn.serialise import dump_key, dump_random, load_key, load_random
from untrod.learn.uniform import Uniform

_FRESH = 0.05  # the share of episodes without a parent: what no member has can still turn up
_BACK = 0.2  # how often a stage is passed over for the next lower one: the furthest may be a dead end
_AGAIN = 0.25  # how often one more part is changed: some steps need two changes at once
_HOIST = 0.15  # how often a change is to replace a level by one inside it
_REDRAW = 0.5  # of the changes of a level: drawn anew, not taken from another member
_ASK = 0.5  # of the changes of an answer: by the target's own weights, where it has any
_DELETE = 0.3  # of the changes of an answer: the turn of the loop that it began is left out
_SPREAD = 0.6  # wear is blurred by so much, or equal ones would be used in a fixed order
_TRIES = 30  # how often a child that was had before is replaced by another
_NICHES, _SEEN = 200, 5_000  # bounds of memory, and of the time that a selection takes

Stage: TypeAlias = tuple[Hashable, frozenset[Hashable]]
"""Where an episode was rejected, and the lines it had run."""


class Evolve:
    """See the module's text. It learns from rejected episodes only."""

    name = "evolve"
    needs_context = True

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self._uniform = Uniform(seed)
        self.clear()

    def clear(self) -> None:
        """Forget all members."""
        self.niches: dict[Stage, Niche] = {}
        self._places: set[Hashable] = set()
        self._seen: dict[tuple[int, ...], None] = {}
        self._walk: GenomeWalk | None = None

    # -- deciding ---------------------------------------------------------------------------------

    def decide(self, choice: Choice) -> int:
        if self._walk is None:
            self._walk = GenomeWalk(self._child())
        answer = self._walk.next(choice)
        if answer is None:
            answer = self._uniform.decide(choice)
        self._walk.note(choice, answer)
        return answer

    def observe(self, choice: Choice, option: int) -> None:
        """`Observes`: another policy decided."""
        if self._walk is None:
            self._walk = GenomeWalk()
        self._walk.next(choice)
        self._walk.note(choice, option)

    def _child(self) -> Level | None:
        if not self.niches or self._rng.random() < _FRESH:
            return None
        for _ in range(_TRIES):
            parent = self._select()
            parent.uses += 1
            child = parent.genome.copy()
            self._change(child)
            while self._rng.random() < _AGAIN:
                self._change(child)
            if tuple(child.answers()) not in self._seen:
                break
        return child

    def _select(self) -> Member:
        draw = self._rng.random
        stages: dict[int, list[Niche]] = {}
        for (_, lines), niche in self.niches.items():
            stages.setdefault(len(self._places & lines), []).append(niche)
        ranked = [stages[advance] for advance in sorted(stages, reverse=True)]
        while len(ranked) > 1 and draw() < _BACK:
            del ranked[0]
        niche = min(ranked[0], key=lambda niche: niche.wear * self._blur())
        niche.uses += 1
        return min(niche.members, key=lambda member: member.wear * self._blur())

    def _blur(self) -> float:
        return 1.0 + _SPREAD * (self._rng.random() - 0.5)

    # -- changing ---------------------------------------------------------------------------------

    def _change(self, genome: Level) -> None:
        draw = self._rng.random
        if draw() < _HOIST and self._hoist(genome):
            return
        spots = [(level, at) for level in genome.levels() for at in range(len(level.items))]
        spots = [(level, at) for level, at in spots if not _is_wrapper(level.items[at])]
        if not spots:
            return
        level, at = spots[int(draw() * len(spots))]
        item = level.items[at]
        if isinstance(item, Level):
            level.items[at] = Level(item.label) if draw() < _REDRAW else self._graft(item)
        elif draw() >= _DELETE or not _delete(level, at, item):
            answer = int(draw() * (item.options - 1))
            asks = item.options > 2 and draw() < _ASK
            level.items[at] = Gene(item.site, answer + (answer >= item.answer), item.options, asks)

    def _hoist(self, genome: Level) -> bool:
        """Put a level in the place of one of its kind around it."""
        pairs = [
            (outer, at, inner)
            for outer in genome.levels()
            for at, item in enumerate(outer.items)
            if isinstance(item, Level)
            for inner in item.levels()
            if inner is not item and inner.label == item.label
        ]
        if pairs:
            outer, at, inner = pairs[int(self._rng.random() * len(pairs))]
            outer.items[at] = inner
        return bool(pairs)

    def _graft(self, item: Level) -> Level:
        """A level of the same kind from another member; an empty one if that has none."""
        donors = [level for level in self._select().genome.levels() if level.label == item.label]
        return donors[int(self._rng.random() * len(donors))].copy() if donors else Level(item.label)

    # -- learning ---------------------------------------------------------------------------------

    def learn(self, episode: Episode) -> None:
        walk, self._walk = self._walk, None
        if walk is None or episode.outcome is not Outcome.INVALID:
            return
        answers = tuple(walk.record.answers())
        if not answers or answers in self._seen:
            return
        self._seen[answers] = None
        if len(self._seen) > _SEEN:
            del self._seen[next(iter(self._seen))]
        if episode.place is not None:
            self._places.add(episode.place)
        niche = self.niches.setdefault((episode.place, episode.lines), Niche())
        niche.add(walk.record, len(answers))
        if len(self.niches) > _NICHES:
            del self.niches[max(self.niches, key=lambda stage: self.niches[stage].wear)]

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        niches = [
            [dump_key(place), sorted(map(dump_key, lines), key=repr), niche.dump()]
            for (place, lines), niche in self.niches.items()
        ]
        return {
            "random": dump_random(self._rng),
            "uniform": self._uniform.state(),
            "niches": niches,
            "places": sorted(map(dump_key, self._places), key=repr),
            "seen": [list(answers) for answers in self._seen],
        }

    def load(self, state: Json) -> None:
        niches = {
            (load_key(place), frozenset(map(load_key, lines))): Niche.load(niche)
            for place, lines, niche in state["niches"]
        }
        places, seen = {load_key(place) for place in state["places"]}, state["seen"]
        self._uniform.load(state["uniform"])
        load_random(self._rng, state["random"])
        self.clear()
        self.niches, self._places = niches, places
        self._seen = {tuple(int(answer) for answer in answers): None for answers in seen}


def _is_wrapper(item: Gene | Level) -> bool:
    """A level that holds nothing but another one: changing the inner one is the same."""
    return isinstance(item, Level) and len(item.items) == 1 and isinstance(item.items[0], Level)


def _delete(level: Level, at: int, gene: Gene) -> bool:
    """Leave out what stands between two questions of one site: a turn of a loop."""
    for end in range(at + 1, len(level.items)):
        later = level.items[end]
        if isinstance(later, Gene) and later.site == gene.site:
            del level.items[at:end]
            return True
    return False


# -- niches --------------------------------------------------------------------------------------------
#
# Rejected inputs that came equally far, a few of them. The next to be drawn is the one of least *wear*: used
# seldom, and short. Short ones come first because a change to a long input mostly hits a part that does not
# matter. Among niches length counts more than inside one, so that a few niches of long inputs do not take up
# all the tries.

MEMBERS = 8
"""Enough for parts to be exchanged; more would only be older and longer ones."""


@dataclass(slots=True)
class Member:
    genome: Level
    size: int
    uses: int = 0

    @property
    def wear(self) -> float:
        return float((1.0 + self.uses) * self.size**1.5)


@dataclass(slots=True)
class Niche:
    uses: int = 0
    members: list[Member] = field(default_factory=list)

    @property
    def wear(self) -> float:
        return float((1.0 + self.uses) * min(member.size for member in self.members) ** 2.0)

    def add(self, genome: Level, size: int) -> None:
        """In a full niche the most worn member is replaced, so that a niche drifts and does not wear out."""
        self.members.append(Member(genome, size))
        if len(self.members) > MEMBERS:
            worn = max(range(len(self.members)), key=lambda at: self.members[at].wear)
            del self.members[worn]

    def dump(self) -> Json:
        return [self.uses, [[member.uses, member.genome.dump()] for member in self.members]]

    @classmethod
    def load(cls, body: Json) -> Niche:
        uses, members = body
        niche = cls(int(uses))
        for used, dumped in members:
            genome = Level.load(dumped)
            niche.members.append(Member(genome, sum(1 for _ in genome.answers()), int(used)))
        return niche


# -- genomes -------------------------------------------------------------------------------------------
#
# Episodes as trees that can be cut and grafted: levels of nesting, with the answers given in each. A flat
# list of answers falls out of step at the first answer that is changed. In a tree, what stands beside the
# change keeps its meaning: an episode *follows* a genome level by level, takes from each level the next
# answer that the same site asked for, and where the genome has no answer, the caller decides.

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


class GenomeWalk:
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
