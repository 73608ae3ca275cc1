"""The beginning of a hunt: with what the last campaign on the same function has learned, or from nothing."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import CodeType
from typing import Any

from untrod.core.vocabulary import Json, digest
from untrod.engines.worst.policies.base import HuntPolicy
from untrod.engines.worst.policies.catalogue import make_policy
from untrod.engines.worst.policies.lore import instilled
from untrod.engines.worst.snapshots import FORMAT, UNREADABLE


def recalled(name: str, seed: int, code: str, learned: Json) -> tuple[HuntPolicy, str]:
    """The policy, and a line to be told; nothing to tell when there was nothing to start from."""
    policy = make_policy(name, seed)
    if learned is None:
        return policy, ""
    try:
        if learned["format"] != FORMAT or learned["policy"] != name:
            raise ValueError(f"learned by {learned['policy']} in format {learned['format']}")
        if learned["code"] != code:
            return policy, "the function has changed since the last campaign: nothing of that one is used"
        policy.load(instilled(name, policy.state(), learned["lore"]))
        sizes = ", ".join(map(str, learned["sizes"]))
    except UNREADABLE as error:
        return make_policy(name, seed), f"what the last campaign learned cannot be used: {error}"
    return policy, f"{name} starts from what it has learned at the sizes {sizes} (--cold: from nothing)"


def code_of(function: Callable[..., Any]) -> str:
    """Changes when the function does; a comment or another line number changes nothing.

    What it calls is not looked at: places that have moved there are met as new ones.
    """
    code = getattr(inspect.unwrap(function), "__code__", None)
    return digest(repr(_parts(code))) if isinstance(code, CodeType) else ""


def _parts(code: CodeType) -> list[Any]:
    constants = [_parts(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    return [code.co_code, code.co_names, constants]
