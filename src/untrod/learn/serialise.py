"""Serialising what learners know as JSON: random generators and nested tuple keys, to the last bit."""

from __future__ import annotations

from random import Random
from typing import Any

from untrod.core.vocabulary import Json

_PLAIN = (str, int, float, bool, type(None))


def dump_random(rng: Random) -> Json:
    version, words, gauss = rng.getstate()
    return [version, list(words), gauss]


def load_random(rng: Random, state: Json) -> None:
    version, words, gauss = state
    rng.setstate((version, tuple(words), gauss))


def dump_key(key: Any) -> Json:
    """Tuples become lists. Anything JSON cannot carry becomes its repr: its cell will be learned anew."""
    if isinstance(key, tuple):
        return [dump_key(part) for part in key]
    return key if type(key) in _PLAIN else repr(key)


def load_key(body: Json) -> Any:
    return tuple(load_key(part) for part in body) if isinstance(body, list) else body
