"""What a campaign asks of its workers, wherever they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Protocol

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.runtime.limits import Limits
from untrod.runtime.messages import Lost, Reply
from untrod.runtime.pool import Pool

HERE = "here"


class Workers(Protocol):
    """One guarded worker for each shard; `Pool` and `RayPool` have the contracts."""

    notices: list[str]

    def start(self, stop: Callable[[], bool] = ...) -> list[Reply]: ...
    def restart(self, shard: int) -> None: ...
    def send(self, shard: int, op: str, body: Json = None, blob: bytes = b"") -> None: ...
    def wait(self, timeout: float) -> list[Reply | Lost]: ...
    def condemn(self, shard: int, complaint: str) -> Lost: ...
    def interrupt(self, shard: int) -> None: ...
    def busy(self, shard: int) -> str: ...
    def restarts(self, shard: int) -> int: ...
    def cpu(self, shard: int) -> float: ...
    def close(self, grace: float = 1.0) -> None: ...
    def __enter__(self) -> Workers: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def workers_on(
    on: str,
    job: str,
    specs: Sequence[Json],
    *,
    limits: Limits,
    allow: frozenset[str],
    project: Path | Sequence[Path],
    scratch: Path,
) -> Workers:
    """`on` is "" for this machine, else what `--on` takes. Raises UntrodError when nothing answers there."""
    if not on:
        return Pool(job, specs, limits=limits, allow=allow, project=project, scratch=scratch)
    from untrod.runtime.ray.pool import RayPool

    return RayPool(on, job, specs, limits=limits, allow=allow, project=project)


def place(on: str) -> str:
    """What `--on` says, for `workers_on`. Raises UntrodError when it names no place, or Ray is missing."""
    if on == HERE:
        return ""
    if on != "ray" and not on.startswith("ray://"):
        raise UntrodError(f"--on {on!r} is no place to run", "write --on here, ray or ray://HOST:PORT")
    if find_spec("ray") is None:
        raise UntrodError("--on ray needs Ray, which is not installed", "pip install 'untrod[ray]'")
    return on
