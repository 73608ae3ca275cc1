"""Looks at a device until there is something to be relied on."""

from __future__ import annotations

from collections.abc import Callable

from untrod.drivers.android.phone import Phone
from untrod.drivers.android.reading import DIALOGS, Sight, drawing

QUIET, SLOW = (0.1, 3), (0.5, 6)
"""Seconds between two looks, and how many have to agree before it is believed that nothing has happened."""
MOST_LOOKS = 40
START_SECONDS, START_PAUSE = 20.0, 0.5
"""How long an application may take to come to the front, and how often that is looked at."""


class Eyes:
    """`pace` is QUIET or SLOW."""

    def __init__(self, phone: Phone, package: str, wait: Callable[[float], object]) -> None:
        self.pace = QUIET
        self._phone = phone
        self._package = package
        self._wait = wait

    def settle(self, before: str) -> tuple[Sight, bool]:
        """What is seen, and whether it keeps still: two looks in a row that see the same, with the same
        activity in front. More of them if that is what was there `before`, or nothing at all: a hierarchy
        may lag behind the display."""
        pause, stubborn = self.pace
        focus, last, same = self._phone.focus(), "", 0
        for _ in range(MOST_LOOKS):
            root = self._phone.windows()
            drawn = drawing(root, self._package)
            last, same = drawn, same + 1 if drawn == last else 1
            if same >= (stubborn if drawn in ("", before) else 2):
                begun, focus = focus, self._phone.focus()
                if begun == focus:
                    return Sight(self._package, *focus, root, *self._phone.info()), True
                same = 0
            self._wait(pause)
        return Sight(self._package, *focus, root, *self._phone.info()), False

    def await_front(self) -> None:
        """Until the application is what one sees, or long enough. It may show nothing for seconds."""
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
