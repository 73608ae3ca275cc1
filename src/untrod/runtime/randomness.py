"""The global random generators, the same at the start of every episode.

A replayed episode must see the numbers it saw before, so each begins with `reseed`. But `random.seed` costs
4.5 us, and the fast engines run whole episodes in 15: so `reseed` only notes the seed, and the first use
of `random` in the episode pays. To notice that use, the module's functions are wrapped before the target is
imported, so that `from random import randint` gets the wrapped one too.

`numpy.random` cannot be wrapped that way without importing it; it is seeded at once, but only if the target
has loaded it and it is not still as the same seed left it.

A target may also overwrite the functions of `random`; `reseed` then puts them back.
"""

from __future__ import annotations

import ctypes
import functools
import random
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

_NUMPY_SEEDS = 2**32
_MT_WORDS = 624


def install() -> None:
    """Watch `random` from now on. Call before the target is imported; a second call does nothing."""
    if isinstance(random, _WatchedModule):
        return
    for name in _functions():
        setattr(random, name, _watched(getattr(random, name)))
    _state.module = dict(vars(random))
    _state.generator = dict(vars(random.Random))
    random.__class__ = _WatchedModule


def reseed(seed: int) -> None:
    """From here on, `random` and `numpy.random` behave as if just seeded with `seed`."""
    _state.pending = seed
    if _state.overwritten:
        restore()
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        _numpy.reseed(numpy_random, seed % _NUMPY_SEEDS)


def was_used() -> bool:
    """Has anything been drawn since `reseed`?"""
    return _state.pending is None or _numpy.was_used()


def restore() -> None:
    """Undo what the target did to the module `random` and to `random.Random`."""
    if not _state.module:
        return
    live = vars(random)
    for name in live.keys() - _state.module.keys():
        del live[name]
    live.update(_state.module)
    generator = vars(random.Random)
    for name in generator.keys() - _state.generator.keys():
        delattr(random.Random, name)
    for name, value in _state.generator.items():
        if generator.get(name) is not value:
            setattr(random.Random, name, value)
    _state.overwritten = False


class _State:
    def __init__(self) -> None:
        self.pending: int | None = None
        self.overwritten = False
        self.module: dict[str, Any] = {}
        self.generator: dict[str, Any] = {}


_state = _State()


class _WatchedModule(ModuleType):
    """`random`, noticing assignments to it; reading costs nothing."""

    def __setattr__(self, name: str, value: Any) -> None:
        _state.overwritten = True
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        _state.overwritten = True
        super().__delattr__(name)


def _functions() -> list[str]:
    """The names in `random` that draw from, or change, the module's own generator."""
    owner: Any = vars(random)["_inst"]
    return [name for name in vars(random) if getattr(vars(random)[name], "__self__", None) is owner]


def _watched(function: Callable[..., Any]) -> Callable[..., Any]:
    seed_generator, state = vars(random)["_inst"].seed, _state

    @functools.wraps(function)
    def watched(*args: Any, **named: Any) -> Any:
        if state.pending is not None:
            seed, state.pending = state.pending, None
            seed_generator(seed)
        return function(*args, **named)

    return watched


class _Numpy:
    """numpy's legacy global generator, with a look at its memory to see whether it was used.

    A Mersenne Twister just seeded stands at position 624; the first draw rewrites its words.
    """

    def __init__(self) -> None:
        self._seed: int | None = None
        self._source: Any = None
        self._words: Any = None
        self._fresh: tuple[int, int, int] = (0, 0, 0)

    def reseed(self, module: Any, seed: int) -> None:
        generator = getattr(getattr(module, "mtrand", None), "_rand", None)
        if generator is None:
            return  # still being imported, or its import failed
        if self._source is None:
            self._source = generator._bit_generator
            address = self._source.ctypes.state_address
            self._words = (ctypes.c_uint32 * (_MT_WORDS + 1)).from_address(address)
        elif generator._bit_generator is not self._source:
            module.set_bit_generator(self._source)
        elif seed == self._seed and self._look() == self._fresh:
            return
        generator.seed(seed)
        self._seed, self._fresh = seed, self._look()

    def was_used(self) -> bool:
        return self._source is not None and self._look() != self._fresh

    def _look(self) -> tuple[int, int, int]:
        words = self._words
        return words[0], words[_MT_WORDS - 1], words[_MT_WORDS]


_numpy = _Numpy()
