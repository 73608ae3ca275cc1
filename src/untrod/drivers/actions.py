"""Actions as texts: how a trace holds them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from untrod.drivers.protocol import Action

SCREENSHOTS = "screenshots"
"""Not an action: from here on, a picture after every step, into the folder that is its value."""


def dump_action(action: Action) -> str:
    """One JSON list. Short, since every step of every trace is one."""
    target = list(action.target) if action.target else None
    return json.dumps([action.type, action.detail, action.value, target], separators=(",", ":"))


def in_words(actions: Iterable[Action]) -> str:
    return ", ".join(map(str, actions)) or "nothing but the start"


def load_action(text: str) -> Action:
    """Raises ValueError for anything else."""
    try:
        kind, detail, value, target = json.loads(text)
        if not all(isinstance(part, str) for part in (kind, detail, value)):
            raise ValueError
        return Action(kind, (str(target[0]), str(target[1])) if target else None, value, detail)
    except (ValueError, TypeError, LookupError) as error:
        raise ValueError(f"not an action: {text!r}") from error
