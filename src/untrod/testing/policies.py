"""What every learner must do, whatever it learns.

@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_learner_keeps_its_promises(check):
    check(make)            # make(seed) -> Learner
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from untrod.core.protocols import LEARNER_EXTRAS, Learner
from untrod.core.vocabulary import Episode, Outcome
from untrod.engines.inputs.target import Choose, Guide

Make: TypeAlias = Callable[[int], Learner]
Value: TypeAlias = tuple[int, int, int, int]

KINDS, SIZES, FILL = range(5), range(8), range(100)


def check_policy(make: Make, *, learns: bool = True) -> tuple[str, ...]:
    """`make(seed)` gives a new learner. Without `learns`, it need not get better.

    Returns the names of the optional protocols (`core.protocols`) that the learner has.
    """
    for check in CHECKS if learns else ALWAYS:
        check(make)
    learner = make(0)
    return tuple(extra.__name__ for extra in LEARNER_EXTRAS if isinstance(learner, extra))


def shape(choose: Choose, fill: range) -> Value:
    """A kind, a size, and two values that make enough different inputs for a long run."""
    return (choose(KINDS), choose(SIZES), choose(fill), choose(fill))


def play(
    learner: Learner,
    valid: Callable[[int, Value], bool],
    episodes: int,
    fill: range = FILL,
    first: int = 0,
) -> list[Value]:
    """The inputs of all episodes, in order; `valid` also hears the number of the episode."""
    guide, played, seen = Guide(learner), [], set()
    for number in range(first, first + episodes):
        guide.begin()
        value = shape(guide.choose, fill)
        outcome = Outcome.VALID if valid(number, value) else Outcome.INVALID
        new = outcome is Outcome.VALID and value not in seen
        learner.learn(Episode(number, guide.answers, outcome=outcome, new=new))
        seen.add(value)
        played.append(value)
    return played


def one_kind_and_two_sizes(number: int, value: Value) -> bool:
    """One in twenty: the others are rejected without exception."""
    return value[0] == 0 and value[1] < 2


def every_option_is_still_tried_late_in_a_long_run(make: Make) -> None:
    """Learners that collapse onto a corner look good on counts, and miss bugs."""
    late = play(make(1), one_kind_and_two_sizes, 4_000)[2_000:]
    for place, options in enumerate((KINDS, SIZES)):
        taken = Counter(value[place] for value in late)
        rarest = min(taken[option] for option in options)
        assert rarest >= 4, f"an option was tried {rarest} times in 2,000 episodes: {dict(taken)}"


def the_same_seed_does_the_same(make: Make) -> None:
    first, second = (play(make(7), one_kind_and_two_sizes, 300) for _ in range(2))
    assert first == second, "two learners with one seed answer differently"


def its_state_is_json_and_goes_on_bit_for_bit(make: Make) -> None:
    learner, heir = make(3), make(4)
    play(learner, one_kind_and_two_sizes, 300)
    heir.load(json.loads(json.dumps(learner.state())))
    rest = [play(one, one_kind_and_two_sizes, 200, first=300) for one in (learner, heir)]
    assert rest[0] == rest[1], "load(state()) does not continue where the other one was"


def a_state_that_is_not_its_own_is_refused(make: Make) -> None:
    for state in (None, {}, {"nobody": "knows"}, [1, 2, 3]):
        try:
            make(0).load(state)
        except (ValueError, KeyError, TypeError):
            continue
        raise AssertionError(f"load takes {state!r} without a word")


def it_prefers_what_is_valid(make: Make) -> None:
    played = play(make(1), one_kind_and_two_sizes, 2_000)
    good = sum(one_kind_and_two_sizes(0, value) for value in played[1_000:])
    assert good > 400, f"{good} of 1,000 inputs are valid; plain chance has 50"


def what_was_always_rejected_comes_back_when_it_becomes_valid(make: Make) -> None:
    """For 800 episodes only kind 0 is valid, then only kind 1."""
    played = play(make(2), lambda number, value: value[0] == (number >= 800), 2_400)
    late = sum(value[0] == 1 for value in played[1_800:])
    assert late > 0.3 * 600, f"{late} of 600 inputs are of the kind that became valid; plain chance has 120"


ALWAYS: list[Callable[[Make], None]] = [
    every_option_is_still_tried_late_in_a_long_run,
    the_same_seed_does_the_same,
    its_state_is_json_and_goes_on_bit_for_bit,
    a_state_that_is_not_its_own_is_refused,
]
CHECKS = [
    *ALWAYS,
    it_prefers_what_is_valid,
    what_was_always_rejected_comes_back_when_it_becomes_valid,
]
