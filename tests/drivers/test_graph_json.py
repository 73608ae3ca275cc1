"""Screen graphs as JSON: what is written is read back, and what is wrong is told by its place."""

import copy
import json

import pytest
from chess import CHESS

from untrod.core.errors import UntrodError
from untrod.drivers.graph import Edge, ScreenGraph
from untrod.drivers.graph_reader import decode, load_graph, read_graph
from untrod.drivers.graph_writer import encode, write_graph
from untrod.drivers.protocol import Action, Event, Screen, StepOutcome, Widget


def test_a_graph_is_read():
    graph = decode(CHESS)
    main = graph.screens["main"]
    assert (main.id, main.concrete_id) == ("main", "main")
    assert main.attrs == {"activity": ("MainActivity",), "text": ("Play", "About")}
    assert main.widgets == (
        Widget("button", "Play", (("objectID", "0:1"),), {"enabled": "true"}, (0, 10, 80, 20)),
    )
    assert graph.screens["about"].id == "text page"
    assert graph.starts == {"soft": "main", "hard": "main"}
    assert graph.edges["main"] == {
        Action("click", ("text", "About"), "", "About"): [Edge("about", ms=20)],
        Action("click", detail="Play"): [
            Edge("game", ms=40, times=3),
            Edge("main", StepOutcome.TIMEOUT, (Event("console-error", "no opponent"),)),
        ],
        Action("idle"): [],
    }


def test_what_is_written_is_read_back():
    graph = decode(CHESS)
    assert read_graph(write_graph(graph)) == graph
    assert decode(encode(graph)) == graph


def test_resets_may_lead_to_different_screens():
    body = CHESS | {"start": {"hard": "about", "soft": "main"}}
    graph = decode(body)
    assert graph.starts == {"soft": "main", "hard": "about"}
    assert read_graph(write_graph(graph)) == graph


@pytest.mark.parametrize("text", ["größe", "\u2028", "\ud83d", 'quo"te\\'])
def test_any_text_survives(text, tmp_path):
    graph = ScreenGraph(text)
    screen = Screen("a", "a", {"text": (text,)})
    graph.start("soft", screen)
    graph.offer(screen, [Action("text", ("text", text), text, text)])
    path = tmp_path / "graph.json"
    path.write_text(write_graph(graph), encoding="utf-8")
    assert load_graph(path) == graph


def changed(*keys, to):
    """The chess graph with one value replaced, or removed where `to` is ..."""
    body = copy.deepcopy(CHESS)
    place = body
    for key in keys[:-1]:
        place = place[key]
    if to is ...:
        del place[keys[-1]]
    else:
        place[keys[-1]] = to
    return body


MAIN = ("screens", "main")
ABOUT = (*MAIN, "actions", 0)


@pytest.mark.parametrize(
    ("body", "message", "hint"),
    [
        (None, "should be an object, is null", "write {"),
        ([], "should be an object, is a list", "write {"),
        (changed("format", to="x"), "format: this is not untrod-screens", "path of a graph"),
        (changed("version", to=2), "version: only version 1 is understood", "record it again"),
        (changed("start", to=...), '"start" is missing', 'add "start"'),
        (changed("start", to="mian"), 'start: there is no screen "mian"', 'did you mean "main"?'),
        (changed("start", to={}), "start: a reset leads nowhere", "the key of a screen"),
        (changed("start", to={"medium": "main"}), "start.medium: nobody knows", "soft, hard"),
        (changed("screens", to=[]), "screens: should be an object, is a list", "write {"),
        (changed("sreens", to={}), "sreens: nobody knows this name", 'did you mean "screens"?'),
        (
            changed(*MAIN, "attrs", "text", to=3),
            "screens.main.attrs.text: should be a list, is a number",
            "[",
        ),
        (changed(*MAIN, "attrs", "text", to=["a", 3]), "screens.main.attrs.text[1]: should be a text", '"3"'),
        (changed(*MAIN, "widgets", 0, "role", to=...), 'screens.main.widgets[0]: "role" is missing', "add"),
        (changed(*MAIN, "widgets", 0, "box", to=[1]), "screens.main.widgets[0].box: a box has four", "left"),
        (changed(*MAIN, "actions", to={}), "screens.main.actions: should be a list, is an object", "["),
        (
            changed(*ABOUT, "to", to="abuot"),
            'screens.main.actions[0].to: there is no screen "abuot"',
            '"about"',
        ),
        (changed(*ABOUT, "to", to=7), "screens.main.actions[0].to: should be a list, is a number", "["),
        (changed(*ABOUT, "typ", to="x"), "screens.main.actions[0].typ: nobody knows", '"type"'),
        (changed(*ABOUT, "target", to=["x"]), "screens.main.actions[0].target: a locator has two", "About"),
        (
            changed(*ABOUT, "ms", to=-1),
            "screens.main.actions[0].ms: should be a whole number, 0",
            "0 or more",
        ),
        (changed(*ABOUT, "ms", to=True), "screens.main.actions[0].ms: should be a whole number", "0 or more"),
        (
            changed(*ABOUT, "outcome", to="okay"),
            'screens.main.actions[0].outcome: there is no "okay"',
            '"ok"',
        ),
        (
            changed(*MAIN, "actions", 1, "to", 0, "times", to=0),
            "screens.main.actions[1].to[0].times: should be a whole number, 1",
            "1 or more",
        ),
        (
            changed(*MAIN, "actions", 2, to=CHESS["screens"]["main"]["actions"][0]),
            'screens.main.actions[2]: click "About" is there twice',
            "join the two",
        ),
    ],
)
def test_mistakes_are_told_by_their_place(body, message, hint):
    with pytest.raises(UntrodError) as caught:
        decode(body)
    assert caught.value.message.startswith(message)
    assert hint in caught.value.hint


def test_a_screen_that_is_there_twice_is_not_lost_without_a_word():
    with pytest.raises(UntrodError, match='"main" is there twice'):
        read_graph('{"screens": {"main": {}, "main": {}}}')


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "line 1, column 2: not JSON"),
        (b"", "line 1, column 1: not JSON"),
        (b"\xff\xfe", "is not text"),
        (b"[" * 100_000, "nested too deeply"),
        (json.dumps(changed("start", to="x")).encode(), 'start: there is no screen "x"'),
    ],
)
def test_a_file_is_named_with_what_is_wrong_in_it(content, message, tmp_path):
    path = tmp_path / "graph.json"
    path.write_bytes(content)
    with pytest.raises(UntrodError) as caught:
        load_graph(path)
    assert str(path) in caught.value.message
    assert message in caught.value.message


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UntrodError, match="No such file"):
        load_graph(tmp_path / "none.json")
