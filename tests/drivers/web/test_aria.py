"""Playwright's snapshots become trees, whatever is quoted how. No browser is needed for that."""

from untrod.drivers.web.aria import read_snapshot
from untrod.drivers.web.offers import offers
from untrod.drivers.web.reading import Sight, screen_of
from untrod.drivers.web.words import Dictionary

NOTES = """\
- generic [active] [ref=e1] [box=0,0,800,600]:
  - heading "Notes 12" [level=1] [ref=e2] [box=8,8,300,38]
  - list [ref=e3]:
    - listitem [ref=e4] [box=8,50,300,21]:
      - checkbox [checked] [ref=e9]
      - text: milk
      - 'button "Delete: now" [ref=e5] [box=60,50,49,21]'
  - textbox "Say \\"hi\\"" [ref=e6]: "a: b"
  - iframe [ref=e7] [box=100,200,300,150]:
    - button "inner" [disabled] [ref=f1e2] [box=8,8,50,21]
  - link "About" [ref=e8] [cursor=pointer]:
    - /url: /about
  - 'generic [ref=e10] [cursor=pointer]': "it's: here"
  - paragraph [ref=e11]: plain text
"""


def elements(snapshot: str = NOTES):
    return {each.ref: each for each in read_snapshot(snapshot).walk() if each.ref}


def test_roles_names_marks_and_texts_are_read():
    found = elements()
    assert (found["e2"].role, found["e2"].name, found["e2"].marks["level"]) == ("heading", "Notes 12", "1")
    assert (found["e5"].role, found["e5"].name) == ("button", "Delete: now")
    assert (found["e6"].name, found["e6"].text) == ('Say "hi"', "a: b")
    assert found["e8"].properties == {"url": "/about"}
    assert found["e10"].text == "it's: here"
    assert found["e11"].text == "plain text"
    assert [each.ref for each in found["e5"].ancestors()][:2] == ["e4", "e3"]


def test_boxes_in_a_frame_are_counted_from_the_page():
    assert elements()["f1e2"].box == (108, 208, 50, 21)


def test_what_is_no_snapshot_is_an_empty_page():
    assert [each.role for each in read_snapshot("nothing\nto see").walk()] == [""]


def test_labels_come_from_texts_widgets_and_their_states():
    screen = screen_of(Sight("http://127.0.0.1:1/a?b#c", read_snapshot(NOTES), "Title"))
    assert screen.attrs["url"] == ("/a?b#c",)
    assert screen.attrs["heading"] == ("Notes 12",)
    assert {"milk", "plain text"} <= set(screen.attrs["text"])
    widgets = {widget.role: widget for widget in screen.widgets}
    assert widgets["textbox"].attrs == {"value": "a: b"}
    assert widgets["checkbox"].attrs == {"checked": "true"}


def test_numbers_and_entries_do_not_make_another_screen_but_another_state_of_it():
    def identities(snapshot: str) -> tuple[str, str]:
        screen = screen_of(Sight("http://127.0.0.1:1/notes/7", read_snapshot(snapshot)))
        return screen.id, screen.concrete_id

    first, second = (
        identities(NOTES),
        identities(NOTES.replace("milk", "bread").replace("Notes 12", "Notes 13")),
    )
    assert (first[0] == second[0], first[1] == second[1]) == (True, False)
    assert identities(NOTES.replace("About", "Other"))[0] != first[0]


def test_disabled_widgets_and_links_to_elsewhere_are_not_offered():
    away = NOTES.replace("/about", "http://example.org/")
    for snapshot, about in ((NOTES, 1), (away, 0)):
        sight = Sight("http://127.0.0.1:1/", read_snapshot(snapshot))
        details = [each.detail for each in offers(sight, Dictionary(), frozenset({"http://127.0.0.1:1"}))]
        assert ("inner" in details, details.count("About")) == (False, about)
        assert "it's: here" in details
