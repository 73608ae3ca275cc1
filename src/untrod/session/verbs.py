"""A verb with verbs of its own: `untrod.explore(URL)` and `untrod.explore.maze(side=10)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class VerbGroup(Protocol):
    """What a plugin may name as a verb instead of a function. Called, it is its `default`; so it is on the
    command line, where an address is given and no verb."""

    about: str
    default: str
    verbs: Mapping[str, Callable[..., Any]]
    """By their names on the command line: typed functions, as any verb."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
