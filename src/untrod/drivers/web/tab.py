"""One browser with one page in it: starts it, clears what it has stored, navigates."""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.shapes import Malformed, anything
from untrod.drivers.web.browser import Browser
from untrod.drivers.web.cdp import CdpError, Gone, Late, Session
from untrod.drivers.web.chromium import launch_arguments
from untrod.drivers.web.events import EventLog
from untrod.drivers.web.snapshot import Snapshotter
from untrod.drivers.web.world import IsolatedWorld, present, scripts

LOADING = 15.0
BLANK = "about:blank"
WINDOW = {"width": 1280, "height": 900}
CALM = [{"name": "prefers-reduced-motion", "value": "reduce"}]
COOKIE = ("name", "value", "domain", "path", "httpOnly", "secure", "sameSite")


class Tab:
    """Raises Gone for what needs a page while none is open."""

    def __init__(self, executable: str, origins: Sequence[str], *, headless: bool) -> None:
        self.events = EventLog()
        self.world = IsolatedWorld()
        self._patience = LOADING
        self._executable = executable
        self._arguments = launch_arguments(origins, headless=headless)
        self._origins = tuple(origins)
        self._channel = secrets.token_hex(8)
        self._browser: Browser | None = None
        self._session: Session | None = None
        self._snapshotter: Snapshotter | None = None
        self._context = ""

    @property
    def session(self) -> Session:
        if self._session is None:
            raise Gone("no page is open")
        return self._session

    @property
    def snapshotter(self) -> Snapshotter:
        if self._snapshotter is None:
            raise Gone("no page is open")
        return self._snapshotter

    @property
    def usable(self) -> bool:
        alive = self._browser is not None and self._browser.alive
        return alive and self._session is not None and not self.events.crashed

    def be_patient(self, seconds: float) -> None:
        """The timeout of a single command; with a page that hangs it would never be answered."""
        self._patience = seconds
        if self._browser is not None:
            self._browser.connection.patience = seconds

    def open(self, state: Any = None) -> None:
        """A new page in a new profile: nothing is left of before. `state` is that of a login."""
        connection = self._started().connection
        if self._context:
            with suppress(CdpError):
                connection.call("Target.disposeBrowserContext", {"browserContextId": self._context})
        self._session = self._snapshotter = None
        context = connection.call("Target.createBrowserContext")["browserContextId"]
        self._context = context
        downloads = {"behavior": "deny", "browserContextId": context, "eventsEnabled": True}
        connection.post("Browser.setDownloadBehavior", downloads)
        page = {"url": BLANK, "browserContextId": context, **WINDOW}
        target = connection.call("Target.createTarget", page)["targetId"]
        attached = connection.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        self._session = Session(connection, attached["sessionId"])
        self.events.listen(self._session.name, target, context)
        self.world.enter(self._session, target)
        self._furnish(self._session)
        self._snapshotter = Snapshotter(self._session, self.world, self.events)
        self._keep(state)

    def empty(self, state: Any = None) -> None:
        """Forget what the application has stored: cookies, both storages, databases, caches, and where it has
        been. Then keep what a login has left. No other window outlives it."""
        self._evaluate(present("untrod.clear()", "null"))
        self._leave()
        connection = self.session.connection
        if self.events.popped and self._has_windows():  # which may go on to open others
            self.open(state)
            return
        sent = [
            self.session.ask("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
            for origin in self._origins
        ]
        sent.append(self.session.ask("Page.resetNavigationHistory"))
        sent.append(connection.ask("Storage.clearCookies", {"browserContextId": self._context}))
        for number in sent:
            connection.answer(number)
        self._keep(state)

    def go(self, url: str) -> None:
        """Raises UntrodError when there is no page to be had."""
        try:
            why = self._navigate(url)
        except Late:
            hint = "is the application well?"
            raise UntrodError(f"{url} did not answer within {LOADING:.0f} s", hint) from None
        if why == "net::ERR_TOO_MANY_REDIRECTS":
            hint = "look at it in a browser, and give the final address"
            raise UntrodError(f"{url} redirects without end", hint)
        if why:
            raise UntrodError(f"{url} cannot be reached: {why}", "start the application first")

    def back(self, seconds: float) -> bool:
        """Whether there was anything to go back to, and it came in time."""
        history = self.session.call("Page.getNavigationHistory")
        before = history["entries"][: history["currentIndex"]]
        if not before:
            return False
        return self._arrives("Page.navigateToHistoryEntry", {"entryId": before[-1]["id"]}, seconds)

    def reload(self, seconds: float) -> bool:
        return self._arrives("Page.reload", {}, seconds)

    def screenshot(self, seconds: float) -> bytes:
        """A PNG."""
        shot = self.session.call("Page.captureScreenshot", {"format": "png"}, seconds)
        return base64.b64decode(shot["data"])

    def kill(self) -> None:
        """The browser, from any thread: whatever is asked of it is answered with Gone then."""
        browser = self._browser
        if browser is not None:
            browser.kill()

    def close(self) -> None:
        if self._browser is not None:
            self._browser.close()
        self._browser = self._session = self._snapshotter = None
        self._context = ""

    def _started(self) -> Browser:
        if self._browser is None or not self._browser.alive:
            self.close()
            self._browser = Browser(self._executable, self._arguments)
            self._browser.connection.patience = self._patience
            self.events.attach(self._browser.connection)
            self.world.attach(self._browser.connection)
            self._browser.connection.on("Fetch.requestPaused", self._paused)
            self._browser.connection.post("Target.setDiscoverTargets", {"discover": True})
        return self._browser

    def _paused(self, told: dict[str, Any], session: str) -> None:
        empty = {"requestId": told["requestId"], "responseCode": 200, "body": ""}
        self.session.connection.post("Fetch.fulfillRequest", empty, session)

    def _furnish(self, session: Session) -> None:
        """All at once: the last answer says that all were heard."""
        metrics = {**WINDOW, "deviceScaleFactor": 1, "mobile": False}
        for method, params in (
            ("Page.enable", {}),
            ("Runtime.enable", {}),
            ("Network.enable", {}),
            ("Log.enable", {}),
            ("Inspector.enable", {}),
            ("Emulation.setDeviceMetricsOverride", metrics),
            ("Emulation.setEmulatedMedia", {"features": CALM}),
            ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
            ("Page.setInterceptFileChooserDialog", {"enabled": True}),
        ):
            session.post(method, params)
        sent = [session.ask("Page.addScriptToEvaluateOnNewDocument", each) for each in scripts(self._channel)]
        for number in sent:
            session.answer(number)

    def _has_windows(self) -> bool:
        """Besides the page."""
        self.events.popped = False
        targets = self.session.connection.call("Target.getTargets")["targetInfos"]
        pages = [each for each in targets if each["type"] == "page"]
        return len([each for each in pages if each.get("browserContextId") == self._context]) > 1

    def _evaluate(self, expression: str) -> None:
        try:
            self.world.evaluate(expression, anything)
        except Malformed as error:
            raise Gone(f"the page cannot be read: {error}") from error

    def _keep(self, state: Any) -> None:
        """Put back what Playwright calls the state of a login."""
        cookies = [
            {name: cookie[name] for name in COOKIE if name in cookie}
            | ({"expires": cookie["expires"]} if cookie.get("expires", -1) > 0 else {})
            for cookie in (state or {}).get("cookies", ())
        ]
        if cookies:
            given = {"cookies": cookies, "browserContextId": self._context}
            self.session.connection.call("Storage.setCookies", given)
        for origin in (state or {}).get("origins", ()):
            self._store(origin["origin"], {each["name"]: each["value"] for each in origin["localStorage"]})

    def _store(self, origin: str, items: dict[str, str]) -> None:
        """Only a page of that origin can, so an empty one is made up for it. The application sees nothing."""
        session = self.session
        session.call("Fetch.enable")  # `_paused` answers
        self._navigate(origin)
        self._evaluate(
            f"Object.entries({json.dumps(items)}).forEach((each) => localStorage.setItem(...each))"
        )
        session.call("Fetch.disable")
        self._leave()

    def _leave(self) -> None:
        """Go to an empty page, so that nothing of the application runs that could still write. The page is
        there a little earlier than the browser's history says, so that is waited for, too."""
        self._navigate(BLANK)
        deadline = time.monotonic() + LOADING
        while time.monotonic() < deadline:
            history = self.session.call("Page.getNavigationHistory")
            if history["entries"][history["currentIndex"]]["url"] == BLANK:
                break

    def _navigate(self, url: str) -> str:
        """Why the navigation failed; empty when the page is there. The browser answers before the document
        has changed: until then a snapshot would show the page before."""
        before = self.events.arrivals
        why = str(self.session.call("Page.navigate", {"url": url}, LOADING).get("errorText", ""))
        if not why and not self.session.connection.until(lambda: self.events.arrivals > before, LOADING):
            raise Late(url)
        return why

    def _arrives(self, method: str, params: dict[str, Any], seconds: float) -> bool:
        """Whether a navigation that was not begun by the page has arrived in time."""
        before = self.events.arrivals
        self.session.call(method, params)
        return self.session.connection.until(lambda: self.events.arrivals > before, seconds)
