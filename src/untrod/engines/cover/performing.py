"""The steps of an input, done one after the other, for real."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from untrod.core.interrupts import is_pressed
from untrod.engines.cover.case import Driven, Input, Step
from untrod.engines.cover.doing import do
from untrod.engines.cover.driving import drive, driven
from untrod.engines.cover.methods import MANAGED
from untrod.runtime.deadline import EpisodeStopped
from untrod.source.evaluate import evaluate, resolve
from untrod.source.nodes import Ref


class Unbuildable(Exception):
    """An argument could not be made: this says nothing about the entry."""


@dataclass(slots=True)
class Performance:
    """`done` steps were begun; the last of them gave `value` or raised `error`."""

    done: int = 0
    value: Any = None
    driven: Driven = ""
    error: BaseException | None = None
    raised: list[tuple[int, type[BaseException]]] = field(default_factory=list)
    driven_steps: list[tuple[int, Driven]] = field(default_factory=list)
    bent: bool = False
    """The code has bent something that our own code stands on."""


def perform(
    given: Input, ends: Callable[[BaseException, int], bool], restore: Callable[[], bool]
) -> Performance:
    """All the steps, or as many as can be done. No exception but Ctrl-C comes out of here.

    `ends`: is it over after this exception of that step? `restore` puts back what the code has bent, and says
    whether there was anything.
    """
    made = None
    performance = Performance()
    for performance.done, step in enumerate(given.steps, 1):
        performance.error, performance.driven = None, ""
        try:
            arguments, keywords = _built(step)
            if performance.done == 1:
                found = _named(given.module, step.name)
                result = made = found(*arguments, **keywords)
            else:
                result = do(made, step, arguments, keywords)
            performance.driven = driven(result)
            if performance.driven:
                performance.driven_steps.append((performance.done - 1, performance.driven))
            performance.value = drive(result)[0]
        except BaseException as error:
            if is_pressed(error):
                raise
            performance.error = error
            performance.bent |= restore()  # from here on our own code runs
            if performance.done == 1 or ends(error, performance.done):
                break
            if performance.done < len(given.steps):
                performance.raised.append((performance.done - 1, type(error)))
    return performance


def _built(step: Step) -> tuple[list[Any], dict[str, Any]]:
    try:
        arguments = [evaluate(node) for node in step.arguments]
        keywords = {name: evaluate(node) for name, node in step.keywords}
        if step.kind in MANAGED and not all(isinstance(one, BaseException) for one in arguments):
            raise TypeError("only exceptions are raised")
        return arguments, keywords
    except EpisodeStopped:
        raise
    except BaseException as error:
        raise Unbuildable from error


def _named(module: str, name: str) -> Any:
    try:
        return resolve(Ref(module, name))
    except Exception as error:
        raise Unbuildable from error
