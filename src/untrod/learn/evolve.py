"""Evolution of rejected inputs: what `auto` does while nothing is valid.

Rejected episodes differ in how far they came. Those that ran the same lines of the check and were rejected by
the same one make a *niche*; it keeps a few of them. A niche is as *advanced* as it ran many of the lines that
are known to reject. Children are made mostly from the most advanced niches, and there from those that were
used least, short ones first: a niche that was just found gets as many tries as the older ones have had.

A child is its parent with one part changed, sometimes more: an answer, a whole level of nesting drawn anew
or taken from another member, a turn of a loop left out, or a level replaced by one of its kind inside it,
which is what makes inputs short. See `genome` for how the rest of the parent keeps its place.
"""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import TypeAlias

from untrod.core.vocabulary import Choice, Episode, Json, Outcome
from untrod.learn.genome import Following, Gene, Level
from untrod.learn.niche import Member, Niche
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
        self._following: Following | None = None

    # -- deciding ---------------------------------------------------------------------------------

    def decide(self, choice: Choice) -> int:
        if self._following is None:
            self._following = Following(self._child())
        answer = self._following.next(choice)
        if answer is None:
            answer = self._uniform.decide(choice)
        self._following.note(choice, answer)
        return answer

    def observe(self, choice: Choice, option: int) -> None:
        """Somebody else decided."""
        if self._following is None:
            self._following = Following()
        self._following.next(choice)
        self._following.note(choice, option)

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
        following, self._following = self._following, None
        if following is None or episode.outcome is not Outcome.INVALID:
            return
        answers = tuple(following.record.answers())
        if not answers or answers in self._seen:
            return
        self._seen[answers] = None
        if len(self._seen) > _SEEN:
            del self._seen[next(iter(self._seen))]
        if episode.place is not None:
            self._places.add(episode.place)
        niche = self.niches.setdefault((episode.place, episode.lines), Niche())
        niche.add(following.record, len(answers))
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
