"""What counts as coverage of a RobustFill program, and its graph."""

from __future__ import annotations

from random import Random

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs.robustfill.feasible import feasible
from untrod.engines.explore.programs.robustfill.inputs import Texts
from untrod.engines.explore.programs.robustfill.parsing import parse
from untrod.engines.explore.programs.robustfill.running import goals_of
from untrod.engines.explore.programs.robustfill.sampling import sample
from untrod.engines.explore.programs.robustfill.world import VOCABULARY, RobustFillWorld
from untrod.engines.explore.programs.world import PARENT, missing, share


def one(expression: str):
    return parse(f"Concat({expression})").expressions[0]


@pytest.mark.parametrize(
    ("expression", "mask"),
    [
        ("GetToken(PropCase, 5)", 0b1),
        ('GetSpan(";", 5, End, PropCase, -5, Start)', 0b111),
        ("GetToken(Number, 1)(GetToken(Word, 1))", 0b01),
        ("GetFirst(Lower, 5)(ToCase(AllCaps))", 0b01),
        ("GetFrom(Digit)(GetToken(Digit, 1))", 0b01),
        ("SubStr(0, 20)", 0b1),
        ("SubStr(0, 21)", 0b0),
        ("SubStr(4, 4)", 0b0),
        ("GetSpan(Word, 1, End, Word, 1, End)", 0b011),
        ('GetToken(PropCase, 3)(GetSpan("%", -3, Start, "#", 1, End))', 0b1111),
    ],
)
def test_goals_count_when_some_text_reaches_them(expression: str, mask: int):
    assert feasible(one(expression)) == mask


def test_a_longer_text_makes_more_goals_count():
    assert feasible(one("SubStr(0, 30)"), 20) == 0
    assert feasible(one("SubStr(0, 30)"), 30) == 1


def test_what_random_texts_reach_does_count():
    """Witnesses are sought well enough that ordinary texts find no goal that was given up."""
    random = Random(4)
    late = total = 0
    for _ in range(60):
        world = RobustFillWorld(sample(random))
        reached = 0
        for _ in range(60):
            reached |= world.run(world.inputs.draw(random))
        late += (reached & ~world.counted).bit_count()
        total += world.counted.bit_count()
    assert total > 300
    assert late == 0


def test_coverage_is_the_share_of_the_goals_that_count():
    world = RobustFillWorld(
        parse('Concat(GetToken(Word, 1), GetToken(Number, 1)(GetToken(Word, 1)), GetUpto(";"))')
    )
    mask = world.run("ab")
    assert share(world, mask) == pytest.approx(2 / 3)
    assert missing(world, mask) == ['expression 3: GetUpto(";")']
    assert world.text(mask).splitlines() == [
        "+ GetToken(Word, 1)   1/1",
        "+ GetToken(Number, 1)(GetToken(Word, 1))   1/1",
        '- GetUpto(";")   0/1',
    ]


def test_a_goal_inside_an_expression_is_named_with_the_whole():
    world = RobustFillWorld(parse("Concat(GetSpan(Word, 1, Start, Number, 2, End))"))
    assert world.name(1) == "expression 1: (Number, 2, End) in GetSpan(Word, 1, Start, Number, 2, End)"
    assert world.name(2) == "expression 1: GetSpan(Word, 1, Start, Number, 2, End)"


@pytest.mark.parametrize(
    ("program", "message"),
    [('Concat(ConstStr("a"))', "nothing to cover"), ("Concat(SubStr(3, 3))", "no input reaches")],
)
def test_programs_with_nothing_to_cover_are_refused(program: str, message: str):
    with pytest.raises(UntrodError, match=message):
        RobustFillWorld(parse(program))


def test_the_graph_has_a_node_for_every_goal():
    random = Random(5)
    for _ in range(50):
        program = sample(random)
        graph = RobustFillWorld(program).graph
        goals = [goal for each in program.expressions for goal in goals_of(each)]
        assert len(graph.goals) == len(goals)
        for node, goal in zip(graph.goals, goals, strict=True):
            kind = VOCABULARY.words[graph.words[node][0]]
            assert kind == type(goal).__name__
        parents = [edge for edge in graph.edges if edge[2] == PARENT]
        assert sorted(source for source, _, _ in parents) == list(range(1, len(graph)))
        assert {(to, source) for source, to, _ in graph.edges} == {edge[:2] for edge in graph.edges}


def test_texts_are_rows_of_numbers():
    random = Random(6)
    texts = Texts()
    for _ in range(100):
        given = texts.draw(random)
        row = texts.encode(given)
        assert all(0 <= number < size for number, size in zip(row, texts.sizes, strict=True))
        assert texts.decode(row) == given
        near = texts.mutate(given, random)
        assert texts.decode(texts.encode(near)) == near
    assert texts.decode([1, 2, 0, 3] + [0] * 16) == "ab"
    with pytest.raises(UntrodError, match="no input"):
        texts.encode("a" * 21)
    with pytest.raises(UntrodError, match="no input"):
        texts.encode("ä")
