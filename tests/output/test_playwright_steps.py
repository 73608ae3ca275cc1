"""Actions and labels in Playwright's words."""

import pytest

from untrod.drivers.protocol import Action
from untrod.output.playwright_steps import check, step
from untrod.source.layout import flat


@pytest.mark.parametrize(
    ("action", "source"),
    [
        (
            Action("click", ("role", "button"), "", "Save"),
            'page.get_by_role("button", name="Save", exact=True).click()',
        ),
        (
            Action("click", ("role", "link"), "", "ADD GROUP"),
            'page.get_by_role("link", name="ADD GROUP").click()',
        ),
        (
            Action("type", ("role", "textbox"), "a", "T"),
            'page.get_by_role("textbox", name="T", exact=True).fill("a")',
        ),
        (
            Action("select", ("role", "combobox"), "big", ""),
            'page.get_by_role("combobox").select_option(label="big")',
        ),
        (
            Action("click", ("role", "link #2"), "", "x"),
            'page.get_by_role("link", name="x", exact=True).nth(1).click()',
        ),
        (
            Action("click", ("role", 'button in listitem "a "b""'), "", "x"),
            'page.get_by_role("listitem").filter(has_text=\'a "b"\')'
            '.get_by_role("button", name="x", exact=True).click()',
        ),
        (
            Action("doubleclick", ("role", "row"), "", "milk"),
            'page.get_by_role("row").filter(has_text="milk").dblclick()',
        ),
        (Action("hover", ("text", ""), "", "Menu"), 'page.get_by_text("Menu", exact=True).hover()'),
        (Action("key", None, "Enter"), 'page.keyboard.press("Enter")'),
        (Action("back"), "page.go_back()"),
        (Action("reload"), "page.reload()"),
    ],
)
def test_a_step_reads_as_a_person_would_write_it(action, source):
    call = step(action)
    assert call is not None
    assert flat(call) == source


@pytest.mark.parametrize(
    "action", [Action("rotate"), Action("click", ("objectID", "0:1"), "", "x"), Action("idle")]
)
def test_what_playwright_has_no_word_for_is_left_to_others(action):
    assert step(action) is None


@pytest.mark.parametrize(
    ("label", "source"),
    [
        (("text", "~", "Saved", True), 'expect(page.get_by_text("Saved").first).to_be_visible()'),
        (
            ("text", "=", "Saved", False),
            'expect(page.get_by_text("Saved", exact=True).first).not_to_be_visible()',
        ),
        (("heading", "~", "A", True), 'expect(page.get_by_role("heading", name="A").first).to_be_visible()'),
        (("url", "~", "/a", True), 'expect(page).to_have_url(lambda url: "/a" in url)'),
        (("title", "=", "A", False), 'expect(page).not_to_have_title("A")'),
    ],
)
def test_a_label_becomes_an_assertion(label, source):
    call = check(*label)
    assert call is not None
    assert flat(call) == source


def test_a_label_that_a_test_cannot_look_up_becomes_none():
    assert check("checked", "=", "true", True) is None
    assert check("title", "~", "A", True) is None
