from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from untrod.runtime import launch
from untrod.runtime.limits import Limits
from untrod.runtime.pool import Lost, Pool, Reply

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # the helpers beside this file: hostile, leftovers

from leftovers import alive  # noqa: E402


class Bench:
    """A pool under test, with the loops a caller would write."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def run(self, shard: int = 0, episodes: int = 1) -> Reply | Lost:
        self.pool.send(shard, "run", {"episodes": episodes, "seconds": 60.0})
        return self.answer()

    def answer(self) -> Reply | Lost:
        """The one message that is due; the test's timeout bounds the wait."""
        while not (messages := self.pool.wait(1.0)):
            pass
        (message,) = messages
        return message

    def result(self, shard: int = 0) -> list[Any]:
        """Of one episode: [outcome, detail]."""
        reply = self.run(shard)
        assert isinstance(reply, Reply), reply
        assert reply.error is None, reply.error
        return list(reply.body["results"][0][1:])

    def restart(self, shard: int = 0) -> None:
        self.pool.restart(shard)
        reply = self.answer()
        assert isinstance(reply, Reply)
        assert (reply.op, reply.error) == ("open", None)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    """A started pool per call; afterwards no process, descriptor or file of it may be left."""
    launch.begin()  # there is one warden for all pools
    before = set(os.listdir("/proc/self/fd"))
    scratch = tmp_path / "scratch"
    pools = []

    def start(*scripts: list[str], allow: tuple[str, ...] = (), **limits: Any) -> Bench:
        specs = [{"script": script} for script in scripts]
        pool = Pool(
            "hostile:HostileJob",
            specs,
            limits=Limits(**limits),
            allow=frozenset(allow),
            project=HERE,
            scratch=scratch,
        )
        pools.append(pool)
        pool.start()
        return Bench(pool)

    yield start
    for pool in pools:
        pool.close()
        assert alive(pool.marker) == []
    assert list(scratch.iterdir()) == []
    assert set(os.listdir("/proc/self/fd")) == before
