"""Hears what happens by the way: errors, dialogs, popups, downloads, crashes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from untrod.drivers.protocol import Event

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Download, Page, Request, Response

CONSOLE, EXCEPTION, CLIENT, SERVER = "console-error", "exception", "client-error", "server-error"
DIALOG, POPUP, DOWNLOAD, LEFT = "dialog", "popup", "download", "left"
CRASH, DEAD, RESTLESS, CROWDED = "crash", "dead-page", "restless", "crowded"

LONGEST = 300
MOST = 50
PROMPT = "milk"
"""What is answered when the page asks for a text."""


class Ears:
    """Events since `take`. A dialog is accepted at once: a page with an open one stands still."""

    def __init__(self) -> None:
        self._events: dict[Event, None] = {}
        self.crashed = False
        self.failed = ""  # the address that could not be loaded, and why
        self.stayed = False  # a navigation was begun, and the page is to stay where it is
        self.opening = 0  # windows that were asked for
        self.popups: list[Page] = []  # those that are there

    def listen(self, context: BrowserContext, page: Page) -> None:
        """To a new page in a new context."""
        self.crashed, self.failed, self.opening, self.popups = False, "", 0, []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.note(EXCEPTION, str(error)))
        page.on("dialog", self._dialog)
        page.on("download", self._download)
        page.on("crash", lambda _: self._crash())
        page.on("response", self._response)
        page.on("requestfailed", self._failed)
        page.on("filechooser", lambda _: self.note(DIALOG, "file chooser"))
        context.on("page", self._popup)

    def note(self, kind: str, text: str) -> None:
        if len(self._events) < MOST:
            self._events[Event(kind, " ".join(text.split())[:LONGEST])] = None

    def opens(self, url: str) -> None:
        self.opening += 1
        self.note(POPUP, url)

    def take(self) -> tuple[Event, ...]:
        events, self._events = tuple(self._events), {}
        return events

    def _console(self, message: ConsoleMessage) -> None:
        # Chromium also logs every error response; that is an event of its own.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.note(CONSOLE, message.text)

    def _dialog(self, dialog: Dialog) -> None:
        self.note(DIALOG, f"{dialog.type}: {dialog.message}" if dialog.message else dialog.type)
        if dialog.type == "prompt":
            dialog.accept(PROMPT)
        else:
            dialog.accept()

    def _download(self, download: Download) -> None:
        self.stayed = True
        self.note(DOWNLOAD, download.suggested_filename)

    def _crash(self) -> None:
        self.crashed = True
        self.note(CRASH, "the page crashed")

    def _response(self, response: Response) -> None:
        self.stayed = self.stayed or response.status in (204, 205)
        if response.status >= 400 and not response.url.endswith("/favicon.ico"):
            kind = SERVER if response.status >= 500 else CLIENT
            self.note(kind, f"{response.status} {response.request.method} {_place(response.url)}")

    def _failed(self, request: Request) -> None:
        if request.is_navigation_request() and request.failure and "ERR_ABORTED" not in request.failure:
            self.failed = f"{request.url} {request.failure}"

    def _popup(self, page: Page) -> None:
        self.popups.append(page)


def _place(url: str) -> str:
    return urlsplit(url).path
