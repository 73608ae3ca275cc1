"""A chart can be read without colour, without a script, and without seeing it."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

from untrod.output.html.chart import Chart, Series, draw

TWO = (Series("valid", [(0, 0), (50, 30), (100, 80)]), Series("unique", [(0, 0), (100, 40)], "step"))


def drawn(*series: Series, **rest) -> ElementTree.Element:
    return ElementTree.fromstring(draw(Chart("Progress", "episodes", "inputs", series, **rest)))


def texts(figure: ElementTree.Element) -> list[str]:
    return [text for each in figure.iter("text") if (text := each.text)]


def paths(figure: ElementTree.Element, style: str) -> list[str]:
    return [each.attrib["d"] for each in figure.iter("path") if style in each.attrib.get("class", "").split()]


def test_axes_are_labelled_and_the_legend_names_last_values() -> None:
    shown = texts(drawn(*TWO))

    assert {"episodes", "inputs", "valid: 80", "unique: 40", "100", "80"} <= set(shown)


def test_series_differ_by_more_than_colour() -> None:
    figure = drawn(*TWO)
    markers = [set(paths(figure, f"s{number}")) & set(paths(figure, "dot")) for number in (0, 1)]

    assert all(markers)
    assert markers[0].isdisjoint(markers[1])


def test_steps_hold_until_they_grow() -> None:
    [_, legend] = paths(drawn(Series("n", [(0, 0), (50, 0), (100, 4)], "step")), "line")
    [steps, _] = paths(drawn(Series("n", [(0, 0), (50, 0), (100, 4)], "step")), "line")

    assert "L" not in steps
    assert len(re.findall("V", steps)) == 1
    assert legend != steps


def test_a_formula_is_a_line_without_measured_points() -> None:
    figure = drawn(Series("cost", [(1, 1), (2, 4)], "dots"), Series("fit", [(1, 1), (2, 4)], "curve", look=0))

    assert len(paths(figure, "dot")) == 2 + 1  # the points, and the legend's
    assert len(paths(figure, "line")) == 1 + 1
    assert "fit" in texts(figure)


def test_findings_are_flags_that_say_what_was_found() -> None:
    figure = drawn(*TWO, marks=((50, "episode 50: <boom>"), (1_000, "beyond")))
    told = [each.text for each in figure.iter("title")]

    assert "episode 50: <boom>" in told
    assert "beyond" not in told
    assert "a finding" in texts(figure)


def test_the_numbers_follow_as_a_table() -> None:
    cells = [each.text for each in drawn(*TWO).iter("td")]

    assert cells == ["0", "0", "50", "30", "100", "80", "0", "0", "100", "40"]


def test_what_is_no_number_is_left_out() -> None:
    figure = drawn(Series("n", [(0, 0), (1, math.nan), (2, math.inf), (2, 1e300), (3, 5)]))

    assert [each.text for each in figure.iter("td")] == ["0", "0", "3", "5"]


def test_nothing_to_show_is_no_picture() -> None:
    assert draw(Chart("t", "x", "y", ())) == ""
    assert draw(Chart("t", "x", "y", (Series("one", [(1, 1)]),))) == ""
    assert draw(Chart("t", "x", "y", (Series("flat", [(0, 0), (9, 0)]),))) != ""
