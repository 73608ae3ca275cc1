import json
from math import exp

import pytest

from untrod.core.errors import UntrodError
from untrod.learn.farlead import ActionLabels, DoubleQ, DoubleQSettings

PLAIN = {"rate": 0.5, "trace_decay": 0.5, "trace_floor": 0.2, "bound": 2.0, "doubleness": 0.0}


def learner(seed=0, labels=None, **changes):
    return DoubleQ(seed, DoubleQSettings(**{**PLAIN, **changes}), labels)


def value(learned, state, action):
    """With doubleness 0 the two are the same."""
    first, second = learned.values(state, action)
    assert first == second
    return first


def play(learned, episodes):
    """Two steps an episode; right and then right again is what pays. Returns the actions."""
    taken = []
    for _ in range(episodes):
        learned.begin()
        state = "start"
        for _ in range(2):
            action = learned.decide(state, ["left", "right"])
            state, before = f"{state}/{action}", state
            learned.learn(before, action, 1.0 if state == "start/right/right" else 0.0)
            taken.append(action)
        learned.end()
    return taken


class TestPolicy:
    def test_is_uniform_as_long_as_nothing_is_known(self):
        assert learner().probabilities("s", "abcd") == pytest.approx([0.25] * 4)

    def test_is_softmax_of_the_mean_of_both_tables_mixed_with_chance(self):
        learned = learner(temperature=0.5, epsilon=0.2, doubleness=1.0)
        learned.learn("s", "a", 1.0)  # one table has 0.5 now, the other 0
        assert sorted(learned.values("s", "a")) == [0.0, 0.5]
        a, b = exp(0.25 / 0.5), 1.0
        expected = [0.8 * a / (a + b) + 0.1, 0.8 * b / (a + b) + 0.1]
        assert learned.probabilities("s", ["a", "b"]) == pytest.approx(expected)

    def test_epsilon_one_is_chance_alone(self):
        learned = learner(epsilon=1.0)
        learned.learn("s", "a", 1.0)
        assert learned.probabilities("s", ["a", "b"]) == pytest.approx([0.5, 0.5])

    def test_a_low_temperature_does_not_overflow(self):
        learned = learner(temperature=1e-6, epsilon=0.0)
        learned.learn("s", "a", 1.0)
        assert learned.probabilities("s", ["a", "b"]) == [1.0, 0.0]


class TestLearning:
    def test_moves_towards_the_reward_by_the_rate(self):
        learned = learner()
        learned.learn("s", "a", 1.0)
        assert value(learned, "s", "a") == 0.5

    def test_the_next_state_plays_no_part(self):
        """Myopic: a state that leads to a good one is worth nothing by itself."""
        learned = learner()
        learned.learn("good", "a", 1.0)
        learned.begin()
        learned.learn("before", "a", 0.0)
        assert value(learned, "before", "a") == 0.0

    def test_earlier_steps_of_the_episode_share_the_error_by_their_eligibility(self):
        learned = learner()
        learned.begin()
        learned.learn("one", "a", 0.0)
        learned.learn("two", "a", 0.0)
        learned.learn("three", "a", 1.0)
        # delta = 1 and rate = 0.5; eligibilities 1, 1/2, 1/4
        assert [value(learned, state, "a") for state in ("three", "two", "one")] == [0.5, 0.25, 0.125]

    def test_a_step_too_long_ago_is_left_alone(self):
        learned = learner()
        for state in ("one", "two", "three"):
            learned.learn(state, "a", 0.0)
        learned.learn("four", "a", 1.0)  # "one" has eligibility 1/8, below the floor of 0.2
        assert value(learned, "one", "a") == 0.0
        assert value(learned, "two", "a") == 0.125

    def test_a_pair_visited_twice_is_more_eligible(self):
        learned = learner()
        learned.learn("s", "a", 0.0)
        learned.learn("s", "a", 1.0)  # e = 1/2 + 1
        assert value(learned, "s", "a") == 0.75

    def test_an_episode_begins_without_a_trace(self):
        learned = learner()
        learned.learn("one", "a", 0.0)
        learned.begin()
        learned.learn("two", "a", 1.0)
        assert value(learned, "one", "a") == 0.0

    @pytest.mark.parametrize("reward", [1.0, -1.0])
    def test_values_stay_within_the_bound(self, reward):
        learned = learner(bound=0.3)
        learned.learn("s", "a", reward)
        assert value(learned, "s", "a") == 0.3 * reward


class TestDoubleness:
    def test_one_keeps_the_tables_apart_and_both_learn(self):
        learned = learner(doubleness=1.0)
        learned.learn("s", "a", 1.0)
        assert sorted(learned.values("s", "a")) == [0.0, 0.5]
        for _ in range(40):
            learned.begin()
            learned.learn("s", "a", 1.0)
        assert min(learned.values("s", "a")) > 0.9

    def test_a_half_lets_the_second_follow_half_way(self):
        learned = learner(doubleness=0.5)
        learned.learn("s", "a", 1.0)
        assert sorted(learned.values("s", "a")) == [0.25, 0.5]

    def test_the_tables_change_places_half_of_the_time(self):
        swapped = 0
        for seed in range(400):
            learned = learner(seed, doubleness=1.0)
            learned.learn("s", "a", 1.0)
            swapped += learned.values("s", "a") == (0.0, 0.5)
        assert 160 < swapped < 240


class TestAnnealing:
    def test_temperature_falls_by_a_step_the_others_by_a_factor(self):
        learned = learner(
            temperature=1.0, temperature_step=0.25, epsilon=0.5, epsilon_factor=0.5, rate_factor=0.5
        )
        learned.end()
        assert (learned.temperature, learned.epsilon, learned.rate) == (0.75, 0.25, 0.25)

    def test_each_has_a_floor(self):
        learned = learner()
        for _ in range(2000):
            learned.end()
        settings = learned.settings
        floors = (settings.temperature_floor, settings.epsilon_floor, settings.rate_floor)
        assert (learned.temperature, learned.epsilon, learned.rate) == floors


class TestActionLabels:
    """Actions are (name, place); their labelling is the name."""

    def test_a_new_state_starts_from_what_the_action_was_worth_elsewhere(self):
        learned = learner(labels=ActionLabels(lambda action: action[0]))
        learned.learn("s", ("ok", 1), 1.0)
        assert value(learned, "new", ("ok", 2)) == 0.5
        assert value(learned, "new", ("cancel", 2)) == 0.0
        ok, cancel = learned.probabilities("new", [("ok", 2), ("cancel", 2)])
        assert ok > cancel

    def test_without_them_a_new_state_is_worth_nothing(self):
        learned = learner()
        learned.learn("s", "ok", 1.0)
        assert value(learned, "new", "ok") == 0.0

    def test_the_error_of_a_new_pair_is_taken_from_where_it_starts(self):
        learned = learner(labels=ActionLabels())
        learned.learn("s", "ok", 1.0)
        learned.begin()
        learned.learn("new", "ok", 1.0)  # starts at 0.5: delta 0.5, half of that
        assert value(learned, "new", "ok") == 0.75

    def test_a_state_that_was_learned_keeps_its_own_value(self):
        learned = learner(labels=ActionLabels())
        learned.learn("bad", "ok", -1.0)
        for _ in range(5):
            learned.begin()
            learned.learn("good", "ok", 1.0)
        assert value(learned, "bad", "ok") == -0.5
        assert value(learned, "new", "ok") > 0.0


def test_learns_what_pays():
    taken = play(learner(doubleness=0.5), 300)
    episodes = list(zip(taken[::2], taken[1::2], strict=True))
    early, late = (
        [second for first, second in part if first == "right"] for part in (episodes[:20], episodes[200:])
    )
    assert "left" in early
    assert late.count("right") > 0.9 * len(late)


class TestState:
    def test_the_same_seed_does_the_same(self):
        assert play(learner(3), 50) == play(learner(3), 50) != play(learner(4), 50)

    @pytest.mark.parametrize("labels", [False, True])
    def test_goes_on_bit_for_bit_from_json_even_in_the_middle_of_an_episode(self, labels):
        def make():
            return learner(7, ActionLabels() if labels else None, doubleness=0.5)

        one = make()
        play(one, 20)
        one.begin()
        one.learn(("tail", ("click", 1)), ("click", 1), 0.33)
        text = json.dumps(one.state())
        two = make()
        two.load(json.loads(text))
        assert json.dumps(two.state()) == text
        for each in (one, two):
            each.learn(("tail", ("click", 2)), ("click", 2), -1.0)
        assert play(one, 20) == play(two, 20)
        assert json.dumps(one.state()) == json.dumps(two.state())

    def test_a_damaged_state_leaves_the_learner_as_it_was(self):
        learned = learner(labels=ActionLabels())
        play(learned, 3)
        before = json.dumps(learned.state())
        for name in json.loads(before):
            with pytest.raises((ValueError, TypeError)):
                learned.load({**json.loads(before), name: [["x"]]})
            assert json.dumps(learned.state()) == before, name


@pytest.mark.parametrize(
    "wrong", [{"epsilon": 1.5}, {"doubleness": -0.1}, {"temperature_floor": 0.0}, {"bound": float("nan")}]
)
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(UntrodError, match=next(iter(wrong))):
        DoubleQSettings(**wrong)
