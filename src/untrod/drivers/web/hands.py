"""Does things to a page by trusted input: what the page cannot tell from a person's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from untrod.drivers.protocol import Action
from untrod.drivers.web.tree import Element

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

PLAIN = frozenset({"text", "search", "email", "password", "url", "tel", "number", "textarea"})
"""Fields that can be typed into. Others have pickers of their own, and are set, as Playwright sets them."""


class Blocked(Exception):
    """Something is in the way, or the widget has gone."""


class Hands:
    """The mouse goes to the middle of a widget, once the page has said that the middle is where a click would
    reach it."""

    def __init__(self, page: Page, cdp: CDPSession, patience: float) -> None:
        self._page = page
        self._cdp = cdp
        self._patience = patience

    def perform(self, action: Action, element: Element | None, kind: str) -> None:
        """Raises Blocked, and Playwright's errors. `kind` is the type of the field, where it is one."""
        page = self._page
        match action.type:
            case "back":
                page.go_back(wait_until="commit", timeout=self._patience)
            case "reload":
                page.reload(wait_until="commit", timeout=self._patience)
            case "key":
                page.keyboard.press(action.value)
            case _ if element is None:
                raise ValueError(f"{action} needs a widget")
            case "click":
                page.mouse.click(*self._middle(element))
            case "doubleclick":
                page.mouse.click(*self._middle(element), click_count=2)
            case "hover":
                page.mouse.move(*self._middle(element))
            case "select":
                self._call(element, "choose", action.value)
            case "type" if kind in PLAIN:
                page.mouse.click(*self._middle(element))
                page.keyboard.press("ControlOrMeta+a")
                page.keyboard.insert_text(action.value)
            case "type":
                self._call(element, "set", action.value)
            case other:
                raise ValueError(f"nobody knows the action {other}")

    def _middle(self, element: Element) -> tuple[float, float]:
        x, y = self._call(element, "reach", "")
        return x, y

    def _call(self, element: Element, what: str, value: str) -> Any:
        """A function of page.js, with the element. In a frame the frame's own."""
        declared = (
            f"function (value) {{ const view = this.ownerDocument.defaultView;"
            f" return view.__untrod ? view.__untrod.{what}(this, value) : null; }}"
        )
        target = self._object(element)
        given = {"objectId": target, "functionDeclaration": declared, "returnByValue": True}
        answer = self._cdp.send("Runtime.callFunctionOn", {**given, "arguments": [{"value": value}]})
        found = answer["result"].get("value")
        if not found:
            raise Blocked(what)
        return found

    def _object(self, element: Element) -> str:
        from playwright.sync_api import Error

        try:
            if element.ref.startswith("c"):
                expression = f"__untrod.pointed[{element.ref[1:]}]"
                answer = self._cdp.send("Runtime.evaluate", {"expression": expression})
                return str(answer["result"]["objectId"])
            answer = self._cdp.send("DOM.resolveNode", {"backendNodeId": int(element.ref)})
            return str(answer["object"]["objectId"])
        except (Error, LookupError) as error:
            raise Blocked("gone") from error
