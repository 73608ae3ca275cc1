"""Reads the window hierarchy of a device until it is stable."""

from __future__ import annotations

from collections.abc import Callable

from untrod.drivers.android.phone import Phone
from untrod.drivers.android.screen import DIALOGS, Snapshot, drawing

QUIET, SLOW = (0.1, 3), (0.5, 6)
"""Seconds between two readings, and how many have to agree when nothing seems to have changed."""
MOST_READINGS = 40
START_SECONDS, START_PAUSE = 20.0, 0.5
"""How long an application may take to come to the front, and how often that is checked."""


class Snapshotter:
    """`pace` is QUIET or SLOW."""

    def __init__(self, phone: Phone, package: str, wait: Callable[[float], object]) -> None:
        self.pace = QUIET
        self._phone = phone
        self._package = package
        self._wait = wait

    def settle(self, before: str) -> tuple[Snapshot, bool]:
        """The present screen, and whether it is stable: two readings in a row that agree, with the same
        activity in front. More of them if the screen is as it was `before`, or empty: a hierarchy may lag
        behind the display."""
        pause, needed = self.pace
        focus, last, same = self._phone.focus(), "", 0
        for _ in range(MOST_READINGS):
            root = self._phone.windows()
            drawn = drawing(root, self._package)
            last, same = drawn, same + 1 if drawn == last else 1
            if same >= (needed if drawn in ("", before) else 2):
                begun, focus = focus, self._phone.focus()
                if begun == focus:
                    return Snapshot(self._package, *focus, root, *self._phone.info()), True
                same = 0
            self._wait(pause)
        return Snapshot(self._package, *focus, root, *self._phone.info()), False

    def await_front(self) -> None:
        """Until the application is in front, or START_SECONDS are over. It may show nothing for seconds."""
        waited = 0.0
        while self._phone.focus()[0] not in (self._package, *DIALOGS) and waited < START_SECONDS:
            self._wait(START_PAUSE)
            waited += START_PAUSE

    def await_sleep(self, seconds: float) -> None:
        """Until the screen goes off, or so many seconds."""
        waited = 0.0
        while self._phone.ask(lambda device: device.adb_device.is_screen_on()) and waited < seconds:
            self._wait(1.0)
            waited += 1.0
