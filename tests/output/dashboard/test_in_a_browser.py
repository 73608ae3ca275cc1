"""The dashboard as people use it: the real command, a real browser, and campaigns that go on meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

import pytest
from html_campaigns import ALL, EVIL, failure, inputs

from untrod.core.events import FindingFound
from untrod.store import Store

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
TimeoutError = pytest.importorskip("playwright.sync_api").TimeoutError

WITHIN = 1000  # milliseconds, as promised


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store that the tests write to as a campaign would."""
    with Store.open(tmp_path_factory.mktemp("project") / ".untrod") as opened:
        for make in ALL.values():
            make(opened)
            make(opened, EVIL)
        yield opened


@pytest.fixture(scope="module")
def address(store: Store) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "untrod", "dashboard", "--json"],
        cwd=store.folder.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    yield json.loads(process.stdout.readline())["address"]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "")


@pytest.fixture
def visit(browser, address):
    """Opens the dashboard as printed; gathers what it says and what it asks others for."""
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    page = context.new_page()
    heard: list[str] = []
    host = urlsplit(address).netloc
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", lambda dialog: heard.append(f"dialog {dialog.message}"))
    page.on(
        "request", lambda request: heard.append(request.url) if urlsplit(request.url).netloc != host else None
    )
    page.goto(address)
    page.get_by_text("Live.").wait_for()
    yield page, heard
    context.close()
    assert [each for each in heard if not each.startswith("data:")] == []


def test_it_shows_every_campaign_and_the_token_is_gone_from_the_address(visit) -> None:
    page, _ = visit

    assert page.locator("tr[data-part^=row-]").count() >= 2 * len(ALL)
    assert "token" not in page.url
    assert page.evaluate("document.cookie") == "", "no script can read the token"


def test_every_campaign_can_be_looked_at(visit, store: Store) -> None:
    page, _ = visit
    for row in store.campaigns():
        page.goto(f"{origin(page)}/campaign/{row.id}")
        page.get_by_text("Live.").wait_for()
        assert page.locator("svg.chart").count() > 0


def test_a_new_campaign_is_on_the_first_page(visit, store: Store) -> None:
    page, _ = visit

    name = inputs(store, "fresh")

    page.locator(f"[data-part=row-{name}]").wait_for()


def test_a_new_finding_is_on_the_first_page_within_a_second(visit, store: Store) -> None:
    page, _ = visit
    name = inputs(store, "first")

    told_in_time(store, name, lambda title: page.get_by_role("link", name=title))


def test_a_new_finding_is_on_the_campaigns_page_within_a_second(visit, store: Store) -> None:
    page, _ = visit
    name = inputs(store, "watched")
    page.goto(f"{origin(page)}/campaign/{name}")
    page.get_by_text("Live.").wait_for()

    found = told_in_time(store, name, lambda title: page.locator("article", has_text=title).first)

    assert page.title().startswith(f"{1 + found} findings")


def told_in_time(store: Store, name: str, place) -> int:
    """How many findings it took: one, but for a machine that has too much to do at that moment."""
    for number in range(1, 5):
        title = f"news {number} of {name}"
        store.recorder(name)(FindingFound(failure(title), 99, 0))
        try:
            place(title).wait_for(timeout=WITHIN)
            return number
        except TimeoutError:
            place(title).wait_for()
    raise AssertionError("no finding was on the page in time")


def test_what_the_reader_has_done_stays(visit, store: Store) -> None:
    """Focus, marks and what was unfolded."""
    page, _ = visit
    name = inputs(store, "held")
    mark = page.get_by_role("checkbox", name=f"compare {name}")
    mark.check()
    store.recorder(name)(FindingFound(failure("while marked"), 99, 0))
    page.get_by_role("link", name="while marked").wait_for()
    assert mark.is_checked()
    assert mark.evaluate("e => e === document.activeElement")

    page.goto(f"{origin(page)}/campaign/{name}")
    page.get_by_text("Live.").wait_for()
    page.locator("summary", has_text="the numbers").first.click()
    store.recorder(name)(FindingFound(failure("while unfolded"), 100, 0))
    page.locator("article", has_text="while unfolded").first.wait_for()
    assert page.locator("[data-part=progress] details").first.get_attribute("open") is not None


def test_a_keyboard_is_enough(visit) -> None:
    page, _ = visit
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the campaigns"
    page.keyboard.press("Enter")
    reached = []
    while "id" not in reached and len(reached) < 12:
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.className || document.activeElement.type"))
    assert reached[-3:] == ["wide", "checkbox", "id"]
    page.keyboard.press("Enter")
    page.wait_for_url("**/campaign/*")
    unreachable = "e => e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0"
    scrolled = page.locator("pre, .wide, .scroll, .shots")
    assert scrolled.evaluate_all(f"all => all.filter({unreachable}).length") == 0


def test_marked_campaigns_are_compared(visit) -> None:
    page, _ = visit
    for mark in page.get_by_role("checkbox").all()[:2]:
        mark.check()

    page.get_by_role("button", name="Compare the marked ones").press("Enter")

    page.get_by_role("heading", name="All campaigns").wait_for()


@pytest.mark.parametrize("width", [360, 1100])
def test_it_fits_a_phone_and_a_desk(visit, width: int) -> None:
    page, _ = visit
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_follows_the_readers_wish_for_light_or_dark(visit) -> None:
    page, _ = visit
    colours = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(colours)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colours) != light


def test_a_stranger_is_refused(browser, address: str) -> None:
    base = address.partition("?")[0]
    token = address.partition("token=")[2]
    assert status(f"{base}?token=wrong") == 401
    assert status(base) == 401
    assert status(f"{base}live?of=/") == 401
    known = {"Authorization": f"Bearer {token}"}
    assert status(base, **known) == 200
    assert status(base, **known, Origin="http://evil.example") == 403
    assert status(base, **known, Host="evil.example") == 421


def test_a_page_from_elsewhere_cannot_ask(visit, address: str) -> None:
    """In the browser that holds the cookie, from another port of this machine: the cookie is sent along."""
    page, _ = visit
    other = page.context.new_page()
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        other.goto(f"http://127.0.0.1:{site.server_port}/")
        base = address.partition("?")[0]
        for mode in ("cors", "no-cors"):
            asked = f"fetch('{base}', {{mode: '{mode}', credentials: 'include'}})"
            assert other.evaluate(f"{asked}.then(() => 'read', () => 'refused')") == "refused"
        site.shutdown()


class Elsewhere(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<link rel=icon href=data:,><p>elsewhere")

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def origin(page) -> str:
    parts = urlsplit(page.url)
    return f"{parts.scheme}://{parts.netloc}"


def status(address: str, **headers: str) -> int:
    asked = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code
