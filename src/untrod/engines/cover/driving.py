"""Generators and coroutines do nothing until somebody drives them: here they are, up to a bound."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Coroutine
from itertools import islice
from typing import Any

from untrod.engines.cover.case import DRIVEN_TO, Driven


class StillWaiting(RuntimeError):
    """A coroutine waits for something that does not happen here."""


def driven(result: Any) -> Driven:
    """What has to be driven, by its name; empty for anything else."""
    if inspect.isgenerator(result):
        return "generator"
    if inspect.iscoroutine(result):
        return "coroutine"
    return "async generator" if inspect.isasyncgen(result) else ""


def drive(result: Any) -> tuple[Any, Driven]:
    """What comes out of `result`, and what it was; anything else comes back as it is."""
    kind = driven(result)
    if kind == "generator":
        try:
            return list(islice(result, DRIVEN_TO)), kind
        finally:
            result.close()
    if kind == "coroutine":
        return _finish(result), kind
    if kind == "async generator":
        return _finish(_collect(result)), kind
    return result, kind


def _finish(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Without an event loop: whatever it awaits is resumed at once, as often as the bound says."""
    try:
        for _ in range(DRIVEN_TO):
            coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    finally:
        coroutine.close()
    raise StillWaiting(f"it still waits after {DRIVEN_TO} turns")


async def _collect(generator: AsyncGenerator[Any, Any]) -> list[Any]:
    found = []
    try:
        async for item in generator:
            found.append(item)
            if len(found) == DRIVEN_TO:
                break
    finally:
        await generator.aclose()
    return found
