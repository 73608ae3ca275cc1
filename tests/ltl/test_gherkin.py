"""Given, When, Then become formulas; formulas become sentences."""

import pytest

from untrod.core.errors import UntrodError
from untrod.ltl import Letter, judge, parse, read_gherkin, sentence
from untrod.ltl.gherkin import read_phrase

ABOUT = """
Feature: getting around
  A chess game.

  Scenario: About and back
    Given I am on "Main"
    When I click "About"
    Then I am on "About"
    When I go back
    Then I am on "Main"
    And "Play" is shown
"""


def formulas(source):
    return [str(scenario.formula()) for scenario in read_gherkin(source)]


def test_a_scenario_is_something_to_be_shown():
    assert formulas(ABOUT) == [
        "F ([activity ~ Main] & X ([actionType = click] & [actionDetail ~ About] & [activity ~ About]"
        " & X ([actionType = back] & [activity ~ Main] & [text ~ Play])))"
    ]


def test_and_a_trace_shows_it():
    (scenario,) = read_gherkin(ABOUT)
    main = {"activity": "MainActivity", "text": ["Play"]}
    word = [
        Letter.of({**main, "actionType": "reinitialize"}),
        Letter.of({"activity": "About", "actionType": "click", "actionDetail": "About"}),
        Letter.of({**main, "actionType": "back"}),
    ]
    assert judge(scenario.formula(), word).verdict == "satisfied"
    assert judge(scenario.formula(), word[:2]).verdict == "violated"


def test_a_rule_must_hold_whenever_it_applies():
    assert formulas(
        """
        @always
        Scenario: a cancelled note is not kept
          Given [activity ~ Main]
          When I click "New"
          And I go back
          Then never "Untitled" is shown
        """
    ) == [
        "G ([activity ~ Main] -> N ([actionType = click] & [actionDetail ~ New]"
        " -> N ([actionType = back] -> G ![text ~ Untitled])))"
    ]


@pytest.mark.parametrize(
    ("steps", "formula"),
    [
        ('Then I see "Saved"', "F [text ~ Saved]"),
        ('When I go back\nThen eventually I see "Saved"', "F ([actionType = back] & F [text ~ Saved])"),
        ('Given [a = 1]\nThen within 3 steps [b = 1]', "F ([a = 1] & F[<=3] [b = 1])"),
        ("When [a=1]\nThen within 2 s [b=1]\nWhen [c=1]", "F ([a = 1] & F[<=2s] ([b = 1] & X [c = 1]))"),
        ('When [a = 1]\nThen always [b = 1]\nBut never [c = 1]', "F ([a = 1] & G [b = 1] & G ![c = 1])"),
        ("Given [a=1]\nAnd [b=1]\nWhen [c=1]\n* [d=1]", "F ([a = 1] & [b = 1] & X ([c = 1] & X [d = 1]))"),
    ],
)  # fmt: skip
def test_steps(steps, formula):
    assert formulas(f"Scenario: s\n{steps}") == [formula]
    assert formulas(f"Feature: f\nExample: s\n{steps}\n# done") == [formula]


def test_a_background_belongs_to_every_scenario():
    source = "Background:\nGiven [a=1]\nScenario: x\nThen [b=1]\n@always\nScenario: y\nWhen [c=1]\nThen [d=1]"
    assert formulas(source) == ["F ([a = 1] & [b = 1])", "G ([a = 1] -> N ([c = 1] -> [d = 1]))"]


@pytest.mark.parametrize(
    ("phrase", "formula"),
    [
        ('"Saved" is shown', "[text ~ Saved]"),
        ('the text "Saved" is not visible.', "![text ~ Saved]"),
        ('we do not see "x"', "![text ~ x]"),
        ('the user is on the "Main" screen', "[activity ~ Main]"),
        ('the checked is "true"', "[checked = true]"),
        ('the title is not "Home"', "![title = Home]"),
        ('url contains "done"', "[url ~ done]"),
        ('the url does not contain "done"', "![url ~ done]"),
        ('the user clicks on the "About" button', "[actionType = click] & [actionDetail ~ About]"),
        (
            'I type "Ann" into the "Name" field',
            "[actionType = text] & [actionDetail ~ Name] & [actionValue = Ann]",
        ),
        ('I press "Enter"', "[actionType = key] & [actionValue = Enter]"),
        ("the user goes back", "[actionType = back]"),
        ("I pause and resume", "[actionType = pauseresume]"),
        ('I swipe "List"', "[actionType = swipe] & [actionDetail ~ List]"),
        ("[a = 1] | [b = 1]", "[a = 1] | [b = 1]"),
    ],
)
def test_phrases(phrase, formula):
    assert str(read_phrase(phrase)) == formula


@pytest.mark.parametrize(
    ("source", "message", "hint"),
    [
        ("", "there is no scenario", "write Scenario:"),
        ("Feature: x", "there is no scenario", "write Scenario:"),
        ("Scenario: x\nGiven [a = 1]", "line 1: the scenario shows nothing", "add a When or a Then"),
        ("Scenario: x\nThen all is well", "line 2: cannot make sense of: all is well", '"Saved" is shown'),
        ("Scenario: x\nAnd [a = 1]", "line 2: And what?", "begin with Given, When or Then"),
        ("Scenario: x\nWhen [a = 1]\nGiven [b = 1]", "line 3: a Given comes before", "another scenario"),
        ("Scenario: x\nWhen [a = 1]\nOtherwise [b = 1]", "line 3: Otherwise", "begins with Given"),
        ("Scenario Outline: x", "line 1: outlines", "write each scenario out"),
        ("Scenario: x\nThen [a = 1] => [b = 1]", "line 2: column 9: => is not an operator", "write ->"),
        ("Background:\nWhen [a = 1]", "line 2: a background has only Given", "move this step"),
    ],
)
def test_mistakes_are_told_with_their_line(source, message, hint):
    with pytest.raises(UntrodError) as caught:
        formulas(source)
    assert caught.value.message.startswith(message)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("formula", "english"),
    [
        ("F [text ~ Saved]", 'Eventually "Saved" is shown.'),
        ("G ![text ~ Error]", 'Never "Error" is shown.'),
        ("G !([text ~ a] & [text ~ b])", 'Never ("a" is shown and "b" is shown).'),
        ("[a = 1] U[<=3] [url ~ done]", 'The a is "1" until within 3 steps the url contains "done".'),
        ("G ([text ~ a] -> F[<=2s] [text ~ b])",
         'Always (if "a" is shown, then within 2 seconds "b" is shown).'),
        ("X [actionType = a] | ![b ~ x]",
         'Either at the next step the action is "a" or the b does not contain "x".'),
        ("[a = 1] R [b = 1]", 'The b is "1", up to the step where the a is "1".'),
        ("[a = 1] W [b = 1]", 'The a is "1" until the b is "1", if that ever happens.'),
        ("G[<=1s] N [a = 1]", 'For 1 second at the next step, if there is one, the a is "1".'),
        ("!(X true) & true & unknown", "This is the last step, and nothing is asked for, and nobody knows."),
        ("!F ([actionDetail ~ OK] | [a = 1])",
         'It is not so that eventually (either the action is on "OK" or the a is "1").'),
    ],
)  # fmt: skip
def test_sentences(formula, english):
    assert sentence(parse(formula)) == english
