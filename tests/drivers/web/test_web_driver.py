"""The web driver on pages that misbehave: what happens is an outcome or an event."""

import re

import pytest
from zoo import browsers, evaluate

from untrod.core.errors import UntrodError
from untrod.core.shapes import anything
from untrod.drivers.labels import screen_labels
from untrod.drivers.protocol import Action, StepOutcome
from untrod.drivers.setup_script import Setup
from untrod.drivers.web.cdp import Gone
from untrod.drivers.web.driver import WebDriver
from untrod.testing.drivers import check_closing, check_driver

pytestmark = pytest.mark.timeout(600)  # a browser on a busy machine is slow, not broken


def test_it_keeps_the_promises_of_a_driver(web):
    assert check_driver(web) == ("Paced", "Pictured", "Hooked")


def test_typed_text_follows_the_kind_of_field_and_selects_list_their_options(visitor):
    visitor.visit("fields")
    typed = {action.detail: action.value for action in reversed(visitor.offered) if action.type == "type"}
    assert typed == {
        "Mail": "ann@example.org",
        "Day": "2030-01-31",
        "Age": "7",
        "Text": "milk",
        "Find": "milk",
    }
    assert [action.value for action in visitor.offered if action.type == "select"] == ["large"]
    for detail, value in typed.items():
        assert visitor.do("type", detail, value).outcome is StepOutcome.OK
    visitor.do("select", "Size", "large")
    visitor.do("click", "Agree")
    labels = screen_labels(visitor.screen)
    assert {"ann@example.org", "2030-01-31", "7", "milk"} <= set(labels["value"])
    assert labels["checked"] == ["true"]


def test_a_key_goes_to_the_field_that_has_the_focus(visitor):
    visitor.visit("fields")
    assert not [action for action in visitor.offered if action.type == "key"]
    visitor.do("type", "Find", "milk")
    visitor.do("key", "", "Enter")
    assert visitor.title == "milk"


def test_logging_out_and_disabled_fields_are_not_offered(visitor):
    visitor.visit("fields")
    assert not {"Log out", "Fixed"} & {action.detail for action in visitor.offered}


def test_back_is_offered_where_there_is_something_to_go_back_to(visitor):
    assert "back" not in [action.type for action in visitor.offered]
    visitor.visit("fields")
    assert visitor.do("back").screen.attrs["heading"] == ("Zoo",)
    assert "reload" in [action.type for action in visitor.offered]


def test_nothing_that_was_before_a_reset_can_be_gone_back_to(visitor):
    for page in ("fields", "rows"):
        visitor.visit(page)
        visitor.do("reload")
    visitor.screen = visitor.driver.reset()
    assert "back" not in [action.type for action in visitor.offered]
    history = visitor.driver._thread(
        lambda: visitor.driver._tab.session.call("Page.getNavigationHistory"), 5.0
    )
    assert len(history["entries"]) <= 2  # the empty page that it was emptied on, and this one


def test_a_page_is_read_when_its_requests_and_timers_have_come_to_an_end(visitor):
    visitor.visit("slow")
    assert "it came late" in str(visitor.do("click", "Load").screen.attrs["text"])


def test_frames_that_were_asked_for_are_waited_for_and_an_animation_is_not(visitor):
    """Without any quiet time: three frames take longer than a page takes to say that nothing is under way."""

    def settles(script):
        evaluate(visitor.driver, script)
        told = visitor.driver._thread(
            lambda: visitor.driver._tab.world.evaluate("untrod.settle(0, 20000, false, 1000)", anything), 30.0
        )
        return [told["calm"], evaluate(visitor.driver, "!!window.drawn")]

    visitor.visit("rows")
    drawing = "window.drawn = 1"
    for _ in range(3):
        drawing = f"requestAnimationFrame(() => {{ {drawing} }})"
    assert settles(drawing) == [True, True]
    assert settles("const turn = () => { requestAnimationFrame(turn) }; turn()") == [True, True]


@pytest.mark.parametrize(
    ("button", "kind", "text"),
    [
        ("Throw", "exception", r"Cannot read properties of null"),
        ("Log", "console-error", r"oops"),
        ("Missing", "client-error", r"404 GET /missing"),
        ("Broken", "server-error", r"500 GET /broken"),
    ],
)
def test_what_goes_wrong_in_the_page_is_an_event(visitor, button, kind, text):
    visitor.visit("errors")
    visitor.do("click", button)
    assert [event for event in visitor.events if event[0] == kind and re.search(text, event[1])]
    assert {event[0] for event in visitor.events} == {kind}


def test_dialogs_are_accepted_and_told_of(visitor):
    visitor.visit("dialogs")
    visitor.do("click", "Ask")
    assert (visitor.title, visitor.events) == ("yes", [("dialog", "confirm: Sure?")])
    visitor.do("click", "Prompt")
    assert visitor.title == "milk"


def test_a_page_that_does_not_want_to_be_left_is_left(visitor):
    visitor.visit("unload")
    visitor.do("click", "Stay")
    assert visitor.driver.reset().attrs["heading"] == ("Zoo",)


@pytest.mark.parametrize("detail", ["Pop", "Blank"])
def test_popups_are_closed_and_told_of(visitor, detail):
    visitor.visit("popup")
    step = visitor.do("click", detail)
    assert ("popup" in [kind for kind, _ in visitor.events], step.screen.attrs["heading"]) == (
        True,
        ("popup",),
    )


def test_a_download_leaves_the_page_where_it_is(visitor):
    visitor.visit("download")
    step = visitor.do("click", "File")
    assert (step.outcome, visitor.events) == (StepOutcome.OK, [("download", "notes.txt")])
    assert visitor.do("click", "Nothing").outcome is StepOutcome.OK
    assert step.screen.attrs["heading"] == ("download",)


def test_the_browser_does_not_leave_the_allowed_origins(visitor):
    visitor.visit("away")
    assert not {"Elsewhere", "Mail"} & {action.detail for action in visitor.offered}
    for button in ("Leave", "Neighbour"):
        step = visitor.do("click", button)
        assert (step.outcome, step.screen.attrs["heading"]) == (StepOutcome.BLOCKED, ("away",))
        assert [kind for kind, _ in visitor.events] == ["left"]


def test_no_other_host_is_known_to_the_browser_not_even_this_machine_by_its_other_name(visitor, zoo):
    other = zoo.replace("127.0.0.1", "localhost")

    def reaches(url):
        asked = f"fetch('{url}/empty', {{ mode: 'no-cors' }}).then(() => 'reached', () => 'refused')"
        return evaluate(visitor.driver, asked)

    assert (reaches(zoo), reaches(other)) == ("reached", "refused")
    allowed = WebDriver(zoo, origins=[other])
    try:
        allowed.reset()
        visitor.driver = allowed
        assert reaches(other) == "reached"
    finally:
        allowed.close()


def test_a_page_that_never_settles_is_a_timeout_and_is_waited_for_less_and_less(visitor):
    visitor.visit("restless")
    before = visitor.driver._tab.snapshotter.patience()
    assert visitor.events == [("restless", "the page did not settle")]
    assert visitor.do("click", "Wait").outcome is StepOutcome.TIMEOUT
    assert visitor.driver._tab.snapshotter.patience() < before


def test_of_ten_thousand_widgets_the_first_are_operated(visitor):
    visitor.visit("crowded")
    assert [kind for kind, _ in visitor.events] == ["crowded"]
    assert len(visitor.offered) == 300 + 2  # back and reload


def test_hover_uncovers_and_a_double_click_reaches_what_is_no_button(visitor):
    visitor.visit("hover")
    assert "Drop" not in [action.detail for action in visitor.offered]
    visitor.do("hover", "milk")
    assert "Drop" in [action.detail for action in visitor.offered]
    visitor.do("doubleclick", "milk")
    assert visitor.title == "edited"


def test_what_is_covered_is_blocked_and_what_is_far_down_is_reached(visitor):
    visitor.visit("covered")
    assert visitor.do("click", "Below").outcome is StepOutcome.BLOCKED
    visitor.visit("far")
    visitor.do("click", "Far")
    assert visitor.title == "found"


def test_shadow_trees_and_frames_are_operated_like_the_rest(visitor):
    visitor.visit("shadow")
    visitor.do("click", "Shade")
    assert visitor.title == "shade"
    visitor.do("click", "Inner")
    assert visitor.find("click", "in it")


def test_twins_are_told_apart_by_where_they_stand(visitor):
    visitor.visit("rows")
    clicks = [action for action in visitor.offered if action.type == "click"]
    assert [(action.target[1], action.detail) for action in clicks] == [
        ('button in listitem "milk"', "Delete"),
        ('button in listitem "bread"', "Delete"),
        ("button #1", "Twin"),
        ("button #2", "Twin"),
    ]
    titles = [visitor.driver.step(action).screen.attrs["title"][0] for action in clicks]
    assert titles == ["milk", "bread", "two", "twin"]


def test_an_action_of_another_session_is_found_again_or_is_not(visitor):
    visitor.visit("rows")
    gone = Action("click", ("role", "button"), "", "Away")
    assert visitor.driver.resolve(gone) is None
    assert visitor.driver.step(gone).outcome is StepOutcome.STALE
    visitor.visit("dialogs")
    moved = Action("click", ("role", 'button in listitem "x"'), "", "Ask")
    assert visitor.driver.resolve(moved) == visitor.find("click", "Ask")


@pytest.mark.parametrize("level", ["soft", "hard"])
def test_a_reset_forgets_what_the_page_has_stored(visitor, level):
    for _ in range(2):
        visitor.driver.reset(level)
        visitor.screen = visitor.driver.reset(level)
        visitor.do("click", "storage")
        assert visitor.screen.attrs["heading"] == ("storage", "visit 0 known")


def test_a_list_with_more_entries_is_the_same_screen_to_a_person(visitor):
    milk = visitor.visit("hover").screen
    again = visitor.visit("hover").screen
    other = visitor.visit("rows").screen
    assert (milk.id, milk.concrete_id) == (again.id, again.concrete_id)
    assert milk.id != other.id


def test_a_page_that_hangs_or_crashes_costs_one_episode_and_leaves_no_browser(zoo):
    before = browsers()
    driver = WebDriver(zoo)
    try:
        screen = driver.reset()
        (hang,) = [action for action in driver.actions(screen) if action.detail == "hang"]
        screen = driver.step(hang).screen
        (button,) = [action for action in driver.actions(screen) if action.detail == "Hang"]
        driver.hang_seconds = 2.0
        step = driver.step(button)
        assert step.outcome is StepOutcome.CRASHED
        assert [event.kind for event in step.screen.events] == ["crash"]
        assert driver.reset().attrs["heading"] == ("Zoo",)
    finally:
        check_closing(driver)
    assert browsers() == before


def test_a_browser_that_fails_is_replaced_once(web, monkeypatch):
    real, failures = web._tab.open, [Gone("gone"), Gone("gone"), Gone("gone")]

    def fail_at_first(state=None):
        if len(failures) > 2:
            raise failures.pop()
        real(state)

    monkeypatch.setattr(web._tab, "open", fail_at_first)
    assert web.reset("hard").attrs["heading"] == ("Zoo",)
    monkeypatch.setattr(web._tab, "open", lambda state=None: (_ for _ in ()).throw(failures.pop()))
    with pytest.raises(UntrodError, match="the browser fails again and again: gone"):
        web.reset("hard")


def test_a_form_says_what_it_requires_and_what_is_chosen(visitor):
    visitor.visit("form")
    attrs = {widget.name: widget.attrs for widget in visitor.screen.widgets}
    assert attrs["Title"] == {"required": "true"}
    assert attrs["Kind"] == {"value": "------"}
    assert {action.type for action in visitor.offered} == {"type", "select", "click", "back", "reload"}


def test_an_editor_that_draws_its_own_lines_is_typed_into(visitor):
    visitor.visit("editor")
    visitor.do("type", "Code", "milk")
    assert "milk" in visitor.screen.attrs["text"]


def test_what_a_clock_shows_does_not_make_another_screen(visitor):
    first, second = visitor.visit("clock").screen, visitor.visit("clock").screen
    assert first.attrs["text"] != second.attrs["text"]
    assert first.concrete_id == second.concrete_id


def test_login_and_words_come_from_the_setup_script(zoo):
    resets: list[str] = []
    restored: list[str] = []

    def login(page):
        page.evaluate("document.cookie = 'user=ann'")

    setup = Setup({"Find": ["bread"]}, login, lambda: resets.append("x"), lambda: restored.append("x"))
    driver = WebDriver(zoo + "/fields", setup=setup)
    try:
        for level in ("hard", "soft", "hard"):  # the second profile has to log in again
            screen = driver.reset(level)
            assert "user=ann" in evaluate(driver, "document.cookie")
        assert [a.value for a in driver.actions(screen) if a.detail == "Find"] == ["bread"]
        assert driver.screenshot().startswith(b"\x89PNG")
    finally:
        driver.close()
    assert (len(resets), len(restored)) == (2, 3)


def test_a_login_that_left_something_in_a_storage_is_put_back_by_every_reset(zoo):
    setup = Setup(login=lambda page: page.evaluate("localStorage.n = 41"))
    driver = WebDriver(zoo + "/storage", setup=setup)
    try:
        for level in ("hard", "soft", "soft"):
            assert driver.reset(level).attrs["heading"] == ("storage", "visit 41 known")
    finally:
        driver.close()


def test_a_login_at_an_address_that_does_not_answer_is_one_clear_line(chromium):
    before = browsers()
    driver = WebDriver("http://127.0.0.1:9/", setup=Setup(login=lambda page: None))
    try:
        with pytest.raises(UntrodError, match="cannot be reached: net::ERR_"):
            driver.reset()
    finally:
        driver.close()
    assert browsers() == before


def test_a_browser_that_does_not_start_says_why(chromium, tmp_path, monkeypatch):
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho no display >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("UNTROD_CHROMIUM", str(broken))
    driver = WebDriver("http://127.0.0.1:9/")
    with pytest.raises(UntrodError, match="Chromium does not start: no display"):
        driver.reset()
    driver.close()


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("http://127.0.0.1:9/", "cannot be reached: net::ERR_"),
        ("ZOO/round", "redirects without end"),
    ],
)
def test_a_page_that_is_not_to_be_had_is_one_clear_line(zoo, url, line):
    before = browsers()
    driver = WebDriver(url.replace("ZOO", zoo))
    try:
        with pytest.raises(UntrodError, match=line):
            driver.reset()
    finally:
        driver.close()
    assert browsers() == before


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "file:///etc/passwd", "http://", "http://a:b/"])
def test_what_is_no_address_is_refused_before_a_browser_starts(chromium, url):
    with pytest.raises(UntrodError, match="is not the address of a page"):
        WebDriver(url)
