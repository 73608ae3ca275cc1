"""Actions and labels in uiautomator2's words."""

import pytest

from untrod.drivers.protocol import Action
from untrod.engines.gui.uiautomator_steps import check, steps, trouble
from untrod.source.layout import flat

ID = ("resourceId", "com.demo:id/title")


@pytest.mark.parametrize(
    ("action", "source"),
    [
        (Action("click", ("text", "About"), "", "About"), ['device(text="About").click()']),
        (Action("click", ("text", "Milk #2"), "", "Milk"), ['device(text="Milk", instance=1).click()']),
        (Action("click", ("description", "Up"), "", "Up"), ['device(description="Up").click()']),
        (Action("click", ("objectID", "0:1:0")), ['device.xpath("/hierarchy/*[1]/*[2]/*[1]").click()']),
        (Action("longclick", ID), ['device(resourceId="com.demo:id/title").long_click(0.8)']),
        (Action("longclick", ("objectID", "0:1")), ['device.xpath("/hierarchy/*[1]/*[2]").long_click()']),
        (Action("text", ID, "milk"), ['device(resourceId="com.demo:id/title").set_text("milk")']),
        (
            Action("text", ("objectID", "0"), "milk"),
            ['device.xpath("/hierarchy/*[1]").click()', 'device(focused=True).set_text("milk")'],
        ),
        (Action("swipe", ID, "up"), ['device(resourceId="com.demo:id/title").swipe("up")']),
        (Action("back"), ['device.press("back")']),
        (Action("rotate", None, "left"), ['device.set_orientation("left")']),
        (Action("idle"), ["time.sleep(20)"]),
        (
            Action("pauseresume"),
            ["device.screen_on()", 'device.press("home")', 'device.app_start("com.demo")'],
        ),
    ],
)
def test_a_step_reads_as_a_person_would_write_it(action, source):
    calls = steps(action, "com.demo", 20.0)
    assert calls is not None
    assert [flat(call, lambda ref: f"{ref.module}.{ref.qualname}") for call in calls] == source


@pytest.mark.parametrize("action", [Action("chessmove"), Action("hover", ID), Action("key", None, "Enter")])
def test_what_uiautomator_has_no_word_for_becomes_none(action):
    assert steps(action, "com.demo", 20.0) is None


@pytest.mark.parametrize(
    ("label", "condition"),
    [
        (("text", "=", "Saved", True), 'device(text="Saved").exists'),
        (("text", "~", "is saved.", False), 'not device(textMatches="(?is).*is saved\\\\..*").exists'),
        (("description", "=", "Up", True), 'device(description="Up").exists'),
        (("activity", "~", "About", True), '"about" in device.app_current()["activity"].lower()'),
        (("activity", "=", "a.B", False), 'device.app_current()["activity"] != "a.B"'),
        (("package", "~", "demo", False), '"demo" not in device.app_current()["package"].lower()'),
        (("screen", "=", "off", True), 'device.info["screenOn"] is False'),
        (("screen", "=", "off", False), 'device.info["screenOn"] is not False'),
        (("orientation", "=", "left", True), 'device.orientation == "left"'),
        (("checked", "=", "true", False), "not device(checkable=True, checked=True).exists"),
    ],
)
def test_a_label_is_waited_for(label, condition):
    call = check(*label)
    assert call is not None
    assert flat(call, lambda ref: ref.qualname) == f"eventually(lambda: {condition})"


@pytest.mark.parametrize("label", [("objectID", "~", "18", True), ("screen", "~", "o", True)])
def test_a_label_that_a_test_cannot_look_up_becomes_none(label):
    assert check(*label) is None


def test_crashes_are_looked_up_in_the_log():
    call = trouble("crash", "com.demo")
    assert flat(call, lambda ref: ref.qualname) == 'logged(device, "am_crash", "com.demo")'
