"""The adb server: what a client meets on port 5037, here on a port of its own.

https://android.googlesource.com/platform/packages/modules/adb has OVERVIEW.TXT, SERVICES.TXT and SYNC.TXT.
"""

from __future__ import annotations

import json
import re
import socket
import struct
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Condition, Thread
from types import TracebackType
from typing import Any

from fake_adb.automation import Died, Hang, RemoteError, call
from fake_adb.device import SERIAL, FakeDevice

PORT = 9008
"""Where uiautomator2's server listens on a device."""
EXIT = re.compile(r"; echo (X4EXIT:)\$\?$")


class FakeAdb(ThreadingTCPServer):
    """Use it as a context. `port` is for $ANDROID_ADB_SERVER_PORT. Afterwards nothing of it is left."""

    allow_reuse_address = True
    daemon_threads = False  # closing waits for them

    def __init__(self, device: FakeDevice) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.device = device
        self.state = "device"  # or offline, unauthorized, and "" for a device that is not there
        self.changed = Condition()
        self.calls: list[str] = []
        self._open: set[socket.socket] = set()
        self._ending = False
        self._thread = Thread(target=lambda: self.serve_forever(0.01), name="fake-adb")
        device.unplug = self.unplug

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def __enter__(self) -> FakeAdb:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown()
        self._thread.join()
        with self.changed:
            self._ending = True
            self.changed.notify_all()
        self._cut()
        self.server_close()

    def unplug(self) -> None:
        """All connections to the device end, and what they held there ends with them."""
        with self.changed:
            self.state = ""
        self.device.automation = False
        self._cut()

    def plug(self) -> None:
        with self.changed:
            self.state = "device"
            self.changed.notify_all()

    def wait_for_device(self) -> bool:
        with self.changed:
            self.changed.wait_for(lambda: self._ending or self.state == "device")
            return not self._ending

    def is_left_alone(self, seconds: float = 60.0) -> bool:
        """Whether all connections end within so many seconds."""
        with self.changed:
            return self.changed.wait_for(lambda: not self._open, seconds)

    def opened(self, connection: socket.socket) -> None:
        with self.changed:
            self._open.add(connection)

    def closed(self, connection: socket.socket) -> None:
        with self.changed:
            self._open.discard(connection)
            self.changed.notify_all()

    def _cut(self) -> None:
        with self.changed:
            waiting = list(self._open)
        for connection in waiting:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended by itself


class _Refused(Exception):
    """Answered with FAIL and a reason."""


class _Connection(BaseRequestHandler):
    server: FakeAdb
    request: socket.socket

    def setup(self) -> None:
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.server.opened(self.request)

    def finish(self) -> None:
        self.server.closed(self.request)

    def handle(self) -> None:
        try:
            while self._serve(self._read(int(self._read(4), 16)).decode()):
                pass
        except _Refused as reason:
            self._send(b"FAIL" + _block(str(reason)))
        except (EOFError, OSError, ValueError):
            pass  # the client has gone

    def _serve(self, service: str) -> bool:
        """Whether the connection goes on: after a transport was chosen, it is the device's."""
        if service.startswith("host"):
            return self._host(service)
        self._there()
        if service.startswith("shell:"):
            self._shell(service.removeprefix("shell:"))
        elif service == "sync:":
            self._okay()
            self._sync()
        elif service == f"tcp:{PORT}":
            self._http()
        else:
            raise _Refused(f"unknown service {service}")
        return False

    # ---- host services ----

    def _host(self, service: str) -> bool:
        state = self.server.state
        prefix, _, rest = service.partition(":")
        if prefix == "host-serial":
            serial, _, rest = rest.partition(":")
            if rest.startswith("wait-for-"):
                self._okay()
                if self.server.wait_for_device():
                    self._okay()
                return False
            self._there(serial)
        match rest:
            case "version":
                self._okay("0029")
            case "devices":
                self._okay(f"{SERIAL}\t{state}\n" if state else "")
            case "devices-l":
                self._okay(f"{SERIAL} {state} product:fake model:fake transport_id:1\n" if state else "")
            case "features":
                self._okay("cmd,stat_v2")
            case "get-state":
                self._okay(state)
            case _ if rest.startswith("tport:serial:"):
                self._there(rest.removeprefix("tport:serial:"))
                self._okay()
                self._send(struct.pack("<Q", 1))
                return True
            case _:
                raise _Refused(f"unknown host service {service}")
        return False

    def _there(self, serial: str = SERIAL) -> None:
        if serial != SERIAL or not self.server.state:
            raise _Refused(f"device '{serial}' not found")
        if self.server.state != "device":
            raise _Refused(f"device {self.server.state}")

    # ---- the device's services ----

    def _shell(self, line: str) -> None:
        device = self.server.device
        if "app_process" in line:
            self._automation()
            return
        suffix = EXIT.search(line)
        with device.lock:
            output, status = device.shell(line[: suffix.start()] if suffix else line)
        self._okay()
        self._send((output + (f"{suffix[1]}{status}\n" if suffix else "")).encode())

    def _automation(self) -> None:
        """It runs as long as the shell that has started it."""
        device = self.server.device
        if device.faults.take("deaf_starts"):
            self._okay()
            self._send(b"java.lang.RuntimeException: planted\n")
            return
        device.automation, device.stuck = "/data/local/tmp/u2.jar" in device.files, False
        self._okay()
        try:
            while self.request.recv(64):
                pass
        finally:
            device.automation = False

    def _sync(self) -> None:
        files = self.server.device.files
        command, size = self._read(4), self._number()
        path = self._read(size).decode()
        if command == b"STAT":
            there, length = path in files, len(files.get(path, b""))
            self._send(b"STAT" + struct.pack("<III", 0o100644 if there else 0, length, int(there)))
        elif command == b"SEND":
            content = bytearray()
            while self._read(4) == b"DATA":
                content += self._read(self._number())
            self._number()  # DONE has the time of the file
            files[path.rpartition(",")[0]] = bytes(content)
            self._send(b"OKAY" + struct.pack("<I", 0))

    def _http(self) -> None:
        device = self.server.device
        if not device.automation:
            raise _Refused("closed")
        self._okay()
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._read(1)
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        body = self._read(int(length[1])) if length else b""
        if head.startswith(b"GET /ping "):
            self._respond(b"pong")
            return
        asked = json.loads(body)
        self.server.calls.append(asked["method"])
        try:
            with device.lock:
                answer: dict[str, Any] = {"result": call(device, asked["method"], asked["params"])}
        except Hang:
            self._read(1)  # until the client has had enough
            return
        except Died:
            return
        except RemoteError as error:
            answer = {"error": {"code": -32001, "message": str(error), "data": str(error)}}
        self._respond(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}).encode())

    def _respond(self, body: bytes) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        self._send(head.encode() + body)

    # ---- bytes ----

    def _okay(self, text: str | None = None) -> None:
        self._send(b"OKAY" + (b"" if text is None else _block(text)))

    def _send(self, data: bytes) -> None:
        self.request.sendall(data)

    def _number(self) -> int:
        return int(struct.unpack("<I", self._read(4))[0])

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            if hasattr(socket, "TCP_QUICKACK"):  # the client sends a request in two parts, and waits between
                self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            chunk = self.request.recv(size - len(data))
            if not chunk:
                raise EOFError
            data += chunk
        return data


def _block(text: str) -> bytes:
    return f"{len(text.encode()):04x}{text}".encode()
