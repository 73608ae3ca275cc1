"""FARLEAD (Koroglu and Sen, 2019): the worked example of section 4, the specifications of Table 3,
progression against its definition, and Algorithms 2 and 4 by hand."""

from math import exp
from pathlib import Path
from random import Random

import pytest
from random_formulas import formula, holds, trace

from untrod.drivers.protocol import Action, Screen, Step, StepOutcome
from untrod.engines.gui.explorers.farlead import Farlead
from untrod.engines.gui.ideas import Ideas
from untrod.learn.farlead import ActionLabels, DoubleQ, DoubleQSettings
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


def test_equation_2_the_expansion_law():
    """phi U psi = !(!psi & !(phi & X (phi U psi))), which is psi | (phi & X (phi U psi))."""
    for phi, psi in ((P, Q), (f"({P} & {Q})", f"!{P}"), (Q, f"X {P}")):
        law = f"!(!({psi}) & !(({phi}) & X (({phi}) U ({psi}))))"
        assert expand(parse(f"({phi}) U ({psi})")) is simplify(expand(parse(law)))


# -- Algorithm 2, the policy ------------------------------------------------------------------------------


def learned(seed=0, labels=None, **letters):
    """T, eps, eta, lambda, e_min, rho and alpha by their letters."""
    names = {
        "T": "temperature",
        "eps": "epsilon",
        "eta": "rate",
        "lam": "trace_decay",
        "e_min": "trace_floor",
        "rho": "bound",
        "alpha": "doubleness",
    }
    return DoubleQ(seed, DoubleQSettings(**{names[each]: value for each, value in letters.items()}), labels)


def test_algorithm_2_epsilon_greedy_softmax_with_temperature():
    q = learned(T=0.4, eps=0.2, eta=0.5, alpha=0.5)
    q.learn("s", "a", 1.0)
    q.begin()
    q.learn("s", "b", -0.5)
    weights = [exp(sum(q.values("s", action)) / (2 * 0.4)) for action in "abc"]
    expected = [(1 - 0.2) * weight / sum(weights) + 0.2 / 3 for weight in weights]
    assert q.probabilities("s", "abc") == pytest.approx(expected)


# -- Algorithm 4, learning --------------------------------------------------------------------------------


def both(q, state, action):
    return sorted(q.values(state, action))  # line 17 may have changed their places


def test_algorithm_4_two_steps_by_hand():
    """eta = 0.5, lambda = 0.5, alpha = 0.5. The tables may change places after a step; delta is taken from
    the one that is Q1 then."""
    q = learned(eta=0.5, lam=0.5, e_min=0.1, rho=2.0, alpha=0.5)
    q.begin()
    q.learn("s0", "a", 0.0)  # delta = 0: nothing moves, e = 1, then 0.5
    assert q.values("s0", "a") == (0.0, 0.0)
    q.learn("s1", "b", 1.0)  # delta = 1 - 0
    # line 13: 0 + 0.5 * 1 * e, with e = 1 here and 0.5 for the step before; line 14: half of Q1, half of Q2
    assert both(q, "s1", "b") == [0.25, 0.5]
    assert both(q, "s0", "a") == [0.125, 0.25]
    first = q.values("s1", "b")[0]
    q.begin()  # line 6: e = 0
    q.learn("s1", "b", 1.0)
    moved = first + 0.5 * (1.0 - first)
    other = 0.75 - first  # the other one of 0.25 and 0.5
    assert both(q, "s1", "b") == sorted([moved, 0.5 * moved + 0.5 * other])
    assert both(q, "s0", "a") == [0.125, 0.25]


def test_line_12_below_e_min_a_pair_is_left_alone_and_line_13_clips():
    q = learned(eta=1.0, lam=0.5, e_min=0.4, rho=0.6, alpha=0.0)
    for state in ("s0", "s1"):
        q.learn(state, "a", 0.0)
    q.learn("s2", "a", 1.0)  # e: s2 1, s1 0.5, s0 0.25
    assert [q.values(state, "a")[0] for state in ("s2", "s1", "s0")] == [0.6, 0.5, 0.0]


@pytest.mark.parametrize(("alpha", "second"), [(0.0, 0.5), (1.0, 0.0)])
def test_doubleness_0_has_one_table_in_truth_and_1_has_two(alpha, second):
    q = learned(eta=0.5, alpha=alpha)
    q.learn("s", "a", 1.0)
    assert both(q, "s", "a") == sorted([0.5, second])


def test_line_21_annealing():
    settings = DoubleQSettings()
    q = DoubleQ(1)
    q.end()
    assert q.temperature == settings.temperature - settings.temperature_step  # T - dT
    assert q.epsilon == settings.epsilon * settings.epsilon_factor  # eps_u eps
    assert q.rate == settings.rate * settings.rate_factor  # eta_u eta


def test_action_label_learning_a_new_state_starts_from_the_stateless_value():
    q = learned(eta=0.5, alpha=0.0, labels=ActionLabels(lambda action: action[0]))
    q.learn("s", ("ok", 1), 1.0)
    assert q.values("never met", ("ok", 2)) == (0.5, 0.5)
    assert q.values("never met", ("cancel", 2)) == (0.0, 0.0)


@pytest.mark.parametrize("h", [0, 1, 2])
def test_tails_are_the_last_h_pairs_of_action_and_state(h):
    explorer = Farlead(1, Ideas(tail=h))
    screens = [Screen(f"s{number}", f"s{number}") for number in range(4)]
    explorer.begin(screens[0])
    for number, screen in enumerate(screens[1:]):
        explorer.observe(Step(Action("click", detail=f"a{number}"), StepOutcome.OK, screen), 0.0)
    tail = explorer._state
    assert len(tail) == max(h, 1)
    if h:
        assert [state for _, state in tail] == [screen.id for screen in screens[-h:]]
        assert len({action for action, _ in tail}) == h
    else:
        assert tail == (screens[-1].id,)  # a state alone: no tails
