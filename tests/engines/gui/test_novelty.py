"""What an action promises before anybody has tried it."""

from untrod.drivers.protocol import Action, Screen, Widget
from untrod.engines.gui.explorers.novelty import FORM, PLAIN, REST, NoveltyEstimate
from untrod.ltl import parse

NOTHING = parse("F [text ~ 7]")


def widget(role, name, **attrs):
    return Widget(role, name, (("role", role),), attrs)


def act(kind, role, name, value=""):
    return Action(kind, ("role", role), value, name)


TITLE, SAVE, MENU = (
    act("type", "textbox", "Title", "milk"),
    act("click", "button", "Save"),
    act("click", "button", "Menu"),
)
OTHER = act("type", "textbox", "Title", "bread")
SIZE = act("select", "combobox", "Size", "large")
BACK = Action("back")


def form(title="", size=""):
    filled = {"value": title} if title else {}
    return Screen(
        "form",
        f"form {title} {size}",
        widgets=(
            widget("button", "Menu"),
            widget("textbox", "Title", required="true", **filled),
            widget("combobox", "Size", required="true", value=size or "------"),
            widget("button", "Save"),
        ),
    )


def ranks(screen, *actions, formula=NOTHING):
    estimate = NoveltyEstimate(formula)
    return [estimate.of(screen, actions, action) for action in actions]


def test_required_fields_come_first_one_after_the_other_and_then_the_buttons_behind_them():
    asked = (MENU, TITLE, SIZE, SAVE)
    assert ranks(form(), *asked) == [PLAIN, FORM, FORM + 1, PLAIN]
    assert ranks(form("milk"), *asked) == [PLAIN, REST, FORM, PLAIN]
    assert ranks(form("milk", "large"), *asked) == [PLAIN, REST, REST, FORM]


def test_a_select_that_nothing_is_chosen_in_comes_soon_and_holds_nothing_up():
    select = widget("combobox", "Size", value="- size -")
    screen = Screen(
        "s", "s", widgets=(select, widget("textbox", "Title", value="milk"), widget("button", "Save"))
    )
    assert ranks(screen, SIZE, SAVE, MENU) == [FORM + 1, FORM, PLAIN]


def test_of_the_words_for_a_field_the_first_counts_and_going_back_comes_last():
    assert ranks(form(), TITLE, OTHER, BACK) == [FORM, REST, REST]


def test_enter_sends_a_form_that_something_was_typed_into():
    enter, escape = Action("key", None, "Enter"), Action("key", None, "Escape")
    assert ranks(form(), enter, escape) == [REST, REST]
    assert ranks(form("milk"), enter, escape) == [FORM + 1, REST]


def test_of_a_list_that_something_has_to_be_chosen_from_the_first_entry_counts():
    screen = Screen(
        "s",
        "s",
        widgets=(
            widget("listbox", "Sites", required="true"),
            widget("option", "one"),
            widget("option", "two"),
            widget("button", "Save"),
        ),
    )
    one, two = act("click", "option", "one"), act("click", "option", "two")
    assert ranks(screen, one, two) == [FORM, REST]


def test_words_that_the_formula_has_too_count_whatever_their_ending():
    add, change = act("click", "link", "Add groups"), act("click", "link", "Change")
    wanted = parse('F ([text ~ "was added"] & [activity ~ /auth/group/])')
    assert ranks(Screen("s", "s"), add, change, formula=wanted) == [PLAIN - 2, PLAIN]


def test_an_action_that_a_screen_offers_later_is_judged_as_well():
    estimate, screen = NoveltyEstimate(NOTHING), Screen("s", "s")
    assert estimate.of(screen, (BACK,), BACK) == REST
    assert estimate.of(screen, (BACK, MENU), MENU) == PLAIN
