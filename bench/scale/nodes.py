"""A Ray cluster of several nodes on this machine, reachable from this machine only, and gone afterwards.

    with Nodes(2) as nodes:
        ...                      # with nodes.environment, `--on ray` finds them
        nodes.kill_last()        # SIGKILL, without a word

    with Nodes(1, client=True) as nodes:
        ...                      # with nodes.token, `--on` nodes.client comes in from outside, by Ray Client

The cluster is `ray.cluster_utils.Cluster`, in a process of its own, for Ray holds on to it.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_ATTEMPTS = 4  # Ray gives a node 30 s to come up, which a busy machine may not have


class Nodes:
    """`count` nodes of `cpus` CPUs each; the first one is the head. `client`: it also serves Ray Client."""

    def __init__(self, count: int, cpus: int = 1, *, client: bool = False) -> None:
        self._count, self._cpus, self._client = count, cpus, client
        self.token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}

    @property
    def environment(self) -> dict[str, str]:
        """In which `--on ray` finds them."""
        return {"RAY_ADDRESS": self.address, **self.token}

    def __enter__(self) -> Nodes:
        for attempt in range(_ATTEMPTS):
            self._start()
            try:
                self.address = self._heard()
                self.client = self._heard() if self._client else ""
                break
            except RuntimeError:
                if attempt == _ATTEMPTS - 1:
                    raise
        return self

    def _start(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="untrod-rays-", dir="/tmp"))  # sockets: short paths
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, str(self._count), str(self._cpus), str(int(self._client))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd="/",
            env={
                **os.environ,
                "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # on Linux as well: stay on 127.0.0.1
                "RAY_USAGE_STATS_ENABLED": "0",
                **self.token,
                "RAY_health_check_period_ms": "1000",  # so that a dead node is noticed in seconds
                "RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": "120",  # 30 are too few on a busy machine
                "RAY_TMPDIR": str(self.folder),
                "TMPDIR": str(self.folder),
            },
            start_new_session=True,
        )

    def __exit__(self, *_: object) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            pass
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill_last(self) -> None:
        """The newest node and all its processes are gone when this returns."""
        assert self._process.stdin is not None
        self._process.stdin.write("kill\n")
        self._process.stdin.flush()
        assert self._heard() == "killed"

    def kill(self) -> None:
        """The whole cluster, at once."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()

    def left(self) -> list[str]:
        """What is left of it although it was closed: processes, and its folder."""
        return [*_processes(f"={self.folder}\0"), *([str(self.folder)] if self.folder.exists() else [])]

    def workers(self) -> list[str]:
        """The guarded workers on its nodes, and whatever they have started."""
        return _processes(f"TMPDIR={self.folder}/untrod-pool-")

    def _heard(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            self.__exit__()
            raise RuntimeError("the Ray nodes did not start")
        return line


def _processes(mark: str) -> list[str]:
    """The numbers of those with `mark` in their environment."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if mark in Path(f"/proc/{name}/environ").read_text(errors="replace"):
                found.append(name)
        except OSError:
            continue
    return found


def _serve(count: int, cpus: int, client: bool) -> None:
    from ray.cluster_utils import Cluster

    words: dict[str, Any] = {
        "num_cpus": cpus,
        "object_store_memory": 80 * 2**20,
        "include_dashboard": False,
        "node_ip_address": "127.0.0.1",
    }
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what Ray prints is not for our reader
    port = _free_port() if client else None
    head = {**words, "ray_client_server_port": port, "wait": False}
    cluster = Cluster(initialize_head=True, connect=False, head_node_args=head)
    others = [cluster.add_node(wait=False, **words) for _ in range(count - 1)]
    cluster.wait_for_nodes(timeout=120)
    print(cluster.address, file=out, flush=True)
    if port is not None:
        _wait_for(port)
        print(f"ray://127.0.0.1:{port}", file=out, flush=True)
    for _ in sys.stdin:
        cluster.remove_node(others.pop(), allow_graceful=False)
        print("killed", file=out, flush=True)
    cluster.shutdown()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int) -> None:
    """Ray does not wait for its client server. Raises OSError when it is not there in two minutes."""
    deadline = time.monotonic() + 120
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 5).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


if __name__ == "__main__":
    _serve(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "1")
