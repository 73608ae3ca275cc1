"""Events of a page: console errors, exceptions, error responses, dialogs, popups, downloads, crashes."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from untrod.drivers.protocol import Event
from untrod.drivers.web.cdp import Connection, Endless, Handler

CONSOLE, EXCEPTION, CLIENT, SERVER = "console-error", "exception", "client-error", "server-error"
DIALOG, POPUP, DOWNLOAD, LEFT = "dialog", "popup", "download", "left"
CRASH, DEAD, RESTLESS, CROWDED = "crash", "dead-page", "restless", "crowded"

LONGEST = 300
MOST, MOST_REQUESTS = 50, 1000
MOST_DIALOGS, MOST_POPUPS, MOST_OPEN = 100, 100, 5
"""In a step: who opens more goes on for ever. Of popups only so many are open at a time."""
PROMPT = "milk"
"""What is answered when the page asks for a text."""


class EventLog:
    """Collects events until `take`. A dialog is accepted at once: a page with an open one stands still.

    Raises Endless, out of the command that is waited for, where dialogs or windows come without end.
    """

    def __init__(self) -> None:
        self._events: dict[Event, None] = {}
        self._dialogs = 0
        self._context = ""
        self._requests: dict[str, tuple[str, str]] = {}  # method and address, by the browser's number
        self._connection: Connection | None = None
        self._session = self._target = ""
        self._forget()

    def _forget(self) -> None:
        self.crashed = False
        self.failed = ""  # the address that could not be loaded, and why
        self.stayed = False  # a navigation was begun, and the page is to stay where it is
        self.arrivals = 0  # how often the page has come to another address
        self.opening = self.opened = 0  # windows that were asked for, and those that came
        self.popped = False  # there was one
        self._popups: list[str] = []  # that are open
        self._requests.clear()

    def attach(self, connection: Connection) -> None:
        """To a new browser."""
        self._connection, self._session = connection, ""
        for event, handler in (
            ("Runtime.consoleAPICalled", self._console),
            ("Log.entryAdded", self._log),
            ("Runtime.exceptionThrown", self._exception),
            ("Page.javascriptDialogOpening", self._dialog),
            ("Page.fileChooserOpened", lambda _: self.note(DIALOG, "file chooser")),
            ("Page.windowOpen", lambda told: self._opens(told.get("url", ""))),
            ("Page.frameNavigated", self._navigated),
            ("Page.navigatedWithinDocument", self._moved),
            ("Inspector.targetCrashed", lambda _: self._crash()),
            ("Network.requestWillBeSent", self._request),
            ("Network.responseReceived", self._response),
            ("Network.loadingFailed", self._failed),
        ):
            connection.on(event, self._of_the_page(handler))
        connection.on("Browser.downloadWillBegin", lambda told, _: self._download(told))
        connection.on("Target.targetCreated", lambda told, _: self._created(told["targetInfo"]))

    def _of_the_page(self, handler: Any) -> Handler:
        def heard(told: dict[str, Any], session: str) -> None:
            if session == self._session:
                handler(told)

        return heard

    def listen(self, session: str, target: str, context: str) -> None:
        """To a new page. Others in its context are popups."""
        self._session, self._target, self._context = session, target, context
        self._dialogs = 0
        self._forget()

    def close_popups(self) -> None:
        while self._popups:
            self._close(self._popups.pop())
        self.opening = self.opened = 0

    def note(self, kind: str, text: str) -> None:
        if len(self._events) < MOST:
            self._events[Event(kind, " ".join(text.split())[:LONGEST])] = None

    def take(self) -> tuple[Event, ...]:
        events, self._events = tuple(self._events), {}
        self._dialogs = 0
        return events

    def _console(self, told: dict[str, Any]) -> None:
        if told.get("type") == "error":
            self.note(CONSOLE, " ".join(map(_spelled, told.get("args", ()))))

    def _log(self, told: dict[str, Any]) -> None:
        # Chromium also logs every error response; that is an event of its own.
        entry = told["entry"]
        if entry.get("level") == "error" and not entry["text"].startswith("Failed to load resource"):
            self.note(CONSOLE, entry["text"])

    def _exception(self, told: dict[str, Any]) -> None:
        details = told["exceptionDetails"]
        thrown = details.get("exception", {})
        self.note(EXCEPTION, _spelled(thrown) if thrown else details.get("text", ""))

    def _dialog(self, told: dict[str, Any]) -> None:
        kind, words = told["type"], told.get("message", "")
        self.note(DIALOG, f"{kind}: {words}" if words else kind)
        self._dialogs += 1
        if self._dialogs > MOST_DIALOGS:
            raise Endless("it opens one dialog after the other")
        answer = {"accept": True, "promptText": PROMPT} if kind == "prompt" else {"accept": True}
        if self._connection is not None:
            self._connection.post("Page.handleJavaScriptDialog", answer, self._session)

    def _opens(self, url: str) -> None:
        self.opening += 1
        self.note(POPUP, url)

    def _created(self, info: dict[str, Any]) -> None:
        """A window has opened; which one opened it is not asked: a popup may open another, or hide its
        opener."""
        if info.get("type") != "page" or info.get("browserContextId") != self._context:
            return
        if info["targetId"] == self._target:
            return
        self.opened += 1
        self.popped = True
        self._popups.append(info["targetId"])
        if len(self._popups) > MOST_OPEN:
            self._close(self._popups.pop(0))
        if self.opened > MOST_POPUPS:
            raise Endless("it opens one window after the other")

    def _close(self, popup: str) -> None:
        if self._connection is not None:
            self._connection.post("Target.closeTarget", {"targetId": popup})

    def _navigated(self, told: dict[str, Any]) -> None:
        self.arrivals += not told["frame"].get("parentId")

    def _moved(self, told: dict[str, Any]) -> None:
        self.arrivals += told.get("frameId") == self._target

    def _download(self, told: dict[str, Any]) -> None:
        self.stayed = True
        self.note(DOWNLOAD, told.get("suggestedFilename", ""))

    def _crash(self) -> None:
        self.crashed = True
        self.note(CRASH, "the page crashed")

    def _request(self, told: dict[str, Any]) -> None:
        if len(self._requests) >= MOST_REQUESTS:
            self._requests.clear()
        self._requests[told["requestId"]] = told["request"]["method"], told["request"]["url"]

    def _response(self, told: dict[str, Any]) -> None:
        response = told["response"]
        status, url = response["status"], response["url"]
        self.stayed = self.stayed or status in (204, 205)
        if status >= 400 and not url.endswith("/favicon.ico"):
            method, _ = self._requests.get(told["requestId"], ("GET", url))
            self.note(SERVER if status >= 500 else CLIENT, f"{status} {method} {urlsplit(url).path}")

    def _failed(self, told: dict[str, Any]) -> None:
        why = told.get("errorText", "")
        _, url = self._requests.get(told["requestId"], ("", ""))
        if told.get("type") == "Document" and "ERR_ABORTED" not in why:
            self.failed = f"{url} {why}"


def _spelled(thing: dict[str, Any]) -> str:
    """A JavaScript value as a person would read it; of an error the first line, without where it was."""
    if thing.get("type") == "string":
        return str(thing.get("value", ""))
    words = thing.get("description") or str(thing.get("value", thing.get("type", "")))
    return str(words).split("\n")[0] if thing.get("subtype") == "error" else str(words)
