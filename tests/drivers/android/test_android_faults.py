"""What the driver does when the device fails: it recovers, or it says so in one line.

On the fake, which fails on demand."""

from __future__ import annotations

import pytest

from fake_adb import PACKAGE, SERIAL
from untrod.core.errors import UntrodError
from untrod.drivers.android.driver import AndroidDriver
from untrod.drivers.android.phone import Phone
from untrod.drivers.protocol import StepOutcome


@pytest.fixture
def phone(adb, request):
    """Long limits, since a busy machine is slow: only what waits for a limit has a short one."""
    return Phone(SERIAL, **{"patience": 60.0, "absence": 60.0, **getattr(request, "param", {})})


impatient = pytest.mark.parametrize("phone", [{"patience": 3.0}], indirect=True, ids=["3s"])
gives_up = pytest.mark.parametrize("phone", [{"absence": 0.1}], indirect=True, ids=["0.1s"])


@pytest.fixture
def driver(phone):
    driver = AndroidDriver(PACKAGE, phone=phone, wait=lambda seconds: None)
    yield driver
    driver.close()


@impatient
def test_a_dump_that_is_never_answered_costs_a_restart_and_not_the_step(user, adb, phone):
    adb.device.faults.hanging_dumps = 1
    step = user.do("click", "About")
    assert (step.outcome, user.activity) == (StepOutcome.OK, "AboutActivity")
    assert phone.restarts >= 1


@impatient
def test_a_click_that_is_never_answered_is_not_repeated_and_not_called_fine(user, adb):
    adb.device.faults.hanging_inputs = 1
    step = user.do("click", "About")
    assert (step.outcome, user.activity) == (StepOutcome.TIMEOUT, "AboutActivity")
    assert adb.calls.count("click") == 1


@pytest.mark.parametrize("fault", ["stale_dumps", "stale_objects", "empty_dumps"])
def test_a_hierarchy_that_lags_behind_is_waited_for(user, adb, fault):
    setattr(adb.device.faults, fault, 2)
    step = user.do("click", "About")
    assert (step.outcome, user.activity) == (StepOutcome.OK, "AboutActivity")
    assert user.screen.attrs["text"] == ("Version 7", "Web page")
    assert getattr(adb.device.faults, fault) == 0


def test_a_server_that_dies_during_a_dump_is_started_again(user, adb, phone):
    adb.device.faults.dying_dumps = 1
    assert user.do("click", "About").outcome is StepOutcome.OK
    assert (user.activity, phone.restarts) == ("AboutActivity", 1)


def test_a_server_that_died_between_two_steps_is_started_again(user, adb):
    adb.device.automation = False
    assert user.do("click", "About").outcome is StepOutcome.OK
    assert user.activity == "AboutActivity"


def test_a_server_that_does_not_start_any_more_ends_the_episode_and_then_is_one_line(user, adb):
    adb.device.faults.dying_dumps, adb.device.faults.deaf_starts = 1, 100
    step = user.do("click", "About")
    assert step.outcome is StepOutcome.CRASHED
    assert [kind for kind, _ in user.events] == ["device-deaf"]
    with pytest.raises(UntrodError, match=r"uiautomator2 does not start on fake-5554: .*adb devices"):
        user.driver.reset()


def test_a_device_that_is_lost_ends_the_episode_and_the_next_one_waits_for_it(user, adb):
    adb.device.faults.lost_after_inputs = 1
    step = user.do("click", "About")
    assert step.outcome is StepOutcome.CRASHED
    assert user.events == [("device-lost", "the device fake-5554 is gone")]
    assert user.screen.widgets == ()
    adb.plug()
    user.screen = user.driver.reset()
    assert user.do("click", "About").outcome is StepOutcome.OK


@gives_up
def test_a_device_that_stays_away_is_one_line(user, adb):
    adb.unplug()
    assert user.do("click", "About").outcome is StepOutcome.CRASHED
    with pytest.raises(UntrodError, match=r"the device fake-5554 is gone .look at: adb devices"):
        user.driver.reset()


def test_a_device_that_is_lost_during_a_reset_is_connected_anew(user, adb, monkeypatch):
    wait = adb.wait_for_device
    monkeypatch.setattr(adb, "wait_for_device", lambda: adb.plug() or wait())
    adb.unplug()
    assert "MainActivity" in user.driver.reset().attrs["activity"][0]


@gives_up
def test_an_adb_server_that_is_gone_is_a_device_that_is_gone(user, adb, monkeypatch):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    adb.unplug()
    assert user.do("click", "About").outcome is StepOutcome.CRASHED
    with pytest.raises(UntrodError, match=r"the device fake-5554 is gone"):
        user.driver.reset()


def test_a_device_that_answers_no_dump_at_all_is_deaf_after_one_restart(user, adb, phone):
    adb.device.faults.dying_dumps = 100
    step = user.do("click", "About")
    assert (step.outcome, phone.restarts) == (StepOutcome.CRASHED, 1)
    assert [kind for kind, _ in user.events] == ["device-deaf"]


def test_a_crash_is_a_finding_and_the_next_episode_starts_afresh(user, adb):
    adb.device.faults.crashes = 1
    step = user.do("click", "About")
    assert step.outcome is StepOutcome.CRASHED
    assert user.events == [("crash", "java.lang.IllegalStateException: planted")]
    user.screen = user.driver.reset()
    assert user.do("click", "About").outcome is StepOutcome.OK


def test_an_application_that_crashes_at_its_start_is_one_line(user, adb, monkeypatch):
    monkeypatch.setattr(adb.device, "launch", lambda: adb.device.crash("java.lang.Error: no database"))
    with pytest.raises(UntrodError, match=r"com.demo does not start: java.lang.Error: no database"):
        user.driver.reset()


def test_closing_a_driver_whose_device_is_gone_is_quiet(user, adb):
    adb.unplug()
    user.driver.close()


def test_pictures_of_a_device_that_is_gone_are_empty(user, adb):
    adb.unplug()
    assert user.driver.screenshot() == b""
