"""One browser for all tests of a process: starting it takes longer than most of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.protocol import Action, Step
from untrod.drivers.web.chromium import find_chromium
from untrod.drivers.web.driver import WebDriver

sys.path.insert(0, str(Path(__file__).parent))  # zoo

import zoo as zoo_pages


@pytest.fixture(scope="session")
def chromium() -> str:
    try:
        return find_chromium()
    except UntrodError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def zoo(chromium):
    neighbour, stranger = zoo_pages.start()
    zoo_pages.Zoo.stranger = stranger
    server, url = zoo_pages.start()
    yield url
    for each in (server, neighbour):
        each.shutdown()
        each.server_close()


@pytest.fixture(scope="session")
def web(zoo):
    driver = WebDriver(zoo)
    yield driver
    driver.close()


class Visitor:
    """Says what to do in few words: `visitor.do("click", "Ask")`."""

    def __init__(self, driver: WebDriver) -> None:
        self.driver = driver
        self.screen = driver.reset()

    def visit(self, page: str) -> Step:
        self.screen = self.driver.reset()
        return self.do("click", page)

    def do(self, kind: str, detail: str = "", value: str = "") -> Step:
        step = self.driver.step(self.find(kind, detail, value))
        self.screen = step.screen
        return step

    def find(self, kind: str, detail: str = "", value: str = "") -> Action:
        wanted = (kind, detail, value)
        for each in self.offered:
            if (each.type, each.detail, each.value or "") == wanted or (
                not value and (each.type, each.detail) == (kind, detail)
            ):
                return each
        raise AssertionError(f"{wanted} is not offered, but {[str(each) for each in self.offered]}")

    @property
    def offered(self) -> list[Action]:
        return list(self.driver.actions(self.screen))

    @property
    def title(self) -> str:
        return self.screen.attrs["title"][0]

    @property
    def events(self) -> list[tuple[str, str]]:
        return [(event.kind, event.text) for event in self.screen.events]


@pytest.fixture
def visitor(web):
    return Visitor(web)
