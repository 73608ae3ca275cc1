"""The server that uiautomator2 pushes to a device and starts there: JSON-RPC."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

from fake_adb.app import HEIGHT, WIDTH, Node
from fake_adb.device import PACKAGE, FakeDevice
from untrod.drivers.protocol import Action

ROTATIONS = {"natural": 0, "left": 1, "upsidedown": 2, "right": 3}
EMPTY = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<hierarchy rotation=\"0\" />"
LONG_PRESS = 400


class Hang(Exception):
    """This call is never answered."""


class Died(Exception):
    """The server ends in the middle of this call."""


class RemoteError(Exception):
    """What the Java side throws."""


def call(device: FakeDevice, method: str, params: Any) -> Any:
    """The result of a remote call. Raises the three above."""
    if device.stuck:
        raise Hang
    function = METHODS.get(method)
    if function is None:
        device.unknown.append(method)
        raise RemoteError(f"no such method: {method}")
    return function(device, *(params or ()))


def _dump(device: FakeDevice, compressed: bool, depth: int, *_: Any) -> str:
    faults = device.faults
    if faults.take("hanging_dumps"):
        device.stuck = True
        raise Hang
    if faults.take("dying_dumps"):
        device.automation = False
        raise Died
    if faults.take("stale_objects"):
        raise RemoteError("androidx.test.uiautomator.StaleObjectException")
    if faults.take("empty_dumps"):
        return EMPTY
    if device.before and faults.take("stale_dumps"):
        return device.before
    return device.hierarchy()


def _info(device: FakeDevice) -> dict[str, Any]:
    return {
        "currentPackageName": device.focus[0],
        "displayWidth": WIDTH,
        "displayHeight": HEIGHT,
        "displayRotation": device.rotation,
        "productName": "fake",
        "screenOn": device.on,
        "sdkInt": 34,
        "naturalOrientation": device.rotation == 0,
    }


def _click(device: FakeDevice, x: float, y: float, milliseconds: int = 0) -> bool:
    node = next((node for node in _nodes(device) if node.holds(int(x), int(y))), None)
    kind = "longclick" if milliseconds >= LONG_PRESS else "click"
    if node is not None and node.hint:
        device.app.focus = node.hint
    device.input(node.actions.get(kind) if node is not None and node.enabled else None)
    if device.faults.take("hanging_inputs"):
        raise Hang
    return True


def _swipe(device: FakeDevice, x: float, y: float, to_x: float, to_y: float, steps: int) -> bool:
    node = next((node for node in _nodes(device) if node.holds(int(x), int(y))), None)
    device.input(node.actions.get("swipe") if node is not None else None)
    return True


def _set_text(device: FakeDevice, selector: dict[str, Any], text: str = "") -> bool:
    node = _found(device, selector)
    field: Action | None = node.actions.get("text")
    device.input(None)
    if field is None:
        return False
    device.app.typed[field.detail] = text
    device.app.take(field)
    return True


def _wake(device: FakeDevice) -> bool:
    asleep = not device.on
    device.awake = True
    if asleep and device.front:
        device._resume()
    return asleep


def _sleep(device: FakeDevice) -> bool:
    device.awake = False
    return True


def _orient(device: FakeDevice, name: str) -> bool:
    device.turn(ROTATIONS[name])
    return True


def _screenshot(device: FakeDevice, scale: float, quality: int) -> str:
    from PIL import Image

    picture = io.BytesIO()
    Image.new("RGB", (4, 8)).save(picture, "JPEG")
    return base64.b64encode(picture.getvalue()).decode()


def _object(device: FakeDevice, selector: dict[str, Any]) -> dict[str, Any]:
    node = _found(device, selector)
    left, top, right, bottom = node.bounds
    bounds = {"left": left, "top": top, "right": right, "bottom": bottom}
    return {"text": node.text, "className": node.class_name, "bounds": bounds, "visibleBounds": bounds}


def _exists(device: FakeDevice, selector: dict[str, Any], milliseconds: int = 0) -> bool:
    return bool(_all(device, selector))


def _gone(device: FakeDevice, selector: dict[str, Any], milliseconds: int = 0) -> bool:
    return not _all(device, selector)


def _nodes(device: FakeDevice) -> list[Node]:
    return device.app.nodes() if device.on and device.focus[0] == PACKAGE else []


def _found(device: FakeDevice, selector: dict[str, Any]) -> Node:
    found = _all(device, selector)
    if not found:
        raise RemoteError("androidx.test.uiautomator.UiObjectNotFoundException")
    return found[0]


def _all(device: FakeDevice, selector: dict[str, Any]) -> list[Node]:
    """Those that match, from the `instance` on that is asked for."""
    found = [node for node in _nodes(device) if all(_matches(node, *item) for item in selector.items())]
    return found[selector.get("instance", 0) :]


def _matches(node: Node, name: str, value: Any) -> bool:
    facts = {
        "text": node.text,
        "description": node.description,
        "resourceId": node.resource_id,
        "className": node.class_name,
        "packageName": PACKAGE,
        "checkable": bool(node.checked),
        "checked": node.checked == "true",
        "enabled": node.enabled,
        "focused": node.focused,
    }
    if name in facts:
        return bool(facts[name] == value)
    if name.endswith("Contains"):
        return value in str(facts[name.removesuffix("Contains")])
    if name.endswith("Matches"):
        return re.fullmatch(value, str(facts[name.removesuffix("Matches")])) is not None
    return name in ("mask", "childOrSibling", "childOrSiblingSelector", "instance")


METHODS: dict[str, Any] = {
    "dumpWindowHierarchy": _dump,
    "deviceInfo": _info,
    "click": _click,
    "swipe": _swipe,
    "pressKey": FakeDevice.press,
    "setText": _set_text,
    "clearTextField": _set_text,
    "getText": lambda device, selector: _found(device, selector).text,
    "wakeUp": _wake,
    "sleep": _sleep,
    "setOrientation": _orient,
    "freezeRotation": lambda device, freeze: True,
    "takeScreenshot": _screenshot,
    "objInfo": _object,
    "exist": _exists,
    "waitForExists": _exists,
    "waitUntilGone": _gone,
}
