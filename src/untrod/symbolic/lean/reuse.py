"""When is it worth fetching a model?

With one, the next branch may need no solver: if the model happens to take the wanted side, that side is
feasible. But fetching costs about three checks, so it only pays while a model answers several branches. On
insertion sort's worst path it never does; on most paths through parsers it does nearly always.
"""

from __future__ import annotations

PAYS = 3
LONGEST_PAUSE = 64


class Reuse:
    """Fetches after every check while models pay; after each that did not, pauses twice as long."""

    def __init__(self) -> None:
        self._pause = 1
        self._checks = 0
        self._hits = 0

    def hit(self) -> None:
        """The model answered a branch."""
        self._hits += 1

    def used_up(self) -> None:
        """The path goes where the model does not."""
        self._pause = 1 if self._hits >= PAYS else min(2 * self._pause, LONGEST_PAUSE)
        self._hits = self._checks = 0

    def wants_model(self) -> bool:
        """The solver has just found another one."""
        self._checks += 1
        return self._checks >= self._pause
