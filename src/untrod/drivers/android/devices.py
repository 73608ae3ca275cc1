"""Which device is driven. Nothing else of this driver imports uiautomator2 or adbutils."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from untrod.core.errors import MissingExtra, UntrodError
from untrod.runtime import launch

REMEDIES = {
    "unauthorized": "unlock it, and allow USB debugging",
    "offline": "plug it in again, or run: adb reconnect",
}

LONGEST_COMMAND = 60.0
"""Seconds. Installing takes longest."""


def find_device(serial: str = "") -> str:
    """The serial number of the device that is meant: by name, by $ANDROID_SERIAL, or the only one.

    Raises MissingExtra without uiautomator2, and UntrodError where there is no such device, or no choice.
    """
    _, adbutils = libraries()
    launch.begin()  # where no adb server runs, the client starts one: it ends with us
    wanted = serial or os.environ.get("ANDROID_SERIAL", "")
    try:
        states = {each.serial: each.state for each in adbutils.AdbClient().list()}
    except Exception as error:  # no server, no adb to start one, or something else on that port
        line = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UntrodError(
            f"no adb server answers: {line}", "install adb, and run: adb start-server"
        ) from None
    return _chosen(wanted, states)


def _chosen(wanted: str, states: dict[str, str]) -> str:
    if not wanted and len(states) > 1:
        raise UntrodError(f"{len(states)} devices are connected", f"choose one: --serial {_either(states)}")
    if not states:
        raise UntrodError(
            "no Android device is connected", "plug one in or start an emulator: see adb devices"
        )
    found = wanted or next(iter(states))
    if found not in states:
        raise UntrodError(f"there is no device {found!r}", f"say --serial {_either(states)}")
    if states[found] != "device":
        hint = REMEDIES.get(states[found], "look at: adb devices")
        raise UntrodError(f"the device {found} is {states[found]}", hint)
    return found


def connect(serial: str, patience: float) -> Any:
    """A device of uiautomator2. Starts its server there. Raises whatever the client raises."""
    uiautomator2, adbutils = libraries()

    class Impatient(adbutils.AdbDevice):  # type: ignore[misc, name-defined]
        """uiautomator2 means to limit how long it waits for an answer, but says so to a socket that is
        already connected, and then waits ten minutes. So does adbutils for a command."""

        def shell(self, cmdargs: Any, stream: bool = False, timeout: Any = None, **options: Any) -> Any:
            limit = min(timeout or LONGEST_COMMAND, LONGEST_COMMAND)
            return super().shell(cmdargs, stream=stream, timeout=limit, **options)

        def create_connection(self, network: Any, address: Any) -> Any:
            connection = super().create_connection(network, address)
            connection.settimeout(patience)
            return connection

    return uiautomator2.connect(Impatient(adbutils.AdbClient(), serial=serial))


def is_present(serial: str) -> bool:
    _, adbutils = libraries()
    try:
        return any(each.serial == serial and each.state == "device" for each in adbutils.AdbClient().list())
    except Exception:
        return False


def wait_for(serial: str, seconds: float) -> bool:
    """Whether the device is there within so many seconds. The adb server waits, nobody polls."""
    _, adbutils = libraries()
    try:
        adbutils.AdbClient().wait_for(serial, timeout=seconds)
    except Exception:
        return False
    return True


def libraries() -> tuple[Any, Any]:
    try:
        import adbutils
        import uiautomator2
    except ImportError:
        raise MissingExtra("uiautomator2", "android") from None
    return uiautomator2, adbutils


def _either(serials: Sequence[str] | dict[str, str]) -> str:
    return " or --serial ".join(list(serials)[:5])
