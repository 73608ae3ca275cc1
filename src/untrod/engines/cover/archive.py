"""The inputs worth coming back to.

A line that has been reached, and has a way on that nobody took, is *open*. For every open line the archive
has a few inputs that reach it: what is missing may be a small change away from one of them. Lines that were
tried often without success are tried less. (The idea is that of MIO, Arcuri 2017.) Besides, there are the
inputs that took something new when they came: all of them are kept.

Which entry of a module to draw an input for is a question of the same kind: `EntryScheduler`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from untrod.core.vocabulary import Json
from untrod.engines.cover.case import Input
from untrod.engines.cover.under_test import Branches

PER_LINE = 8
CHANGE, SHORTER = 0.02, 0.15
"""How often a full line takes in another input all the same: short ones are easier to change."""
FLOOR = 0.1
FORGET = 0.98
AVOIDANCE = 0.5
"""An entry whose input had to be stopped comes up so much less often."""


class Archive:
    def __init__(self, branch_map: Branches) -> None:
        self._lines: list[int] = _lines(branch_map)  # the arcs of each line, as bits
        self._line_of = {
            number: line
            for line, bits in enumerate(self._lines)
            for number in range(bits.bit_length())
            if bits >> number & 1
        }
        self._pools: dict[int, list[Input]] = {}  # by open line
        self._tries: dict[int, int] = {}
        self._reached = 0
        self.kept: list[Input] = []
        self._by_entry: dict[str, list[Input]] = {}

    def __len__(self) -> int:
        return len(self.kept)

    def of(self, entry: str) -> list[Input]:
        return self._by_entry.get(entry, [])

    def keep(self, given: Input) -> None:
        """It took something new."""
        self.kept.append(given)
        self._by_entry.setdefault(given.entry, []).append(given)

    def note(self, given: Input, arcs: int, covered: int, rng: Random) -> None:
        """A run took `arcs`; everything so far took `covered`, these included."""
        todo = arcs
        while todo:
            lowest = todo & -todo
            line = self._line_of.get(lowest.bit_length() - 1)
            if line is None:
                todo ^= lowest
                continue
            bits = self._lines[line]
            todo &= ~bits
            if bits & ~covered:
                self._put(line, given, rng)
            elif line in self._pools:
                del self._pools[line], self._tries[line]

    def choose(self, rng: Random) -> Input:
        """From the open line with the fewest tries of two, mostly; else from all that were kept."""
        if self._pools and rng.random() < 0.8:
            lines = list(self._pools)
            line = min(rng.choice(lines), rng.choice(lines), key=self._tries.__getitem__)
            self._tries[line] += 1
            return rng.choice(self._pools[line])
        return rng.choice(self.kept)

    def open_inputs(self) -> list[Input]:
        """One for each open line, the newest first and then the others in turn; the lines with the fewest
        tries first."""
        lines = sorted(self._pools, key=lambda line: (self._tries[line], line))
        return list(dict.fromkeys(self._in_turn(line) for line in lines))

    def _in_turn(self, line: int) -> Input:
        pool = self._pools[line]
        return pool[-1 - self._tries[line] % len(pool)]

    def tried(self, given: Input) -> None:
        """`given` has been worked on, by an arm that did not `choose` it here."""
        for line, pool in self._pools.items():
            if given in pool:
                self._tries[line] += 1

    def _put(self, line: int, given: Input, rng: Random) -> None:
        pool = self._pools.setdefault(line, [])
        self._tries.setdefault(line, 0)
        if len(pool) < PER_LINE:
            pool.append(given)
            return
        dice, place = rng.random(), rng.randrange(PER_LINE)
        # Weighing takes longer than most runs, so it comes last.
        if dice < CHANGE or (dice < SHORTER and given.weight < pool[place].weight):
            pool[place] = given

    def state(self) -> Json:
        return {
            "kept": [given.to_json() for given in self.kept],
            "pools": [
                [line, self._tries[line], [given.to_json() for given in pool]]
                for line, pool in self._pools.items()
            ],
        }

    def load(self, state: Json) -> None:
        kept = [Input.from_json(body) for body in state["kept"]]
        pools = {
            int(line): (int(tries), [*map(Input.from_json, pool)]) for line, tries, pool in state["pools"]
        }
        if not all(0 <= line < len(self._lines) and pool for line, (_, pool) in pools.items()):
            raise ValueError("an archive of another program")
        self.kept, self._by_entry = [], {}
        for given in kept:
            self.keep(given)
        self._pools = {line: pool for line, (_, pool) in pools.items()}
        self._tries = {line: tries for line, (tries, _) in pools.items()}


class EntryScheduler:
    """An entry's share grows with what its inputs have lately found; no entry is left out."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(names)
        self._shares = dict.fromkeys(self._names, 1.0)
        self._avoidance = dict.fromkeys(self._names, 1.0)

    def add(self, name: str) -> None:
        if name not in self._shares:
            self._names.append(name)
            self._shares[name] = self._avoidance[name] = 1.0

    def choose(self, rng: Random) -> str:
        weights = [self._avoidance[name] * (FLOOR + self._shares[name]) for name in self._names]
        return rng.choices(self._names, weights)[0]

    def learn(self, name: str, new: int) -> None:
        if name in self._shares:
            self._shares[name] = FORGET * self._shares[name] + (1 - FORGET) * 10 * min(new, 5)

    def avoid(self, name: str) -> None:
        """An input of it had to be stopped. One that sleeps costs as much as a thousand others."""
        if name in self._avoidance:
            self._avoidance[name] *= AVOIDANCE

    def state(self) -> Json:
        return [[name, share, self._avoidance[name]] for name, share in self._shares.items()]

    def load(self, state: Json) -> None:
        for name, share, *avoidance in state:
            if name in self._shares:
                self._shares[name] = float(share)
                self._avoidance[name] = float(*avoidance or (1.0,))


def _lines(branch_map: Branches) -> list[int]:
    found: dict[tuple[str, int], int] = {}
    for number, arc in enumerate(branch_map.arcs):
        if arc.start > 0:
            place = (arc.module, arc.start)
            found[place] = found.get(place, 0) | 1 << number
    return list(found.values())
