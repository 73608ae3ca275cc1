"""Addresses that depend on the input."""

from __future__ import annotations

from typing import Any

from untrod.symbolic.native.conditions import ALL, Conditions, NativeCondition
from untrod.symbolic.native.evaluate import values
from untrod.symbolic.native.shadow import Shadow
from untrod.symbolic.native.terms import Term, compare

NEAR = 0x1_0000
"""A table is no larger than this."""
MOST = 4_000


class Pointers:
    def __init__(self, emulator: Any, shadow: Shadow, conditions: Conditions) -> None:
        import unicorn

        self._failure: Any = unicorn.UcError  # type: ignore[attr-defined]
        self._memory = emulator.mem_read
        self._shadow = shadow
        self._conditions = conditions
        self._addresses: dict[Term, list[int]] = {}

    def condition(
        self, pointer: Term, address: int, size: int, flat: bytes | bytearray, writing: bool
    ) -> NativeCondition | None:
        """What must hold of the input for the access to be what it is on this path; None: it always does.

        Where one byte is the index of a table, it may be any byte with the same entry: `isdigit` has two
        answers, not 256. Otherwise the address must stay the same.
        """
        if pointer.vars & (pointer.vars - 1):
            truth = compare("eq", 64, pointer, address)
            return self._conditions.of(truth) if truth.__class__ is Term else None
        addresses = self._addresses.get(pointer)
        if addresses is None:
            if len(self._addresses) > MOST:
                self._addresses.clear()
            addresses = self._addresses[pointer] = values(pointer)
        mask = sum(1 << byte for byte, place in enumerate(addresses) if place == address)
        if not writing:
            mask |= self._alike(addresses, address, size)
        return None if mask == ALL else self._conditions.among(pointer.vars.bit_length() - 1, mask)

    def forget(self) -> None:
        self._addresses.clear()

    def _alike(self, addresses: list[int], address: int, size: int) -> int:
        """The bytes for which the same value is loaded, as far as that is known."""
        near = [place for place in addresses if abs(place - address) < NEAR]
        low, high = min(near), max(near) + size
        try:
            table = bytes(self._memory(low, high - low))
            own = table[address - low : address - low + size]
        except self._failure:
            return 0
        if self._shadow.is_symbolic(low, high - low):
            return 0
        mask = 0
        for byte, place in enumerate(addresses):
            if low <= place <= high - size and table[place - low : place - low + size] == own:
                mask |= 1 << byte
        return mask
