"""A screen graph as one SVG file: every screen once, what leads where, and nothing that could do harm."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from untrod.drivers.graph_reader import decode, load_graph
from untrod.output.graph_picture import picture

SIMULATIONS = Path(__file__).parents[2] / "examples" / "simulations"
EVIL = "</title><script>alert(1)</script>"


def graph(**screens):
    return decode({"format": "untrod-screens", "version": 1, "start": "main", "screens": screens})


def texts(svg, tag):
    found = ElementTree.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{tag}")
    return ["".join(each.itertext()) for each in found]


def test_screens_that_look_alike_are_one_box_and_a_line_names_its_actions():
    svg = picture(
        graph(
            main={"id": "list", "attrs": {"heading": "Notes"}, "actions": [{"type": "back", "to": "about"}]},
            more={"id": "list", "actions": [{"type": "click", "detail": "x", "to": "about"}]},
            about={"attrs": {"heading": "About"}, "actions": [{"type": "back", "to": "main"}]},
            lost={"actions": []},
        )
    )
    assert [text for text in texts(svg, "text") if text in ("Notes", "About", "lost")] == [
        "Notes",
        "About",
        "lost",
        "lost",
    ]
    assert "list, 2 states" in texts(svg, "text")
    assert texts(svg, "path") == ['back, click "x"', "back"]


def test_what_an_application_says_stays_text():
    svg = picture(
        graph(main={"attrs": {"heading": EVIL}, "actions": [{"type": EVIL, "to": "other"}]}, other={})
    )
    assert "<script" not in svg
    assert any(EVIL[:10] in text for text in texts(svg, "path"))


@pytest.mark.parametrize("name", ["chesswalk", "notes"])
def test_the_simulations_can_be_drawn_and_come_out_the_same(name):
    one, two = (picture(load_graph(SIMULATIONS / f"{name}.json")) for _ in range(2))
    assert one == two
    assert len(texts(one, "rect")) > 5


def test_visits_are_written_into_the_boxes_and_shade_them() -> None:
    graph = load_graph(SIMULATIONS / "notes.json")
    svg = picture(graph, {"welcome": 4, "launcher": 1})
    assert "4 visits" in svg
    assert "1 visit<" in svg
    assert 'style="fill:hsl(210,60%,55%)"' in svg  # the darkest
    assert 'style="fill:hsl(210,60%,100%)"' in svg  # never visited


def test_screenshots_stand_in_their_boxes() -> None:
    graph = load_graph(SIMULATIONS / "notes.json")
    svg = picture(graph, shots={"welcome": 'data:image/png;base64,AAAA"<', "nowhere": "data:,"})
    [shown] = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}image")
    assert shown.get("href") == 'data:image/png;base64,AAAA"<'
    assert "<image" not in picture(graph)
