"""Actions as calls of uiautomator2. Written tests find widgets by the same `selector` and `xpath`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from untrod.drivers.android.screen import NodeHandle
from untrod.drivers.protocol import Action, Locator

LONG = 0.8
"""Seconds that a finger stays down for a long click. Android's own limit is half a second."""
_NUMBER = re.compile(r"(?P<value>.*) #(?P<number>\d+)", re.DOTALL)


def gesture(action: Action, handle: NodeHandle | None) -> Callable[[Any], object]:
    """The action as a function of uiautomator2's device. `back` and `rotate` need no handle."""
    if action.type == "back":
        return lambda device: device.press("back")
    if action.type == "rotate":
        return lambda device: device.set_orientation(action.value)
    if handle is None:
        raise ValueError(f"{action} needs a widget")
    x, y = handle.place.middle
    match action.type:
        case "click":
            return lambda device: device.click(x, y)
        case "longclick":
            return lambda device: device.long_click(x, y, LONG)
        case "swipe":
            return lambda device: device.swipe(x, y, x, _edge(handle, action.value), steps=20)
        case "text":
            return lambda device: _write(device, handle.locator, (x, y), action.value)
    raise ValueError(f"nobody knows the action {action.type}")


def selector(locator: Locator) -> dict[str, str | int] | None:
    """For `device(...)`; None where a widget has no name, and is found by its place alone."""
    strategy, value = locator
    if strategy not in ("resourceId", "text", "description"):
        return None
    numbered = _NUMBER.fullmatch(value)
    if numbered is None:
        return {strategy: value}
    number = int(numbered["number"])
    return {strategy: numbered["value"], **({"instance": number - 1} if number > 1 else {})}


def xpath(path: str) -> str:
    """For `device.xpath(...)`: an objectID such as 0:0:2."""
    return "/hierarchy" + "".join(f"/*[{int(number) + 1}]" for number in path.split(":"))


def _write(device: Any, locator: Locator, middle: tuple[int, int], text: str) -> None:
    """By the accessibility service, not by a keyboard: any text, and what was there before is gone."""
    found = selector(locator)
    if found is None:
        device.click(*middle)
        found = {"focused": True}
    device(**found).set_text(text, timeout=1.0)


def _edge(handle: NodeHandle, direction: str) -> int:
    """Near the upper or the lower edge: gestures that begin or end at the very edge are the system's."""
    _, top, _, bottom = handle.place.box
    part = (bottom - top) // 10
    return top + part if direction == "up" else bottom - part
