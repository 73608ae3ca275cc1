"""A device, and what is done when it does not answer.

Between untrod and an application are four things that fail in their own ways: the cable, the adb server, the
automation server on the device, and the window whose hierarchy is asked for. The client library lets all that
through as it comes: as errors of its own, of sockets, of HTTP, of JSON, as failed assertions. So what went
wrong is not read off the exception. It is looked up:

    the device is not listed any more            DeviceLost: nothing can be done before it is back
    it is listed, and the answer was an error    asked again: a window changed while it was read
    it is listed, and there was no answer        the automation server is started again, then asked again
    and again no answer                          DeviceUnresponsive

Reading may be repeated. Acting may not: a second click does something else. `act` says when an act had no
answer, once the device answers again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from untrod.core.errors import UntrodError
from untrod.core.reading import open_regular
from untrod.drivers.android.devices import connect, is_present, libraries, wait_for
from untrod.drivers.android.nodes import Node, read_hierarchy

T = TypeVar("T")

TRIES = 4
"""How often a reading is asked for that is answered with an error."""
DEPTH = 50
"""How deep a hierarchy is read, as the client does by default."""
SERVER = "com.wetest.uia2.Main"
"""What uiautomator2 starts on the device."""


class DeviceError(Exception):
    """The device cannot be used as it is. The text is one line for a person."""

    kind = "device-lost"


class DeviceLost(DeviceError):
    """It is not there."""


class DeviceUnresponsive(DeviceError):
    """It is there and does not answer."""

    kind = "device-deaf"


class Phone:
    """`patience` is how many seconds a call may take, `absence` how many a device may be away."""

    def __init__(self, serial: str, *, patience: float = 15.0, absence: float = 30.0) -> None:
        self.serial = serial
        self.restarts = 0
        self._patience = patience
        self._absence = absence
        self.device: Any = None  # uiautomator2's

    @property
    def is_open(self) -> bool:
        return self.device is not None

    def open(self) -> None:
        """Connect, and wait for a device that is away."""
        self.close()
        if not is_present(self.serial) and not wait_for(self.serial, self._absence):
            raise DeviceLost(f"the device {self.serial} is gone")
        try:
            self.device = connect(self.serial, self._patience)
        except Exception as error:
            raise self._diagnosis(error) from error

    def close(self) -> None:
        """The automation server ends with the connection that has started it."""
        device, self.device = self.device, None
        if device is not None:
            try:
                device.stop_uiautomator(wait=False)
            except Exception:
                pass  # the device is gone, and the server with it

    # ---- questions ----

    def windows(self) -> Node:
        """All that is on the display. The client's own function waits seconds for a display that is empty."""
        return self.ask(lambda device: read_hierarchy(device.jsonrpc.dumpWindowHierarchy(False, DEPTH)))

    def focus(self) -> tuple[str, str]:
        """The package and the activity in front."""
        found = self.ask(lambda device: device.app_current())
        return str(found["package"]), str(found["activity"])

    def info(self) -> tuple[bool, int]:
        """Whether the screen is on, and how often the display is turned by a right angle."""
        found = self.ask(lambda device: device.info)
        return bool(found.get("screenOn", True)), int(found.get("displayRotation", 0))

    def shell(self, *words: str) -> tuple[str, int]:
        """Output and status of a command that may be repeated."""
        output, status = self.ask(lambda device: device.shell(list(words)))
        return str(output), int(status)

    def ask(self, question: Callable[[Any], T]) -> T:
        """Something that may be asked twice."""
        restarts = self.restarts
        for _ in range(TRIES):
            try:
                return question(self.device)
            except Exception as raised:
                error = raised
            if self.restarts > restarts and not _answered(error):
                break
            self._mend(error)
        raise DeviceUnresponsive(f"the device {self.serial} does not answer: {_line(error)}") from error

    def act(self, gesture: Callable[[Any], object]) -> bool:
        """Do it once. False: it is not known whether it was done."""
        try:
            gesture(self.device)
        except Exception as error:
            self._mend(error)
            return False
        return True

    # ---- failures ----

    def _mend(self, error: Exception) -> None:
        """Restart the automation server if it does not answer, so that the next call may succeed. Raises
        DeviceError where there is none."""
        if self.device is None or not is_present(self.serial):
            raise DeviceLost(f"the device {self.serial} is gone") from error
        if _answered(error):
            return
        self.restarts += 1
        try:
            self.device.shell(["pkill", "-f", SERVER])  # also one that another client has left there
            self.device.reset_uiautomator()
        except Exception as again:
            raise self._diagnosis(again) from again

    def _diagnosis(self, error: Exception) -> DeviceError:
        if not is_present(self.serial):
            return DeviceLost(f"the device {self.serial} is gone")
        return DeviceUnresponsive(f"uiautomator2 does not start on {self.serial}: {_line(error)}")


# ---- installing ----


def checked_apk(path: Path) -> Path:
    """Complains before a device is touched."""
    try:
        with open_regular(path) as file:
            begin = file.read(2)
    except OSError as error:
        raise UntrodError(f"cannot read {path}: {error.strerror}", "give the path of an APK") from None
    if begin != b"PK":
        raise UntrodError(f"{path} is not an APK", "give the file that `gradle assembleDebug` has made")
    return path


def reinstall(phone: Phone, package: str, apk: Path) -> None:
    """Away with the application and its data, then the file anew. Permissions are asked for again."""
    target = f"/data/local/tmp/{package}.apk"
    phone.shell("pm", "uninstall", package)
    phone.ask(lambda device: device.push(str(apk), target))
    output, _ = phone.shell("pm", "install", "-r", "-t", target)
    phone.shell("rm", target)
    if "Success" not in output:
        why = next(iter(output.strip().splitlines()), "the device says nothing")
        raise UntrodError(f"{apk.name} cannot be installed on {phone.serial}: {why}", "try: adb install")


def _answered(error: Exception) -> bool:
    """The device did answer: with an error, or with something that is no hierarchy."""
    return isinstance(error, (libraries()[0].RPCError, ValueError))


def _line(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0][:200] if lines and lines[0] else type(error).__name__
