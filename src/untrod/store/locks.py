"""Locks that the kernel releases when their holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class FileLock:
    """An exclusive flock on `path`, held by one process at a time; the file says which.

    The file itself stays: unlinking it would let two processes lock two different files of one name.
    A forked child does not share the lock: its copy is closed at the fork, so that a worker outliving its
    killed parent does not keep the parent's campaign locked.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        return self._descriptor is not None

    def acquire(self, *, wait: bool) -> bool:
        """True when the lock is ours now. With `wait`, returns only then."""
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            os.close(descriptor)
            return False
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        _HELD.add(self)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        return True

    def release(self) -> None:
        if self._descriptor is not None:
            _HELD.discard(self)
            os.close(self._descriptor)
            self._descriptor = None

    @contextmanager
    def waiting(self) -> Iterator[None]:
        self.acquire(wait=True)
        try:
            yield
        finally:
            self.release()

    def holder(self) -> int | None:
        """The process that holds the lock, 0 when it did not say yet, None when nobody does."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return None
        except BlockingIOError:
            written = os.pread(descriptor, 20, 0)
            return int(written) if written.isdigit() else 0
        finally:
            os.close(descriptor)


_HELD: set[FileLock] = set()


def _drop_inherited() -> None:
    for lock in list(_HELD):
        lock.release()


os.register_at_fork(after_in_child=_drop_inherited)
