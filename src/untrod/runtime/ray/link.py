"""The campaign's end of the pipes to a bridge: starts it, speaks with it, and leaves nothing of it behind."""

from __future__ import annotations

import os
import secrets
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlsplit

from untrod.core.errors import UntrodError
from untrod.core.shapes import Malformed, Shape, number, one_of, record, text, whole
from untrod.core.vocabulary import Json
from untrod.runtime import channel, launch
from untrod.runtime.messages import WorkersGone
from untrod.runtime.supervisor import SECRET

ADDRESS = "RAY_ADDRESS"
LOCAL = "local"
"""The address that means: no cluster is meant, start Ray on this machine."""
_CHUNK = 2**16
_KNOCK = 5.0  # seconds for a first connection
_PATIENCE = 180.0  # seconds until Ray is there: 10 on an idle machine, 100 were not enough on a crowded one
_FAREWELL = 15.0
_AWAY = 20  # seconds that the head of a cluster may be out of reach; Ray's own is 60
_LONGEST = 40  # characters of a folder name: the paths of Ray's sockets may not have more than 107


class Link:
    """`on` is what a person typed: `ray` or `ray://HOST:PORT`. Raises UntrodError unless Ray answers."""

    def __init__(self, on: str) -> None:
        self.address = _address_of(on)
        self._knock()
        self._decoder = channel.Decoder()
        self._arrived: list[tuple[dict[str, Json], bytes]] = []
        self._folder = _short_folder() if self.address == LOCAL else ""
        self._token = _fresh_token() if self.address == LOCAL else {}
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._start()
        try:
            self.cluster = self._welcome()
        except BaseException:
            self._end(0.0)
            raise

    @property
    def for_others(self) -> dict[str, str]:
        """The environment in which another `Link("ray")` joins the Ray that this one has started."""
        return {ADDRESS: self.cluster["address"], **self._token} if self.address == LOCAL else {}

    def send(self, op: str, header: dict[str, Json], blob: bytes = b"") -> None:
        try:
            channel.write(self._commands, channel.encode({"op": op, **header}, blob))
        except BrokenPipeError:
            raise self._lost() from None

    def receive(self, timeout: float) -> list[tuple[dict[str, Json], bytes]]:
        """What has arrived within `timeout` seconds. Raises WorkersGone when nothing will any more."""
        if not self._arrived:
            self._read(timeout)
        arrived, self._arrived = self._arrived, []
        return arrived

    def close(self, grace: float = 1.0) -> None:
        """Nothing is left of it afterwards: no process, no folder, no descriptor."""
        if self._process is None:
            return
        try:
            channel.write(self._commands, channel.encode({"op": "close", "grace": grace}))
        except OSError:
            pass
        self._end(grace + _FAREWELL)

    # ---- helpers ----

    def _knock(self) -> None:
        """Ray itself tries for a minute and then prints a page."""
        if self.address in (LOCAL, "auto"):
            return
        place = urlsplit(self.address if "://" in self.address else f"//{self.address}")
        try:
            port = place.port
        except ValueError:
            port = None
        if not place.hostname or port is None:
            raise UntrodError(f"{self.address!r} is no address of Ray", "write ray://HOST:PORT")
        try:
            socket.create_connection((place.hostname, port), _KNOCK).close()
        except OSError as error:
            raise UntrodError(
                f"Ray does not answer at {self.address}: {error.strerror or error}",
                "check the address (ray start --head prints it), or leave out --on",
            ) from None

    def _start(self) -> None:
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        os.set_blocking(self._answers, False)
        words = [str(commands), str(answers), self.address, self._folder]
        self._process: launch.Process | None = launch.start(
            [sys.executable, "-P", "-m", "untrod.runtime.ray.bridge", *words],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=(commands, answers),
            cwd="/",  # Ray lets its workers import from here
            env={**_environment(self.address), **self._token},
        )
        os.close(commands)
        os.close(answers)

    def _welcome(self) -> dict[str, Json]:
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            for header, _ in self.receive(0.2):
                if header["event"] == "ready":
                    return header
                raise UntrodError(f"Ray could not be joined: {header['message']}", "check `ray status`")
        raise UntrodError(f"Ray has not come up in {_PATIENCE:.0f} s", "try again, or leave out --on")

    def _read(self, timeout: float) -> None:
        if not select.select([self._answers], [], [], timeout)[0]:
            return
        try:
            while data := os.read(self._answers, _CHUNK):
                self._arrived += map(_checked, self._decoder.feed(data))
        except BlockingIOError:
            return
        except (channel.ChannelError, Malformed) as error:
            raise WorkersGone(f"the bridge to Ray speaks nonsense: {error}", "try again") from None
        if not self._arrived:
            raise self._lost()

    def _lost(self) -> WorkersGone:
        where = "on this machine" if self.address == LOCAL else f"at {self.address}"
        return WorkersGone(f"Ray {where} is gone: {self._last_words()}", "what was found so far is kept")

    def _last_words(self) -> str:
        size = os.fstat(self._log.fileno()).st_size
        said = os.pread(self._log.fileno(), 4096, max(0, size - 4096)).decode(errors="replace")
        return (said.strip().splitlines() or ["it said nothing"])[-1][:300]

    def _end(self, patience: float) -> None:
        process, self._process = self._process, None
        assert process is not None
        os.close(self._commands)
        launch.wait(process, patience)  # and with it what Ray has started
        os.close(self._answers)
        self._log.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


_EVENTS: dict[str, Shape] = {
    "ready": record({"nodes": whole(), "cpus": number(0.0), "address": text()}),
    "refused": record({"message": text()}),
    "answer": record({"shard": whole()}),
    "gone": record({"shard": whole(), "cause": text(), "log": text()}),
}


def _checked(frame: tuple[dict[str, Json], bytes]) -> tuple[dict[str, Json], bytes]:
    """Raises Malformed unless it is what a bridge says."""
    header, blob = frame
    one_of(_EVENTS)(header.get("event"), "event")
    _EVENTS[header["event"]](header, header["event"])
    return header, blob


def _address_of(on: str) -> str:
    return os.environ.get(ADDRESS) or LOCAL if on == "ray" else on


def _environment(address: str) -> dict[str, str]:
    """Ray turns 127.0.0.1 into an address that others can reach, unless it is told that there are none."""
    environment = {name: value for name, value in os.environ.items() if name != ADDRESS}
    host = urlsplit(address if "://" in address else f"//{address}").hostname
    if host in (LOCAL, "127.0.0.1", "localhost"):
        environment["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    environment["RAY_USAGE_STATS_ENABLED"] = "0"
    environment.setdefault("RAY_gcs_rpc_server_reconnect_timeout_s", str(_AWAY))
    return environment


def _fresh_token() -> dict[str, str]:
    """Without one, whoever reaches the port may run code; Ray's own stays in the home folder."""
    return {"RAY_AUTH_MODE": "token", SECRET: secrets.token_hex(32)}


def _short_folder() -> str:
    base = tempfile.gettempdir()
    return tempfile.mkdtemp(prefix="untrod-ray-", dir=base if len(base) < _LONGEST else "/tmp")
