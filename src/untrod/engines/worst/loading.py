"""From what a person named to the `Subject`: the function, its shape factory, its cost, inside a worker."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json
from untrod.engines.worst.costs import Cost, make_cost
from untrod.engines.worst.subject import Subject
from untrod.runtime.loading import TargetName, load, load_exception, load_function

_PYTHON_ONLY = ("steps", "calls", "branches")


def load_subject(spec: Json, beacon: Beacon) -> Subject:
    """Raises UntrodError for whatever a person can mend."""
    project = Path(spec["project"])
    name = TargetName(**spec["target"])
    function = load_function(name, project)
    cost = _cost(spec["cost"], project)
    _refuse_lazy(function, name)
    if cost.name in _PYTHON_ONLY:
        _refuse_c(function, name, cost.name)
    return Subject(
        name=str(name),
        function=function,
        cost=cost,
        beacon=beacon,
        project=project,
        factory=load_function(TargetName(**spec["shape"]), project) if spec["shape"] else None,
        expected=tuple(load_exception(TargetName(**one), project) for one in spec["invalid"]),
        seconds=spec["timeout"] / 2,
        seed=spec["seed"],
    )


def _cost(name: Json, project: Path) -> Cost:
    if isinstance(name, str):
        return make_cost(name)
    target = TargetName(**name)
    counter = load(target, project)
    owner = load(TargetName(target.module, target.attribute.rpartition(".")[0], target.root), project)
    return make_cost(str(target), counter, owner)


def _refuse_lazy(function: Callable[..., Any], name: TargetName) -> None:
    """A call of these costs nothing, whatever the input: what they do comes later."""
    kinds = {
        "coroutine": inspect.iscoroutinefunction,
        "generator": inspect.isgeneratorfunction,
        "asynchronous generator": inspect.isasyncgenfunction,
    }
    for kind, test in kinds.items():
        if test(function):
            raise UntrodError(
                f"{name} is a {kind} function: calling it runs nothing of it",
                "name a function that runs it to the end, by list(...) or asyncio.run(...)",
            )


def _refuse_c(function: Callable[..., Any], name: TargetName, cost: str) -> None:
    plain: Any = function
    while isinstance(plain, functools.partial):
        plain = plain.func
    plain = inspect.unwrap(plain)
    names = ("__func__", "__init__")
    entries = [plain, type(plain).__call__, *(getattr(plain, name, None) for name in names)]
    if not any(hasattr(entry, "__code__") for entry in entries):
        raise UntrodError(
            f"{name} is not written in Python: its {cost} cannot be traced",
            "choose --cost allocations or a counter of your own, --cost FILE.py:COUNTER",
        )
