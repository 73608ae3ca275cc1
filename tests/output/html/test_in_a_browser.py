"""The page in a real browser: it asks no network for anything, does not complain, and needs no mouse."""

from __future__ import annotations

import random
import struct
import zlib

import pytest
from html_campaigns import ALL, EVIL

from untrod.output.html import write_html
from untrod.store import Store


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with a campaign of every engine, and a hostile one of each."""
    folder = tmp_path_factory.mktemp("report")
    with Store.open(folder / ".untrod") as store:
        campaigns = [make(store, text) for make in ALL.values() for text in ("ok", EVIL)]
        for finding in store.findings(campaigns[-1]):
            (store.folder / "screens" / finding.id).mkdir(parents=True)
            (store.folder / "screens" / finding.id / "step-0.png").write_bytes(picture(200))
        write_html(store, campaigns, folder / "report.html", EVIL, project=folder)
    return (folder / "report.html").as_uri()


def picture(side: int) -> bytes:
    """A PNG of noise, which is as large as real screenshots are."""
    rows = b"".join(b"\0" + random.Random(row).randbytes(3 * side) for row in range(side))
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.fixture
def visit(browser, address):
    """Opens the page, and gathers what it says and whatever it asks for."""
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    page = context.new_page()
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", lambda dialog: heard.append(f"dialog {dialog.message}"))
    page.on("request", lambda request: heard.append(request.url) if request.url != address else None)
    page.goto(address)
    yield page, heard
    context.close()


def test_it_asks_for_nothing_and_complains_of_nothing(visit) -> None:
    page, heard = visit

    assert page.locator("section").count() == 2 * len(ALL)
    assert page.locator("svg.chart").count() > 2 * len(ALL)
    assert page.locator("script").count() == 0
    assert [each for each in heard if not each.startswith("data:")] == []


def test_screenshots_can_be_seen(visit) -> None:
    page, _ = visit

    widths = page.locator("img").evaluate_all("all => all.map(image => image.naturalWidth)")

    assert widths
    assert set(widths) == {200}


def test_a_keyboard_reaches_the_report_and_what_is_folded_away(visit) -> None:
    page, _ = visit

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#report"
    summary = page.locator("summary", has_text="the numbers").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("details[open]", has_text="the numbers").count() >= 1
    unreachable = "e => e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0"
    scrolled = page.locator("pre, .wide, .scroll, .shots")
    assert scrolled.evaluate_all(f"all => all.filter({unreachable}).length") == 0


@pytest.mark.parametrize("width", [360, 1100])
def test_it_fits_a_phone_and_a_desk(visit, width: int) -> None:
    page, _ = visit

    page.set_viewport_size({"width": width, "height": 800})

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_words_on_charts_do_not_leave_the_picture(visit) -> None:
    page, _ = visit
    outside = """all => all.filter(svg => {
        const frame = svg.parentElement.getBoundingClientRect();
        return [...svg.querySelectorAll('text')].some(text => {
            const box = text.getBoundingClientRect();
            return box.left < frame.left || box.right > frame.right;
        });
    }).length"""

    for width in (360, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator("svg.chart").evaluate_all(outside) == 0


def test_it_follows_the_readers_wish_for_light_or_dark_and_prints_on_white(visit) -> None:
    page, _ = visit
    colours = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"

    page.emulate_media(color_scheme="light")
    light = page.evaluate(colours)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(colours)
    page.emulate_media(color_scheme="dark", media="print")
    paper = page.evaluate(colours)

    assert light != dark
    assert paper == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


def test_links_lead_to_something(visit) -> None:
    page, _ = visit
    broken = "all => all.filter(a => !document.getElementById(a.getAttribute('href').slice(1))).length"

    assert page.locator("a[href^='#']").evaluate_all(broken) == 0
    assert page.locator("a:not([href^='#'])").count() == 0
