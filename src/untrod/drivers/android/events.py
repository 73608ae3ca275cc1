"""Crashes and hangs of the application, read from the device's event log (logcat)."""

from __future__ import annotations

import re

from untrod.drivers.android.phone import Phone
from untrod.drivers.protocol import Event

CRASH, ANR, LEFT, RESTLESS = "crash", "anr", "left", "restless"
LONGEST = 300
COMMAND = ("logcat", "-b", "events", "-d", "-v", "epoch", "-s", "am_crash:*", "am_anr:*")
_ENTRY = re.compile(r"\s*(?P<time>\d+\.\d+)\s.*?\b(?P<tag>am_crash|am_anr)\s*: \[(?P<fields>.*)\]\s*")


class EventLog:
    """Crashes and hangs of one package, each reported once: entries are told apart by the device's own clock.

    am_crash: pid, user, process, flags, exception, message, file, line
    am_anr: user, pid, package, flags, reason
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._since = -1.0

    def listen(self, phone: Phone) -> list[Event]:
        output, _ = phone.shell(*COMMAND)
        events, since = [], self._since
        for line in output.splitlines():
            entry = _ENTRY.fullmatch(line)
            if entry is not None and float(entry["time"]) > since:
                self._since = max(self._since, float(entry["time"]))
                events += self._event(entry["tag"], entry["fields"])
        return list(dict.fromkeys(events))

    def _event(self, tag: str, fields: str) -> list[Event]:
        if tag == "am_anr":
            _, _, package, _, reason = (fields.split(",", 4) + [""] * 5)[:5]
            return [Event(ANR, reason[:LONGEST])] if self._is_ours(package) else []
        _, _, process, _, error, rest = (fields.split(",", 5) + [""] * 6)[:6]
        message = rest.rsplit(",", 2)[0]
        return [Event(CRASH, f"{error}: {message}"[:LONGEST])] if self._is_ours(process) else []

    def _is_ours(self, process: str) -> bool:
        """A process may have a name of its own behind the package's."""
        return process.partition(":")[0] == self._package
