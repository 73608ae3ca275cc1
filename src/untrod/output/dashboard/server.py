"""Serves the dashboard on this machine until Ctrl-C."""

from __future__ import annotations

import errno
import secrets
import signal
import socket
from collections.abc import Callable
from pathlib import Path

from untrod.core.errors import MissingExtra, UntrodError

HOST = "127.0.0.1"
GRACE_SECONDS = 2


def serve(folder: Path, project: Path, port: int, ready: Callable[[str], None]) -> None:
    """Returns when the process is interrupted. `ready` is told the address, token included.

    A `port` of 0 takes one that is free. For the main thread. Raises UntrodError when the port or the store
    cannot be had.
    """
    try:
        import uvicorn

        from untrod.output.dashboard.app import make_app
        from untrod.output.dashboard.gate import Gate, patient
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "starlette", "dashboard") from None
    from untrod.output.dashboard.live import StoreChanges
    from untrod.output.dashboard.pages import Pages
    from untrod.store import Store

    with (
        Store.open(folder, create=False, read_only=True) as store,
        Store.open(folder, create=False, read_only=True) as watched,  # looking must not wait for pages
        _listening(port) as listening,
    ):
        chosen = int(listening.getsockname()[1])
        token = secrets.token_urlsafe(24)
        changes = StoreChanges(watched, lambda: server.should_exit)
        app = Gate(make_app(Pages(store, project), changes, folder), token, chosen)
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                lifespan="off",
                log_level="warning",
                access_log=False,
                server_header=False,
                ws="none",
                http=patient(),
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
        # Now, and not only when uvicorn listens to signals: a KeyboardInterrupt that comes while modules are
        # loaded can be swallowed by a callback of the import machinery.
        before = signal.signal(signal.SIGINT, server.handle_exit)
        try:
            ready(f"http://{HOST}:{chosen}/?token={token}")
            server.run(sockets=[listening])
        finally:
            signal.signal(signal.SIGINT, before)


def _listening(port: int) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((HOST, port))
        opened.listen(128)
    except OSError as error:
        opened.close()
        if error.errno == errno.EADDRINUSE:
            hint = "choose another with --port, or leave it out"
            raise UntrodError(f"port {port} is in use", hint) from error
        hint = "choose one above 1023 with --port, or leave it out"
        raise UntrodError(f"port {port} cannot be had: {error.strerror}", hint) from error
    return opened
