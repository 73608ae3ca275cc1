"""What is to be shown or broken: from formulas, files and scenarios, checked before anything starts."""

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.gui.specs import DEFAULTS, Spec, read_specs

ABOUT = """\
# About can be reached

F [text ~ About]

# and be left again, which takes
# a formula of two lines
F ([text ~ About]
   & X [actionType = back])
"""
FEATURE = """\
Feature: notes
  Scenario: saving
    When I click "Save"
    Then "saved" is shown
  @always
  Scenario: cancelling
    When I click "Cancel"
    Then "milk" is not shown
"""


def test_without_any_there_are_properties_to_be_broken(tmp_path):
    specs = read_specs([], violate=False, folder=tmp_path)
    assert [(spec.name, spec.text, spec.violate) for spec in specs] == [
        (name, text, True) for name, text in DEFAULTS.items()
    ]


def test_a_file_has_formulas_between_blank_lines_and_a_comment_names_one(tmp_path):
    (tmp_path / "about.ltl").write_text(ABOUT)
    first, second = read_specs(["about.ltl"], violate=False, folder=tmp_path)
    assert (first.text, first.violate) == ("F [text ~ About]", False)
    assert second.text == "F ([text ~ About] & X [actionType = back])"
    assert second.name == "and be left again, which takes"


def test_a_scenario_is_to_be_shown_and_a_rule_to_be_broken(tmp_path):
    (tmp_path / "notes.feature").write_text(FEATURE)
    saving, cancelling = read_specs(["notes.feature"], violate=False, folder=tmp_path)
    assert (saving.name, saving.violate, cancelling.violate) == ("saving", False, True)


def test_the_same_twice_is_once(tmp_path):
    assert len(read_specs(["F [text ~ a]", "F  [text ~ a]"], violate=False, folder=tmp_path)) == 1


@pytest.mark.parametrize(
    ("spec", "steps", "line"),
    [
        (Spec("G [text ~ a] & F ![text ~ a]"), 8, "no trace satisfies .* it contradicts itself"),
        (Spec("F ([text ~ a] | ![text ~ a])", violate=True), 8, "nothing can break .* it always holds"),
        (Spec("X X X [text ~ a]"), 2, "takes at least 3 steps, and an episode has 2"),
        (Spec("G ([text ~ a] -> N N N [text ~ b])", violate=True), 2, "to break .* takes at least 3 steps"),
    ],
)
def test_what_cannot_be_found_is_refused(spec, steps, line):
    with pytest.raises(UntrodError, match=line):
        spec.check(steps)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("F [text ~", "F "),
        ("missing.ltl", "cannot read missing.ltl: No such file"),
        ("empty.ltl", "empty.ltl: there is no formula in it"),
        ("bad.ltl", "bad.ltl: "),
    ],
)
def test_mistakes_are_one_line_that_names_the_place(tmp_path, text, line):
    (tmp_path / "empty.ltl").write_text("# nothing\n")
    (tmp_path / "bad.ltl").write_text("F & G")
    with pytest.raises(UntrodError, match=line):
        read_specs([text], violate=False, folder=tmp_path)
