"""A few words of memory shared by a worker and its supervisor: which episode runs, and on which answers.

It is what the deadlines are measured by, and what names the culprit after a worker has died. It is written
at every episode, so a sign of life is one store into a mapped page; the supervisor pays, by polling.

Every `begin` has its own serial number: an episode replayed twice is two runs, each with its own deadline.
The supervisor asks for an interruption by storing the serial it means (or EVERY) and sending a signal; a
request that comes too late names a run that is over, and does nothing.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import struct
from array import array
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum

SIZE = 64 * 1024
EVERY = 2**64 - 1
_SEAL_FUTURE_WRITE = 0x10  # the mappings that there are stay writable, nothing else is

_EPISODE, _SERIAL, _LENGTH, _WIDTH, _TRACED, _REQUEST, _REASON, _FAREWELL = range(8)
_RUN = struct.Struct("QQ")  # at 0: episode and serial
_TRACE = struct.Struct("QQQ")  # at 16: length, width, and the serial of the run it belongs to
_PAYLOAD = 64
_CAPACITY = SIZE - _PAYLOAD
_LOOKS = 1000  # a worker that is in the middle of a store needs one or two
_LAST_EPISODE = 2**53  # a larger number is the target's, who may write here
_UNREADABLE = 0  # a trace with an answer that does not fit into 64 bits


class Farewell(IntEnum):
    """The last word of a worker that can no longer speak: stored in the beacon."""

    NONE = 0
    OUT_OF_MEMORY = 1
    LOST_CONTACT = 2
    BROKEN = 3  # our own code failed right after the target's: the target damaged what it stands on


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the supervisor sees: the running episode, or `serial` 0 when none runs."""

    serial: int
    episode: int

    @property
    def running(self) -> bool:
        return self.serial != 0


class WorkerBeacon:
    """core's `Beacon`, the worker's side.

    The three methods are closures over the mapped memory because they run once per episode of 15 us:
    looking up attributes of self would double their cost.
    """

    begin: Callable[[int], None]
    trace: Callable[[list[int]], None]
    end: Callable[[], None]

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory
        self._words = memoryview(memory)[:_PAYLOAD].cast("Q")
        self.begin, self.trace, self.end = _writers(memory, self._words)

    def requested(self) -> tuple[int, int]:
        """The running episode's serial and the reason it is to stop, or 0 when it is not."""
        words = self._words
        serial = words[_SERIAL]
        asked = serial and words[_REQUEST] in (serial, EVERY)
        return serial, words[_REASON] if asked else 0

    @property
    def running(self) -> bool:
        """Whether an episode has begun and not ended."""
        return self._words[_SERIAL] != 0

    def farewell(self, code: int) -> None:
        """The worker's last word, for when it can no longer send one."""
        self._words[_FAREWELL] = code

    def abandon(self) -> None:
        """In a forked child: from now on every use raises, so a child cannot speak for us."""
        self._words.release()
        self._memory.close()


def _writers(
    memory: mmap.mmap, words: memoryview[int]
) -> tuple[Callable[[int], None], Callable[[list[int]], None], Callable[[], None]]:
    serial = 0
    to_bytes, to_array, size_of, capacity = bytes, array, len, _CAPACITY
    put_run, put_trace = _RUN.pack_into, _TRACE.pack_into

    def begin(episode: int) -> None:
        nonlocal serial
        serial += 1
        put_run(memory, 0, episode, serial)  # the serial last: only then does the supervisor see it

    def trace(answers: list[int]) -> None:
        width = 1
        try:
            payload = to_bytes(answers)
        except ValueError:
            try:
                width, payload = 8, to_array("q", answers).tobytes()
            except OverflowError:
                width, payload = _UNREADABLE, b""
        length = size_of(payload)
        if length > capacity:
            memory[64 : 64 + capacity] = payload[:capacity]
        else:
            memory[64 : 64 + length] = payload  # 64 is _PAYLOAD: a global lookup would cost more
        put_trace(memory, 16, length, width, serial)  # a length above the capacity: truncated

    def end() -> None:
        words[1] = 0  # _SERIAL

    return begin, trace, end


class BeaconView:
    """The supervisor's side: readable while the worker lives and after it has died."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory
        self._words = memoryview(memory)[:_PAYLOAD].cast("Q")

    def look(self) -> Sighting:
        words = self._words
        for _ in range(_LOOKS):
            serial, episode = words[_SERIAL], words[_EPISODE]
            if words[_SERIAL] == serial:
                break
        return Sighting(serial, min(episode, _LAST_EPISODE))

    def answers(self) -> tuple[tuple[int, ...] | None, bool]:
        """The answers of the running episode, None before they are complete; and whether some are missing."""
        words = self._words
        width = words[_WIDTH]
        if not words[_SERIAL] or words[_TRACED] != words[_SERIAL] or width not in (1, 8):
            return None, False  # unreadable, or scribbled over
        length = words[_LENGTH]
        payload = self._memory[_PAYLOAD : _PAYLOAD + min(length, _CAPACITY) // width * width]
        answers = tuple(payload) if width == 1 else tuple(array("q", payload))
        return answers, length > _CAPACITY

    def request(self, serial: int, reason: int) -> None:
        """Ask the run `serial` (or EVERY run until `withdraw`) to stop, for `reason`."""
        self._words[_REASON] = reason
        self._words[_REQUEST] = serial

    def withdraw(self) -> None:
        self._words[_REQUEST] = 0

    def farewell(self) -> int:
        return self._words[_FAREWELL]

    def close(self) -> None:
        self._words.release()
        self._memory.close()


def create() -> tuple[int, BeaconView]:
    """A fresh beacon: the descriptor to pass to a worker (the caller closes it) and the supervisor's view."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("untrod-beacon", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(descriptor, SIZE)
        # To read a mapping of what was cut off would be the end of the reader: SIGBUS.
        _seal(descriptor, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
    else:
        import tempfile  # only here: it would double what a worker imports

        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
        os.ftruncate(descriptor, SIZE)
    return descriptor, BeaconView(mmap.mmap(descriptor, SIZE))


def attach(descriptor: int) -> WorkerBeacon:
    """The worker's side of `descriptor`, which is closed: the mapping outlives it."""
    memory = mmap.mmap(descriptor, SIZE)
    _seal(descriptor, _SEAL_FUTURE_WRITE)  # `mmap` keeps a descriptor of its own, which a target may find
    os.close(descriptor)
    return WorkerBeacon(memory)


def _seal(descriptor: int, seals: int) -> None:
    with suppress(OSError, AttributeError):  # where there are none, or not these
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
