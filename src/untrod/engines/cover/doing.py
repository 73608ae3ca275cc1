"""One step of an input, done with the object that the first one has made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from untrod.engines.cover.case import Step


def do(made: Any, step: Step, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """What it gives; of a `with`, what the manager has given. One that is asynchronous gives a coroutine."""
    match step.kind:
        case "get":
            return getattr(made, step.name)
        case "set":
            return setattr(made, step.name, *arguments)
        case "del":
            return delattr(made, step.name)
        case "with":
            return _within(made, arguments)
        case "async with":
            return _within_async(made, arguments)
    return getattr(made, step.name)(*arguments, **keywords)


def _within(manager: Any, errors: Sequence[BaseException]) -> Any:
    with manager as value:
        for error in errors:
            raise error
    return value


async def _within_async(manager: Any, errors: Sequence[BaseException]) -> Any:
    async with manager as value:
        for error in errors:
            raise error
    return value
