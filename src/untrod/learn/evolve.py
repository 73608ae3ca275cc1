"""WIP"""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
import os

from untrod.core.vocabulary import Choice, Episode, Json, Outcome
from untrod.learn.genome import Following, Gene, Level


class Member:
    __slots__ = ("genome", "lines", "place", "size", "uses", "hits", "born", "value")

    def __init__(self, genome, lines, place, size, born):
        self.genome, self.lines, self.place, self.size = genome, lines, place, size
        self.uses = 0
        self.hits = 1
        self.born = born


VALUE = []
BACK = float(os.environ.get("BACK", 0.2))
POWER = float(os.environ.get("POWER", 1.5))
MULTI = float(os.environ.get("MULTI", 0.25))
LOAD = float(os.environ.get("LOAD", 1))
KEEP = int(os.environ.get("KEEP", 8))


class Group:
    def __init__(self):
        self.uses = 0
        self.members = []

    @property
    def size(self):
        return self.members[0].size


class Evolve:
    name = "evolve"
    needs_context = True

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self.members: dict[Hashable, Member] = {}
        self.places: set[Hashable] = set()
        self.valid = 0
        self.n = 0
        self.dups = 0
        self.avoided = 0
        self.best = 0
        self.seen = set()
        self._after: dict = {}
        self._begin()

    def _begin(self) -> None:
        self._follow: Following | None = None
        self._parent = None
        self._op = ""

    # -- deciding
    def decide(self, choice: Choice) -> int:
        if self._follow is None:
            self._follow = Following(self._child())
        answer = self._follow.next(choice)
        if answer is None:
            answer = self._draw(choice)
        elif answer < 0:
            old = -1 - answer
            answer = self._draw(choice)
            for _ in range(10):
                if answer == old:
                    answer = self._draw(choice)
        self._follow.note(choice, answer)
        return answer

    def observe(self, choice: Choice, option: int) -> None:
        if self._follow is None:
            self._follow = Following(None)
        self._follow.next(choice)
        self._follow.note(choice, option)

    def _draw(self, choice: Choice) -> int:
        if choice.weights is None:
            return int(self._rng.random() * choice.options)
        return self._rng.choices(range(choice.options), choice.weights)[0]

    def level(self, m: Member) -> int:
        return len(self.places & m.lines)

    def _select(self) -> Member:
        cells = {}
        for (place, lines), group in self.members.items():
            cells.setdefault(len(self.places & lines), []).append(group)
        levels = sorted(cells, reverse=True)
        k = 0
        while k + 1 < len(levels) and self._rng.random() < BACK:
            k += 1
        pool = cells[levels[k]]
        group = min(pool, key=lambda g: (1 + g.uses) * g.size ** POWER * (0.7 + 0.6 * self._rng.random()))
        group.uses += 1
        return min(group.members, key=lambda m: (1 + m.uses) * m.size ** POWER * (0.7 + 0.6 * self._rng.random()))

    def _child(self) -> Level | None:
        if not self.members or self._rng.random() < 0.05:
            self._op = "fresh"
            return None
        for _ in range(30):
            parent = self._select()
            parent.uses += 1
            self._parent = parent
            genome = parent.genome.copy()
            self._burdens = []
            self._mutate(genome)
            while self._rng.random() < MULTI:
                self._mutate(genome)
            if tuple(genome.flat()) not in self.seen:
                break
            self.avoided += 1
        return genome

    def _mutate(self, genome: Level) -> None:
        rng = self._rng
        spots = [
            (level, at)
            for level in genome.levels()
            for at in range(len(level.items))
            if not (isinstance(level.items[at], Level) and len(level.items[at].items) == 1 and isinstance(level.items[at].items[0], Level))
        ]
        level, at = rng.choices(spots, [1.0 / (1 + level.items[at].burden[0]) ** LOAD for level, at in spots])[0]
        item = level.items[at]
        self._burdens.append(item.burden)
        if isinstance(item, Gene):
            if rng.random() < 0.3:
                end = next((k for k in range(at + 1, len(level.items)) if isinstance(level.items[k], Gene) and level.items[k].site == item.site), None)
                if end is not None:
                    del level.items[at:end]
                    self._op = "delete"
                    return
            self._op = "point"
            answer = int(rng.random() * (item.options - 1))
            level.items[at] = Gene(item.site, answer + (answer >= item.answer) if item.answer is not None else None, item.options)
            return
        luck = rng.random()
        if luck < 0.5:
            self._op = "redraw"
            replaced = Level(item.label)
            replaced.items.append(Gene(object(), None))
        else:
            if luck < 0.65:
                self._op = "hoist"
                donors = [l for l in item.levels() if l is not item and l.label == item.label]
            else:
                self._op = "splice"
                other = self._select()
                donors = [l for l in other.genome.levels() if l.label == item.label]
            replaced = donors[int(rng.random() * len(donors))].copy() if donors else Level(item.label)
        level.items[at] = replaced

    # -- learning
    def learn(self, episode: Episode) -> None:
        self.n += 1
        if self._follow is not None:
            if episode.outcome is Outcome.INVALID:
                self._place(episode)
            elif episode.new:
                self.valid += 1
        self._begin()

    def _place(self, episode):
        genome = self._follow.record
        size = len(genome)
        if not size:
            return
        if episode.place is not None:
            self.places.add(episode.place)
        lines = frozenset(episode.lines)
        sig = (episode.place, lines)
        group = self.members.get(sig)
        new = group is None
        if group is None:
            group = self.members[sig] = Group()
        key = tuple(genome.flat())
        lev = len(self.places & lines)
        if lev > self.best:
            self.best = lev
            if os.environ.get("EVO"): print("BEST", self.n, lev)
        if self._parent is not None and lev < self.level(self._parent):
            for burden in self._burdens:
                burden[0] += 1
        dup = key in self.seen
        self.dups += dup
        self.seen.add(key)
        if not dup:
            m = Member(genome, lines, episode.place, size, self.n)
            m.value = VALUE and VALUE[-1]
            group.members.append(m)
            group.members.sort(key=lambda m: m.size)
            del group.members[KEEP:]
        if os.environ.get("EVO"):
            print(self.n, self._op, episode.place, "new" if new else "", "size", size, "members", len(self.members), "L", len(self.places & lines), "dup", self.dups, self.avoided, VALUE and VALUE[-1])

    def state(self) -> Json:
        return {}

    def load(self, state: Json) -> None:
        pass
