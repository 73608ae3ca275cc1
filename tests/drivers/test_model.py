"""A screen graph behaves like an application, and recording one from it gives the same graph."""

from collections import Counter
from random import Random

import pytest
from chess import CHESS

from untrod.core.errors import UntrodError
from untrod.drivers.graph import ScreenGraph
from untrod.drivers.graph_reader import decode
from untrod.drivers.labels import action_labels, screen_labels
from untrod.drivers.model import ModelDriver, UnknownStep
from untrod.drivers.protocol import Action, Driver, Event, Screen, StepOutcome, Widget
from untrod.drivers.recording import RecordingDriver
from untrod.testing.drivers import check_closing, check_driver

ABOUT, PLAY, IDLE = (
    Action("click", ("text", "About"), "", "About"),
    Action("click", detail="Play"),
    Action("idle"),
)
BACK = Action("back")


@pytest.fixture
def chess():
    return ModelDriver(decode(CHESS))


def walk(driver: Driver, steps: int, seed: int = 0) -> list[str]:
    """At random, ten steps an episode."""
    random, seen = Random(seed), []
    for number in range(steps):
        if number % 10 == 0:
            screen = driver.reset()
        screen = driver.step(random.choice(driver.actions(screen))).screen
        seen.append(screen.concrete_id)
    driver.close()
    return seen


def test_about_and_back(chess):
    assert chess.reset().concrete_id == "main"
    step = chess.step(ABOUT)
    assert (step.outcome, step.screen.id, step.ms) == (StepOutcome.OK, "text page", 20)
    assert chess.step(BACK).screen.concrete_id == "main"


def test_only_what_was_tried_is_offered(chess):
    main = chess.reset()
    assert chess.actions(main) == (ABOUT, PLAY)
    assert ModelDriver(chess.graph, untried=True).actions(main) == (ABOUT, PLAY, IDLE)


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (IDLE, "screen main: idle was never tried"),
        (Action("click", detail="Quit"), 'click "Quit" is not offered'),
    ],
)
def test_an_unknown_step_is_an_error_and_never_silence(chess, action, why):
    chess.reset()
    with pytest.raises(UnknownStep) as caught:
        chess.step(action)
    assert why in caught.value.message
    assert "record more" in caught.value.hint


def test_a_model_has_to_be_reset_first(chess):
    with pytest.raises(UnknownStep, match="reset before its first step"):
        chess.step(ABOUT)
    chess.reset()
    chess.close()
    with pytest.raises(UnknownStep, match="reset before its first step"):
        chess.step(ABOUT)


def test_what_was_seen_to_vary_varies_as_often_as_it_was_seen():
    driver = ModelDriver(decode(CHESS), seed=1)
    outcomes = Counter()
    for _ in range(400):
        driver.reset()
        step = driver.step(PLAY)
        outcomes[step.outcome] += 1
        if step.outcome is StepOutcome.TIMEOUT:
            assert step.screen.events == (Event("console-error", "no opponent"),)
    assert 60 < outcomes[StepOutcome.TIMEOUT] < 140
    assert not driver.capabilities.deterministic


def test_events_belong_to_the_step_and_not_to_the_screen():
    driver = ModelDriver(decode(CHESS), seed=1)
    driver.reset()
    while driver.step(PLAY).outcome is not StepOutcome.TIMEOUT:
        driver.reset()
    assert driver.reset().events == ()


def test_the_same_seed_walks_the_same_way():
    assert walk(ModelDriver(decode(CHESS), seed=3), 200) == walk(ModelDriver(decode(CHESS), seed=3), 200)
    assert walk(ModelDriver(decode(CHESS), seed=3), 200) != walk(ModelDriver(decode(CHESS), seed=4), 200)


def test_resets_by_level():
    driver = ModelDriver(decode(CHESS | {"start": {"hard": "about"}}))
    assert driver.capabilities.resets == {"hard"}
    assert driver.reset("hard").concrete_id == driver.reset("soft").concrete_id == "about"


def test_a_graph_without_a_start_is_refused():
    with pytest.raises(UntrodError, match="no start"):
        ModelDriver(ScreenGraph())


def test_an_action_of_another_session_is_found_again_by_its_name(chess):
    chess.reset()
    assert chess.resolve(ABOUT) is ABOUT
    assert chess.resolve(Action("click", ("role", "link"), "", "About")) == ABOUT
    assert chess.resolve(Action("click", detail="Quit")) is None


def test_an_ambiguous_name_is_not_guessed():
    twice = [{"type": "click", "target": ["id", n], "detail": "OK", "to": "a"} for n in "12"]
    graph = decode(CHESS | {"start": "a", "screens": {"a": {"actions": twice}}})
    driver = ModelDriver(graph)
    driver.reset()
    assert driver.resolve(Action("click", detail="OK")) is None


def test_recording_a_model_gives_the_model():
    graph = decode(CHESS)
    recorder = RecordingDriver(ModelDriver(graph, seed=5))
    walk(recorder, 300)
    recorder.reset("hard")
    assert recorder.graph.screens == graph.screens
    assert recorder.graph.starts == graph.starts
    for place, actions in recorder.graph.edges.items():
        for action, edges in actions.items():
            assert {(edge.to, edge.outcome, edge.events, edge.ms) for edge in edges} == {
                (edge.to, edge.outcome, edge.events, edge.ms) for edge in graph.edges[place][action]
            }
    assert sum(edge.times for edges in recorder.graph.edges["main"].values() for edge in edges) > 100


def test_a_recorded_screen_has_no_events_of_the_step_that_led_there():
    recorder = RecordingDriver(ModelDriver(decode(CHESS), seed=1))
    recorder.reset()
    while recorder.step(PLAY).outcome is not StepOutcome.TIMEOUT:
        recorder.reset()
    assert recorder.graph.screens["main"].events == ()


def test_what_was_offered_and_never_taken_is_remembered_as_untried():
    recorder = RecordingDriver(ModelDriver(decode(CHESS)))
    recorder.actions(recorder.reset())
    recorder.step(ABOUT)
    assert recorder.graph.edges["main"][PLAY] == []
    assert ModelDriver(recorder.graph).actions(recorder.reset()) == (ABOUT,)


def test_a_recording_can_be_continued():
    first = RecordingDriver(ModelDriver(decode(CHESS)))
    first.reset()
    first.step(ABOUT)
    second = RecordingDriver(ModelDriver(decode(CHESS)), first.graph)
    second.reset()
    second.step(ABOUT)
    second.step(BACK)
    assert [edge.times for edge in second.graph.edges["main"][ABOUT]] == [2]
    assert second.graph.edges["about"][BACK]


def test_a_recorder_is_otherwise_the_driver_that_it_wraps(chess):
    recorder = RecordingDriver(chess)
    assert recorder.capabilities == chess.capabilities
    recorder.reset()
    assert recorder.resolve(ABOUT) is ABOUT
    recorder.close()
    with pytest.raises(UnknownStep):
        chess.step(ABOUT)


def test_labels_of_screens_and_actions():
    screen = Screen(
        "s",
        "s1",
        {"activity": ("Main",), "text": ("Title",)},
        (
            Widget("checkbox", "Sound", attrs={"checked": "true"}),
            Widget("image", "", attrs={"checked": "false"}),
        ),
        (Event("http-error", "500"),),
    )
    assert screen_labels(screen) == {
        "activity": ["Main"],
        "text": ["Title", "Sound"],
        "checked": ["true", "false"],
        "event": ["http-error"],
        "eventText": ["500"],
    }
    assert screen.attrs["text"] == ("Title",)
    assert action_labels(Action("text", ("objectID", "0:1"), "Ann", "Name")) == {
        "actionType": ["text"],
        "actionDetail": ["Name"],
        "actionValue": ["Ann"],
        "actionObjectID": ["0:1"],
    }


def test_a_formula_can_be_followed_over_a_model():
    from untrod.ltl import Letter, Monitor, parse

    driver = ModelDriver(decode(CHESS))
    monitor = Monitor(parse("X ([actionDetail ~ About] & [activity ~ About] & X [activity ~ Main])"))
    monitor.read(Letter.of({**action_labels(Action("reinitialize")), **screen_labels(driver.reset())}))
    for action in (ABOUT, BACK):
        step = driver.step(action)
        monitor.read(Letter.of(action_labels(action) | screen_labels(step.screen), elapsed=step.ms))
    assert monitor.end().verdict == "satisfied"


def test_it_keeps_the_promises_of_a_driver(chess):
    assert check_driver(chess) == ()
    check_closing(chess)
