"""The search over all sizes: who is asked next, what counts as the worst, when to go on to the next size.

    for round in 0, 1, 2, ...:
        for size in sizes:
            measure some random inputs                  (once: they are the average, and the first candidates)
            let the policy practise at small sizes      (what it learns it carries upward)
            let the policy try, until PATIENCE * 2^round attempts in a row have brought nothing

A search does not know its budget; it just gets more and more stubborn, so that whatever the budget is, all
sizes get their share early. It is over when a stubborn round has brought nothing at any size, or nothing is
left to try. One call of `step` is one attempt.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from untrod.core.seeds import stream
from untrod.core.vocabulary import Json, Outcome
from untrod.engines.worst.curves import NOTHING_LEFT, TIMED_OUT, SizeRecord
from untrod.engines.worst.growth import ENOUGH
from untrod.engines.worst.protocol import Attempt, SearchPolicy
from untrod.engines.worst.subject import Subject, SubjectEnvironment, Trouble

SAMPLES = 30
"""Random inputs measured at each size: the average."""
PATIENCE = 32
STUBBORN = 128
STANDS = 10
"""Attempts after which a worst input that raises is reported: until then, the next one may replace it."""
ENVIRONMENTS = 3
"""How many are kept: each holds a solver."""


class Listener(Protocol):
    def worst(self, record: SizeRecord) -> None:
        """A new worst input at this size: run twice, and it cost as much both times."""
        ...

    def failed(self, size: int, trouble: Trouble) -> None:
        """An input that must be told of, whether it is the worst or not."""
        ...

    def tell(self, text: str) -> None: ...


class SizeSearch:
    """See the module's text. `job.WorstSearch` is around it, which reports."""

    def __init__(
        self, subject: Subject, policy: SearchPolicy, sizes: tuple[int, ...], seed: int, listener: Listener
    ) -> None:
        self._subject, self._policy, self._seed, self._listener = subject, policy, seed, listener
        self.records = [SizeRecord(size) for size in sizes]
        self.rounds = 0
        self.finished = False
        self.paths = self.decisions = self.infeasible = 0
        self._at = 0
        self._improved = self._learning = False  # in this round
        self._grown = -1  # the size that the policy was last told of
        self._lessons: list[list[int]] | None = None  # [size, steps left] each; None: not asked for yet
        self._environments: dict[int, SubjectEnvironment] = {}
        self._pending: dict[int, Trouble] = {}  # by size: what the worst input raises

    @property
    def record(self) -> SizeRecord:
        return self.records[self._at]

    def step(self) -> None:
        """One attempt, unless `finished`."""
        while not self.finished:
            record = self.record
            if record.closed or self._impatient(record):
                self._next()
            elif record.drawn < SAMPLES:
                return self._sample(record)
            elif self._practise(record.size):
                return None
            else:
                return self._try(record)
        return None

    def environment(self, size: int) -> SubjectEnvironment:
        if size not in self._environments:
            if len(self._environments) >= ENVIRONMENTS:
                self._environments.pop(next(iter(self._environments)))
            env = self._environments[size] = self._subject.environment(size)
            for record in self.records:
                if record.size == size and record.numbers:
                    inputs = env.encoding.from_numbers(record.numbers)
                    env.best = Attempt(inputs, record.cost, "done", by=record.by, error=record.error)
        return self._environments[size]

    def _sample(self, record: SizeRecord) -> None:
        env = self.environment(record.size)
        attempt = env.run(env.random(stream(self._seed, "sample", record.size, record.drawn)))
        record.drawn += 1
        if attempt.counts:
            record.sample(attempt.cost)
        self._note(record, env, attempt, "random")

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
            attempt = self._policy.step(self.environment(lesson[0])) if lesson[1] >= 0 else None
            if attempt is not None:
                self._count(attempt)
                return True
            self._lessons.pop(0)
        return False

    def _try(self, record: SizeRecord) -> None:
        env = self.environment(record.size)
        if self._grown != record.size:
            self._policy.grow(record.size)
            self._grown = record.size
            if env.best is not None:
                self._policy.offer(env.best)
        attempt = self._policy.step(env)
        if attempt is None:
            record.closed = NOTHING_LEFT
        else:
            self._count(attempt)
            if not attempt.practice:
                self._note(record, env, attempt, attempt.by or self._policy.name)

    def _count(self, attempt: Attempt) -> None:
        self.paths += bool(attempt.branches)
        self.decisions += len(attempt.branches)
        self.infeasible += attempt.infeasible

    def _note(self, record: SizeRecord, env: SubjectEnvironment, attempt: Attempt, by: str) -> None:
        record.attempts += 1
        record.since += 1
        trouble = env.trouble if attempt.inputs is not None else None
        if trouble is not None and trouble.serious:
            self._listener.failed(record.size, trouble)
            if trouble.outcome is Outcome.TIMED_OUT:
                self._close_from(record)
        if attempt.counts and attempt.cost > record.cost:
            self._confirm(record, env, attempt, by, trouble)
        if record.since >= STANDS and record.size in self._pending:
            self._listener.failed(record.size, self._pending.pop(record.size))

    def _confirm(
        self, record: SizeRecord, env: SubjectEnvironment, attempt: Attempt, by: str, trouble: Trouble | None
    ) -> None:
        """Run it once more: a cost that does not repeat is none. And tidy it up, if that costs nothing."""
        assert attempt.inputs is not None
        again = env.run(attempt.inputs)
        cost = min(attempt.cost, again.cost) if again.counts else attempt.cost
        steady = abs(again.cost - attempt.cost) <= self._subject.cost.tolerance * attempt.cost
        limit = trouble is not None and trouble.recursion  # where that is reached hangs on who calls
        if again.counts and not steady and not limit:
            self._listener.tell(
                f"{self._subject.name} is not deterministic, or remembers earlier calls: the same input can "
                f"cost different {self._subject.cost.name}; the lower count is kept, and no test is written"
            )
        if cost <= record.cost:
            return
        best = replace(attempt, cost=cost, by=by)
        tidy = env.encoding.tidy(attempt.inputs)
        if steady and tidy != attempt.inputs and trouble is None:
            tidied = env.run(tidy)
            if tidied.counts and tidied.cost == cost and env.trouble is None:
                best = replace(tidied, by=by)
        self._accept(record, env, best)
        if trouble is not None and not trouble.serious:
            self._pending[record.size] = trouble

    def _accept(self, record: SizeRecord, env: SubjectEnvironment, best: Attempt) -> None:
        assert best.inputs is not None
        record.cost, record.by, record.error, record.since = best.cost, best.by, best.error, 0
        record.numbers = env.encoding.numbers(best.inputs)
        self._improved = True
        self._pending.pop(record.size, None)
        env.best = best
        self._listener.worst(record)

    def _close_from(self, record: SizeRecord) -> None:
        record.closed = TIMED_OUT
        for larger in self.records[self._at + 1 :]:
            larger.closed = f"left out, as size {record.size} timed out"

    def _impatient(self, record: SizeRecord) -> bool:
        return record.drawn >= SAMPLES and record.since >= PATIENCE << self.rounds and not self._lessons

    def _next(self) -> None:
        """The next size, or the next round."""
        if self.record.size in self._pending:
            self._listener.failed(self.record.size, self._pending.pop(self.record.size))
        self._learning = self._learning or (not self.record.closed and self._policy.learning)
        self._lessons = None
        self._at += 1
        if self._at == len(self.records):
            self._next_round()
        self.record.since = 0

    def _next_round(self) -> None:
        """A round without anything new is the last, or is repeated if part of the policy has yet to begin."""
        nothing = PATIENCE << self.rounds >= STUBBORN and not self._improved
        self._at = 0
        self._fill_in()
        closed = all(record.closed for record in self.records)
        self.finished = closed or (nothing and not self._learning)
        if self.finished or not nothing:
            self.rounds += 1
        self._improved = self._learning = False

    def _fill_in(self) -> None:
        """Where the larger sizes timed out, sizes in between make up the number that growth needs."""
        good = [record.size for record in self.records if record.worst is not None]
        timed_out = any(record.closed == TIMED_OUT for record in self.records)
        if not timed_out or not 2 <= len(good) < ENOUGH:
            return
        lowest, highest = min(good), max(good)
        step = max(1, (highest - lowest) // ENOUGH)
        fresh = [SizeRecord(size) for size in range(lowest, highest, step) if size not in good]
        self.records = sorted([*self.records, *fresh], key=lambda record: record.size)

    def state(self) -> dict[str, Json]:
        return {
            "places": [record.to_json() for record in self.records],
            "counters": [self.rounds, self.paths, self.decisions, self.infeasible],
            "flags": [self.finished, self._improved, self._learning],
            "at": [self._at, self._grown],
            "lessons": self._lessons,
            "pending": {str(size): trouble.to_json() for size, trouble in self._pending.items()},
            "policy": self._policy.state(),
        }

    def load(self, state: Json) -> None:
        self.records = [SizeRecord(**body) for body in state["places"]]
        self.rounds, self.paths, self.decisions, self.infeasible = state["counters"]
        self.finished, self._improved, self._learning = state["flags"]
        self._at, self._grown = state["at"]
        self._lessons = state["lessons"]
        self._pending = {int(size): Trouble.from_json(body) for size, body in state["pending"].items()}
        self._policy.load(state["policy"])
        self._environments = {}
