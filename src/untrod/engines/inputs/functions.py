"""The functions that a campaign names, loaded inside the worker and checked to be what they should be."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.engines.inputs.characteristic import ByShape, ByValue, Characteristic, by_choices, by_function
from untrod.runtime.loading import TargetName, load_function


def refuse_other_signatures(generator: Callable[..., Any], name: TargetName) -> None:
    try:
        inspect.signature(generator).bind(None)
    except ValueError:
        return  # a built-in without a signature: it may take one argument
    except TypeError as error:
        raise UntrodError(
            f"{name} cannot be called with `choose`: {error}", "a generator takes `choose`"
        ) from None


def load_characteristic(name: Json, project: Path) -> Characteristic:
    if name in ("value", "trace"):  # where there is no trace to be had, the value serves
        return ByValue()
    if name == "choices":
        return by_choices
    if name == "shape":
        return ByShape()
    return by_function(load_function(TargetName(**name), project))
