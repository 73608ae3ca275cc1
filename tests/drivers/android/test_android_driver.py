"""The driver and the unmodified uiautomator2 client, on a fake device: no Android takes part."""

from __future__ import annotations

import pytest

from fake_adb import PACKAGE
from untrod.core.errors import UntrodError
from untrod.drivers.android.driver import AndroidDriver
from untrod.drivers.labels import action_labels, screen_labels
from untrod.drivers.protocol import Action, StepOutcome
from untrod.drivers.setup_script import Setup
from untrod.testing.drivers import check_closing, check_driver


def test_it_keeps_the_promises_of_a_driver(driver):
    assert check_driver(driver, steps=8, seed=1) == ("Paced", "Pictured", "Hooked")
    check_closing(driver)


def test_labels_are_the_papers(user):
    assert screen_labels(user.screen) | {"class": [], "objectID": [], "enabled": []} == {
        "package": ["com.demo"],
        "activity": ["com.demo.MainActivity"],
        "screen": ["on"],
        "orientation": ["natural"],
        "text": ["Demo", "About", "Settings", "Notes", "Break", "Hang", "Log out"],
        "class": [],
        "objectID": [],
        "enabled": [],
    }
    user.do("click", "Settings")
    labels = screen_labels(user.screen)
    assert labels["checked"] == ["true"]
    assert labels["resourceId"] == ["com.demo:id/sound"]
    assert labels["enabled"] == ["true"]
    sound = user.find("click", "Sound")
    assert action_labels(sound)["actionResourceId"] == ["com.demo:id/sound"]


def test_what_is_offered_is_named_and_logging_out_is_not(user):
    assert [str(action) for action in user.offered] == [
        'click "About"',
        'click "Settings"',
        'click "Notes"',
        'click "Break"',
        'click "Hang"',
        "back",
        "pauseresume",
        "rotate left",
        "idle",
    ]


def test_a_click_leads_on_and_back_leads_back(user):
    start = user.screen
    step = user.do("click", "About")
    assert (step.outcome, user.activity) == (StepOutcome.OK, "AboutActivity")
    assert user.do("back").outcome is StepOutcome.OK
    assert (user.screen.id, user.screen.concrete_id) == (start.id, start.concrete_id)


def test_a_check_box_changes_both_identities_and_comes_back(user):
    user.do("click", "Settings")
    checked = user.screen
    user.do("click", "Sound")
    assert screen_labels(user.screen)["checked"] == ["false"]
    assert user.screen.concrete_id != checked.concrete_id
    user.do("click", "Sound")
    assert user.screen.concrete_id == checked.concrete_id


def test_what_is_typed_is_in_the_field_and_another_concrete_screen_of_the_same_kind(user):
    user.do("click", "Notes")
    empty = user.screen
    user.do("text", "Title", "milk")
    assert screen_labels(user.screen)["value"] == ["milk"]
    filled = user.screen
    user.do("text", "Title", "  two words ")
    assert filled.concrete_id not in (empty.concrete_id, user.screen.concrete_id)
    assert filled.id == user.screen.id != empty.id


def test_long_clicks_find_one_of_two_that_look_alike(user):
    user.do("click", "Notes")
    alike = [action.target for action in user.offered if action.type == "longclick"]
    assert alike == [("text", "Milk #1")]
    user.do("longclick", "Milk")
    assert "Deleted" in user.screen.attrs["text"]


def test_swiping_moves_what_scrolls(user):
    user.do("click", "Notes")
    user.do("swipe", "List", "up")
    assert "The end" in user.screen.attrs["text"]


def test_rotating_is_the_same_screen_to_a_person(user):
    start = user.screen
    user.do("rotate", value="left")
    assert user.screen.attrs["orientation"] == ("left",)
    assert user.screen.id == start.id
    assert user.screen.concrete_id != start.concrete_id
    user.do("rotate", value="natural")
    assert user.screen.concrete_id == start.concrete_id


def test_pausing_and_resuming_comes_back_to_where_it_was(user):
    user.do("click", "About")
    about = user.screen
    assert user.do("pauseresume").outcome is StepOutcome.OK
    assert user.screen.concrete_id == about.concrete_id


def test_an_idle_device_falls_asleep_and_only_waking_is_offered(user):
    user.do("idle")
    assert user.screen.attrs["screen"] == ("off",)
    assert user.screen.widgets == ()
    assert [action.type for action in user.offered] == ["pauseresume", "idle"]
    user.do("pauseresume")
    assert (user.activity, user.screen.attrs["screen"]) == ("MainActivity", ("on",))


def test_idling_ends_although_the_screen_stays_on(adb):
    waits = []
    driver = AndroidDriver(PACKAGE, idle=3, wait=waits.append)
    driver.reset()
    driver.step(next(action for action in driver.actions(driver.reset()) if action.detail == "About"))
    waits.clear()
    assert driver.step(Action("idle")).screen.attrs["screen"] == ("on",)
    assert [each for each in waits if each == 1.0] == [1.0] * 3
    driver.close()


def test_whoever_leaves_the_application_touches_nothing_there_and_can_come_back(user):
    user.do("click", "About")
    user.do("click", "Web page")
    assert user.events == [("left", "com.android.launcher")]
    assert user.screen.widgets == ()
    assert [action.type for action in user.offered] == ["back", "pauseresume"]
    user.do("pauseresume")
    assert user.activity == "MainActivity"


def test_a_crash_is_an_event_with_its_exception_and_is_told_once(user):
    step = user.do("click", "Break")
    assert step.outcome is StepOutcome.CRASHED
    assert user.events == [("crash", "java.lang.NullPointerException: no board")]
    user.screen = user.driver.reset()
    user.do("click", "About")
    assert user.events == []


def test_an_application_that_does_not_respond_is_an_event(user):
    step = user.do("click", "Hang")
    assert step.outcome is StepOutcome.TIMEOUT
    assert user.events == [("anr", "Input dispatching timed out")]


def test_a_widget_that_has_gone_meanwhile_is_stale(user, adb):
    about = user.find("click", "About")
    adb.device.app.take(adb.device.app.offers("click")[2])
    step = user.driver.step(about)
    assert step.outcome is StepOutcome.STALE
    assert "NotesActivity" in step.screen.attrs["activity"][0]


def test_an_action_of_another_session_is_found_by_its_id_or_by_its_name(user):
    user.do("click", "Settings")
    renamed = Action("click", ("resourceId", "com.demo:id/sound"), "", "Ton")
    assert user.driver.resolve(renamed) == user.find("click", "Sound")
    moved = Action("click", ("objectID", "9:9"), "", "Sound")
    assert user.driver.resolve(moved) == user.find("click", "Sound")
    assert user.driver.resolve(Action("click", ("objectID", "9:9"), "", "")) is None


def test_a_reset_empties_turns_back_and_starts(user, adb):
    user.do("click", "Settings")
    user.do("rotate")
    adb.device.commands.clear()
    assert user.driver.reset().attrs["orientation"] == ("natural",)
    assert f"pm clear {PACKAGE}" in adb.device.commands


def test_setup_scripts_log_in_after_each_start_and_say_what_to_type(adb):
    done = []

    def login(device):
        device(text="Notes").click()
        done.append("login")

    setup = Setup({"Title": ["bread"]}, login, lambda: done.append("reset"))
    driver = AndroidDriver(PACKAGE, setup=setup, wait=lambda seconds: None)
    screen = driver.reset()
    assert "NotesActivity" in screen.attrs["activity"][0]
    assert [action.value for action in driver.actions(screen) if action.type == "text"] == ["bread"]
    driver.reset()
    assert done == ["reset", "login"] * 2
    driver.close()


def test_a_setup_script_that_fails_is_one_line_and_no_failure_of_the_device(adb):
    def login(device):
        raise KeyError("password")

    driver = AndroidDriver(PACKAGE, setup=Setup({}, login), wait=lambda seconds: None)
    with pytest.raises(UntrodError, match=r"login of the setup script raises KeyError: 'password' .mend it"):
        driver.reset()
    driver.close()


def test_an_application_that_is_slow_to_start_is_waited_for(adb, monkeypatch):
    launch, pauses = adb.device.launch, []
    monkeypatch.setattr(adb.device, "launch", lambda: None)

    def wait(seconds):
        pauses.append(seconds)
        if len(pauses) == 3:
            launch()

    driver = AndroidDriver(PACKAGE, wait=wait)
    assert "MainActivity" in driver.reset().attrs["activity"][0]
    assert pauses[:3] == [0.5] * 3
    driver.close()


def test_pictures_are_png(user):
    assert user.driver.screenshot().startswith(b"\x89PNG")


def test_an_apk_is_installed_first_and_again_by_a_hard_reset(adb, tmp_path):
    apk = tmp_path / "demo.apk"
    apk.write_bytes(b"PK\x03\x04 and so on")
    adb.device.installed = False
    driver = AndroidDriver(PACKAGE, apk=apk, wait=lambda seconds: None)
    for level, installs in (("soft", 1), ("soft", 1), ("hard", 2)):
        driver.reset(level)
        assert sum(line.startswith("pm install") for line in adb.device.commands) == installs
    assert list(adb.device.files) == ["/data/local/tmp/u2.jar"], "nothing else is left on the device"
    driver.close()


def test_what_cannot_be_installed_is_one_line(adb, tmp_path):
    apk = tmp_path / "demo.apk"
    apk.write_bytes(b"not an APK")
    driver = AndroidDriver(PACKAGE, apk=apk, wait=lambda seconds: None)
    with pytest.raises(UntrodError, match=r"demo.apk cannot be installed on fake-5554: Failure \[INSTALL"):
        driver.reset()
    driver.close()


def test_an_application_that_is_not_there_is_one_line(adb):
    driver = AndroidDriver("com.nobody", wait=lambda seconds: None)
    with pytest.raises(UntrodError, match=r"com.nobody is not installed on fake-5554, .*pm list packages"):
        driver.reset()
    driver.close()


def test_an_application_without_an_icon_is_one_line_and_within_a_step_an_outcome(user, adb, monkeypatch):
    shell = adb.device.shell
    aborted = ("** No activities found to run, monkey aborted.\n", 252)
    monkeypatch.setattr(
        adb.device, "shell", lambda line: aborted if line.startswith("monkey") else shell(line)
    )
    assert user.do("pauseresume").outcome is StepOutcome.TIMEOUT
    with pytest.raises(UntrodError, match=r"com.demo has nothing that could be started"):
        user.driver.reset()


def test_closing_leaves_nothing_running(driver, adb):
    driver.reset()
    assert adb.device.automation
    driver.close()
    assert adb.is_left_alone()
    assert (adb.device.alive, adb.device.automation, adb.device.rotation) == (False, False, 0)
