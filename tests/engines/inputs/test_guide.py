import sys

import pytest

from untrod.core.vocabulary import Choice
from untrod.engines.inputs.target import Guide, Replay


class Spy:
    """Answers as told and writes down what it was asked."""

    needs_context = True

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def decide(self, choice: Choice) -> int:
        frames = [(frame.entered_from is None, tuple(frame.answers)) for frame in choice.context.frames]
        self.asked.append((choice.site, choice.options, frames, choice.context.given))
        return self.answers.pop(0) if self.answers else 0


def node(choose, depth=0):
    value = choose("abc")
    left = node(choose, depth + 1) if depth < 2 and choose((True, False)) else None
    right = node(choose, depth + 1) if depth < 2 and choose((True, False)) else None
    return (value, left, right)


def run(generator, policy):
    guide = Guide(policy)
    guide.begin()
    return generator(guide.choose), guide


def test_returns_the_chosen_options_and_records_their_indices():
    value, guide = run(node, Spy(1, 0, 2, 1, 1, 1))
    assert value == ("b", ("c", None, None), None)
    assert guide.answers == [1, 0, 2, 1, 1, 1]


def test_every_place_in_the_source_is_a_site_of_its_own():
    spy = Spy(0, 0, 0, 1, 1, 0, 0, 1, 1)
    run(node, spy)
    sites = [site for site, *_ in spy.asked]
    assert len(set(sites)) == 3
    assert all(site.startswith("node:") for site in sites)
    assert sites[0] == sites[2] == sites[6]


def test_two_choices_on_one_line_are_two_sites():
    spy = Spy()
    run(lambda choose: (choose("ab"), choose("ab")), spy)
    assert len({site for site, *_ in spy.asked}) == 2


def test_context_follows_the_nesting_and_forgets_completed_siblings():
    spy = Spy(1, 0, 2, 1, 1, 0, 0)
    run(node, spy)
    frames = [frames for _, _, frames, _ in spy.asked]
    assert frames[0] == [(True, ())]
    assert frames[2] == [(True, (1, 0)), (False, ())]  # the left child's value
    assert frames[5] == [(True, (1, 0))]  # back in the root
    assert frames[6] == [(True, (1, 0, 0)), (False, ())]  # the right child's value: the left one is forgotten


def test_left_and_right_are_told_apart_by_the_call():
    class Markers(Spy):
        def decide(self, choice):
            self.asked.append(tuple(frame.entered_from for frame in choice.context.frames))
            return self.answers.pop(0) if self.answers else 0

    spy = Markers(0, 0, 0, 1, 1, 0, 0, 1, 1)
    run(node, spy)
    left, right = spy.asked[2], spy.asked[6]
    assert left[0] == right[0]
    assert left[1] != right[1]


def test_helpers_and_comprehensions_in_between_do_not_lose_the_parent():
    def leaf(choose):
        return choose(range(3))

    def helper(choose):
        return [leaf(choose) for _ in range(2)]

    def root(choose):
        return choose(range(3)), helper(choose)

    spy = Spy(2, 1, 1)
    run(root, spy)
    assert [len(frames) for _, _, frames, _ in spy.asked] == [1, 2, 2]
    assert spy.asked[2][2][0] == (True, (2,))


def test_given_context_and_site_are_passed_on():
    spy = Spy(1)
    run(lambda choose: choose("ab", ("root", "L"), "value"), spy)
    assert spy.asked == [("value", 2, [], ("root", "L"))]


def test_given_context_alone_keeps_the_automatic_site():
    spy = Spy(1)
    run(lambda choose: choose("ab", context=("root",)), spy)
    assert spy.asked[0][0].startswith("test_given_context_alone")
    assert spy.asked[0][3] == ("root",)


def test_a_new_episode_starts_from_nothing():
    spy = Spy()
    guide = Guide(spy)
    for _ in range(2):
        guide.begin()
        node(guide.choose)
    assert spy.asked[0] == spy.asked[len(spy.asked) // 2]


def test_asking_raises_no_audit_event_for_known_frames():
    """Inside a worker every audit event costs as much as a decision."""
    guide = Guide(Spy())
    guide.begin()
    heard = []
    listening = False

    def hook(event, args):
        if listening:
            heard.append(event)

    sys.addaudithook(hook)  # cannot be removed again: it stays deaf after this test

    def generator(choose):
        nonlocal listening
        choose("ab")
        listening = True
        for _ in range(10):
            choose("ab")
        listening = False

    generator(guide.choose)  # the second place in the source is named once
    guide.begin()
    heard.clear()
    generator(guide.choose)
    assert heard == []


@pytest.mark.parametrize("answers", [(), (1, 0, 2), (7, -1, "x", None, 2.5)])
def test_replay_takes_the_first_option_where_the_answers_end_or_do_not_fit(answers):
    guide = Guide(Replay(answers))
    guide.begin()
    value = node(guide.choose)
    again = Guide(Replay(guide.answers))
    again.begin()
    assert node(again.choose) == value
