"""Runs the function once on symbolic arguments, and says how that ended."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from inspect import isdatadescriptor
from typing import Any

import crosshair.core_and_libs  # noqa: F401  registers the symbolic types
import z3  # type: ignore[import-untyped]
from crosshair.condition_parser import condition_parser
from crosshair.copyext import CopyMode, deepcopyext
from crosshair.core import Patched, deep_realize, suspected_proxy_intolerance_exception
from crosshair.options import DEFAULT_OPTIONS
from crosshair.statespace import StateSpaceContext
from crosshair.tracers import COMPOSITE_TRACER, NoTracing, ResumedTracing, TraceException
from crosshair.util import (
    ControlFlowException,
    CrossHairInternal,
    IgnoreAttempt,
    NotDeterministic,
    PathTimeout,
    UnexploredPath,
    UnknownSatisfiability,
)

from untrod.core.interrupts import is_pressed
from untrod.core.validity import Rejected
from untrod.symbolic.crosshair.arguments import Maker, plain_integers
from untrod.symbolic.crosshair.decisions import Broken, Stop
from untrod.symbolic.crosshair.space import DecidingSpace
from untrod.symbolic.protocol import Status

_WITH_INPUTS = ("done", "raised", "ignored", "unsupported", "limit")
_ENDINGS = ("done", "raised", "unsupported", "ignored")  # of the function's own accord


@dataclass
class Ending:
    status: Status
    reason: str = ""
    value: Any = None
    error: BaseException | None = None
    inputs: tuple[Any, ...] | None = None


def walk(function: Callable[..., Any], arguments: Maker, space: DecidingSpace) -> Ending:
    """One path, from its first decision to its last. Raises what a policy raised, and Ctrl-C."""
    with ExitStack() as contexts:
        for context in (
            plain_integers(),
            Patched(),
            condition_parser(DEFAULT_OPTIONS.analysis_kind),
            COMPOSITE_TRACER,
            NoTracing(),
            StateSpaceContext(space),
        ):
            contexts.enter_context(context)
        try:
            given = arguments.make(space)
            ending = Ending("done") if space.decisions.arrived else _call(function, given, space)
            if not space.decisions.complete and ending.status in _ENDINGS:
                return Ending("diverged", _early(space))
            if ending.status in _WITH_INPUTS and not (ending.status == "limit" and space.decisions.late):
                _realise(ending, given, space)
        except Exception as error:  # of a constructor or __reduce__ of the arguments' own classes
            return _verdict(error, space) or Ending("unsupported", f"arguments: {_words(error)}")
        except (ControlFlowException, TraceException, Stop) as error:
            return _verdict(error, space) or Ending("unsupported", _words(error))
    return ending


def _call(function: Callable[..., Any], given: tuple[Any, ...], space: DecidingSpace) -> Ending:
    copied = deepcopyext(given, CopyMode.REGULAR, {})  # the function may change them
    value, raised = None, None
    try:
        with ResumedTracing():
            value = function(*copied)
    except BaseException as error:
        if is_pressed(error):
            raise
        raised = error
    if raised is None and space.decisions.stopped is None:
        return Ending("done", value=value)
    return _verdict(raised, space) or Ending("raised", error=raised)


def _verdict(error: BaseException | None, space: DecidingSpace) -> Ending | None:
    """What CrossHair or we meant by raising `error`; None when it is the user's own."""
    stopped = space.decisions.stopped
    if isinstance(stopped, Broken):
        raise stopped.error
    if stopped is not None:  # whatever became of it in the hands of the code under test
        return Ending(stopped.status, stopped.reason)
    match error:
        case IgnoreAttempt():
            return Ending("ignored")
        case Rejected():
            return Ending("ignored", error=error)
        case UnknownSatisfiability():
            return Ending("unknown", "the solver gave up")
        case PathTimeout():
            return Ending("limit", "CrossHair's own time limit")
        case NotDeterministic():
            return Ending("diverged", "CrossHair met another branch than before")
        case UnexploredPath() | CrossHairInternal() | TraceException() | z3.Z3Exception():
            return Ending("unsupported", _words(error))
        case Exception() if suspected_proxy_intolerance_exception(error):
            return Ending("unsupported", f"C code that takes no symbolic value: {_words(error)}")
    return None


def _realise(ending: Ending, given: tuple[Any, ...], space: DecidingSpace) -> None:
    """The arguments first: without them, a path counts for nothing."""
    with ResumedTracing():
        space.detach_path()
    ending.inputs = deep_realize(given)
    try:
        ending.value = deep_realize(ending.value)
        if ending.error is not None:
            _realise_error(ending.error)
    except (Exception, ControlFlowException) as error:
        ending.value, ending.reason = None, f"the result could not be made concrete: {_words(error)}"


def _realise_error(error: BaseException) -> None:
    """In place, since an exception's constructor need not accept its own `args`. Tracebacks go: their frames
    hold the whole path."""
    fields = {
        name for kind in type(error).__mro__ for name, item in vars(kind).items() if isdatadescriptor(item)
    }
    for name in {*vars(error), *fields}:
        if not name.startswith("__"):  # `args`, an exit's `code`, and what the user's own classes have
            try:
                setattr(error, name, deep_realize(getattr(error, name)))
            except (AttributeError, TypeError):  # read-only, or not set
                pass
    link: BaseException | None = error
    while link is not None:
        link.__traceback__ = None
        link = link.__cause__ or link.__context__


def _early(space: DecidingSpace) -> str:
    return f"it ended after {len(space.decisions.branches)} decisions, more were recorded before"


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(map(str, error.args)):.200}"
