"""What a test brings along to learn from, before anything has been generated.

Three places hold inputs that somebody thought worth keeping: the test's `@example` decorators, the failures
that Hypothesis has saved for it, and a corpus (see `corpus`). Each becomes a *script*: the choices that lead
to it. Values are turned into choices by the strategies themselves (`SearchStrategy._invert`); where a
strategy cannot say how it would draw a value, as with `@composite` and `.map`, there is no script.

The running test is found in the calling frames, because Hypothesis hands a provider nothing but questions.
What decides under which key Hypothesis files a test's failures is the source and signature of the function
under `@given`, and for a parametrised test its node id.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

from hypothesis import Phase
from hypothesis.core import decode_failure
from hypothesis.database import choices_from_bytes
from hypothesis.errors import InvalidArgument
from hypothesis.internal.reflection import get_signature

from untrod.engines.inputs.corpus import Entry

MOST_SAVED = 20
"""How many saved failures are replayed; Hypothesis itself tries about as many."""

_CALLERS = 6
"""A provider's constructor is called so close to the test; further out would be somebody else's."""

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
    """The choices by which `strategies` draw `arguments`, or None where that cannot be told."""
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
