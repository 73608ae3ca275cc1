"""What a test brings along to learn from, before anything has been generated.

Three places hold inputs that were worth keeping: the test's `@example` decorators, the failures that
Hypothesis has saved for it, and a corpus (see `corpus`). Each becomes a *script*: the choices that lead
to it. Values are turned into choices by the strategies themselves (`SearchStrategy._invert`); where a
strategy cannot say how it would draw a value, as with `@composite` and `.map`, there is no script.

The running test is found in the calling frames, because Hypothesis tells a provider of its draws only. The
key under which Hypothesis files a test's failures follows from the source and signature of the function
under `@given`, and for a parametrised test from its node id.

And the lines that reject are in the test's code: the constants in them are preferred while nothing is valid.
"""

from __future__ import annotations

import base64
import dis
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, FrameType, TracebackType
from typing import Any

from hypothesis import Phase
from hypothesis.core import decode_failure
from hypothesis.database import choices_from_bytes
from hypothesis.errors import InvalidArgument
from hypothesis.internal.reflection import get_signature

from untrod.engines.inputs.backend.spans import shown
from untrod.engines.inputs.corpus import Entry
from untrod.engines.inputs.judge import is_code

MOST_SAVED = 20
"""How many saved failures are replayed; Hypothesis itself tries about as many."""

_CALLERS = 6
"""So many frames out from a provider's constructor, its test is found; further out are other tests."""

Script = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class RunningTest:
    """The `@given` test that is being run, as Hypothesis keeps it."""

    wrapped: Any
    inner: Any
    strategies: Mapping[str, Any]
    settings: Any
    key: bytes | None  # under which its failures are saved
    name: str  # pytest's node id, or how Hypothesis describes the function

    @classmethod
    def find(cls) -> RunningTest | None:
        """None when a provider is used by hand, without a test around it."""
        frame: FrameType | None = sys._getframe(1)
        for _ in range(_CALLERS):
            if frame is None:
                return None
            if frame.f_code.co_name == "run_engine" and hasattr(frame.f_locals.get("self"), "stuff"):
                state, key = frame.f_locals["self"], frame.f_locals.get("database_key")
                given, name = state.stuff.given_kwargs, state.test_identifier
                return cls(state.wrapped_test, state.test, given, state.settings, key, name)
            frame = frame.f_back
        return None

    def scripts(self) -> Iterator[Script]:
        """From `@example` first, then from the database."""
        for arguments in self.examples():
            script = invert(self.strategies, arguments)
            if script is not None:
                yield script
        yield from self._saved()

    def examples(self) -> Iterator[dict[str, Any]]:
        """The arguments of each `@example`, in the order they stand in the source."""
        names = [
            name
            for name, parameter in get_signature(self.inner).parameters.items()
            if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        ]
        for example in reversed(getattr(self.wrapped, "hypothesis_explicit_examples", ())):
            if example.args:
                yield dict(zip(names[-len(example.args) :], example.args, strict=False))
            else:
                yield dict(example.kwargs)

    def _saved(self) -> Iterator[Script]:
        database = self.settings.database
        if database is None or self.key is None or Phase.reuse not in self.settings.phases:
            return
        saved: list[bytes] = []
        for key in (self.key, b".".join((self.key, b"secondary"))):
            saved += sorted(database.fetch(key), key=lambda entry: (len(entry), entry))
        for entry in saved[:MOST_SAVED]:
            choices = choices_from_bytes(entry)
            if choices is not None:
                yield tuple(choices)


def invert(strategies: Mapping[str, Any], arguments: Mapping[str, Any]) -> Script | None:
    """The choices by which `strategies` draw `arguments`, or None where a strategy cannot say."""
    if set(strategies) != set(arguments):
        return None
    choices: list[Any] = []
    try:
        for name, strategy in strategies.items():
            choices += strategy._invert(arguments[name])
    except Exception:  # CannotInvert, or whatever a filter of the user's makes of the value
        return None
    return tuple(choices)


def script_of(entry: Entry, strategies: Mapping[str, Any]) -> Script | None:
    """The choices behind a line of a corpus, or None when it does not fit the test."""
    if entry.answers is None:
        arguments = entry.arguments(tuple(strategies))
        return None if arguments is None else invert(strategies, arguments)
    try:
        return tuple(decode_failure(base64.b64decode(str(entry.answers[-1]))))
    except (InvalidArgument, ValueError):
        return None


# -- constants in the lines that reject ----------------------------------------------------------------------
#
# `assume(order["kind"] == "gift")` rejects a thousand orders, and names the value it wants. As long as
# nothing at all is valid, elements of `sampled_from` that are constants of a rejecting call are drawn more
# often. The first valid input ends this: from then on, what is valid is learned from valid inputs.


_FAVOUR = 4.0
"""The weight of such an element. With 8, no more seeds found lambda terms within 458 attempts."""
_MOST = 1_000  # calls that are looked at, and lists of elements: a bound of memory


class RejectingConstants:
    """The constants in the calls that rejected inputs of one run of a test, as reprs."""

    def __init__(self) -> None:
        self.wanted: set[str] = set()
        self._calls: set[tuple[CodeType, int]] = set()
        self._preferences: dict[tuple[str, ...], list[float] | None] = {}

    def add(self, error: BaseException | None) -> None:
        """`error` is the exception that rejected an input."""
        call = None if error is None else _call_of(error.__traceback__)
        if call is None or call in self._calls or len(self._calls) >= _MOST:
            return
        self._calls.add(call)
        constants = {shown(constant) for constant in _constants(*call)}
        if not constants <= self.wanted:
            self.wanted |= constants
            self._preferences.clear()

    def preference(self, elements: tuple[str, ...]) -> list[float] | None:
        """Weights for `elements`; None when all are alike."""
        if elements not in self._preferences and len(self._preferences) < _MOST:
            named = [element in self.wanted for element in elements]
            weights = [_FAVOUR if is_named else 1.0 for is_named in named]
            self._preferences[elements] = weights if any(named) and not all(named) else None
        return self._preferences.get(elements)

    def forget(self) -> None:
        self.wanted.clear()
        self._preferences.clear()


def _call_of(trace: TracebackType | None) -> tuple[CodeType, int] | None:
    """The innermost call in the target's code: the calling function, and the offset of the call."""
    call = None
    while trace is not None:
        if is_code(trace.tb_frame.f_code.co_filename):
            call = (trace.tb_frame.f_code, trace.tb_lasti)
        trace = trace.tb_next
    return call


def _constants(code: CodeType, offset: int) -> Iterator[Any]:
    """All constants between the brackets of the call, also those in a generator expression there."""
    first, last = list(code.co_positions())[offset // 2][:2]
    if first is None or last is None:
        return
    for instruction in dis.get_instructions(code):
        positions = instruction.positions
        line = None if positions is None else positions.lineno
        if instruction.opname == "LOAD_CONST" and line is not None and first <= line <= last:
            yield from _flat(instruction.argval)


def _flat(constant: Any) -> Iterator[Any]:
    if isinstance(constant, CodeType):
        constant = constant.co_consts
    if isinstance(constant, tuple | frozenset):
        for part in constant:
            yield from _flat(part)
    elif isinstance(constant, str | bytes | int | float) and not isinstance(constant, bool):
        yield constant
