"""Whatever a page does to the browser and to what untrod does in it: an outcome, never a traceback."""

from __future__ import annotations

import json
import os

import pytest
from hostile_pages import PAGES, serve

from untrod.core.errors import UntrodError
from untrod.drivers.graph_writer import encode
from untrod.drivers.labels import screen_labels
from untrod.drivers.protocol import Screen, StepOutcome
from untrod.drivers.recording import RecordingDriver
from untrod.drivers.web.chromium import find_chromium
from untrod.drivers.web.driver import WebDriver

pytestmark = pytest.mark.timeout(600)  # a browser on a busy machine is slow, not broken
HANGS = 6.0


@pytest.fixture(scope="module")
def site():
    try:
        find_chromium()
    except UntrodError as error:
        pytest.skip(str(error))
    server, url = serve()
    yield url
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def driver(site, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    before = {name: os.environ.get(name) for name in ("HOME", "XDG_DOWNLOAD_DIR")}
    os.environ["HOME"] = os.environ["XDG_DOWNLOAD_DIR"] = str(home)
    driver = RecordingDriver(WebDriver(site, hang_seconds=HANGS))
    yield driver
    driver.close()
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.update({name: value})
    assert not [path for path in home.rglob("*") if "stolen" in path.name]


def find(driver, screen: Screen, kind: str, detail: str):
    return next((each for each in driver.actions(screen) if (each.type, each.detail) == (kind, detail)), None)


def sound(screen: Screen) -> Screen:
    """What is read of it can be said, stored and compared."""
    json.dumps([screen.id, screen.concrete_id, screen_labels(screen)], ensure_ascii=False).encode()
    assert all(len(event.text) <= 300 for event in screen.events)
    return screen


def visit(driver, page: str):
    screen = driver.reset()
    assert screen.attrs["heading"] == ("index",)
    step = driver.step(find(driver, screen, "click", page))
    sound(step.screen)
    return step


@pytest.mark.parametrize("page", PAGES)
def test_a_hostile_page_costs_an_episode_at_most(driver, page: str) -> None:
    step = visit(driver, page)
    for kind, detail in (("click", "Press"), ("click", "File"), ("reload", ""), ("back", "")):
        action = find(driver, step.screen, kind, detail)
        if action is not None and step.outcome is not StepOutcome.CRASHED:
            step = driver.step(action)
            sound(step.screen)
    driver.driver.screenshot()
    assert sound(driver.reset()).attrs["heading"] == ("index",)
    json.dumps(encode(driver.graph)).encode()


@pytest.mark.parametrize(
    "page", ["replaced", "roots", "ours", "clobbered", "objects", "halves", "escapes", "written"]
)
def test_what_a_page_replaces_is_not_what_it_is_read_and_operated_by(driver, page: str) -> None:
    step = visit(driver, page)
    assert step.outcome is StepOutcome.OK
    assert "here" in step.screen.attrs["heading"][0]
    press = next(each for each in driver.actions(step.screen) if each.detail.startswith("P"))
    if page != "written":  # its button is one of several
        assert driver.step(press).screen.attrs["heading"] == ("pressed",)


@pytest.mark.parametrize("page", ["many", "deep"])
def test_a_page_too_large_to_be_read_is_crowded(driver, page: str) -> None:
    step = visit(driver, page)
    assert step.outcome in (StepOutcome.OK, StepOutcome.TIMEOUT, StepOutcome.CRASHED)
    if (
        page == "many" and step.outcome is StepOutcome.OK
    ):  # on a busy machine its time may be up, or its memory
        assert "crowded" in [event.kind for event in step.screen.events]


@pytest.mark.parametrize("page", ["opening", "opening-on"])
def test_windows_do_not_pile_up(driver, page: str) -> None:
    step = visit(driver, page)
    press = find(driver, step.screen, "click", "Press")
    if page == "opening-on" and press is not None:
        driver.step(press)
    driver.reset()
    web = driver.driver
    found = web._thread(lambda: web._tab.session.connection.call("Target.getTargets"), 30.0)["targetInfos"]
    assert len([each for each in found if each["type"] == "page"]) == 1


def test_a_page_that_is_crashed_by_the_protocol_is_a_crash(driver) -> None:
    visit(driver, "objects")
    web = driver.driver
    web._thread(lambda: web._tab.session.post("Page.crash"), 30.0)
    step = driver.step(next(each for each in driver.actions(Screen("", "")) if each.type == "reload"))
    assert step.outcome is StepOutcome.CRASHED
    assert driver.reset().attrs["heading"] == ("index",)


@pytest.mark.parametrize(
    "page", ["replaced", "alerting", "looping-later", "fleeing", "reloading", "opening", "bytes"]
)
def test_a_hostile_page_at_the_start_is_shown_or_is_one_line(site, page: str) -> None:
    driver = WebDriver(f"{site}/{page}", hang_seconds=HANGS)
    try:
        for _ in range(2):
            sound(driver.reset())
            driver.step(next(each for each in driver.actions(Screen("", "")) if each.type == "reload"))
    except UntrodError as error:
        assert "\n" not in str(error)  # noqa: PT017 - it need not be raised
    finally:
        driver.close()
