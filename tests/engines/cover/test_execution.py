"""Coroutines run in a real event loop, and always come to an end."""

from __future__ import annotations

import asyncio
import time

import pytest

from untrod.engines.cover.execution import StillWaiting, drive, run_coroutine


async def napping(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return "awake"


async def late() -> str:
    try:
        async with asyncio.timeout(0.5):
            await asyncio.Event().wait()
    except TimeoutError:
        return "late"
    return "never"


async def queued() -> list[int]:
    queue: asyncio.Queue[int] = asyncio.Queue(1)
    taken: list[int] = []

    async def take() -> None:
        while True:
            taken.append(await queue.get())
            queue.task_done()

    taker = asyncio.create_task(take())
    for number in range(5):
        await queue.put(number)
    await queue.join()
    taker.cancel()
    return taken


async def together() -> list[str]:
    return await asyncio.gather(napping(0.2), napping(0.1), asyncio.to_thread(str, "thread"))


@pytest.mark.parametrize(
    ("coroutine", "value"),
    [(late, "late"), (queued, [0, 1, 2, 3, 4]), (together, ["awake", "awake", "thread"])],
)
def test_what_needs_a_running_loop_has_one(coroutine, value) -> None:
    assert run_coroutine(coroutine()) == value


def test_nobody_waits_for_a_clock() -> None:
    started = time.monotonic()
    assert [run_coroutine(napping(1.5)) for _ in range(20)] == ["awake"] * 20
    assert time.monotonic() - started < 20  # 30 by the clock


async def for_ever() -> None:
    await asyncio.get_running_loop().create_future()


async def round_and_round() -> None:
    while True:
        await asyncio.sleep(0)


async def stubborn() -> None:
    """It does not even bear to be cancelled."""
    while True:
        try:
            await asyncio.sleep(0.001)
        except asyncio.CancelledError:
            continue


@pytest.mark.parametrize("coroutine", [for_ever, round_and_round, stubborn, lambda: napping(86_400)])
def test_what_waits_too_long_is_given_up(coroutine) -> None:
    with pytest.raises(StillWaiting):
        run_coroutine(coroutine())


def test_nothing_is_left_running() -> None:
    ended = []

    async def background() -> None:
        try:
            await asyncio.sleep(1000)
        finally:
            ended.append("background")

    async def starting() -> str:
        asyncio.create_task(background())  # noqa: RUF006
        await asyncio.sleep(0)
        return "done"

    assert run_coroutine(starting()) == "done"
    assert ended == ["background"]


def test_asynchronous_generators_are_driven_in_it_too() -> None:
    async def ticks():
        for number in range(3):
            await asyncio.sleep(0.1)
            yield number

    assert drive(ticks()) == ([0, 1, 2], "async generator")


def test_what_a_coroutine_raises_comes_out() -> None:
    async def failing() -> None:
        await asyncio.sleep(0)
        raise KeyboardInterrupt("its own")

    with pytest.raises(KeyboardInterrupt, match="its own"):
        run_coroutine(failing())
