"""An application on an Android device, as a driver."""

from __future__ import annotations

import io
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from untrod.core.errors import UntrodError
from untrod.drivers.android.devices import find_device
from untrod.drivers.android.events import ANR, CRASH, LEFT, RESTLESS, EventLog
from untrod.drivers.android.input import gesture
from untrod.drivers.android.nodes import Node
from untrod.drivers.android.phone import DeviceError, Phone, checked_apk, reinstall
from untrod.drivers.android.screen import NodeHandle, Snapshot, drawing, offers, screen_of
from untrod.drivers.android.snapshot import QUIET, SLOW, Snapshotter
from untrod.drivers.protocol import (
    Action,
    Capabilities,
    DriverOptions,
    Event,
    ResetLevel,
    Screen,
    Step,
    StepOutcome,
)
from untrod.drivers.setup_script import Setup, load_setup, run_hook
from untrod.drivers.words import Dictionary
from untrod.runtime.limits import CHILDREN, to_port

NOTHING = Screen("gone", "gone", {"text": ()})
ADB_PORT = 5037
_PACKAGE = re.compile(r"[A-Za-z]\w*(\.\w+)+")


class AndroidDriver:
    """`package` has to be installed, unless there is an `apk`.

    A soft reset empties all that the application keeps (`pm clear`) and starts it. A hard one installs the
    `apk` anew, where there is one; so does the first.

    What the application or the device does during a step is an outcome, never an exception: a crash is
    `CRASHED`, and so is a device that goes away; the next reset waits for it. Only a reset can fail, with an
    UntrodError. `idle` is how many seconds the action of that name waits for the screen to go off.
    """

    def __init__(
        self,
        package: str,
        *,
        serial: str = "",
        apk: Path | None = None,
        setup: Setup | None = None,
        idle: float = 20.0,
        log_out: bool = False,
        phone: Phone | None = None,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        self.package = package
        self._apk = apk
        self._setup = setup or Setup()
        self._words = Dictionary(self._setup.words)
        self._idle_seconds = idle
        self._log_out = log_out
        self._phone = phone or Phone(find_device(serial))
        self._snapshotter = Snapshotter(self._phone, package, wait)
        self._events = EventLog(package)
        self._fresh = True  # nothing was installed yet
        self._snapshot = Snapshot(package, "", "", Node())
        self._screen = NOTHING

    @property
    def hooks(self) -> tuple[str, ...]:
        """Of the setup script."""
        return self._setup.hooks

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(frozenset({"soft", "hard"}), frozenset({"trusted"}), deterministic=False)

    def reset(self, level: ResetLevel = "soft") -> Screen:
        """A device that fails is connected anew, once. A device that is away is waited for."""
        try:
            return self._reset(level)
        except DeviceError:
            self._phone.close()
        try:
            return self._reset(level)
        except DeviceError as error:
            raise UntrodError(str(error), "look at: adb devices; plug it in again, or restart it") from error

    def actions(self, screen: Screen) -> Sequence[Action]:
        return offers(self._snapshot, self._words, log_out=self._log_out)

    def step(self, action: Action) -> Step:
        begun = time.monotonic()
        try:
            outcome = self._step(action)
        except DeviceError as error:
            self._snapshot = Snapshot(self.package, "", "", Node())
            self._screen = replace(NOTHING, events=(Event(error.kind, str(error)),))
            outcome = StepOutcome.CRASHED
        return Step(action, outcome, self._screen, round(1000 * (time.monotonic() - begun)))

    def resolve(self, action: Action) -> Action | None:
        """The same widget; or else the only one with that name."""
        if action.target is None:
            return action
        if self._find(action) is not None:
            return action
        same = [handle for handle in self._snapshot.handles if handle.locator == action.target]
        named = [
            handle for handle in self._snapshot.handles if handle.detail == action.detail and action.detail
        ]
        for alike in (same if action.target[0] == "resourceId" else [], named):
            if len(alike) == 1:
                return replace(action, target=alike[0].locator, detail=alike[0].detail)
        return None

    def screenshot(self) -> bytes:
        """The display as a PNG; empty when there is none."""
        picture = io.BytesIO()
        try:
            self._phone.ask(lambda device: device.screenshot().save(picture, "PNG"))
        except DeviceError:
            return b""
        return picture.getvalue()

    def pace(self, *, slow: bool) -> None:
        """Slowly: look longer, as a person would. To see whether an alarm holds."""
        self._snapshotter.pace = SLOW if slow else QUIET

    def close(self) -> None:
        """The application is stopped, and the display is free to turn again."""
        if self._phone.is_open:
            try:
                self._phone.act(lambda device: device.app_stop(self.package))
                self._phone.act(_released)
            except DeviceError:
                pass  # gone already
            self._phone.close()

    # ---- resets ----

    def _reset(self, level: ResetLevel) -> Screen:
        if not self._phone.is_open:
            self._phone.open()
        if self._setup.reset is not None:
            run_hook(self._setup.reset, "reset")
        self._phone.ask(_awake)
        if self._apk is not None and (level == "hard" or self._fresh):
            reinstall(self._phone, self.package, self._apk)
        self._fresh = False
        if "Success" not in self._phone.shell("pm", "clear", self.package)[0]:
            raise UntrodError(
                f"{self.package} is not installed on {self._phone.serial}, or its data cannot be cleared",
                "check the name with: adb shell pm list packages; or give its --apk",
            )
        self._events.listen(self._phone)
        if not self._launched():
            raise UntrodError(
                f"{self.package} has nothing that could be started", "give an app with a launcher icon"
            )
        login = self._setup.login
        if login is not None:
            self._snapshotter.settle("")
            run_hook(lambda: login(self._phone.device), "login")
        self._snapshot, _ = self._snapshotter.settle("")
        if not self._snapshot.inside:
            events = self._events.listen(self._phone)
            why = events[0].text if events else f"{self._snapshot.focus} is in front"
            raise UntrodError(
                f"{self.package} does not start: {why}", "unlock the device, or start it by hand"
            )
        self._screen = screen_of(self._snapshot)
        return self._screen

    def _launched(self) -> bool:
        """Started, or brought back to the front: as a touch on its icon would."""
        words = ("monkey", "-p", self.package, "-c", "android.intent.category.LAUNCHER", "1")
        output, status = self._phone.shell(*words)
        if status != 0 or "aborted" in output:
            return False
        self._snapshotter.await_front()
        return True

    # ---- steps ----

    def _step(self, action: Action) -> StepOutcome:
        """Look, touch, look. A widget may have gone since the last look, or moved."""
        if action.target is not None:
            self._snapshot = replace(self._snapshot, root=self._phone.windows())
            if self._find(action) is None:
                self._snapshot, _ = self._snapshotter.settle("")  # one look may deceive
            if self._find(action) is None:
                self._screen = screen_of(self._snapshot)
                return StepOutcome.STALE
        before = drawing(self._snapshot.root, self.package)
        done = self._do(action)
        self._snapshot, calm = self._snapshotter.settle(before)
        events = self._events.listen(self._phone)
        kinds = {event.kind for event in events}
        if self._snapshot.on and not self._snapshot.inside and CRASH not in kinds:
            events.append(Event(LEFT, self._snapshot.focus))
        if not calm:
            events.append(Event(RESTLESS, "the screen did not settle"))
        self._screen = screen_of(self._snapshot, events)
        if CRASH in kinds:
            return StepOutcome.CRASHED
        return StepOutcome.OK if done and calm and ANR not in kinds else StepOutcome.TIMEOUT

    def _do(self, action: Action) -> bool:
        match action.type:
            case "idle":
                self._snapshotter.await_sleep(self._idle_seconds)
                return True
            case "pauseresume":
                self._phone.ask(lambda device: device.screen_on())
                done = self._phone.act(lambda device: device.press("home"))
                return self._launched() and done
        return self._phone.act(gesture(action, self._find(action)))

    def _find(self, action: Action) -> NodeHandle | None:
        for handle in self._snapshot.handles:
            if handle.locator == action.target and handle.detail == action.detail:
                return handle
        return None


class AndroidFactory:
    stage = False

    def opens(self, target: str) -> bool:
        """The name of a package looks like that of a file."""
        return False

    def check(self, options: DriverOptions) -> None:
        if not _PACKAGE.fullmatch(options.target):
            raise UntrodError(
                f"{options.target!r} is not the name of an Android package", "see: adb shell pm list packages"
            )
        if options.apk:
            checked_apk(options.project / options.apk)
        find_device(options.serial)

    def needs(self, targets: Sequence[str]) -> frozenset[str]:
        """The client of the adb server, and the server's port."""
        port = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
        return frozenset({CHILDREN, to_port(int(port) if port.isdecimal() else ADB_PORT)})

    def open(self, options: DriverOptions) -> AndroidDriver:
        return AndroidDriver(
            options.target,
            serial=options.serial,
            apk=options.project / options.apk if options.apk else None,
            setup=load_setup(options.project / options.setup) if options.setup else None,
            idle=options.idle,
            log_out=options.log_out,
        )


FACTORY = AndroidFactory()


def _awake(device: Any) -> None:
    device.screen_on()
    device.shell(["wm", "dismiss-keyguard"])
    device.set_orientation("natural")


def _released(device: Any) -> None:
    device.set_orientation("natural")
    device.freeze_rotation(False)
