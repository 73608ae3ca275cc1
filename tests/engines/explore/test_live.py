"""Exploring an app that is running: by what its actions are called, under a budget of steps."""

from __future__ import annotations

from statistics import fmean

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.graph import ScreenGraph
from untrod.drivers.model import ModelDriver
from untrod.drivers.protocol import Action, Event, Screen, Step, StepOutcome
from untrod.drivers.recording import RecordingDriver
from untrod.engines.explore.live.screen_map import Label
from untrod.engines.explore.live.walk import WAYS, NoveltyEstimate, ScreenWalk

MENU = ("Home", "About", "Help", "Settings")


def app(links: dict[str, dict[str, str]]) -> ScreenGraph:
    """Screens by name, and where their links lead, by what they are called."""
    graph = ScreenGraph()
    screens = {name: Screen(name, name) for name in links}
    for level in ("soft", "hard"):
        graph.start(level, screens[next(iter(links))])  # type: ignore[arg-type]
    for name, clicks in links.items():
        graph.offer(screens[name], ())
        for called, to in clicks.items():
            graph.walk(name, Step(Action("click", detail=called), StepOutcome.OK, screens[to]))
    return graph


def with_a_menu(pages: int) -> ScreenGraph:
    """Every page has the whole menu, and one link to the next page."""
    menu = {called: called for called in MENU}
    chain = {f"page {n}": {**menu, f"Page {n + 1}": f"page {min(n + 1, pages)}"} for n in range(1, pages + 1)}
    return app({"Home": {**menu, "Page 1": "page 1"}, **dict.fromkeys(MENU[1:], menu), **chain})


def test_a_small_app_is_explored_completely_and_then_it_is_done() -> None:
    driver = RecordingDriver(ModelDriver(app({"a": {"on": "b", "stay": "a"}, "b": {"back": "a"}})))
    found = ScreenWalk(driver, 50).run()
    assert list(found.screens.visits) == ["a", "b"]
    assert found.steps == len(found.growth) < 6
    assert found.growth[-1] == 2
    assert driver.graph.edges.keys() == {"a", "b"}


def test_a_sink_is_left_by_a_reset_which_is_a_step() -> None:
    found = ScreenWalk(ModelDriver(app({"a": {"x": "sink", "y": "b"}, "sink": {}, "b": {}})), 3).run()
    assert set(found.screens.visits) == {"a", "sink", "b"}
    assert (found.steps, found.resets) == (3, 1)


def test_steps_are_a_limit_for_ways_too() -> None:
    """b is two steps away, by a reset and a link: with two steps in all it is out of reach."""
    found = ScreenWalk(ModelDriver(app({"a": {"x": "sink", "y": "b"}, "sink": {}, "b": {}})), 2).run()
    assert (found.steps, found.resets) == (1, 0)


def test_a_link_of_the_menu_promises_nothing_on_the_next_screen() -> None:
    promise = NoveltyEstimate()
    settings, fresh = Label("click", "link", "Settings"), Label("click", "link", "Page 2")
    assert promise.of(settings) == promise.of(fresh) == 0.5
    promise.learn(settings, True)
    promise.learn(settings, False)
    promise.learn(settings, False)
    assert promise.of(settings) < 0.35 < promise.of(fresh)


def test_words_speak_for_names_nobody_has_tried() -> None:
    promise = NoveltyEstimate()
    for number in range(3):
        promise.learn(Label("click", "link", f"Page {number}"), True)
        promise.learn(Label("click", "link", f"Help on {number}"), False)
    assert promise.of(Label("click", "link", "Page 9")) > 0.6
    assert promise.of(Label("click", "link", "Help on 9")) < 0.4


def test_labels_find_more_than_the_graph_alone() -> None:
    graph = with_a_menu(12)

    def screens(way: str) -> float:
        return fmean(
            len(ScreenWalk(ModelDriver(graph), 25, way, seed).run().screens.visits) for seed in range(8)
        )

    by_labels, by_distance, by_chance = map(screens, WAYS)
    assert by_labels > by_distance + 2
    assert by_distance > by_chance


def test_the_same_seed_walks_the_same_way() -> None:
    graph = with_a_menu(6)
    one, two = (ScreenWalk(ModelDriver(graph), 20, seed=3).run() for _ in range(2))
    assert (one.screens.visits, one.growth) == (two.screens.visits, two.growth)


class Moody(ModelDriver):
    """Crashes on "burn", and offers "gone" only before the first step."""

    stepped = False

    def actions(self, screen: Screen) -> list[Action]:
        return [each for each in super().actions(screen) if not (self.stepped and each.detail == "gone")]

    def step(self, action: Action) -> Step:
        self.stepped = True
        step = super().step(action)
        if action.detail == "burn":
            event = Event("crash", "the page is gone")
            return Step(action, StepOutcome.CRASHED, Screen("dead", "dead", events=(event,)), 1)
        return step


def test_a_crash_is_told_and_the_walk_goes_on_from_the_start() -> None:
    driver = Moody(app({"a": {"burn": "a", "gone": "b", "on": "c"}, "b": {}, "c": {}}))
    found = ScreenWalk(driver, 9, "frontier", seed=1).run()
    assert found.events == ['click "burn": crash the page is gone']
    assert found.resets > 0
    assert "c" in found.screens.visits


def test_an_unknown_way_is_named() -> None:
    with pytest.raises(UntrodError, match="there is no way 'dfs' to explore an app"):
        ScreenWalk(ModelDriver(app({"a": {}})), 1, "dfs")
