"""A fake device for each test, and the driver on it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from untrod.drivers.android.driver import AndroidDriver
from untrod.drivers.protocol import Action, Step

TESTS = Path(__file__).parents[2]
sys.path.insert(0, str(TESTS / "fakes"))  # fake_adb

from fake_adb import PACKAGE, FakeAdb, FakeDevice  # noqa: E402
from fake_adb.demo import demo  # noqa: E402


@pytest.fixture
def adb(monkeypatch):
    monkeypatch.delenv("ANDROID_SERIAL", raising=False)
    monkeypatch.setenv("ADBUTILS_ADB_PATH", "/nowhere/adb")  # the client would start a real server
    with FakeAdb(FakeDevice(demo())) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        yield server
    assert server.device.unknown == [], "the fake was asked for what it does not have"


class User:
    """Says what to do in few words: `user.do("click", "About")`. Never waits."""

    def __init__(self, driver: AndroidDriver) -> None:
        self.driver = driver
        self.screen = driver.reset()

    def do(self, kind: str, detail: str = "", value: str = "") -> Step:
        step = self.driver.step(self.find(kind, detail, value))
        self.screen = step.screen
        return step

    def find(self, kind: str, detail: str = "", value: str = "") -> Action:
        for each in self.offered:
            if (each.type, each.detail) == (kind, detail) and value in ("", each.value):
                return each
        raise AssertionError(f"{kind} {detail} {value} is not among {[str(each) for each in self.offered]}")

    @property
    def offered(self) -> list[Action]:
        return list(self.driver.actions(self.screen))

    @property
    def activity(self) -> str:
        return self.screen.attrs["activity"][0].rpartition(".")[2]

    @property
    def events(self) -> list[tuple[str, str]]:
        return [(event.kind, event.text) for event in self.screen.events]


@pytest.fixture
def driver(adb):
    driver = AndroidDriver(PACKAGE, idle=2, wait=lambda seconds: None)
    yield driver
    driver.close()


@pytest.fixture
def user(driver):
    return User(driver)
