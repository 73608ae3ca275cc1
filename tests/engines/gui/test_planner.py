"""Planning on what is known, together with the formula; learning for the rest."""

from pathlib import Path
from statistics import mean

import pytest

from untrod.drivers.graph_reader import decode, load_graph
from untrod.drivers.model import ModelDriver
from untrod.drivers.recording import RecordingDriver
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.catalogue import explorer
from untrod.ltl import parse
from untrod.ltl.effort import NEVER, effort

SIMULATIONS = Path(__file__).parents[3] / "examples" / "simulations"
LICENCE = "F ([text ~ GPL] & X X [activity ~ Main])"
DEEP = "F ([text ~ moved] & F ([text ~ GPL]))"


def agent_of(graph, spec, name, seed, *, known=None, steps=8):
    driver = RecordingDriver(ModelDriver(graph, seed=seed), known)
    return Agent(driver, parse(spec), *explorer(name, seed, None, driver.graph), steps=steps)


def cost(agent, episodes=60):
    trials = list(agent.search(episodes))
    return sum(trial.cost for trial in trials), trials[-1].satisfied


def test_it_needs_far_fewer_steps_than_the_learner_alone(walk):
    found = {
        name: [cost(agent_of(walk, DEEP, name, seed)) for seed in range(5)] for name in ("planner", "farlead")
    }
    assert all(satisfied for _, satisfied in found["planner"])
    assert mean(steps for steps, _ in found["planner"]) < 0.5 * mean(steps for steps, _ in found["farlead"])


def test_it_walks_straight_to_what_it_has_seen(walk):
    first = agent_of(walk, LICENCE, "planner", 1)
    cost(first)
    again = agent_of(walk, LICENCE, "planner", 2, known=first.driver.graph)
    steps, satisfied = cost(again, episodes=3)
    assert (satisfied, steps <= 8) == (True, True)


def test_it_is_deterministic_and_its_state_continues(walk):
    def taken(agent, episodes):
        return [str(action) for _ in range(episodes) for action in agent.episode().actions]

    one, two = (agent_of(walk, "F [text ~ nowhere]", "planner", 7) for _ in range(2))
    assert taken(one, 6) == taken(two, 6)
    three = agent_of(walk, "F [text ~ nowhere]", "planner", 99, known=one.driver.graph)
    three.explorer.load(one.explorer.state())
    assert three.explorer.state() == one.explorer.state()


def test_what_only_the_end_of_a_trace_shows_can_be_ruled_out(walk):
    spec = "G ![activity ~ Settings]"
    assert cost(agent_of(walk, spec, "planner", 0))[1]
    driver = RecordingDriver(ModelDriver(walk, seed=0))
    definite = Agent(driver, parse(spec), *explorer("planner", 0, None, driver.graph), steps=4, definite=True)
    assert not any(trial.satisfied for trial in definite.search(5))


@pytest.mark.parametrize("spec", ["Ea", "Ga", "Ha"])
def test_the_hardest_of_the_papers_specifications_are_always_found(spec):
    lines = (Path(__file__).parents[2] / "papers" / "farlead_table3.txt").read_text().splitlines()
    table = dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    graph = load_graph(SIMULATIONS / f"{'notes' if spec[0] in 'HI' else 'chesswalk'}.json")
    for seed in range(3):
        assert cost(agent_of(graph, table[spec], "planner", seed, steps=6), episodes=100)[1]


@pytest.mark.parametrize(
    ("formula", "number"),
    [
        ("true", 0),
        ("false", NEVER),
        ("F ([text ~ a] & X [text ~ b])", 2),
        ("[text ~ b] | F ([text ~ a] & X [text ~ b])", 1),
        ("G ![text ~ a]", 0),
        ("[text ~ a] U ([text ~ b] & [text ~ c])", 2),
    ],
)
def test_effort_counts_what_has_to_come_to_pass_on_the_cheapest_way(formula, number):
    assert effort(parse(formula)) == number


def test_effort_leaves_out_what_is_shown_already():
    goal = parse("F ([activity ~ /task/] & [text ~ deleted])")
    task, deleted = (parse(text) for text in ("[activity ~ /task/]", "[text ~ deleted]"))
    assert [effort(goal, frozenset(shown)) for shown in ([], [task], [task, deleted])] == [2, 1, 0]
    assert [effort(parse("F ![text ~ deleted]"), frozenset(shown)) for shown in ([], [deleted])] == [0, 1]


def graph_of(screens, start="home"):
    """From {screen: (labels, {action: screen})}. Screens are alike whose names differ only in a number."""
    return decode(
        {
            "format": "untrod-screens",
            "version": 1,
            "start": start,
            "screens": {
                name: {
                    "id": name.rstrip("0123456789"),
                    "attrs": attrs,
                    "actions": [
                        {"type": "click", "detail": detail, "to": to} for detail, to in actions.items()
                    ],
                }
                for name, (attrs, actions) in screens.items()
            },
        }
    )


def test_it_tries_first_what_stands_on_a_screen_that_shows_a_part_of_the_goal():
    """Four lists have ten icons each. One icon on one of them does it; nothing else tells the lists apart."""
    lists = {name: ({"activity": f"/{name}/"}, {f"{name} {n}": name for n in range(10)}) for name in "stuv"}
    lists["v"][1]["v 10"] = "done"
    done = ({"activity": "/v/", "text": "deleted"}, {})
    graph = graph_of({"home": ({"activity": "/"}, {each: each for each in lists}), **lists, "done": done})
    goal = "F ([activity ~ /v/] & [text ~ deleted])"
    found = [cost(agent_of(graph, goal, "planner", seed, steps=4)) for seed in range(20)]
    assert all(satisfied for _, satisfied in found)
    assert mean(steps for steps, _ in found) < 14


def test_it_goes_the_short_way_to_where_a_detour_has_led():
    """`add` was first taken after two switches, with no step left for `save`; the list without switches looks
    the same, and has it as well."""
    screens = {
        "home": ({}, {"list": "list1"}),
        "list1": ({}, {"one": "list2", "add": "form"}),
        "list2": ({}, {"two": "list3", "add": "form"}),
        "list3": ({}, {"add": "form"}),
        "form": ({}, {"title": "titled", **{f"word {n}": "form" for n in range(4)}}),
        "titled": ({}, {"text": "filled"}),
        "filled": ({}, {"save": "saved"}),
        "saved": ({"text": "saved"}, {}),
    }
    graph = graph_of(screens)
    driver = RecordingDriver(ModelDriver(graph))
    screen = driver.reset()
    for detail in ("list", "one", "two", "add", "title", "text"):
        (action,) = [each for each in driver.actions(screen) if each.detail == detail]
        screen = driver.step(action).screen
    driver.actions(screen)
    agent = agent_of(graph, "F [text ~ saved]", "planner", 1, known=driver.graph, steps=6)
    assert [action.detail for action in agent.episode().actions][:2] == ["list", "add"]
