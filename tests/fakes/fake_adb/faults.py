"""What can be made to go wrong. All are counted, none is timed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Faults:
    """Numbers say how often; each time it happens, one is taken off."""

    hanging_dumps: int = 0  # a dump that is never answered, nor is anything else before a restart
    hanging_inputs: int = 0  # a click or key that is done, and never answered
    stale_dumps: int = 0  # a dump that shows what was there before the last input
    stale_objects: int = 0  # a dump that fails with a StaleObjectException
    empty_dumps: int = 0  # a dump without any window
    dying_dumps: int = 0  # a dump during which the automation server dies
    deaf_starts: int = 0  # a start of the automation server that fails
    crashes: int = 0  # an input that crashes the application
    lost_after_inputs: int = 0  # so many inputs from now, the device is unplugged

    def take(self, name: str) -> bool:
        """Whether it happens now."""
        left: int = getattr(self, name)
        if left:
            setattr(self, name, left - 1)
        return bool(left)

    def loses_device(self) -> bool:
        """To be asked once for each input."""
        return self.take("lost_after_inputs") and not self.lost_after_inputs
