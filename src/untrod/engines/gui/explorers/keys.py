"""Actions as plain tuples: what a learner can put into its table, and a table into JSON."""

from __future__ import annotations

from typing import TypeAlias

from untrod.drivers.protocol import Action

Key: TypeAlias = tuple[str, str, str, str, str]
"""Type, detail, value, and the two halves of the locator."""


def key(action: Action) -> Key:
    strategy, place = action.target or ("", "")
    return action.type, action.detail, action.value, strategy, place


def labelling(of: Key) -> tuple[str, ...]:
    """What is the same about an action on different screens: its type, value and detail.

    The locator says where it is, and so does not count, unless it is all there is to tell it by.
    """
    kind, detail, value, strategy, place = of
    return (kind, value, detail) if detail else (kind, value, strategy, place)
