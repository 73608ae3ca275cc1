"""From Chromium's accessibility tree to screens and actions. No browser is needed for that."""

from dataclasses import replace

from untrod.drivers.web.screen import Snapshot, offers, screen_of
from untrod.drivers.web.tree import read_tree
from untrod.drivers.words import Dictionary

HOME = "http://127.0.0.1:1"


def ax(*outline):
    """Nodes as Chromium sends them, from (depth, role, name, extras)."""
    nodes, path = [], []
    for number, (depth, role, name, *rest) in enumerate(outline):
        extras = rest[0] if rest else {}
        properties = [
            {"name": key, "value": {"value": value}} for key, value in extras.items() if key != "value"
        ]
        node = {"nodeId": str(number), "ignored": role == "ignored", "role": {"value": role}}
        node |= {
            "name": {"value": name},
            "backendDOMNodeId": 100 + number,
            "childIds": [],
            "properties": properties,
        }
        if "value" in extras:
            node["value"] = {"value": extras["value"]}
        del path[depth:]
        if path:
            path[-1]["childIds"].append(node["nodeId"])
        path.append(node)
        nodes.append(node)
    return nodes


def notes(item="milk", heading="Notes 12", link="About", url=f"{HOME}/about"):
    return ax(
        (0, "RootWebArea", "Title", {"focused": True}),
        (1, "ignored", ""),
        (2, "heading", heading),
        (3, "StaticText", heading),
        (4, "InlineTextBox", heading),
        (2, "list", ""),
        (3, "listitem", ""),
        (4, "ListMarker", "*"),
        (4, "checkbox", "", {"checked": "true"}),
        (4, "StaticText", f"{item} "),
        (4, "button", "Delete"),
        (5, "StaticText", "Delete"),
        (2, "LabelText", ""),
        (3, "StaticText", "Say"),
        (3, "textbox", "Say", {"value": "a  b", "focused": True}),
        (4, "generic", ""),
        (5, "StaticText", "a  b"),
        (2, "Date", "Day", {"value": ""}),
        (3, "spinbutton", "Month"),
        (2, "combobox", "Size", {"value": "small", "expanded": False}),
        (3, "MenuListPopup", ""),
        (4, "option", "small", {"selected": True}),
        (4, "option", "large", {"selected": False}),
        (2, "button", "Off", {"disabled": True}),
        (2, "DisclosureTriangle", "More"),
        (2, "link", link, {"url": url}),
        (2, "paragraph", ""),
        (3, "StaticText", "plain text"),
    )


def sight_of(nodes, url=f"{HOME}/notes/7"):
    return Snapshot(url, read_tree(nodes), "Title")


def test_wrappers_are_flat_fields_keep_their_values_and_buttons_their_names():
    root = read_tree(notes())
    lines = [(each.role, each.name or each.text) for each in root.walk() if each.role]
    assert lines == [
        ("heading", "Notes 12"),
        ("list", ""),
        ("listitem", ""),
        ("checkbox", ""),
        ("text", "milk"),
        ("button", "Delete"),
        ("text", "Say"),
        ("textbox", "Say"),
        ("textbox", "Day"),
        ("combobox", "Size"),
        ("option", "small"),
        ("option", "large"),
        ("button", "Off"),
        ("generic", "More"),
        ("link", "About"),
        ("paragraph", ""),
        ("text", "plain text"),
    ]


def test_nothing_at_all_is_an_empty_page():
    assert [each.role for each in read_tree([]).walk()] == [""]


def test_labels_come_from_texts_widgets_and_their_states():
    screen = screen_of(sight_of(notes(), f"{HOME}/a?b#c"))
    assert screen.attrs["url"] == ("/a?b#c",)
    assert screen.attrs["heading"] == ("Notes 12",)
    assert {"milk", "plain text"} <= set(screen.attrs["text"])
    attrs = {(widget.role, widget.name): widget.attrs for widget in screen.widgets}
    assert attrs["textbox", "Say"] == {"value": "a b"}
    assert attrs["checkbox", ""] == {"checked": "true"}
    assert attrs["button", "Off"] == {"disabled": "true"}


def test_numbers_and_entries_do_not_make_another_screen_but_another_state_of_it():
    def identities(nodes):
        screen = screen_of(sight_of(nodes))
        return screen.id, screen.concrete_id

    first, second = identities(notes()), identities(notes(item="bread", heading="Notes 13"))
    assert (first[0] == second[0], first[1] == second[1]) == (True, False)
    assert identities(notes(link="Other"))[0] != first[0]


def test_what_is_offered_and_what_is_not():
    def offered(nodes, **seen):
        found = offers(replace(sight_of(nodes), **seen), Dictionary(), frozenset({HOME}))
        return [(action.type, action.detail, action.value) for action in found]

    at_home = offered(notes())
    assert ("click", "Off", "") not in at_home
    assert ("click", "More", "") in at_home
    assert ("type", "Day", "2030-01-31") in at_home
    assert [each for each in at_home if each[0] == "select"] == [("select", "Size", "large")]
    assert [each for each in at_home if each[0] == "key"] == [("key", "", "Enter"), ("key", "", "Escape")]
    assert {kind for kind, *_ in at_home} == {"click", "type", "select", "key", "reload"}
    assert ("hover", "milk", "") in offered(notes(), hovers=True)
    assert ("doubleclick", "milk", "") in offered(notes(), doubles=True)
    for url, there in ((f"{HOME}/about", True), ("http://example.org/", False), ("mailto:a@b", False)):
        assert (("click", "About", "") in offered(notes(url=url))) is there
