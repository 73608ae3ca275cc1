"""The order of a search, what counts as the worst, and when it is over."""

from __future__ import annotations

import json
from itertools import count, pairwise

from untrod.core.vocabulary import Outcome
from untrod.engines.worst.protocol import Lesson
from untrod.engines.worst.search import PATIENCE, SAMPLES, STUBBORN, SizeSearch
from untrod.runtime.deadline import EpisodeTimeout


def falls(values: list[int]) -> int:
    """Costs as many branches as the input has falling neighbours, and one for each pair."""
    found = 0
    for left, right in pairwise(values):
        if left > right:
            found += 1
            if right < left:
                found += 1
    return found


class Notes:
    def __init__(self):
        self.worsts, self.failures, self.texts = [], [], []

    def worst(self, record):
        self.worsts.append((record.size, record.cost, list(record.numbers)))

    def failed(self, size, trouble):
        self.failures.append((size, trouble.outcome, trouble.told["title"]))

    def tell(self, text):
        self.texts.append(text)


def search_on(subject, policy, *sizes):
    notes = Notes()
    return SizeSearch(subject, policy, sizes, 0, notes), notes


def run_out(search):
    while not search.finished:
        search.step()


def test_random_inputs_come_first_and_are_the_average(subject_of, shuffle):
    policy = shuffle()
    search, _ = search_on(subject_of(falls), policy, 6)
    for _ in range(SAMPLES):
        search.step()
    assert search.record.samples == SAMPLES
    assert policy.diary == []
    average = search.record.average
    assert average is not None
    assert 5 <= average.cost <= 9
    assert average.error > 0


def test_practice_comes_before_the_size_and_what_is_known_is_offered(subject_of, shuffle):
    policy = shuffle(lessons=(Lesson(2, 2), Lesson(3, 1)))
    search, _ = search_on(subject_of(falls), policy, 6)
    for _ in range(SAMPLES + 4):
        search.step()
    offered = policy.diary.pop(7)
    assert offered.startswith("offered ")
    assert policy.diary == [
        "lessons before 6", "practise 2", "step 2", "step 2", "practise 3", "step 3", "search 6", "step 6",
    ]  # fmt: skip


def test_sizes_take_turns_and_every_round_is_more_patient(subject_of, shuffle):
    search, _ = search_on(subject_of(falls), shuffle(), 2, 3)
    attempts = []
    while not search.finished:
        before = search.rounds
        search.step()
        if search.rounds > before:
            attempts.append([record.attempts for record in search.records])
    assert all(later[0] - earlier[0] >= 32 for earlier, later in pairwise(attempts))
    assert search.rounds == 1 + (STUBBORN // PATIENCE).bit_length() - 1
    assert [record.cost for record in search.records] == [2, 4]


def test_a_search_does_not_end_while_its_policy_has_yet_to_begin(subject_of, shuffle):
    policy = shuffle(seed=1)
    policy.learning = True
    search, _ = search_on(subject_of(falls), policy, 3)
    for _ in range(1_000):
        search.step()
    assert not search.finished
    policy.learning = False
    run_out(search)
    assert search.record.attempts < 1_000 + 2 * STUBBORN, "it had not become more patient meanwhile"


def test_a_policy_with_nothing_left_closes_its_size(subject_of, shuffle):
    search, _ = search_on(subject_of(falls), shuffle(gives_up=3), 2)
    run_out(search)
    assert search.record.closed == "nothing left to try"
    assert search.record.attempts == SAMPLES + 3


def test_a_new_worst_is_run_again_and_tidied(subject_of, shuffle):
    subject = subject_of(falls)
    search, notes = search_on(subject, shuffle(), 3)
    run_out(search)
    costs = [cost for _, cost, _ in notes.worsts]
    assert costs == sorted(set(costs))
    assert notes.worsts[-1] == (3, 4, [2, 1, 0])
    assert subject.runs > search.record.attempts


def test_an_input_whose_numbers_matter_is_left_as_it_is(subject_of, shuffle):
    def count_down(values: list[int]) -> None:
        left = values[0]
        while left > 0:
            left -= 10

    search, notes = search_on(subject_of(count_down), shuffle(), 1)
    run_out(search)
    _, cost, numbers = notes.worsts[-1]
    assert cost == -(-numbers[0] // 10) + 1 > 5


def test_a_function_that_remembers_is_named_and_its_lower_cost_kept(subject_of, shuffle):
    seen = set()

    def caching(values: list[int]) -> None:
        if values[0] > 0 or values[1] > 0:
            pass
        if values[1] not in seen:
            seen.add(values[1])
            for value in values * 5:
                if value > 0:
                    pass

    search, notes = search_on(subject_of(caching), shuffle(), 2)
    search.step()
    assert "here:caching is not deterministic, or remembers earlier calls" in notes.texts[0]
    assert search.record.cost < 10


def test_the_recursion_limit_is_not_taken_for_chance(subject_of, shuffle):
    """Where it is reached hangs on the depth of the caller, so that the cost differs a little."""
    calls = []

    def deep(values: list[int]) -> None:
        calls.append(1)
        if values[0] > 0 or (len(calls) % 2 and values[1] > 0):
            pass
        raise RecursionError("too deep")

    search, notes = search_on(subject_of(deep), shuffle(), 2)
    run_out(search)
    assert notes.texts == []
    assert notes.failures


def test_an_ordinary_exception_is_told_when_the_worst_input_raises_it(subject_of, shuffle):
    def picky(values: list[int]) -> None:
        if values[0] > values[1]:
            return
        if values[1] > values[0]:
            raise ValueError("rising")

    search, notes = search_on(subject_of(picky), shuffle(), 2)
    run_out(search)
    assert [failure[:2] for failure in notes.failures] == [(2, Outcome.FAILED)]
    assert search.record.error == "ValueError: rising"


def test_an_exception_off_the_worst_path_is_not(subject_of, shuffle):
    def picky(values: list[int]) -> None:
        if values[0] > values[1]:
            raise ValueError("falling")
        if values[1] > values[0]:
            return

    search, notes = search_on(subject_of(picky), shuffle(), 2)
    run_out(search)
    assert notes.failures == []


def test_a_timeout_closes_its_size_and_all_larger_ones(subject_of, shuffle):
    def slow(values: list[int]) -> None:
        if len(values) > 3:
            raise EpisodeTimeout("too long")

    search, notes = search_on(subject_of(slow), shuffle(), 2, 4, 8)
    run_out(search)
    assert [record.closed for record in search.records] == ["", "timed out", "left out, as size 4 timed out"]
    assert {failure[:2] for failure in notes.failures} == {(4, Outcome.TIMED_OUT)}
    assert search.records[1].worst is None


def test_sizes_in_between_are_added_when_too_few_are_left(subject_of, shuffle):
    def slow(values: list[int]) -> None:
        if len(values) > 8:
            raise EpisodeTimeout("too long")

    search, _ = search_on(subject_of(slow), shuffle(), 4, 8, 16, 32)
    run_out(search)
    assert [record.size for record in search.records if record.worst] == [4, 5, 6, 7, 8]


def test_a_search_goes_on_bit_for_bit_from_its_state(subject_of, shuffle):
    def steps_of(search, notes, number):
        for _ in range(number):
            search.step()
        return search.state(), notes.worsts

    whole, _ = search_on(subject_of(falls), shuffle(), 4, 6)
    for _ in range(150):
        whole.step()
    saved = json.loads(json.dumps(whole.state()))
    expected, _ = steps_of(whole, Notes(), 100)
    resumed, notes = search_on(subject_of(falls), shuffle(seed=99), 4, 6)
    resumed.load(saved)
    assert steps_of(resumed, notes, 100)[0] == expected


def test_the_same_seed_gives_the_same_search(subject_of, shuffle):
    states = []
    for _ in range(2):
        search, _ = search_on(subject_of(falls), shuffle(), 4, 8)
        for _ in range(200):
            search.step()
        states.append(search.state())
    assert states[0] == states[1]


def test_a_nondeterministic_function_does_not_stop_the_search(subject_of, shuffle):
    tick = count()

    def moody(values: list[int]) -> None:
        for value in values * (next(tick) % 3 + 1):
            if value > 0:
                pass

    search, notes = search_on(subject_of(moody), shuffle(), 2)
    run_out(search)
    assert notes.texts
    assert search.record.cost in (2, 4, 6)
