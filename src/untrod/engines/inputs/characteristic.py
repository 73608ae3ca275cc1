"""What counts as a different input (the paper's characteristic function xi).

A characteristic turns a generated value into something hashable; two inputs with equal characteristics are
the same input, and only the first of them is new.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeAlias

from untrod.core.protocols import Policy
from untrod.core.vocabulary import Choice, digest

Characteristic: TypeAlias = Callable[[Any, list[int]], Hashable]
"""From the value and the answers that made it to what tells it apart."""

CHARACTERISTICS = ("value", "choices", "shape", "trace")
"""Those that have a name; any other is a function of the user's."""

_BY_VALUE = (int, float, complex, bool, str, bytes, tuple, frozenset, type(None))


class ByValue:
    """The value itself; its repr where it cannot be hashed; its choices where even the repr says nothing.

    An object that prints as `<Node object at 0x7f..>` differs from itself in the next episode, so such
    values are told apart by the choices that made them.
    """

    def __init__(self) -> None:
        self._how: dict[type, Characteristic] = {}

    def __call__(self, value: Any, answers: list[int]) -> Hashable:
        how = self._how.get(type(value))
        if how is None:
            how = self._how[type(value)] = _how_to_tell(value)
        return how(value, answers)


class ByShape:
    """The places that asked, in order, whatever was answered: a policy that notes them on their way."""

    needs_context = True  # also for a learner that does without: the sites are what is wanted

    def __init__(self) -> None:
        self._policy: Policy | None = None
        self._sites: list[Hashable] = []

    def following(self, policy: Policy) -> ByShape:
        """To be asked instead of `policy`, which it asks in turn."""
        self._policy = policy
        return self

    def decide(self, choice: Choice) -> int:
        assert self._policy is not None
        self._sites.append(choice.site)
        return self._policy.decide(choice)

    def begin(self) -> None:
        self._sites.clear()

    def __call__(self, value: Any, answers: list[int]) -> Hashable:
        return stable_digest(tuple(self._sites))


def by_choices(value: Any, answers: list[int]) -> Hashable:
    """The sequence of choices: finer than the value when two sequences build the same one."""
    return tuple(answers)


def by_function(function: Callable[[Any], Any]) -> Characteristic:
    """The user's own characteristic of the value; by its repr where it cannot be hashed."""

    def told(value: Any, answers: list[int]) -> Hashable:
        return hashable(function(value))

    return told


def hashable(key: Any) -> Hashable:
    try:
        hash(key)
    except TypeError:
        return repr(key)
    return key  # type: ignore[no-any-return]


def by_repr(value: Any, answers: list[int]) -> Hashable:
    return repr(value)


def stable_digest(key: Hashable) -> str:
    """The same for equal keys in every process; what the corpus is keyed by."""
    return digest(key if isinstance(key, str | bytes) else repr(key))


def _how_to_tell(value: Any) -> Characteristic:
    text = repr(value)
    if " at 0x" in text:
        return by_choices
    if isinstance(value, _BY_VALUE):
        try:
            hash(value)
        except TypeError:
            return by_repr
        return lambda value, answers: value
    return by_repr
