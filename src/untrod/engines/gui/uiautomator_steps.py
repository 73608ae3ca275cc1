"""Actions and labels as uiautomator2's calls: what a person would write, by id, text or description."""

from __future__ import annotations

import re

from untrod.drivers.android.input import LONG, selector, xpath
from untrod.drivers.protocol import Action, Locator
from untrod.output.helpers import EVENTUALLY, LOGGED
from untrod.source.layout import flat
from untrod.source.nodes import Atom, Call, Member, Node, Ref, Text

DEVICE = Atom("device")
EVENTS = {"crash": "am_crash", "anr": "am_anr"}
"""Kinds of events that a test can look out for, and what the device's log calls them."""
SLEEP = Ref("time", "sleep")


def on_device(called: str, /, *arguments: Node, **keywords: Node) -> Call:
    return Call(Member(DEVICE, called), arguments, tuple(keywords.items()))


def beginning(package: str) -> list[Call]:
    """As after a reset."""
    return [
        on_device("screen_on"),
        on_device("set_orientation", Text("natural")),
        on_device("app_clear", Text(package)),
        on_device("app_start", Text(package), wait=Atom("True")),
    ]


def steps(action: Action, package: str, idle: float) -> list[Call] | None:
    """None for what uiautomator2 has no word for."""
    match action.type:
        case "back":
            return [on_device("press", Text("back"))]
        case "pauseresume":
            home = on_device("press", Text("home"))
            return [on_device("screen_on"), home, on_device("app_start", Text(package))]
        case "rotate":
            return [on_device("set_orientation", Text(action.value))]
        case "idle":
            return [Call(SLEEP, (Atom(f"{idle:g}"),))]
    if action.target is None:
        return None
    place = widget(action.target)
    match action.type:
        case "click":
            return [Call(Member(place, "click"))]
        case "longclick" if selector(action.target) is None:
            return [Call(Member(place, "long_click"))]
        case "longclick":
            return [Call(Member(place, "long_click"), (Atom(f"{LONG:g}"),))]
        case "swipe":
            return [Call(Member(place, "swipe"), (Text(action.value),))]
        case "text" if selector(action.target) is None:
            focused = Call(DEVICE, (), (("focused", Atom("True")),))
            return [Call(Member(place, "click")), Call(Member(focused, "set_text"), (Text(action.value),))]
        case "text":
            return [Call(Member(place, "set_text"), (Text(action.value),))]
    return None


def widget(locator: Locator) -> Node:
    found = selector(locator)
    if found is None:
        return on_device("xpath", Text(xpath(locator[1])))
    values = {
        name: Text(value) if isinstance(value, str) else Atom(str(value)) for name, value in found.items()
    }
    return Call(DEVICE, (), tuple(values.items()))


def check(name: str, operator: str, value: str, holds: bool) -> Call | None:
    """That a label comes to be on the screen, or goes. None where a test cannot look it up."""
    condition = _condition(name, operator, value, "" if holds else "not ")
    return Call(EVENTUALLY, (Atom(f"lambda: {condition}"),)) if condition else None


def _condition(name: str, operator: str, value: str, no: str) -> str:
    """True when the label is there; with `no`, when it is not. `~` does not tell upper from lower case."""
    match name, operator:
        case (("text" | "description" | "resourceId"), "="):
            return f"{no}device({name}={_quoted(value)}).exists"
        case (("text" | "description" | "resourceId"), "~"):
            pattern = "(?is).*" + re.escape(value).replace("\\ ", " ") + ".*"
            return f"{no}device({name}Matches={_quoted(pattern)}).exists"
        case (("activity" | "package"), "="):
            return f'device.app_current()["{name}"] {"!" if no else "="}= {_quoted(value)}'
        case (("activity" | "package"), "~"):
            return f'{_quoted(value.lower())} {no}in device.app_current()["{name}"].lower()'
        case "screen", "=" if value in ("on", "off"):
            return f'device.info["screenOn"] is {no}{value == "on"}'
        case "orientation", "=":
            return f"device.orientation {'!' if no else '='}= {_quoted(value)}"
        case "checked", "=" if value in ("true", "false"):
            return f"{no}device(checkable=True, checked={value == 'true'}).exists"
    return ""


def emptied() -> Call:
    """The log, so that what is in it later belongs to the test."""
    return on_device("shell", Text("logcat -b events -c"))


def trouble(kind: str, package: str) -> Call:
    return Call(LOGGED, (DEVICE, Text(EVENTS[kind]), Text(package)))


def _quoted(value: str) -> str:
    return flat(Text(value))
