"""An isolated world in the page: a JavaScript context that shares the elements with the page's scripts, and
nothing that they can replace. What comes back from there is checked all the same.

A document has a context for each world, and so has each frame. The browser tells when one is there and when
it is gone; for a page without one, an error page for instance, it makes one when asked.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from untrod.core.shapes import Shape
from untrod.drivers.web.cdp import Connection, Refused, Session

NAME = "untrod"
_HERE = Path(__file__).parent


def scripts(channel: str) -> list[dict[str, Any]]:
    """What `Page.addScriptToEvaluateOnNewDocument` is to be asked for. `channel` is how the two call each
    other: a script of the page must not know it."""
    inside, outside = ((_HERE / name).read_text(encoding="utf-8") for name in ("page.js", "pulse.js"))
    called = f"({json.dumps(channel)})"
    return [{"source": inside.rstrip() + called, "worldName": NAME}, {"source": outside.rstrip() + called}]


def present(expression: str, otherwise: str) -> str:
    """`expression`, or `otherwise` where page.js does not run."""
    return f"Object.hasOwn(globalThis, '{NAME}') ? {expression} : {otherwise}"


class IsolatedWorld:
    """Evaluates in the isolated world of one page after the other."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._page = ""
        self._contexts: dict[str, tuple[int, str]] = {}  # by frame: number and name

    def attach(self, connection: Connection) -> None:
        """To a new browser."""
        connection.on("Runtime.executionContextCreated", self._created)
        connection.on("Runtime.executionContextDestroyed", self._destroyed)
        connection.on("Runtime.executionContextsCleared", self._cleared)

    def enter(self, session: Session, page: str) -> None:
        """A new page; `page` is the id of its first frame."""
        self._session, self._page = session, page
        self._contexts.clear()

    def evaluate(self, expression: str, shape: Shape) -> Any:
        """The value, in the page's first frame; a promise is waited for. Raises Refused when the page went
        elsewhere meanwhile, and Malformed."""
        asked = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        value = self._evaluate(asked)["result"].get("value")
        shape(value, "what the page says")
        return value

    def find(self, expression: str) -> str:
        """How the browser calls the object that it stands for. LookupError: there is none."""
        return str(self._evaluate({"expression": expression})["result"]["objectId"])

    def resolve(self, node: int, frame: str) -> str:
        """The same for a node, by its number."""
        number, _ = self._context(frame or self._page)
        asked = {"backendNodeId": node, "executionContextId": number}
        return str(self._open.call("DOM.resolveNode", asked)["object"]["objectId"])

    def call(self, target: str, function: str, value: str, shape: Shape) -> Any:
        """A function of page.js, with an object and a value."""
        asked = {
            "objectId": target,
            "functionDeclaration": f"function (value) {{ return {NAME}.{function}(this, value); }}",
            "arguments": [{"value": value}],
            "returnByValue": True,
        }
        found = self._open.call("Runtime.callFunctionOn", asked)["result"].get("value")
        shape(found, "what the page says")
        return found

    @property
    def _open(self) -> Session:
        if self._session is None:
            raise Refused("no page is open")
        return self._session

    def _evaluate(self, asked: dict[str, Any]) -> dict[str, Any]:
        _, name = self._context(self._page)
        return self._open.call("Runtime.evaluate", {**asked, "uniqueContextId": name})

    def _context(self, frame: str) -> tuple[int, str]:
        if frame not in self._contexts:
            self._open.call("Page.createIsolatedWorld", {"frameId": frame, "worldName": NAME})
        if frame not in self._contexts:  # it has gone again at once
            raise Refused("the page went elsewhere")
        return self._contexts[frame]

    def _created(self, told: dict[str, Any], session: str) -> None:
        context = told["context"]
        if self._session is not None and session == self._session.name and context["name"] == NAME:
            self._contexts[context["auxData"]["frameId"]] = context["id"], context["uniqueId"]

    def _destroyed(self, told: dict[str, Any], session: str) -> None:
        if self._session is not None and session == self._session.name:
            for frame, (number, _) in list(self._contexts.items()):
                if number == told["executionContextId"]:
                    del self._contexts[frame]

    def _cleared(self, told: dict[str, Any], session: str) -> None:
        if self._session is not None and session == self._session.name:
            self._contexts.clear()
