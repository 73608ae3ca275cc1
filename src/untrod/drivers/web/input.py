"""Actions on a page as trusted input, which the page cannot tell from a person's."""

from __future__ import annotations

from typing import Any

from untrod.core import shapes
from untrod.drivers.protocol import Action
from untrod.drivers.web.cdp import Refused, Session
from untrod.drivers.web.tree import Element
from untrod.drivers.web.world import IsolatedWorld

PLAIN = frozenset({"text", "search", "email", "password", "url", "tel", "number", "textarea"})
"""Fields that can be typed into. Others have pickers of their own, and are set, as Playwright sets them."""
KEYS = {"Enter": (13, "\r"), "Escape": (27, "")}
"""Number and text of a key."""
CONTROL = 2
POINT = shapes.row(shapes.number(), shapes.number())


class Blocked(Exception):
    """Something is in the way, or the widget has gone."""


class Input:
    """The mouse goes to the middle of a widget, once the page has said that a click there would reach it."""

    def __init__(self, session: Session, world: IsolatedWorld) -> None:
        self._session = session
        self._world = world

    def perform(self, action: Action, element: Element | None, kind: str) -> None:
        """Raises Blocked and CdpError. `kind` is the type of the field, if it is one."""
        match action.type:
            case "key":
                self._press(action.value)
            case _ if element is None:
                raise ValueError(f"{action} needs a widget")
            case "click":
                self._click(element)
            case "doubleclick":
                self._click(element, 2)
            case "hover":
                self._together([self._mouse("mouseMoved", *self._middle(element))])
            case "select":
                self._call(element, "choose", action.value)
            case "type" if kind in PLAIN:
                self._click(element)
                self._select_all()
                self._session.call("Input.insertText", {"text": action.value})
            case "type":
                self._call(element, "set", action.value)
            case other:
                raise ValueError(f"nobody knows the action {other}")

    def _click(self, element: Element, times: int = 1) -> None:
        x, y = self._middle(element)
        sent = [self._mouse("mouseMoved", x, y)]
        for number in range(1, times + 1):
            pressed = {"button": "left", "clickCount": number}
            sent.append(self._mouse("mousePressed", x, y, buttons=1, **pressed))
            sent.append(self._mouse("mouseReleased", x, y, **pressed))
        self._together(sent)

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> int:
        return self._session.ask("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def _press(self, name: str) -> None:
        number, text = KEYS[name]
        key = {"key": name, "code": name, "windowsVirtualKeyCode": number}
        down = {**key, "type": "keyDown", "text": text} if text else {**key, "type": "rawKeyDown"}
        self._together([self._key(**down), self._key(**key, type="keyUp")])

    def _select_all(self) -> None:
        control = {"key": "Control", "code": "ControlLeft", "windowsVirtualKeyCode": 17}
        letter = {"key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65, "modifiers": CONTROL}
        self._together(
            [
                self._key(**control, type="rawKeyDown", modifiers=CONTROL),
                self._key(**letter, type="rawKeyDown", commands=["selectAll"]),
                self._key(**letter, type="keyUp"),
                self._key(**control, type="keyUp"),
            ]
        )

    def _key(self, **what: Any) -> int:
        return self._session.ask("Input.dispatchKeyEvent", what)

    def _together(self, sent: list[int]) -> None:
        for number in sent:
            self._session.answer(number)

    def _middle(self, element: Element) -> tuple[float, float]:
        x, y = self._call(element, "reach", "", POINT)
        return x, y

    def _call(self, element: Element, what: str, value: str, shape: shapes.Shape = shapes.anything) -> Any:
        """A function of page.js, with the element. In a frame the frame's own."""
        try:
            found = self._world.call(self._object(element), what, value, shape)
        except shapes.Malformed as error:
            raise Blocked(what) from error
        if not found:
            raise Blocked(what)
        return found

    def _object(self, element: Element) -> str:
        try:
            if element.ref.startswith("c"):
                return self._world.find(f"untrod.pointed({element.ref[1:]})")
            return self._world.resolve(int(element.ref), element.frame)
        except (Refused, LookupError, ValueError) as error:
            raise Blocked("gone") from error
