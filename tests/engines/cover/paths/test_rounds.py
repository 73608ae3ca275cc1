"""Symbolic execution finds what chance does not, in rounds, with every searcher and every pruning."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("z3")

from untrod.core.errors import UntrodError
from untrod.engines.cover.arms import Turns
from untrod.engines.cover.portfolio import check_names, make_arms
from untrod.engines.cover.search import Exploration
from untrod.engines.cover.values.words import words_of
from untrod.learn.catalogue import PRUNINGS
from untrod.symbolic.searchers.catalogue import SEARCHERS


def explore(subject, searcher: str, pruning: str = "none", seed: int = 0, episodes: int = 400, cheap=False):
    files = subject.branch_map.files
    words = words_of([sys.modules[name] for name in files], [Path(p).read_text() for p in files.values()])
    arms, shared, notices = make_arms(searcher, pruning, seed, 5.0, chance=cheap)
    assert not notices
    exploration = Exploration(subject, Turns(arms, seed), words, seed, lambda run, by, new: run.arcs)
    while subject.runs < episodes and not exploration.finished:
        exploration.step()
    return exploration, shared[0]


LOCK = """
def lock(a: int, b: int, c: int) -> str:
    if a * 7 + b == 123457:
        if b > 400 and b % 2 == 1:
            if c == a - b:
                return "open"
            return "nearly"
    return "shut"
"""


def test_a_solver_opens_what_chance_cannot(load) -> None:
    solved, _ = explore(load("lock", source=LOCK), "dfs", episodes=60)
    assert solved.finished


@pytest.mark.parametrize("searcher", SEARCHERS.names)
def test_every_searcher_covers_the_triangle(load, searcher: str) -> None:
    exploration, shared = explore(load("triangle"), searcher, episodes=150)
    assert exploration.finished
    assert shared.session.paths > 0


@pytest.mark.parametrize("pruning", PRUNINGS.names)
def test_every_pruning_covers_the_evaluator(load, pruning: str) -> None:
    exploration, _ = explore(load("calc"), "covnew", pruning, episodes=1_500)
    branch_map = exploration.subject.branch_map
    assert branch_map.covered(exploration.covered) >= branch_map.total - 1


COUNTING = """
def positives(a: int, b: int, c: int, d: int, e: int, f: int, g: int, h: int) -> int:
    found = 0
    for item in (a, b, c, d, e, f, g, h):
        if item > 10:
            found += 1
    if found == 77:
        return -1
    return found
"""


@pytest.mark.parametrize("pruning", PRUNINGS.names)
def test_prunings_drop_states_and_others_do_not(load, pruning: str) -> None:
    """Of a function that is never done with: which inputs Z3 finds depends on what the process did before."""
    _, shared = explore(load("counting", source=COUNTING), "bfs", pruning, episodes=250)
    assert (shared.session.dropped > 0) == (pruning in ("homi", "random"))


def test_pruning_keeps_fewer_states(load) -> None:
    def peak(pruning: str) -> int:
        return explore(load("counting", source=COUNTING), "bfs", pruning, episodes=250)[1].session.peak

    assert peak("homi") < peak("none")


def test_the_same_seed_walks_the_same_paths(load) -> None:
    def kept(seed: int) -> list[str]:
        exploration, _ = explore(load("tokens"), "covnew", "homi", seed, episodes=120)
        return [str(given) for given in exploration.archive.kept]

    assert kept(0) == kept(0) != kept(1)


SAFE = """
class Safe:
    def __init__(self, code: int) -> None:
        self.code = code * 3 + 100000
        self.tries = 0

    def turn(self, number: int) -> bool:
        if self.tries > 1:
            raise PermissionError("too late")
        self.tries += 1
        if number - self.code == 1234567:
            return True
        return False
"""


def test_classes_are_explored_with_their_methods(load) -> None:
    exploration, _ = explore(load("safe", source=SAFE), "covnew", "homi", episodes=150)
    assert exploration.finished


def test_chance_and_solver_work_together(load) -> None:
    exploration, _ = explore(load("lock", source=LOCK), "auto", "homi", episodes=2_000, cheap=True)
    assert exploration.finished
    assert exploration.gained["random"] > 0
    assert sum(count for name, count in exploration.gained.items() if name not in ("random", "mutate")) > 0
    assert json.dumps(exploration.state())


IMPOSSIBLE = """
def parity(n: int, flip: bool) -> str:
    if n > 10:
        if n < 5:
            return "never"
    if flip:
        return "flipped"
    return "plain"
"""


def test_a_branch_that_cannot_be_taken_is_proved_to_be_so(load) -> None:
    exploration, _ = explore(load("parity", source=IMPOSSIBLE), "bfs", episodes=200)
    assert exploration.is_exhausted
    assert exploration.finished
    (left,) = exploration.subject.branch_map.untaken(exploration.covered)
    assert exploration.subject.branch_map.line("parity", left.end) == 'return "never"'


@pytest.mark.parametrize("change", ["n: int = 3", "n: int, *rest: int", "n: int, text: str", "n, m: int"])
def test_nothing_is_proved_where_a_template_is_not_all(load, change: str) -> None:
    source = IMPOSSIBLE.replace("n: int, flip: bool", change).replace("if flip:", "if n == 7:")
    exploration, _ = explore(load("parity", source=source), "bfs", episodes=40)
    assert not exploration.exhausted


def test_nothing_is_proved_after_states_were_dropped(load) -> None:
    exploration, shared = explore(load("counting", source=COUNTING), "bfs", "random", episodes=300)
    assert shared.session.dropped
    assert not exploration.exhausted


@pytest.mark.parametrize(("searcher", "pruning"), [("covnw", "homi"), ("auto", "homy")])
def test_a_name_that_does_not_exist_is_refused(searcher: str, pruning: str) -> None:
    with pytest.raises(UntrodError, match="there is no"):
        check_names(searcher, pruning)


def test_without_a_solver_chance_is_left_and_it_says_so(load, monkeypatch) -> None:
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "z3" else real(name))
    arms, shared, notices = make_arms("auto", "homi", 0, 1.0)
    assert [arm.name for arm in arms] == ["random", "mutate"]
    assert not shared
    assert "pip install" in notices[0]
    with pytest.raises(UntrodError, match="z3 is not installed"):
        check_names("covnew", "homi", chance=False)


def test_without_chance_only_searchers_are_left() -> None:
    arms, _, _ = make_arms("auto", "homi", 0, 1.0, chance=False)
    assert all(arm.is_expensive for arm in arms)
    with pytest.raises(UntrodError, match="nothing is left"):
        check_names("none", "homi", chance=False)


BUSY = """
def busy(a: int, b: int, c: int, d: int, e: int, f: int, g: int, h: int) -> int:
    found = 0
    for item in (a, b, c, d, e, f, g, h):
        if item > 10:
            found += 1
        if item * 2 == found * 3 - 1:
            found += 2
    if found == 77:
        return -1
    return found
"""
OTHERS = "".join(f"\ndef f{n}(a: int) -> int:\n    return 1 if a else 0\n" for n in range(12))


@pytest.mark.parametrize("pruning", PRUNINGS.names)
def test_rounds_that_begin_again_come_to_every_function(load, pruning: str) -> None:
    """Also where inputs are always near to a branch of another one, which nobody takes."""
    subject = load("busy", source=BUSY + OTHERS)
    called: set[str] = set()
    really_run = subject.run
    subject.run = lambda given, number=None: (called.add(given.entry), really_run(given, number))[1]
    explore(subject, "random-path", pruning, episodes=1_000)
    assert called == set(subject.drawers)


def test_states_of_different_rounds_have_different_numbers(load) -> None:
    """Searchers remember paths by number: those of the last round must not speak for others."""
    seen: list[int] = []
    exploration, shared = explore(load("dates"), "covnew", "restarts", episodes=1)
    tell = shared.session.knowledge.tell

    def noted(state, branches, lines):
        seen.append(state.id)
        return tell(state, branches, lines)

    shared.session.knowledge.tell = noted
    while exploration.subject.runs < 300 and not exploration.finished:
        exploration.step()
    assert exploration.finished or len(seen) > 100
    assert len(set(seen)) == len(seen)
