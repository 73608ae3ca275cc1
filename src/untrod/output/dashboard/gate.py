"""Who may ask: the person who started the dashboard, from a browser on this machine, and nobody else.

Other users of the machine do not know the token. Pages of other sites, open in the same browser, are refused
by `Origin` and by what the browser says of where a request comes from; a site that makes its own name point
to this machine (DNS rebinding) is refused by `Host`.

Anybody on this machine can open connections, and say nothing. They must not keep out the person whose
dashboard it is, so only so many may wait: one more, and the oldest is closed; and none waits long.
"""

from __future__ import annotations

import asyncio
import hmac
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
MOST_WAITING = 64
PATIENCE = 5.0
"""Seconds until the first request has to be there, headers and all."""


@dataclass(frozen=True)
class Gate:
    """Passes on what may be asked. The token comes once in the address, from then on as a cookie; programs
    send it as `Authorization: Bearer TOKEN`."""

    app: ASGIApp
    token: str
    port: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # no web sockets; uvicorn answers for us
        answer = self._refusal(Request(scope))

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = HEADERS if answer is None else {**HEADERS, "Connection": "close"}
                extra = [(name.lower().encode(), value.encode()) for name, value in told.items()]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        await (answer or self.app)(scope, receive, guarded)

    def _refusal(self, request: Request) -> Response | None:
        """None lets the request in; a redirect takes the token out of the address."""
        headers = request.headers
        if request.method not in ("GET", "HEAD"):
            return _refused(405, "this page is for looking at: start and stop campaigns on the command line")
        if headers.get("host", "").lower() not in self._names():
            return _refused(421, "this is not the host that was asked for")
        if self._is_foreign(headers):
            return _refused(403, "another site may not ask for this")
        given = parse_qs(request.url.query).get("token")
        if given is not None:
            return self._admitted(request) if self._is_token(given[0]) else _unknown()
        return None if self._is_known(headers) else _unknown()

    def _names(self) -> tuple[str, ...]:
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def _is_foreign(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in [f"http://{name}" for name in self._names()]:
            return True
        # Following a link to here is no harm; being asked for as a part of another page is.
        return headers.get("sec-fetch-site") in ("cross-site", "same-site") and (
            headers.get("sec-fetch-mode") != "navigate"
        )

    def _admitted(self, request: Request) -> Response:
        rest = [(key, value) for key, value in request.query_params.multi_items() if key != "token"]
        answer = RedirectResponse(request.url.path + (f"?{urlencode(rest)}" if rest else ""), 303)
        answer.set_cookie(self._cookie(), self.token, httponly=True, samesite="strict")
        return answer

    def _is_known(self, headers: Headers) -> bool:
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(self._cookie())
        except CookieError:
            morsel = None
        return (kind.lower() == "bearer" and self._is_token(bearer)) or (
            morsel is not None and self._is_token(morsel.value)
        )

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def _cookie(self) -> str:
        """Browsers keep cookies by host, not by port: two dashboards must not take turns."""
        return f"untrod-{self.port}"


def _unknown() -> Response:
    return _refused(401, "open the address that `untrod dashboard` has printed")


def _refused(status: int, line: str) -> Response:
    return PlainTextResponse(f"untrod: {line}\n", status)


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
