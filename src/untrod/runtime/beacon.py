"""A few words of memory shared by a worker and its supervisor: which episode runs, and on which answers.

It is what the deadlines are measured by, and what names the culprit after a worker has died. It is written
at every episode, so a sign of life is two stores into a mapped page; the supervisor pays, by polling.

Every `begin` has its own serial number: an episode replayed twice is two runs, each with its own deadline.
The supervisor asks for an interruption by storing the serial it means (or EVERY) and sending a signal; a
request that comes too late names a run that is over, and does nothing.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from array import array
from collections.abc import Callable
from dataclasses import dataclass

SIZE = 64 * 1024
EVERY = 2**64 - 1

_SERIAL, _EPISODE, _TRACED, _LENGTH, _WIDTH, _REQUEST, _REASON, _FAREWELL = range(8)
_PAYLOAD = 64
_CAPACITY = SIZE - _PAYLOAD
_UNREADABLE = 0  # a trace with an answer that does not fit into 64 bits


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

    def requested(self) -> int:
        """The reason the supervisor gave for interrupting the very episode that is running, or 0."""
        words = self._words
        serial = words[_SERIAL]
        if serial and words[_REQUEST] in (serial, EVERY):
            return words[_REASON]
        return 0

    def farewell(self, code: int) -> None:
        """The worker's last word, for when it can no longer send one."""
        self._words[_FAREWELL] = code

    def abandon(self) -> None:
        """In a forked child: from now on every use raises ValueError, so a child cannot speak for us."""
        self._words.release()


def _writers(
    memory: mmap.mmap, words: memoryview[int]
) -> tuple[Callable[[int], None], Callable[[list[int]], None], Callable[[], None]]:
    serial = 0
    to_bytes, to_array, size_of, capacity = bytes, array, len, _CAPACITY

    def begin(episode: int) -> None:
        nonlocal serial
        serial += 1
        words[1] = episode  # _EPISODE; the constants are spelled out where a global lookup would cost
        words[0] = serial  # _SERIAL, last: only now does the supervisor see it

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
        memory[_PAYLOAD : _PAYLOAD + (length if length < capacity else capacity)] = payload[:capacity]
        words[3] = length  # _LENGTH: of the whole trace, so a length above the capacity marks a truncated one
        words[4] = width  # _WIDTH
        words[2] = serial  # _TRACED

    def end() -> None:
        words[0] = 0  # _SERIAL

    return begin, trace, end


class BeaconView:
    """The supervisor's side: readable while the worker lives and after it has died."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory
        self._words = memoryview(memory)[:_PAYLOAD].cast("Q")

    def look(self) -> Sighting:
        words = self._words
        while True:
            serial, episode = words[_SERIAL], words[_EPISODE]
            if words[_SERIAL] == serial:
                return Sighting(serial, episode)

    def answers(self) -> tuple[tuple[int, ...] | None, bool]:
        """The answers of the running episode, None before they are complete; and whether some are missing."""
        words = self._words
        width = words[_WIDTH]
        if not words[_SERIAL] or words[_TRACED] != words[_SERIAL] or width == _UNREADABLE:
            return None, False
        length = words[_LENGTH]
        payload = self._memory[_PAYLOAD : _PAYLOAD + min(length, _CAPACITY)]
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
        descriptor = os.memfd_create("untrod-beacon")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, SIZE)
    return descriptor, BeaconView(mmap.mmap(descriptor, SIZE))


def attach(descriptor: int) -> WorkerBeacon:
    """The worker's side of `descriptor`, which is closed: the mapping outlives it."""
    memory = mmap.mmap(descriptor, SIZE)
    os.close(descriptor)
    return WorkerBeacon(memory)
