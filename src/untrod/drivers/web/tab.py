"""One browser with one page in it: started, emptied, looked at. All of it in Playwright's thread."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import launch_arguments
from untrod.drivers.web.ears import Ears
from untrod.drivers.web.nest import build_nest
from untrod.drivers.web.process import mark
from untrod.drivers.web.reading import Sight
from untrod.drivers.web.tree import FIELDS, Element, read_tree

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Playwright

SCRIPT = Path(__file__).with_name("page.js")
QUIET = 12
"""Milliseconds without a change after which a page has settled."""
SLOW = 250
PATIENCE = 3000
"""Milliseconds that a page may take to settle. One that never does is waited for less and less."""
LEAST_PATIENCE = 300
SLICE = 400
LOADING = 15_000
RETRIES = 1
POPUP_TURNS = 100
MOST_FRAMES = 10
WINDOW = {"width": 1280, "height": 900}


class Tab:
    def __init__(self, executable: str, origins: Iterable[str], token: str, *, headless: bool) -> None:
        self.ears = Ears()
        self.quiet = QUIET
        self._executable = executable
        self._arguments = [*launch_arguments(origins), mark(token)]
        self._headless = headless
        self._origins = tuple(origins)
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._context: BrowserContext | None = None
        self._cdp: CDPSession | None = None
        self._page: Page | None = None
        self._nest: Path | None = None
        self._restless: dict[str, int] = {}
        self._kinds: dict[tuple[str, str, str], str] = {}

    @property
    def page(self) -> Page:
        assert self._page is not None, "reset comes first"
        return self._page

    @property
    def usable(self) -> bool:
        alive = self._browser is not None and self._browser.is_connected()
        return alive and self._page is not None and not self._page.is_closed() and not self.ears.crashed

    @property
    def cdp(self) -> CDPSession:
        """The browser's own protocol, for what has to be quick."""
        assert self._cdp is not None, "reset comes first"
        return self._cdp

    def open(self, state: Any = None) -> None:
        """A new page in a new profile: nothing is left of before. `state` is that of a login."""
        browser = self._started()
        self._drop_context()
        self._context = browser.new_context(
            viewport=WINDOW,  # type: ignore[arg-type]
            reduced_motion="reduce",
            service_workers="block",
            accept_downloads=False,
            storage_state=state,
        )
        self._context.add_init_script(path=SCRIPT)
        self._page = self._context.new_page()
        self._cdp = self._context.new_cdp_session(self._page)
        self.cdp.send("Page.enable")
        self.cdp.on("Page.windowOpen", lambda told: self.ears.opens(told.get("url", "")))
        self.ears.listen(self._context, self._page)

    def empty(self, cookies: Any = ()) -> None:
        """Forget what the application has stored: cookies, both storages, databases, caches."""
        assert self._context is not None
        self._ask("window.__untrod && __untrod.clear()")
        self.page.goto("about:blank", wait_until="commit")
        for origin in self._origins:
            self.cdp.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        self._context.clear_cookies()
        if cookies:
            self._context.add_cookies(cookies)

    def go(self, url: str) -> None:
        """Raises UntrodError when there is no page to be had."""
        from playwright.sync_api import Error

        try:
            self.page.goto(url, wait_until="commit", timeout=LOADING)
        except Error as error:
            raise _unreachable(url, error.message) from None

    def state(self) -> Any:
        assert self._context is not None
        return self._context.storage_state()

    def look(self) -> tuple[Sight, bool]:
        """What the page shows once it has settled, and whether it has."""
        told, calm = self._settle()
        root = self._snapshot()
        for _ in range(RETRIES):
            if root is not None:
                break
            told, calm = self._settle()  # it went elsewhere in between
            root = self._snapshot()
        self._close_popups()
        root, complete = root or Element(""), root is not None
        for number, words in enumerate(told.get("pointed", ())):
            root.add(Element("generic", words, ref=f"c{number}", marks={"cursor": "pointer"}))
        sight = Sight(
            self.page.url,
            root,
            title=told.get("title", ""),
            back=told.get("back", False),
            hovers=told.get("hovers", False),
            doubles=told.get("doubles", False),
        )
        return sight, calm and complete

    def _close_popups(self) -> None:
        """One that has been asked for takes a while to be there."""
        for _ in range(POPUP_TURNS):
            if len(self.ears.popups) >= self.ears.opening:
                break
            self.page.wait_for_timeout(10)
        popups, self.ears.popups, self.ears.opening = self.ears.popups, [], 0
        for popup in popups:
            if not popup.is_closed():
                popup.close()

    def _snapshot(self) -> Element | None:
        """None when it cannot be had just now."""
        from playwright.sync_api import Error

        try:
            root = read_tree(self.cdp.send("Accessibility.getFullAXTree")["nodes"])
            for frame in [each for each in root.walk() if each.role == "iframe"][:MOST_FRAMES]:
                self._look_into(frame)
            self._name_kinds(root)
            return root
        except Error:
            if not self.usable:
                raise
            return None

    def _look_into(self, frame: Element) -> None:
        """A frame of another origin lives in another process, and is not looked into."""
        from playwright.sync_api import Error

        try:
            node = self.cdp.send("DOM.describeNode", {"backendNodeId": int(frame.ref)})["node"]
            inside = self.cdp.send("Accessibility.getFullAXTree", {"frameId": node["frameId"]})
            read_tree(inside["nodes"], frame)
        except (Error, LookupError):
            pass

    def _name_kinds(self, root: Element) -> None:
        """The type of each field, asked for once for each name on each page."""
        for element in root.walk():
            if element.role in FIELDS and "kind" not in element.properties:
                key = (self._place, element.role, element.name)
                if key not in self._kinds:
                    node = self.cdp.send("DOM.describeNode", {"backendNodeId": int(element.ref)})["node"]
                    given = node.get("attributes", [])
                    named = dict(zip(given[::2], given[1::2], strict=True))
                    plain = node["nodeName"] != "INPUT"
                    self._kinds[key] = "textarea" if plain else named.get("type", "text").lower()
                element.properties["kind"] = self._kinds[key]

    def _settle(self) -> tuple[dict[str, Any], bool]:
        """A navigation takes the question with it: then it is asked again, of the new document."""
        from playwright.sync_api import Error

        patience, begun, told = self.patience(), time.monotonic(), dict[str, Any]()
        while (left := patience - 1000 * (time.monotonic() - begun)) > 0:
            try:
                asked = f"{self.quiet}, {min(left, SLICE)}, {json.dumps(self.ears.stayed)}"
                told = self._ask(f"window.__untrod ? __untrod.settle({asked}) : {{}}")
            except Error:
                if not self.usable:
                    raise
                self._loaded(left)
                continue
            if told.get("calm", not told):  # an error page has no script, and is calm
                self._restless.pop(self._place, None)
                return told, True
        self._restless[self._place] = min(self._restless.get(self._place, 0) + 1, 8)
        return told, False

    def _ask(self, expression: str) -> dict[str, Any]:
        asked = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        return self.cdp.send("Runtime.evaluate", asked)["result"].get("value") or {}

    def patience(self) -> int:
        """Milliseconds that this page may take to settle."""
        return max(LEAST_PATIENCE, PATIENCE >> self._restless.get(self._place, 0))

    @property
    def _place(self) -> str:
        return urldefrag(self.page.url).url

    def _loaded(self, milliseconds: float) -> None:
        from playwright.sync_api import Error

        try:
            self.page.wait_for_load_state("domcontentloaded", timeout=max(milliseconds, 1))
        except Error:
            pass  # the loop around this one keeps the time

    def _started(self) -> Browser:
        if self._browser is not None and self._browser.is_connected():
            return self._browser
        from playwright.sync_api import Error, sync_playwright

        if self._playwright is None:
            self._playwright = sync_playwright().start()
        self._context = self._page = None
        self._nest = self._nest or build_nest()
        try:
            self._browser = self._playwright.chromium.launch(
                env={**os.environ, "TMPDIR": str(self._nest)},
                executable_path=self._executable,
                args=self._arguments,
                headless=self._headless,
                handle_sigint=False,  # Ctrl-C is for untrod, which closes the browser itself
                handle_sigterm=False,
                handle_sighup=False,
            )
        except Error as error:
            line = error.message.splitlines()[0]
            hint = f"try to start {self._executable} by hand, or name another in $UNTROD_CHROMIUM"
            raise UntrodError(f"Chromium does not start: {line}", hint) from None
        return self._browser

    def _drop_context(self) -> None:
        from playwright.sync_api import Error

        if self._context is not None:
            try:
                self._context.close()
            except Error:
                pass  # it went with its browser
        self._context = self._page = None

    def close(self) -> None:
        for end in self._ends():
            try:
                end()
            except Exception:
                pass  # it is gone, which is what is wanted
        if self._nest is not None:
            shutil.rmtree(self._nest, ignore_errors=True)
        self._browser = self._context = self._page = self._playwright = self._nest = None

    def _ends(self) -> list[Callable[[], None]]:
        ends: list[Callable[[], None]] = []
        if self._browser is not None:
            ends.append(self._browser.close)
        if self._playwright is not None:
            ends.append(self._playwright.stop)
        return ends


def _unreachable(url: str, message: str) -> UntrodError:
    if "ERR_TOO_MANY_REDIRECTS" in message:
        return UntrodError(
            f"{url} redirects without end", "look at it in a browser, and give the final address"
        )
    if "Timeout" in message:
        return UntrodError(f"{url} did not answer within {LOADING // 1000} s", "is the application well?")
    why = next((word for word in message.split() if word.startswith("net::")), message.splitlines()[0])
    return UntrodError(f"{url} cannot be reached: {why}", "start the application first")
