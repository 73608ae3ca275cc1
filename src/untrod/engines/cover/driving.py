"""Generators and coroutines do nothing until somebody drives them: here they are, up to a bound."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator
from itertools import islice
from typing import Any

from untrod.engines.cover.case import DRIVEN_TO, Driven
from untrod.engines.cover.loops import run_coroutine


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
        return run_coroutine(result), kind
    if kind == "async generator":
        return run_coroutine(_collect(result)), kind
    return result, kind


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
