"""A web application in a browser, as a driver."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from untrod.core.errors import UntrodError
from untrod.drivers.protocol import Action, Capabilities, DriverOptions, ResetLevel, Screen, Step, StepOutcome
from untrod.drivers.setup_script import Setup, load_setup, run_hook
from untrod.drivers.web.cdp import CdpError
from untrod.drivers.web.chromium import find_chromium, origin_of
from untrod.drivers.web.events import CRASH, CROWDED, DEAD, LEFT, RESTLESS
from untrod.drivers.web.input import Blocked, Input
from untrod.drivers.web.login import log_in
from untrod.drivers.web.screen import (
    MOST_WIDGETS,
    ElementHandle,
    Snapshot,
    kind_of_field,
    offers,
    screen_of,
)
from untrod.drivers.web.snapshot import QUIET, SLOW
from untrod.drivers.web.tab import BLANK, Tab
from untrod.drivers.web.thread import BrowserThread
from untrod.drivers.web.tree import Element
from untrod.drivers.words import Dictionary
from untrod.runtime.limits import CHILDREN, to_port
from untrod.runtime.processes import kill_in_tree

TRAVEL_SECONDS, PICTURE_SECONDS = 1.0, 5.0
"""For going back and reloading, and for a picture."""
RESET_SECONDS, LOGIN_SECONDS, CLOSE_SECONDS = 60.0, 180.0, 10.0
LEAST_SECONDS = 15.0
"""For a single question: to read a large page takes its time."""
ERROR_PAGE = "chrome-error:"
USUAL_PORTS = {"http": 80, "https": 443}


class WebDriver:
    """Keeps to the origin of `url`, and to the `origins` that are allowed besides.

    The first reset and every hard one start from a new profile, after the setup script has put the
    application's own data back. A soft one empties all that the browser keeps for these origins, and loads
    the page again; what the server keeps is then left as it is, unless the server finds it by a cookie.

    What the application does to the browser is an outcome, never an exception: a page that crashes, hangs or
    goes away is `CRASHED`, and the next reset starts anew. Only a reset can fail, with an UntrodError, when
    the application cannot be reached. A page that does not answer for half of `hang_seconds` hangs, and a
    step longer than all of it costs the browser its life.
    """

    def __init__(
        self,
        url: str,
        *,
        origins: Iterable[str] = (),
        setup: Setup | None = None,
        headless: bool = True,
        log_out: bool = False,
        hang_seconds: float = 30.0,
    ) -> None:
        self.url = url
        self._setup = setup or Setup()
        self._words = Dictionary(self._setup.words)
        self._origins = frozenset({origin_of(url), *map(origin_of, origins)})
        self._log_out = log_out
        self.hang_seconds = hang_seconds
        self._mark = secrets.token_hex(8)  # of the browser that logs in
        self._headless = headless
        self._executable = find_chromium()
        self._tab = Tab(self._executable, sorted(self._origins), headless=headless)
        self._thread = BrowserThread("untrod-web", self._kill)
        self._state: Any = None
        self._quiet = QUIET
        self._snapshot = Snapshot(BLANK, Element(""))
        self._screen = Screen(BLANK, BLANK)
        self._closed = False

    @property
    def hooks(self) -> tuple[str, ...]:
        """Of the setup script."""
        return self._setup.hooks

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(frozenset({"soft", "hard"}), frozenset({"trusted"}), deterministic=False)

    def reset(self, level: ResetLevel = "soft") -> Screen:
        first = self._setup.login is not None and self._state is None
        return self._thread(lambda: self._reset(level), LOGIN_SECONDS if first else RESET_SECONDS)

    def actions(self, screen: Screen) -> Sequence[Action]:
        return offers(self._snapshot, self._words, self._origins, log_out=self._log_out)

    def step(self, action: Action) -> Step:
        self._tab.be_patient(self.hang_seconds / 2)
        return self._thread(lambda: self._step(action), self.hang_seconds)

    def resolve(self, action: Action) -> Action | None:
        """The same widget; or else the only one of that role, or else of any role, with that name."""
        if action.target is None:
            return action if action.type != "back" or self._snapshot.back else None
        if self._find(action) is not None:
            return action
        named = [handle for handle in self._snapshot.handles if handle.detail == action.detail]
        kind = action.target[1].split(" ")[0]
        for alike in ([handle for handle in named if handle.element.role == kind], named):
            if len(alike) == 1:
                return replace(action, target=alike[0].locator)
        return None

    def screenshot(self) -> bytes:
        """The page as a PNG; empty when there is none."""
        return self._thread(self._screenshot, self.hang_seconds)

    def pace(self, *, slow: bool) -> None:
        """Slowly: wait longer for the page to settle, as a person would. To see whether an alarm holds."""
        self._quiet = SLOW if slow else QUIET

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            if self._thread.busy:  # a step whose caller was stopped
                self._kill()
            self._thread(self._tab.close, CLOSE_SECONDS)
            self._thread.close()

    def _kill(self) -> None:
        self._tab.kill()
        kill_in_tree(self._mark)

    # ---- in the browser's thread ----

    def _reset(self, level: ResetLevel) -> Screen:
        """A browser that fails is replaced, once."""
        self._tab.be_patient(max(LEAST_SECONDS, self.hang_seconds / 2))
        try:
            return self._reset_once(level)
        except CdpError:
            self._tab.close()
        try:
            return self._reset_once("hard")
        except CdpError as error:
            raise UntrodError(f"the browser fails again and again: {error}", "try another Chromium") from None

    def _reset_once(self, level: ResetLevel) -> Screen:
        if not self._tab.usable or level == "hard":
            self._begin_anew()
        else:
            try:
                self._tab.empty(self._state)
            except CdpError:  # it broke while it was emptied: then from the beginning
                self._begin_anew()
        if self._setup.restore is not None:  # now: no page is open that could still write
            run_hook(self._setup.restore, "restore")
        self._tab.events.take()
        self._tab.go(self.url)
        outcome, screen = self._read()
        if outcome is StepOutcome.CRASHED:
            raise UntrodError(f"{self.url} cannot be shown: {_first(screen)}", "look at it in a browser")
        return screen

    def _begin_anew(self) -> None:
        if self._setup.reset is not None:
            run_hook(self._setup.reset, "reset")
            self._state = None  # the sessions may have gone with the data
        login = self._setup.login
        if login is not None and self._state is None:
            known, mark = sorted(self._origins), self._mark
            self._state = run_hook(
                lambda: log_in(self._executable, self.url, known, mark, login, headless=self._headless),
                "login",
            )
        self._tab.open(self._state)

    def _step(self, action: Action) -> Step:
        begun = time.monotonic()
        handle = self._find(action)
        if action.target is not None and handle is None:
            return Step(action, StepOutcome.STALE, replace(self._screen, events=()))
        self._tab.events.stayed = False
        outcome = self._touch(action, handle)
        read, screen = self._read()
        if read is not StepOutcome.OK:
            outcome = read
        return Step(action, outcome, screen, round(1000 * (time.monotonic() - begun)))

    def _touch(self, action: Action, handle: ElementHandle | None) -> StepOutcome:
        element = handle.element if handle else None
        kind = kind_of_field(element) if element else ""
        try:
            match action.type:
                case "back":
                    moved = self._tab.back(TRAVEL_SECONDS)
                case "reload":
                    moved = self._tab.reload(TRAVEL_SECONDS)
                case _:
                    moved = True
                    Input(self._tab.session, self._tab.world).perform(action, element, kind)
        except (Blocked, CdpError):
            return StepOutcome.BLOCKED
        return StepOutcome.OK if moved else StepOutcome.BLOCKED

    def _read(self) -> tuple[StepOutcome, Screen]:
        """What is to be seen now. A page that cannot be read any more is one that crashed."""
        events, outcome = self._tab.events, StepOutcome.OK
        try:
            snapshot, calm = self._look()
            if not self._at_home(snapshot.url):
                outcome = self._leave(snapshot.url)
                if outcome is StepOutcome.BLOCKED:
                    snapshot, calm = self._look()
        except CdpError as error:
            if not events.crashed:
                events.note(CRASH, str(error))
                self._tab.close()  # it hangs, or goes on for ever
            return StepOutcome.CRASHED, self._gone()
        if outcome is StepOutcome.CRASHED:
            return outcome, self._gone()
        if not calm:
            outcome = StepOutcome.TIMEOUT if outcome is StepOutcome.OK else outcome
            events.note(RESTLESS, "the page did not settle")
        if snapshot.crowded:
            events.note(CROWDED, f"only the first {MOST_WIDGETS} widgets are operated")
        self._snapshot = snapshot
        self._screen = screen_of(snapshot, events.take())
        return outcome, self._screen

    def _look(self) -> tuple[Snapshot, bool]:
        self._tab.snapshotter.quiet = self._quiet
        return self._tab.snapshotter.look()

    def _at_home(self, url: str) -> bool:
        return url.startswith(BLANK) or (not url.startswith(ERROR_PAGE) and _origin(url) in self._origins)

    def _leave(self, url: str) -> StepOutcome:
        """Out of the allowed origins, or at an error page: back, unless the application itself is gone."""
        failed, self._tab.events.failed = self._tab.events.failed, ""
        where = failed or url
        if url.startswith(ERROR_PAGE) and _origin(where.split(" ")[0]) in self._origins:
            self._tab.events.note(DEAD, where)
            return StepOutcome.CRASHED
        self._tab.events.note(LEFT, where)
        if not self._tab.back(TRAVEL_SECONDS):
            self._tab.go(self.url)
        return StepOutcome.BLOCKED

    def _gone(self) -> Screen:
        self._snapshot = Snapshot(BLANK, Element(""))
        self._screen = Screen("gone", "gone", {"text": ()}, (), self._tab.events.take())
        return self._screen

    def _find(self, action: Action) -> ElementHandle | None:
        for handle in self._snapshot.handles:
            if handle.locator == action.target and handle.detail == action.detail:
                return handle
        return None

    def _screenshot(self) -> bytes:
        try:
            return self._tab.screenshot(PICTURE_SECONDS)
        except CdpError:
            return b""


class WebFactory:
    stage = True

    def opens(self, target: str) -> bool:
        return target.startswith(("http://", "https://"))

    def check(self, options: DriverOptions) -> None:
        for url in (options.target, *options.origins):
            origin_of(url)
        find_chromium()

    def needs(self, targets: Sequence[str]) -> frozenset[str]:
        """A browser, and the ports that it connects to."""
        parts = [urlsplit(origin_of(url)) for url in targets]
        return frozenset({CHILDREN, *(to_port(each.port or USUAL_PORTS[each.scheme]) for each in parts)})

    def open(self, options: DriverOptions) -> WebDriver:
        """The browser starts with the first reset."""
        return WebDriver(
            options.target,
            origins=options.origins,
            setup=load_setup(options.project / options.setup) if options.setup else None,
            headless=not options.headed,
            log_out=options.log_out,
        )


FACTORY = WebFactory()


def _origin(url: str) -> str:
    try:
        return origin_of(url)
    except UntrodError:
        return ""


def _first(screen: Screen) -> str:
    return screen.events[0].text if screen.events else "it went away"
