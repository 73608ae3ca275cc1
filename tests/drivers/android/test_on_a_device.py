"""On real hardware or an emulator, with an application of your own:

    UNTROD_ANDROID_PACKAGE=org.example.app pytest -m device -rs

Its data is cleared. Nobody has run these yet: there was no device.
"""

from __future__ import annotations

import os

import pytest

from untrod.drivers.android.driver import AndroidDriver
from untrod.drivers.protocol import Action, StepOutcome
from untrod.testing.drivers import check_closing, check_driver

PACKAGE = os.environ.get("UNTROD_ANDROID_PACKAGE", "")
pytestmark = [
    pytest.mark.device,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not PACKAGE, reason="needs a device, and an app on it in $UNTROD_ANDROID_PACKAGE"),
]


@pytest.fixture(scope="module")
def device():
    driver = AndroidDriver(PACKAGE)
    yield driver
    check_closing(driver)


def test_it_keeps_the_promises_of_a_driver(device):
    assert check_driver(device) == ("Paced", "Pictured", "Hooked")


def test_the_application_is_in_front_after_a_reset(device):
    screen = device.reset()
    assert screen.attrs["package"] == (PACKAGE,)
    assert screen.attrs["screen"] == ("on",)
    assert screen.widgets


def test_pausing_and_resuming_stays_in_the_application(device):
    device.reset()
    assert device.step(Action("pauseresume")).screen.attrs["package"] == (PACKAGE,)


def test_rotating_there_and_back(device):
    device.reset()
    assert device.step(Action("rotate", None, "left")).outcome is not StepOutcome.CRASHED
    assert device.step(Action("rotate", None, "natural")).screen.attrs["orientation"] == ("natural",)


def test_pictures_are_png(device):
    device.reset()
    assert device.screenshot().startswith(b"\x89PNG")
