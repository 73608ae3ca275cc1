"""FARLEAD: the worked example of section 4, the specifications of Table 3, and progression against its
definition."""

from pathlib import Path
from random import Random

import pytest
from random_formulas import formula, holds, trace

from untrod.ltl import FALSE, TRUE, Letter, Monitor, Progression, Verdict, atoms, expand, judge, parse
from untrod.ltl.progression import advance, restrict
from untrod.ltl.reward import count, reward
from untrod.ltl.simplify import simplify

P, Q = "[activity ~ Main]", "[activity ~ About]"
PHI_0 = f"X ({P} U ({Q} & X ({Q} U {P})))"
PHI_1 = f"{P} U ({Q} & X ({Q} U {P}))"
MAIN, ABOUT, OUTSIDE = (
    Letter.of({"activity": name}) for name in ("MainActivity", "AboutActivity", "com.android.launcher")
)

TABLE_3 = dict(
    line.split(": ", 1)
    for line in (Path(__file__).parent / "farlead_table3.txt").read_text().splitlines()
    if line and not line.startswith("#")
)


@pytest.mark.parametrize(
    ("episode", "steps"),
    [
        (1, [(MAIN, PHI_1, 0), (MAIN, PHI_1, 0), (OUTSIDE, "false", -1)]),
        (2, [(MAIN, PHI_1, 0), (ABOUT, f"{Q} U {P}", 0.33), (OUTSIDE, "false", -1)]),
        (3, [(MAIN, PHI_1, 0), (ABOUT, f"{Q} U {P}", 0.33), (MAIN, "true", 1)]),
    ],
)
def test_table_2_the_chess_walk_example(episode, steps):
    monitor = Monitor(parse(PHI_0))
    for letter, rest, paid in steps:
        step = monitor.read(letter)
        assert str(step.rest) == rest
        assert round(step.reward, 2) == paid
    assert monitor.judgement.verdict is (Verdict.SATISFIED if episode == 3 else Verdict.VIOLATED)
    assert monitor.judgement.step == 2


def test_equations_3_and_4_expand_restrict_advance():
    unfolded = expand(parse(PHI_1))
    assert unfolded is simplify(parse(f"({Q} & X ({Q} U {P})) | ({P} & X ({PHI_1}))"))
    restricted = restrict(unfolded, MAIN)
    assert str(restricted) == f"X ({PHI_1})"
    assert str(advance(restricted)) == PHI_1


def test_the_first_letter_does_not_matter_behind_an_x():
    assert str(restrict(expand(parse(PHI_0)), MAIN)) == PHI_0


def test_n_counts_atoms_and_the_reward_is_their_relative_change():
    assert [count(parse(text)) for text in (PHI_0, PHI_1, f"{Q} U {P}")] == [4, 4, 2]
    assert reward(parse(PHI_0), parse(PHI_1)) == 0 / 8
    assert reward(parse(PHI_1), parse(f"{Q} U {P}")) == 2 / 6
    assert reward(parse(PHI_1), TRUE) == 1
    assert reward(parse(PHI_1), FALSE) == -1


def test_table_3_has_25_formulas():
    assert len(TABLE_3) == 25
    assert {name[0] for name in TABLE_3} == set("ABCDEFGHI")


@pytest.mark.parametrize("name", TABLE_3)
def test_table_3_formulas_are_read_and_printed_as_they_stand(name):
    spec = parse(TABLE_3[name])
    assert str(spec) == TABLE_3[name]
    assert parse(str(spec)) is spec


@pytest.mark.parametrize("name", TABLE_3)
def test_table_3_levels_are_what_the_paper_says_they_are(name):
    """(a) state labels only, (b) action types, too, (c) everything."""
    names = {atom.name for atom in atoms(parse(TABLE_3[name]))}
    actions = {each for each in names if each.startswith("action")}
    assert actions <= {"a": set(), "b": {"actionType"}, "c": actions}[name[1]]
    assert (name[1] == "a") == (not actions)


def test_reward_prediction_drops_an_action_that_falsifies_and_sees_one_that_satisfies():
    progression = Progression(parse("X ([actionType = back] & ([actionDetail ~ home] | [activity ~ Main]))"))
    rest = progression.step(progression.start, MAIN).rest
    click = Letter.of({"actionType": "click", "actionDetail": "home"}, known="action")
    home = Letter.of({"actionType": "back", "actionDetail": "home"}, known="action")
    back = Letter.of({"actionType": "back", "actionDetail": ""}, known="action")
    assert progression.predict(rest, click) is FALSE
    assert progression.predict(rest, home) is TRUE
    assert str(progression.predict(rest, back)) == P


def test_progression_agrees_with_the_definition_on_10_000_random_formulas_and_traces():
    random = Random(2019)
    verdicts = {True: 0, False: 0}
    for _ in range(10_000):
        spec, word = formula(random, random.randint(1, 5)), trace(random)
        expected = holds(spec, word)
        assert judge(spec, word).verdict is Verdict.of(expected), (str(spec), word)
        verdicts[expected] += 1
    assert min(verdicts.values()) > 3_000  # neither answer is right by default
