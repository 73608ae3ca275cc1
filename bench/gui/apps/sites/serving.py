"""How a site is served: on a free port of the loopback interface, and no longer than its parent lives."""

from __future__ import annotations

import os
import socket
import socketserver
import sys
import threading
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server


def serve(application: Any) -> None:
    """A WSGI application, for ever."""
    server = make_server("127.0.0.1", 0, application, _Threaded, _Silent)
    announce(server.server_port)
    server.serve_forever()


def cached(application: Any, prefix: str) -> Any:
    """With leave to keep what lies below `prefix`, as every server outside of a development gives it."""

    def answer(environ: dict[str, Any], start: Any) -> Any:
        def begin(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
            keep = [("Cache-Control", "max-age=3600")] if environ["PATH_INFO"].startswith(prefix) else []
            return start(status, [*headers, *keep], *rest)

        return application(environ, begin)

    return answer


def free_socket() -> socket.socket:
    """Bound to a free port, for servers that take a socket."""
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    return bound


def announce(port: int) -> None:
    """Say where it is. From here on the process ends when its standard input does: that is when its parent
    ends, however it ends. What it prints is thrown away: nobody reads it, and a full pipe would stop it."""
    print(f"http://127.0.0.1:{port}", flush=True)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


class _Threaded(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Silent(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None: ...
