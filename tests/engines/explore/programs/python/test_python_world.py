"""Python functions as worlds: their branches, their inputs, and what a run takes."""

from __future__ import annotations

import functools
from random import Random
from typing import Any

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs import report
from untrod.engines.explore.programs.explorers.base import explore
from untrod.engines.explore.programs.explorers.catalogue import explorer
from untrod.engines.explore.programs.graph import FLOW
from untrod.engines.explore.programs.python.graph import VOCABULARY
from untrod.engines.explore.programs.python.world import PythonWorld
from untrod.engines.explore.programs.world import missing, share
from untrod.symbolic.shapes import Int, List

LIMIT = 40


def sign(number: int) -> str:
    if number > 0:
        return "plus"
    return "minus" if number < 0 else "zero"


def everything(values: list[int], word: str) -> int:
    total = 0
    for value in values:
        if value == 1234:
            break
        total += value
    else:
        total += 1
    while total > LIMIT:
        total -= LIMIT
    try:
        total //= len(word)
    except ZeroDivisionError:
        total = -1
    match word[:1]:
        case "q":
            return total
        case "x" if total:
            return 0
        case _:
            pass
    return [value for value in values if value] and total


def endless(number: int) -> None:
    while number:
        pass


def stubborn(number: int) -> None:
    while True:
        try:
            raise ValueError
        except BaseException:
            number += 1


def rude(number: int) -> None:
    if number:
        raise SystemExit(3)
    raise RuntimeError


def loud(function: Any) -> Any:
    @functools.wraps(function)
    def inner(*arguments: Any) -> Any:
        raise AssertionError("decorators are left off")

    return inner


def changing(values: list[int]) -> None:
    values.append(1)
    if len(values) == 1:
        values.append(2)


def keyed(number: int, step: int = LIMIT, *, extra: int = 2) -> int:
    if number == step + extra:
        return keyed(0)
    return 0


def kinds(world: PythonWorld, given: tuple[Any, ...]) -> list[str]:
    mask = world.run(given)
    return [branch.kind for goal, branch in enumerate(world.branches) if mask >> goal & 1]


def test_both_sides_of_conditions_also_of_those_in_expressions():
    world = PythonWorld(sign)
    assert [branch.kind for branch in world.branches] == ["then", "else", "then", "else"]
    assert kinds(world, (3,)) == ["then"]
    assert kinds(world, (-3,)) == ["else", "then"]
    assert kinds(world, (0,)) == ["else", "else"]


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        (([], ""), ["done", "done", "except", "case"]),
        (([50], "q"), ["body", "else", "done", "body", "done", "case"]),
        (([1234], "x"), ["body", "then", "done", "case"]),
        (([7], "x"), ["body", "else", "done", "done", "case"]),
    ],
)
def test_loops_handlers_and_cases(given: tuple[Any, ...], taken: list[str]):
    assert kinds(PythonWorld(everything), given) == taken


def test_goals_are_named_by_their_line():
    world = PythonWorld(sign)
    first = sign.__code__.co_firstlineno
    assert missing(world, world.run((0,))) == [
        f"line {first + 1}: if number > 0 holds",
        f'line {first + 2 + 1}: return "minus" if number < 0 else "zero" holds',
    ]
    assert world.text(0).splitlines()[1] == f"- {first + 1:4}     if number > 0:"


def test_endless_runs_end():
    assert kinds(PythonWorld(endless), (1,)) == ["body"]
    assert kinds(PythonWorld(stubborn, fuel=50), (1,)) == ["body", "except"]


def test_what_a_run_raises_stays_inside():
    assert kinds(PythonWorld(rude), (1,)) == ["then"]
    assert kinds(PythonWorld(rude), (0,)) == ["else"]


def test_a_run_changes_neither_its_input_nor_the_next_run():
    world = PythonWorld(changing)
    given = ([],)
    assert world.run(given) == world.run(given) == 0b01
    assert given == ([],)


def test_defaults_are_the_functions_own_and_recursion_is_seen():
    world = PythonWorld(keyed)
    assert kinds(world, (42,)) == ["then", "else"]


def test_decorators_are_left_off():
    assert PythonWorld(loud(sign).__wrapped__).run((1,)) == 0b0001


def test_inputs_are_rows_of_numbers():
    world = PythonWorld(everything)
    random = Random(1)
    for _ in range(100):
        given = world.inputs.draw(random)
        for each in (given, world.inputs.mutate(given, random)):
            row = world.inputs.encode(each)
            assert all(0 <= number < size for number, size in zip(row, world.inputs.sizes, strict=True))
            assert world.inputs.decode(row) == each
        world.run(world.inputs.decode([random.randrange(size) for size in world.inputs.sizes]))
    assert world.inputs.show(([1], "a")) == "([1], 'a')"
    with pytest.raises(UntrodError, match="no arguments"):
        world.inputs.encode(("a", 1))
    with pytest.raises(UntrodError, match="no option"):
        world.inputs.encode(([987654], "a"))


def test_constants_of_the_source_are_tried():
    tries = explore(PythonWorld(everything), explorer("hill-climbing", "python", 1), 400)
    assert tries.coverage() == 1.0
    assert "coverage 100%" in report.text(tries)


def test_a_factory_says_what_annotations_cannot():
    world = PythonWorld(changing, factory=lambda size: List(Int(5, 6), size + 2))
    values = {value for seed in range(30) for value in world.inputs.draw(Random(seed))[0]}
    assert values == {5, 6}
    assert share(world, world.run(([5, 5],))) == 0.5


def nested(choose: Any, depth: int = 0) -> Any:
    return [nested(choose, depth + 1) for _ in range(choose(range(3)))] if depth < 3 else choose("ab")


def depth_of(tree):
    if isinstance(tree, str):
        return 0
    return 1 + max(map(depth_of, tree)) if tree else 1


def test_a_generator_makes_what_annotations_cannot_say():
    world = PythonWorld(depth_of, generator=nested)
    random = Random(1)
    for _ in range(50):
        given = world.inputs.draw(random)
        near = world.inputs.mutate(given, random)
        assert world.inputs.decode(world.inputs.encode(given)).value == given.value
        assert world.inputs.decode(near.row).value == near.value
    assert explore(world, explorer("random", "python", 1), 50).coverage() == 1.0
    assert world.inputs.show(world.inputs.decode([0])) == "([])"


def test_a_generator_may_ask_more_often_than_a_row_is_long():
    world = PythonWorld(sign, generator=lambda choose: sum(choose((0, 1)) for _ in range(100)))
    longest = world.inputs.decode([1] * 64)
    assert longest.value == 64
    assert world.run(longest) == 0b0001


@pytest.mark.parametrize("function", [sign, everything, endless, stubborn, rude, changing, keyed])
def test_the_graph_has_a_node_for_every_branch(function: Any):
    world = PythonWorld(function)
    graph = world.graph
    assert [VOCABULARY.words[graph.words[node][0]] for node in graph.goals] == [
        branch.kind for branch in world.branches
    ]
    assert all(any(kind == FLOW and to == node for _, to, kind in graph.edges) for node in graph.goals)


def no_branches(number: int) -> int:
    return number


def loose(number):
    return 1 if number else 2


def test_what_cannot_be_explored_is_refused():
    def inner(number: int) -> int:
        return LIMIT if number else len(outer)

    outer = "used inside"
    for function, message in [
        (len, "is no Python function"),
        (inner, "uses outer of the function around it"),
        (lambda number: 1 if number else 2, "is no plain function"),
        (no_branches, "has no branches"),
        (loose, "has no annotation"),
    ]:
        with pytest.raises(UntrodError, match=message):
            PythonWorld(function)
    names: dict[str, Any] = {}
    exec("def made(number: int) -> int:\n    return 1 if number else 2\n", names)
    with pytest.raises(UntrodError, match="cannot be read"):
        PythonWorld(names["made"])
