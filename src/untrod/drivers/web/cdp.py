"""The Chrome DevTools Protocol over a pipe, without a second process in between.

A step is a dozen short commands. Playwright sends each by way of a second process, which also listens to
every page for itself; that took half of the time of a step. Here a command goes straight to the browser, and
several can be under way at once.

    number = session.ask("Input.dispatchMouseEvent", {...})    # sent
    session.post("Page.handleJavaScriptDialog", {...})         # sent; the answer is not waited for
    answer = session.answer(number)                            # events that come first go to their handlers

Events are dispatched only while a caller waits for an answer. Handlers must not wait themselves.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

Handler: TypeAlias = Callable[[dict[str, Any], str], None]
"""Called with what the event says, and with the session that it belongs to."""

NO_SESSION = -32001
CHUNK = 1 << 20
MOST_BYTES = 1 << 28
"""Of one message. A page of a million elements says more, and cannot be read in any case."""
_ESCAPES = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
"""A backslash, a surrogate pair, and half of one, which JSON can say and UTF-8 cannot."""


class CdpError(Exception):
    """A command failed, or the page or the browser did."""


class Refused(CdpError):
    """The browser answers a command with an error."""


class Gone(CdpError):
    """The page or the browser is not there any more."""


class Late(CdpError):
    """No answer in time."""


class Endless(CdpError):
    """A message, or a series of dialogs or windows, beyond every limit."""


class Connection:
    """Our end of the pipe; not thread-safe. `patience` is the default timeout of a command in seconds; None:
    no timeout."""

    def __init__(self, reading: int, writing: int) -> None:
        self.patience: float | None = None
        self._reading, self._writing = reading, writing
        self._selector = selectors.DefaultSelector()
        self._selector.register(reading, selectors.EVENT_READ)
        self._handlers: defaultdict[str, list[Handler]] = defaultdict(list)
        self._wanted: dict[int, str] = {}  # by session
        self._answers: dict[int, dict[str, Any]] = {}
        self._parts: list[bytes] = []
        self._size = 0
        self._dead: set[str] = set()
        self._number = 0
        self.closed = False
        self.on("Inspector.targetCrashed", lambda _, session: self._dead.add(session))
        self.on("Target.detachedFromTarget", lambda told, _: self._dead.add(told["sessionId"]))

    def on(self, event: str, handler: Handler) -> None:
        self._handlers[event].append(handler)

    def post(self, method: str, params: dict[str, Any] | None = None, session: str = "") -> int:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        data = memoryview(json.dumps(message).encode() + b"\0")
        try:
            while data:
                data = data[os.write(self._writing, data) :]
        except OSError:
            raise self._gone() from None
        return self._number

    def ask(self, method: str, params: dict[str, Any] | None = None, session: str = "") -> int:
        number = self.post(method, params, session)
        self._wanted[number] = session
        return number

    def answer(self, number: int, seconds: float | None = None) -> dict[str, Any]:
        """Raises Refused, Gone, and Late after so many seconds; None: the connection's patience."""
        session = self._wanted[number]
        seconds = self.patience if seconds is None else seconds
        try:
            if not self.until(lambda: number in self._answers or session in self._dead, seconds):
                raise Late(f"no answer within {seconds} s")
            if number not in self._answers:
                raise Gone("the page is gone")
        finally:
            del self._wanted[number]
        told = self._answers.pop(number)
        if "error" in told:
            why = str(told["error"].get("message", "refused"))
            raise Gone(why) if told["error"].get("code") == NO_SESSION else Refused(why)
        return dict(told["result"])

    def call(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        session: str = "",
        seconds: float | None = None,
    ) -> dict[str, Any]:
        return self.answer(self.ask(method, params, session), seconds)

    def until(self, condition: Callable[[], bool], seconds: float | None = None) -> bool:
        """Dispatch events until the condition holds; whether it did in time."""
        end = None if seconds is None else time.monotonic() + seconds
        while not condition():
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                return False
            if self._selector.select(left):
                self._receive()
        return True

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._selector.close()
            for end in (self._reading, self._writing):
                os.close(end)

    def _receive(self) -> None:
        data = os.read(self._reading, CHUNK)
        if not data:
            raise self._gone()
        self._parts.append(data)
        self._size += len(data)
        if b"\0" not in data:
            if self._size > MOST_BYTES:
                raise Endless("the page has more to say than can be read")
            return
        *messages, rest = b"".join(self._parts).split(b"\0")
        self._parts, self._size = [rest], len(rest)
        for message in messages:
            try:
                self._take(json.loads(_whole(message)))
            except (LookupError, TypeError, ValueError, RecursionError) as error:
                raise Gone(f"the browser says what nobody understands: {type(error).__name__}") from error

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            if type(message.get("error", message.get("result"))) is not dict:
                raise TypeError("an answer without a result")
            if message["id"] in self._wanted:
                self._answers[message["id"]] = message
            return
        for handler in self._handlers[message["method"]]:
            handler(message.get("params", {}), message.get("sessionId", ""))

    def _gone(self) -> Gone:
        self.close()
        return Gone("the browser is gone")


def _whole(message: bytes) -> bytes:
    if b"\\ud" not in message and b"\\uD" not in message:
        return message
    return _ESCAPES.sub(lambda found: rb"\ufffd" if found[1] else found[0], message)


@dataclass(frozen=True, slots=True)
class Session:
    """A CDP session: the commands and answers of one page."""

    connection: Connection
    name: str

    def post(self, method: str, params: dict[str, Any] | None = None) -> None:
        self.connection.post(method, params, self.name)

    def ask(self, method: str, params: dict[str, Any] | None = None) -> int:
        return self.connection.ask(method, params, self.name)

    def answer(self, number: int, seconds: float | None = None) -> dict[str, Any]:
        return self.connection.answer(number, seconds)

    def call(
        self, method: str, params: dict[str, Any] | None = None, seconds: float | None = None
    ) -> dict[str, Any]:
        return self.connection.call(method, params, self.name, seconds)
