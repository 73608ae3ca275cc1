"""The hunt over all sizes: who is asked next, what counts as the worst, when to go on to the next size.

    for round in 0, 1, 2, ...:
        for size in sizes:
            measure some random inputs                  (once: they are the average, and the first candidates)
            let the policy practise at small sizes      (what it learns it carries upward)
            let the policy try, until PATIENCE * 2^round attempts in a row have brought nothing

A hunt does not know its budget; it just gets more and more stubborn, so that whatever the budget is, all
sizes get their share early. It is over when a stubborn round has brought nothing at any size, or nothing is
left to try. One call of `step` is one attempt.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from untrod.core.seeds import stream
from untrod.core.vocabulary import Json, Outcome
from untrod.engines.worst.arena import Attempt
from untrod.engines.worst.growth import ENOUGH
from untrod.engines.worst.place import NOTHING_LEFT, TIMED_OUT, Place
from untrod.engines.worst.policies.base import HuntPolicy
from untrod.engines.worst.subject import Subject, SubjectArena, Trouble

SAMPLES = 30
"""Random inputs measured at each size: the average."""
PATIENCE = 32
STUBBORN = 128
STANDS = 10
"""Attempts after which a worst input that raises is reported: until then, the next one may replace it."""
ARENAS = 3
"""How many are kept: each holds a solver."""


class Listener(Protocol):
    def worst(self, place: Place) -> None:
        """A new worst input at this size: run twice, and it cost as much both times."""
        ...

    def failed(self, size: int, trouble: Trouble) -> None:
        """An input that must be told of, whether it is the worst or not."""
        ...

    def tell(self, text: str) -> None: ...


class Hunt:
    def __init__(
        self, subject: Subject, policy: HuntPolicy, sizes: tuple[int, ...], seed: int, listener: Listener
    ) -> None:
        self._subject, self._policy, self._seed, self._listener = subject, policy, seed, listener
        self.places = [Place(size) for size in sizes]
        self.rounds = 0
        self.finished = False
        self.paths = self.decisions = self.infeasible = 0
        self._at = 0
        self._improved = self._learning = False  # in this round
        self._grown = -1  # the size that the policy was last told of
        self._lessons: list[list[int]] | None = None  # [size, steps left] each; None: not asked for yet
        self._arenas: dict[int, SubjectArena] = {}
        self._pending: dict[int, Trouble] = {}  # by size: what the worst input raises

    @property
    def place(self) -> Place:
        return self.places[self._at]

    def step(self) -> None:
        """One attempt, unless `finished`."""
        while not self.finished:
            place = self.place
            if place.closed or self._impatient(place):
                self._next()
            elif place.drawn < SAMPLES:
                return self._sample(place)
            elif self._practise(place.size):
                return None
            else:
                return self._try(place)
        return None

    def arena(self, size: int) -> SubjectArena:
        if size not in self._arenas:
            if len(self._arenas) >= ARENAS:
                self._arenas.pop(next(iter(self._arenas)))
            arena = self._arenas[size] = self._subject.arena(size)
            for place in self.places:
                if place.size == size and place.numbers:
                    inputs = arena.row.from_numbers(place.numbers)
                    arena.best = Attempt(inputs, place.cost, "done", by=place.by, error=place.error)
        return self._arenas[size]

    def _sample(self, place: Place) -> None:
        arena = self.arena(place.size)
        attempt = arena.run(arena.random(stream(self._seed, "sample", place.size, place.drawn)))
        place.drawn += 1
        if attempt.counts:
            place.sample(attempt.cost)
        self._note(place, arena, attempt, "random")

    def _practise(self, size: int) -> bool:
        """One step of the policy at a size that it wants to learn at; False when it is ready for `size`."""
        if self._lessons is None:
            lessons = self._policy.lessons(size) if self._grown != size else ()
            self._lessons = [[lesson.size, lesson.steps] for lesson in lessons]
        while self._lessons:
            lesson = self._lessons[0]
            if self._grown != lesson[0]:
                self._policy.grow(lesson[0], lesson=True)
                self._grown = lesson[0]
            lesson[1] -= 1
            attempt = self._policy.step(self.arena(lesson[0])) if lesson[1] >= 0 else None
            if attempt is not None:
                self._count(attempt)
                return True
            self._lessons.pop(0)
        return False

    def _try(self, place: Place) -> None:
        arena = self.arena(place.size)
        if self._grown != place.size:
            self._policy.grow(place.size)
            self._grown = place.size
            if arena.best is not None:
                self._policy.offer(arena.best)
        attempt = self._policy.step(arena)
        if attempt is None:
            place.closed = NOTHING_LEFT
        else:
            self._count(attempt)
            if not attempt.practice:
                self._note(place, arena, attempt, attempt.by or self._policy.name)

    def _count(self, attempt: Attempt) -> None:
        self.paths += bool(attempt.branches)
        self.decisions += len(attempt.branches)
        self.infeasible += attempt.infeasible

    def _note(self, place: Place, arena: SubjectArena, attempt: Attempt, by: str) -> None:
        place.attempts += 1
        place.since += 1
        trouble = arena.trouble if attempt.inputs is not None else None
        if trouble is not None and trouble.serious:
            self._listener.failed(place.size, trouble)
            if trouble.outcome is Outcome.TIMED_OUT:
                self._close_from(place)
        if attempt.counts and attempt.cost > place.cost:
            self._crown(place, arena, attempt, by, trouble)
        if place.since >= STANDS and place.size in self._pending:
            self._listener.failed(place.size, self._pending.pop(place.size))

    def _crown(
        self, place: Place, arena: SubjectArena, attempt: Attempt, by: str, trouble: Trouble | None
    ) -> None:
        """Run it once more: a cost that does not repeat is none. And tidy it up, if that costs nothing."""
        assert attempt.inputs is not None
        again = arena.run(attempt.inputs)
        cost = min(attempt.cost, again.cost) if again.counts else attempt.cost
        steady = abs(again.cost - attempt.cost) <= self._subject.cost.tolerance * attempt.cost
        limit = trouble is not None and trouble.recursion  # where that is reached hangs on who calls
        if again.counts and not steady and not limit:
            self._listener.tell(
                f"{self._subject.name} is not deterministic, or remembers earlier calls: the same input can "
                f"cost different {self._subject.cost.name}; the lower count is kept, and no test is written"
            )
        if cost <= place.cost:
            return
        best = replace(attempt, cost=cost, by=by)
        tidy = arena.row.tidy(attempt.inputs)
        if steady and tidy != attempt.inputs and trouble is None:
            tidied = arena.run(tidy)
            if tidied.counts and tidied.cost == cost and arena.trouble is None:
                best = replace(tidied, by=by)
        self._enthrone(place, arena, best)
        if trouble is not None and not trouble.serious:
            self._pending[place.size] = trouble

    def _enthrone(self, place: Place, arena: SubjectArena, best: Attempt) -> None:
        assert best.inputs is not None
        place.cost, place.by, place.error, place.since = best.cost, best.by, best.error, 0
        place.numbers = arena.row.numbers(best.inputs)
        self._improved = True
        self._pending.pop(place.size, None)
        arena.best = best
        self._listener.worst(place)

    def _close_from(self, place: Place) -> None:
        place.closed = TIMED_OUT
        for larger in self.places[self._at + 1 :]:
            larger.closed = f"left out, as size {place.size} timed out"

    def _impatient(self, place: Place) -> bool:
        return place.drawn >= SAMPLES and place.since >= PATIENCE << self.rounds and not self._lessons

    def _next(self) -> None:
        """The next size, or the next round."""
        if self.place.size in self._pending:
            self._listener.failed(self.place.size, self._pending.pop(self.place.size))
        self._learning = self._learning or (not self.place.closed and self._policy.learning)
        self._lessons = None
        self._at += 1
        if self._at == len(self.places):
            self._next_round()
        self.place.since = 0

    def _next_round(self) -> None:
        """A round without anything new is the last, or is repeated if part of the policy has yet to begin."""
        nothing = PATIENCE << self.rounds >= STUBBORN and not self._improved
        self._at = 0
        self._fill_in()
        closed = all(place.closed for place in self.places)
        self.finished = closed or (nothing and not self._learning)
        if self.finished or not nothing:
            self.rounds += 1
        self._improved = self._learning = False

    def _fill_in(self) -> None:
        """Where the larger sizes timed out, sizes in between make up the number that growth needs."""
        good = [place.size for place in self.places if place.worst is not None]
        timed_out = any(place.closed == TIMED_OUT for place in self.places)
        if not timed_out or not 2 <= len(good) < ENOUGH:
            return
        lowest, highest = min(good), max(good)
        step = max(1, (highest - lowest) // ENOUGH)
        fresh = [Place(size) for size in range(lowest, highest, step) if size not in good]
        self.places = sorted([*self.places, *fresh], key=lambda place: place.size)

    def state(self) -> dict[str, Json]:
        return {
            "places": [place.to_json() for place in self.places],
            "counters": [self.rounds, self.paths, self.decisions, self.infeasible],
            "flags": [self.finished, self._improved, self._learning],
            "at": [self._at, self._grown],
            "lessons": self._lessons,
            "pending": {str(size): trouble.to_json() for size, trouble in self._pending.items()},
            "policy": self._policy.state(),
        }

    def load(self, state: Json) -> None:
        self.places = [Place(**body) for body in state["places"]]
        self.rounds, self.paths, self.decisions, self.infeasible = state["counters"]
        self.finished, self._improved, self._learning = state["flags"]
        self._at, self._grown = state["at"]
        self._lessons = state["lessons"]
        self._pending = {int(size): Trouble.from_json(body) for size, body in state["pending"].items()}
        self._policy.load(state["policy"])
        self._arenas = {}
