"""What a call leaves behind, besides what it returns: changed arguments, and the object's state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from untrod.engines.cover.under_test import InputRun
from untrod.runtime.deadline import EpisodeStopped
from untrod.source.evaluate import evaluate
from untrod.source.layout import flat
from untrod.source.literals import express, holds_nan
from untrod.source.names import is_name
from untrod.source.nodes import Display, Node, Pairs

MOST_ATTRIBUTES = 4
LONGEST = 80
"""Characters of a value: a person reads it."""


def changed(run: InputRun, parameters: Sequence[str], is_all: bool) -> tuple[tuple[str, Node], ...]:
    """Of a run that has returned. An argument by `number:name`, an attribute of the object by `.name`.

    `is_all`: nothing else can be said of what was returned, so that an object that was just made is looked
    at, too.
    """
    try:
        return (*_arguments(run, parameters), *_attributes(run, is_all))
    except EpisodeStopped:
        raise
    except BaseException:
        return ()


def _arguments(run: InputRun, parameters: Sequence[str]) -> Iterator[tuple[str, Node]]:
    step = run.given.steps[-1]
    if step.kind != "call" or run.driven:
        return
    for number, (node, value) in enumerate(zip(step.arguments, run.arguments, strict=False)):
        if isinstance(node, Display | Pairs) and number < len(parameters) and is_name(parameters[number]):
            after = _plain(value)
            if after is not None and after != express(evaluate(node)):
                yield f"{number}:{parameters[number]}", after


def _attributes(run: InputRun, is_all: bool) -> Iterator[tuple[str, Node]]:
    """Public ones that have a source. A property that was set is read again."""
    step, made = run.given.steps[-1], run.made
    if len(run.given.steps) == 1 and not is_all:
        return
    if made is None or type(made).__module__ == "builtins" or isinstance(made, type):
        return
    names = [step.name] if step.kind == "set" else []
    state = getattr(made, "__dict__", None)
    if isinstance(state, dict):
        names += [
            name for name, value in state.items() if type(name) is str and _may_differ(run, name, value)
        ]
    count = 0
    for name in dict.fromkeys(names):
        if name.startswith("_") or not is_name(name) or step.kind == "get":
            continue
        value = _plain(getattr(made, name))
        if value is not None:
            yield f".{name}", value
            count += 1
        if count == MOST_ATTRIBUTES:
            return


def _may_differ(run: InputRun, name: str, value: Any) -> bool:
    """From what the object held before. What is changed in place, nobody knows."""
    if name not in run.before or isinstance(value, list | dict | set | bytearray):
        return True
    return value is not run.before[name]


def _plain(value: Any) -> Node | None:
    node = express(value)
    return node if node is not None and not holds_nan(node) and len(flat(node)) <= LONGEST else None
