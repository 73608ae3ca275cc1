"""Does things to a page by trusted input: what the page cannot tell from a person's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from untrod.drivers.protocol import Action
from untrod.drivers.web.aria import Element

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PLAIN = frozenset({"text", "search", "email", "password", "url", "tel", "number", "textarea"})
"""Fields that can be typed into. Dates and colours have pickers of their own, which Playwright knows."""


class Hands:
    """The quick way first: the mouse, at the middle of the widget, where a look at the page says that it is
    what a click would reach. Else Playwright's way, which scrolls, waits and says what is in the way."""

    def __init__(self, page: Page, patience: float) -> None:
        self._page = page
        self._patience = patience

    def perform(self, action: Action, element: Element | None, kind: str) -> None:
        """Raises Playwright's errors. `kind` is the type of the field, where it is one."""
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
                self._click(element, 1)
            case "doubleclick":
                self._click(element, 2)
            case "hover":
                self._locator(element).hover(timeout=self._patience)
            case "select":
                self._locator(element).select_option(label=action.value, timeout=self._patience)
            case "type":
                self._type(element, action.value, kind)
            case other:
                raise ValueError(f"nobody knows the action {other}")

    def _click(self, element: Element, count: int) -> None:
        middle = self._middle(element)
        if middle is None:
            self._locator(element).click(timeout=self._patience, click_count=count)
        else:
            self._page.mouse.click(*middle, click_count=count)

    def _type(self, element: Element, value: str, kind: str) -> None:
        """What was in the field is replaced."""
        middle = self._middle(element) if kind in PLAIN else None
        if middle is None:
            self._locator(element).fill(value, timeout=self._patience)
            return
        self._page.mouse.click(*middle, click_count=3)
        self._page.keyboard.press("ControlOrMeta+a")
        self._page.keyboard.insert_text(value)

    def _middle(self, element: Element) -> tuple[float, float] | None:
        if element.box is None or element.ref.startswith("f"):  # frames: the page cannot look into them
            return None
        left, top, width, height = element.box
        x, y = left + width / 2, top + height / 2
        hit = self._page.evaluate("([x, y, role]) => __untrod.hit(x, y, role)", [x, y, element.role])
        return (x, y) if hit == "ok" else None

    def _locator(self, element: Element) -> Locator:
        return self._page.locator(f"aria-ref={element.ref}")
