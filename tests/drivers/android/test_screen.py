"""Dumps become screens: names, labels, identities. The dumps were written by hand, in uiautomator's form."""

from __future__ import annotations

import pytest

from untrod.drivers.android.input import selector, xpath
from untrod.drivers.android.nodes import read_hierarchy
from untrod.drivers.android.screen import Snapshot, offers, screen_of
from untrod.drivers.labels import screen_labels
from untrod.drivers.words import Dictionary

APP = "com.demo"


def node(kind, *children, package=APP, bounds="[0,0][100,40]", **attributes):
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    given = {"class": f"android.widget.{kind}", "package": package, "bounds": bounds, **named}
    inside = " ".join(f'{name}="{value}"' for name, value in given.items())
    return f"<node {inside}>{''.join(children)}</node>"


def snapshot(*nodes, focus=APP, on=True, rotation=0):
    xml = f'<hierarchy rotation="0">{node("FrameLayout", *nodes)}</hierarchy>'
    return Snapshot(APP, focus, f"{APP}.Main", read_hierarchy(xml), on, rotation)


def names(seen):
    return [(handle.locator, handle.detail) for handle in seen.handles]


def row(title, *more):
    return node("LinearLayout", node("TextView", text=title), *more, clickable="true")


def test_a_resource_id_names_best_then_text_then_description_then_the_place():
    seen = snapshot(
        node("Button", text="OK", resource_id="com.demo:id/ok", clickable="true"),
        node("Button", text="Cancel", clickable="true"),
        node("ImageButton", content_desc="Navigate up", clickable="true"),
        node("ImageView", clickable="true"),
    )
    assert names(seen) == [
        (("resourceId", "com.demo:id/ok"), "OK"),
        (("text", "Cancel"), "Cancel"),
        (("description", "Navigate up"), "Navigate up"),
        (("objectID", "0:3"), ""),
    ]


def test_a_row_is_named_and_touched_by_the_text_in_it_but_not_by_its_own_buttons():
    delete = node("Button", text="Delete", clickable="true", bounds="[80,0][100,40]")
    seen = snapshot(row("Milk", delete))
    assert names(seen) == [(("text", "Milk"), "Milk"), (("text", "Delete"), "Delete")]
    assert seen.handles[0].place.role == "TextView"


def test_those_that_say_the_same_are_numbered_and_so_is_what_looks_like_a_number():
    seen = snapshot(row("Milk"), row("Milk"), row("Room #2"))
    assert [locator for locator, _ in names(seen)] == [
        ("text", "Milk #1"),
        ("text", "Milk #2"),
        ("text", "Room #2 #1"),
    ]
    assert [selector(locator) for locator, _ in names(seen)] == [
        {"text": "Milk"},
        {"text": "Milk", "instance": 1},
        {"text": "Room #2"},
    ]


def test_a_title_that_says_the_same_counts_where_instances_are_numbered():
    seen = snapshot(node("TextView", text="About"), node("Button", text="About", clickable="true"))
    assert names(seen) == [(("text", "About #2"), "About")]


def test_what_stands_in_a_field_is_its_value_and_not_its_name():
    field = node("EditText", text="milk", hint="Title", clickable="true")
    seen = snapshot(field)
    assert names(seen) == [(("objectID", "0:0"), "Title")]
    assert screen_labels(screen_of(seen))["value"] == ["milk"]
    assert (selector(("objectID", "0:0")), xpath("0:0")) == (None, "/hierarchy/*[1]/*[1]")


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ({"password": "true"}, "password"),
        ({"hint": "Your e-mail"}, "email"),
        ({"resource_id": "com.demo:id/search_src_text"}, "search"),
        ({"hint": "Title"}, "text"),
    ],
)
def test_what_is_typed_depends_on_what_the_field_seems_to_be_for(attributes, kind):
    found = offers(snapshot(node("EditText", **attributes)), Dictionary({"text": ["plain"]}))
    typed = tuple(action.value for action in found if action.type == "text")
    assert typed == Dictionary({"text": ["plain"]}).words(kind, "")


def test_neither_the_status_bar_nor_the_keyboard_belongs_to_the_application_but_a_permission_does():
    seen = snapshot(
        node("TextView", text="12:30", package="com.android.systemui"),
        node("Button", text="Q", package="com.some.keyboard", clickable="true"),
        node("Button", text="Allow", package="com.android.permissioncontroller", clickable="true"),
    )
    assert screen_of(seen).attrs["text"] == ("Allow",)
    assert [handle.detail for handle in seen.handles] == ["Allow"]


def test_what_is_outside_or_asleep_shows_nothing():
    button = node("Button", text="OK", clickable="true")
    for seen in (snapshot(button, focus="com.android.launcher"), snapshot(button, on=False)):
        screen = screen_of(seen)
        assert (screen.widgets, screen.attrs["text"]) == ((), ())


def test_what_cannot_be_seen_or_used_is_not_offered():
    hidden = node("Button", text="Hidden", clickable="true", bounds="[0,0][0,0]")
    disabled = node("Button", text="Disabled", clickable="true", enabled="false")
    assert [
        action.detail for action in offers(snapshot(hidden, disabled), Dictionary()) if action.target
    ] == []


def entries(*titles):
    return node("ListView", *map(row, titles), scrollable="true", resource_id="com.demo:id/list")


def test_a_list_with_two_and_with_three_entries_is_the_same_screen_to_a_person():
    two, three = screen_of(snapshot(entries("a", "b"))), screen_of(snapshot(entries("c", "d", "e")))
    assert two.id == three.id
    assert two.concrete_id != three.concrete_id


def test_what_scrolls_is_not_named_by_what_stands_in_it():
    seen = snapshot(node("ScrollView", node("TextView", text="Once upon a time"), scrollable="true"))
    assert names(seen) == [(("objectID", "0:0"), "")]


def test_a_dialog_with_another_title_is_another_screen():
    def dialog(title):
        return snapshot(node("TextView", text=title, resource_id="android:id/alertTitle"))

    assert screen_of(dialog("Delete?")).id != screen_of(dialog("Sure?")).id


def test_where_things_are_does_not_matter():
    def button(bounds):
        return screen_of(snapshot(node("Button", text="OK", clickable="true", bounds=bounds)))

    assert button("[0,0][9,9]").concrete_id == button("[5,5][9,9]").concrete_id


@pytest.mark.parametrize("xml", ["", "<hierarchy", "<hierarchy><node></hierarchy>"])
def test_what_is_no_dump_is_refused(xml):
    with pytest.raises(ValueError, match="not a hierarchy"):
        read_hierarchy(xml)


def test_control_characters_that_an_application_shows_do_no_harm():
    assert snapshot(node("TextView", text="a\x01b")).nodes[1].text == "ab"


def test_a_hierarchy_may_be_deep():
    deep = "<node>" * 3000 + "</node>" * 3000
    assert sum(1 for _ in read_hierarchy(f"<hierarchy>{deep}</hierarchy>").walk()) == 3001
