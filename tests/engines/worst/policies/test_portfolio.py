from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from untrod.core.vocabulary import Json
from untrod.engines.worst.policies.climb import Climb
from untrod.engines.worst.policies.portfolio import Portfolio
from untrod.engines.worst.policies.scheduler import estimated_micros
from untrod.engines.worst.protocol import Attempt, Environment, Lesson


class Scripted:
    """Finds these costs, one after the other, and then nothing."""

    learning = False

    def __init__(self, name: str, costs: list[int], lessons: tuple[Lesson, ...] = ()) -> None:
        self.name, self.costs, self._lessons = name, costs, lessons
        self.offered: list[str] = []
        self.sizes: list[tuple[int, bool]] = []

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        return tuple(lesson for lesson in self._lessons if (lesson.size, True) not in self.sizes)

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self.sizes.append((size, lesson))

    def step(self, env: Environment) -> Attempt | None:
        assert not self.sizes or env.size == self.sizes[-1][0], "asked at a size that it was not told of"
        if not self.costs:
            return None
        cost = self.costs.pop(0)
        return Attempt((env.size,), cost, "done", by=self.name, micros=float(cost))

    def offer(self, attempt: Attempt) -> None:
        self.offered.append(attempt.by)

    def state(self) -> Json:
        return self.costs

    def load(self, state: Json) -> None:
        self.costs = state


class Student(Scripted):
    """Has no use for lessons that are not smaller than the size that counts; gives up at some of them."""

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        return tuple(lesson for lesson in super().lessons(size) if lesson.size < size)

    def step(self, env: Environment) -> Attempt | None:
        attempt = super().step(env)
        return None if self.sizes[-1][1] and env.size % 3 == 2 else attempt

    def offer(self, attempt: Attempt) -> None:
        assert attempt.inputs == (self.sizes[-1][0],), "heard of an attempt at another size"


class At:
    """An environment of which only the size is known."""

    def __init__(self, size: int) -> None:
        self.size = size

    def at(self, size: int) -> At:
        return At(size)


def turns(policy: Portfolio, env: Any, steps: int) -> list[str]:
    return [attempt.by for _ in range(steps) if (attempt := policy.step(env)) is not None]


def test_who_finds_more_gets_more_turns(sorting: Any) -> None:
    rich = Scripted("rich", [100 + 5 * n for n in range(60)])
    policy = Portfolio(1, [Scripted("poor", [100] * 60), rich], loading=0)
    count = Counter(turns(policy, sorting(3), 40))
    assert count["rich"] > 2 * count["poor"]
    assert count["poor"] >= 1


def test_without_pay_all_get_the_same_effort(sorting: Any) -> None:
    policy = Portfolio(1, [Scripted(name, [1] * 100) for name in "abc"])
    assert Counter(turns(policy, sorting(3), 30)) == {"a": 10, "b": 10, "c": 10}


def test_a_path_counts_for_many_runs(sorting: Any) -> None:
    run = sorting(3).run(([2, 1, 0],))
    path = replace(run, branches=(None,) * 400)  # type: ignore[arg-type]
    assert estimated_micros(path) > 50 * estimated_micros(run)


def test_everybody_hears_what_the_others_found(sorting: Any) -> None:
    one, two = Scripted("one", [5, 5]), Scripted("two", [7, 7])
    turns(Portfolio(1, [one, two]), sorting(3), 4)
    assert set(one.offered) == {"two"}
    assert set(two.offered) == {"one"}


def test_it_is_exhausted_when_all_its_members_are(sorting: Any) -> None:
    policy = Portfolio(1, [Scripted("one", [5]), Scripted("two", [])])
    assert turns(policy, sorting(3), 5) == ["one"]
    assert policy.step(sorting(3)) is None


def test_some_practise_while_others_search(sorting: Any) -> None:
    student = Scripted("student", [1] * 9, (Lesson(2, 2), Lesson(3, 1)))
    searcher = Scripted("searcher", [1] * 99)
    policy = Portfolio(1, [searcher, student], loading=0)
    assert policy.lessons(5) == (), "nobody has to wait"
    policy.grow(5)
    attempts = [policy.step(sorting(5)) for _ in range(8)]
    assert [attempt.by for attempt in attempts if attempt and attempt.practice] == ["student"] * 3
    assert [attempt.by for attempt in attempts[:2] if attempt] == ["searcher", "student"]
    assert student.sizes == [(2, True), (3, True), (5, False)]
    assert searcher.sizes == [(5, False)]


def test_practice_counts_for_nothing_and_is_heard_by_fellow_students_only(sorting: Any) -> None:
    one, two = (Scripted(name, [999] * 9, (Lesson(3, 2),)) for name in ("one", "two"))
    searcher = Scripted("searcher", [1] * 99)
    policy = Portfolio(1, [one, two, searcher], loading=0)
    policy.grow(5)
    lesson: list[Attempt] = []
    while len(lesson) < 4:
        attempt = policy.step(sorting(5))
        assert attempt is not None
        lesson += [attempt] if attempt.practice else []
    assert not any(attempt.counts for attempt in lesson)
    assert (one.offered, two.offered, searcher.offered) == (["two", "two"], ["one", "one"], [])


def test_a_lesson_outlasts_the_size_that_asked_for_it(sorting: Any) -> None:
    """The search goes from size to size; who practises is not disturbed."""
    student = Scripted("student", [1] * 9, (Lesson(2, 3),))
    policy = Portfolio(1, [student, Scripted("searcher", [1] * 99)], loading=0)
    policy.grow(5)
    policy.step(sorting(5))
    policy.grow(6)
    assert student.sizes == [(2, True)]
    turns(policy, sorting(6), 8)
    assert student.sizes == [(2, True), (6, False)]


def test_who_gives_up_practice_searches_at_once(sorting: Any) -> None:
    """Lessons that it once wanted do not hold it up, nor do those of the others."""

    class Quitter(Scripted):
        def lessons(self, size: int) -> tuple[Lesson, ...]:
            return () if len(self.sizes) > 1 else super().lessons(size)

        def step(self, env: Environment) -> Attempt | None:
            return None if self.sizes[-1] == (3, True) else super().step(env)

    quitter = Quitter("quitter", [1] * 9, (Lesson(2, 1), Lesson(3, 1), Lesson(4, 1)))
    student = Scripted("student", [1] * 99, (Lesson(2, 1), Lesson(3, 50)))
    policy = Portfolio(1, [quitter, student], loading=0)
    policy.grow(5)
    turns(policy, sorting(5), 6)
    assert quitter.sizes == [(2, True), (3, True), (5, False)]
    assert student.sizes == [(2, True), (3, True)], "still at it"
    assert "quitter" not in student.offered[1:], "they are no longer at the same size"


def test_a_searcher_who_still_finds_more_is_not_held_up(sorting: Any) -> None:
    student = Scripted("student", [1] * 999, (Lesson(2, 99),))
    searcher = Scripted("searcher", [1_000 + n for n in range(999)])
    policy = Portfolio(1, [searcher, student])
    policy.grow(5)
    assert set(turns(policy, sorting(5), 300)) == {"searcher"}


def test_a_searcher_who_is_stuck_makes_way(sorting: Any) -> None:
    """Loading the solver is charged in advance, then practice gets its half of the effort."""
    student = Scripted("student", [10_000] * 9_999, (Lesson(2, 9_999),))
    searcher = Scripted("searcher", [5_000, *[10_000] * 9_999])
    policy = Portfolio(1, [searcher, student])
    policy.grow(5)
    assert set(turns(policy, sorting(5), 50)) == {"searcher"}
    turns(policy, sorting(5), 3_000)
    assert 440 <= Counter(turns(policy, sorting(5), 1_000))["student"] <= 500


def test_whoever_paid_best_keeps_half_however_many_others_there_are(sorting: Any) -> None:
    others = [Scripted(name, [1_000] * 9_999) for name in "abc"]
    searcher = Scripted("searcher", [1_000, 1_001, *[1_000] * 9_999])
    policy = Portfolio(1, [searcher, *others], loading=0)
    turns(policy, sorting(5), 3_000)
    count = Counter(turns(policy, sorting(5), 1_200))
    assert 590 <= count["searcher"] <= 640
    assert all(180 <= count[name] <= 210 for name in "abc")


def test_in_a_long_search_the_others_get_a_tenth_although_there_is_always_some_gain(sorting: Any) -> None:
    dear = 100_000
    searcher = Scripted("searcher", [dear + n for n in range(999)])
    policy = Portfolio(1, [searcher, Scripted("other", [dear] * 999)])
    assert Counter(turns(policy, sorting(5), 80))["other"] <= 2
    turns(policy, sorting(5), 50)
    assert 8 <= Counter(turns(policy, sorting(5), 100))["other"] <= 12


def test_it_learns_until_all_have_practised_and_had_a_turn(sorting: Any) -> None:
    student = Scripted("student", [1] * 9, (Lesson(2, 2),))
    policy = Portfolio(1, [Scripted("searcher", [1] * 99), student], loading=0)
    policy.grow(5)
    assert policy.learning
    turns(policy, sorting(5), 4)
    assert (student.sizes[-1], policy.learning) == ((5, False), True), "it has not had a turn at 5"
    turns(policy, sorting(5), 2)
    assert not policy.learning


def test_nobody_is_asked_at_another_size_than_its_own(sorting: Any) -> None:
    """Whoever has finished a lesson before the others waits, whatever the search does meanwhile."""
    rng = Random(1)
    for _ in range(100):
        lessons = [Lesson(size, rng.randint(1, 5)) for size in range(2, 6)]
        members = [Scripted("searcher", [1] * 999)]
        members += [Student(name, [1] * rng.randint(5, 60), tuple(lessons)) for name in "abc"]
        policy = Portfolio(1, members, loading=0)
        for _ in range(8):
            size = rng.randint(3, 7)
            policy.grow(size)
            turns(policy, At(size), rng.randint(1, 20))


@pytest.mark.parametrize("kind", ["sorting", "contrary", "alternating"])
def test_a_search_may_go_from_any_size_to_any_other(kind: str, request: pytest.FixtureRequest) -> None:
    family, rng = request.getfixturevalue(kind), Random(2)
    for seed in range(3):
        policy, environments = Portfolio(seed, loading=0), {size: family(size) for size in range(2, 7)}
        for _ in range(12):
            env = environments[rng.randint(2, 6)]
            policy.grow(env.size)
            for _ in range(rng.choice((1, 10, 60))):
                attempt = policy.step(env)
                if attempt is not None and attempt.counts and attempt.cost > getattr(env.best, "cost", 0):
                    env.best = attempt


def test_pay_wears_off(sorting: Any) -> None:
    """Whoever was lucky once and has found nothing since gets no more than the others."""
    lucky = Scripted("lucky", [9_000, 18_000, *[9_000] * 2_000])
    policy, env = Portfolio(1, [lucky, Scripted("other", [9_000] * 2_000)]), sorting(3)
    assert Counter(turns(policy, env, 30))["other"] < 5
    turns(policy, env, 1_500)
    assert 40 <= Counter(turns(policy, env, 100))["other"] <= 60


def test_the_usual_members_solve_insertion_sort(sorting: Any, practise: Any) -> None:
    policy = Portfolio(1)
    practise(policy, sorting, 6)
    env, best = sorting(6), 0
    for _ in range(10):
        attempt = policy.step(env)
        assert attempt is not None
        if attempt.counts and attempt.cost > best:
            best, env.best = attempt.cost, attempt
    assert best == 15


def test_both_straight_paths_come_early_and_are_no_practice(contrary: Any) -> None:
    policy, env = Portfolio(1, loading=1_000), contrary(6)
    policy.grow(6)
    early = [policy.step(env) for _ in range(15)]
    straight = [attempt for attempt in early if attempt is not None and attempt.by == "straight"]
    assert [attempt.cost for attempt in straight] == [5, 15], "all True, which is cheap here, and all False"
    assert not any(attempt.practice for attempt in straight)


def test_without_an_executor_the_climber_searches_alone(sorting: Any) -> None:
    env = sorting(5)
    env.executor = None
    assert set(turns(Portfolio(1), env, 20)) == {"climb"}


def test_it_goes_on_bit_for_bit_after_a_restart(sorting: Any) -> None:
    policy, twin = Portfolio(1), Portfolio(2)
    policy.grow(5)
    turns(policy, sorting(5), 30)
    twin.load(json.loads(json.dumps(policy.state())))
    assert turns(policy, sorting(5), 20) == turns(twin, sorting(5), 20)
    assert policy.state() == twin.state()


def test_a_portfolio_of_others_is_refused() -> None:
    with pytest.raises(ValueError, match="other members"):
        Portfolio(1).load(Portfolio(1, [Climb(1)]).state())
