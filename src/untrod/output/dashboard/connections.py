"""Connections that have not said yet what they want: anybody on this machine can open one.

They must not keep out the person whose dashboard it is. So only so many may wait: one more, and the oldest is
closed; and none waits long. Whoever has asked is the gate's to judge, and who is refused there is hung up on.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

MOST_WAITING = 64
PATIENCE = 5.0
"""Seconds until the first request has to be there, headers and all."""


class Patient(H11Protocol):
    """uvicorn's connection, with an end to waiting for its first request."""

    waiting: dict[Patient, asyncio.TimerHandle]  # the oldest first; of one server, see `patient`

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        while len(self.waiting) >= MOST_WAITING:
            next(iter(self.waiting)).hang_up()
        self.waiting[self] = self.loop.call_later(PATIENCE, self.hang_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._no_longer_waits()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        super().handle_events()
        if self.cycle is not None:
            self._no_longer_waits()

    def hang_up(self) -> None:
        self._no_longer_waits()
        self.transport.abort()

    def _no_longer_waits(self) -> None:
        timer = self.waiting.pop(self, None)
        if timer is not None:
            timer.cancel()


def patient() -> type[Patient]:
    """The protocol of one server."""
    return type("Patient", (Patient,), {"waiting": {}})
