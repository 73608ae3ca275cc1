"""Arms propose, real runs judge, a bandit learns: with episodes for a clock."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import pytest

from untrod.engines.cover.archive import EntryScheduler
from untrod.engines.cover.arms import MutationArm, RandomArm, Turns
from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.search import Exploration
from untrod.engines.cover.values.words import words_of
from untrod.source.nodes import Atom, Text


def explore(subject, *, seed: int = 0, arms=None, told=None) -> Exploration:
    files = subject.branch_map.files
    words = words_of([sys.modules[name] for name in files], [Path(p).read_text() for p in files.values()])
    heard = told if told is not None else []
    return Exploration(
        subject,
        Turns(arms or [RandomArm(seed), MutationArm(seed + 1)], seed),
        words,
        seed,
        lambda run, by, new: heard.append((str(run.given), by, new)) or run.arcs,
    )


def steps(exploration: Exploration, count: int) -> Exploration:
    while exploration.subject.runs < count and not exploration.finished:
        exploration.step()
    return exploration


@pytest.mark.parametrize("name", ["tokens", "bank", "redblack"])
def test_chance_covers_the_easy_ones(load, name: str) -> None:
    assert steps(explore(load(name)), 5_000).finished


def test_every_arc_was_taken_by_an_input_that_was_told(load) -> None:
    told: list = []
    exploration = steps(explore(load("bank"), told=told), 2_000)
    subject = exploration.subject
    again = subject.imported
    for given in exploration.archive.kept:
        again |= subject.run(given).arcs
    assert again == exploration.covered
    assert [text for text, _, new in told if new] == [str(given) for given in exploration.archive.kept]
    assert sum(exploration.gained.values()) == (exploration.covered & ~subject.imported).bit_count()


def test_the_same_seed_finds_the_same_inputs(load) -> None:
    first = [str(given) for given in steps(explore(load("dates")), 600).archive.kept]
    second = [str(given) for given in steps(explore(load("dates")), 600).archive.kept]
    other = [str(given) for given in steps(explore(load("dates"), seed=5), 600).archive.kept]
    assert first == second != other


PASSWORD = """
def check(text: str) -> int:
    score = 0
    if len(text) > 3:
        if ord(text[0]) % 64 == 53:
            if ord(text[1]) % 64 == 55:
                if ord(text[2]) % 64 == 58:
                    score = 3
    return score
"""


def test_mutation_climbs_where_chance_alone_gets_stuck(load) -> None:
    def depth(arm) -> int:
        exploration = explore(load("password", source=PASSWORD), arms=[arm])
        exploration.run(Input("password:check", (Step("check", (Text("abcd"),)),)))
        return steps(exploration, 4_000).covered.bit_count()

    assert sum(depth(MutationArm(seed)) for seed in range(3)) > sum(
        depth(RandomArm(seed)) for seed in range(3)
    )


def test_a_state_is_json_and_goes_on_from_there(load) -> None:
    exploration = steps(explore(load("dates")), 300)
    state = json.loads(json.dumps(exploration.state()))
    again = explore(load("dates"), seed=9)
    again.load(state)
    assert again.covered == exploration.covered
    assert again.archive.kept == exploration.archive.kept
    assert json.loads(json.dumps(again.state())) == state
    steps(again, 300)


@pytest.mark.parametrize("damage", [{"covered": "f" * 40}, {"archive": {"kept": [[1]], "pools": []}}])
def test_a_state_of_something_else_is_refused(load, damage) -> None:
    exploration = explore(load("dates"))
    with pytest.raises((ValueError, KeyError)):
        exploration.load({**exploration.state(), **damage})


def test_a_finished_exploration_says_so(load) -> None:
    exploration = steps(explore(load("one", source="def one(a: int) -> int:\n    return a\n")), 50)
    assert exploration.finished
    assert exploration.subject.runs == 1


def test_what_cannot_be_a_test_is_told_and_not_covered(load, monkeypatch) -> None:
    source = "def f(n: int):\n    if n > 5:\n        return 1\n    return 2\n"
    subject = load("guarded", source=source)
    heard: list = []
    exploration = explore(subject, told=heard)
    plain = Input("guarded:f", (Step("f", (Atom("9"),)),))
    counts = iter((0, 1))
    monkeypatch.setattr("untrod.engines.cover.subject.refused_so_far", lambda: next(counts))
    monkeypatch.setattr("untrod.engines.cover.subject.refused_since", lambda number: ("no such event",))
    assert not exploration.run(plain).testable
    assert exploration.covered == subject.imported
    monkeypatch.setattr("untrod.engines.cover.subject.refused_so_far", lambda: 1)
    assert exploration.run(plain).testable
    assert exploration.covered > subject.imported
    assert [new for _, _, new in heard] == [True]


def test_an_entry_whose_inputs_have_to_be_stopped_comes_less_often() -> None:
    scheduler = EntryScheduler(["sleepy", "quick"])
    for _ in range(6):
        scheduler.avoid("sleepy")
    again = EntryScheduler(["sleepy", "quick"])
    again.load(scheduler.state())
    rng = Random(1)
    assert [again.choose(rng) for _ in range(100)].count("sleepy") < 10


class Vain:
    """A dear arm that runs what anybody could have drawn."""

    name = "vain"
    is_expensive = True

    def __init__(self) -> None:
        self.runs = 0

    def ready(self, exploration: Exploration) -> bool:
        return exploration.turns.is_dry

    def begin(self, exploration: Exploration) -> None: ...

    def step(self, exploration: Exploration) -> bool:
        self.runs += 1
        exploration.run(exploration.archive.kept[-1])
        return self.runs % 10 != 0

    def end(self, exploration: Exploration) -> None: ...

    def adopt(self, state) -> None: ...

    def state(self):
        return None

    def load(self, state) -> None: ...


def test_an_expensive_arm_that_finds_nothing_changes_nothing_for_the_cheap_ones(load, monkeypatch) -> None:
    """Then whoever has one is behind by no more than the time it costs."""
    drawn: dict[bool, list[str]] = {}
    for has_expensive in (False, True):
        arms = [RandomArm(0), MutationArm(1), *([Vain()] if has_expensive else [])]
        exploration = explore(load("check", source=PASSWORD), arms=arms)
        given = drawn[has_expensive] = []
        run = exploration.run

        def noted(one, number=None, run=run, given=given, exploration=exploration):
            if not exploration.turns.current.arm.is_expensive:
                given.append(str(one))
            return run(one, number)

        exploration.run = noted  # type: ignore[method-assign]
        steps(exploration, 1_500)
        if has_expensive:
            assert arms[-1].runs > 50
    both = min(map(len, drawn.values()))
    assert both > 800
    assert drawn[True][:both] == drawn[False][:both]


HEAVY = """
class Tank:
    def fill(self, n: int) -> int:
        raise MemoryError

    def level(self, n: int) -> int:
        return 1 if n > 3 else 0
"""


def test_a_method_that_had_to_be_stopped_is_called_less_often_and_the_others_are_not(load) -> None:
    exploration = explore(load("tank", source=HEAVY))
    drawer = exploration.drawers["tank:Tank"]

    def shares() -> dict[str, int]:
        rng = Random(3)
        drawn = [step.name for _ in range(500) for step in exploration.sample("tank:Tank", rng).steps]
        return {name: drawn.count(name) for name in ("fill", "level")}

    before = shares()
    for _ in range(3):
        exploration.run(
            Input("tank:Tank", (Step("Tank"), Step("fill", (Atom("1"),)), Step("level", (Atom("1"),))))
        )
    assert list(drawer.avoidance) == ["fill"]
    assert 0 < shares()["fill"] < before["fill"] / 5
    assert shares()["level"] > before["level"]
    again = explore(load("tank", source=HEAVY))
    again.load(json.loads(json.dumps(exploration.state())))
    assert again.drawers["tank:Tank"].avoidance == drawer.avoidance


def test_where_a_large_number_had_to_be_stopped_numbers_are_small_from_then_on(load) -> None:
    exploration = explore(load("tank", source=HEAVY))
    drawer = exploration.drawers["tank:Tank"]

    def large() -> int:
        rng = Random(3)
        drawn = [exploration.sample("tank:Tank", rng) for _ in range(500)]
        drawn += [exploration.like(given, rng) for given in drawn]
        nodes = [node for given in drawn for step in given.steps for node in step.arguments]
        return sum(abs(int(node.text)) > 100 for node in nodes if isinstance(node, Atom))

    before = large()
    for _ in range(3):
        exploration.run(Input("tank:Tank", (Step("Tank"), Step("fill", (Atom("7000000"),)))))
    assert list(drawer.avoidance) == ["large numbers"]
    assert 0 < large() < before / 10
