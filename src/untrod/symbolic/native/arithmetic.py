"""What the operations of `terms` mean for ints: SMT-LIB's bit vectors."""

from __future__ import annotations

from collections.abc import Callable

MASKS = [(1 << size) - 1 for size in range(513)]


def signed(value: int, size: int) -> int:
    return value - (1 << size) if value >> (size - 1) & 1 else value


def _sdiv(left: int, right: int, size: int) -> int:
    a, b = signed(left, size), signed(right, size)
    if not b:
        return 1 if a < 0 else MASKS[size]
    return (abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)) & MASKS[size]


def _srem(left: int, right: int, size: int) -> int:
    a, b = signed(left, size), signed(right, size)
    return left if not b else (abs(a) % abs(b) * (-1 if a < 0 else 1)) & MASKS[size]


def _rol(value: int, by: int, size: int) -> int:
    by %= size
    return (value << by | value >> (size - by)) & MASKS[size]


ARITHMETIC: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, size: a + b & MASKS[size],
    "sub": lambda a, b, size: a - b & MASKS[size],
    "mul": lambda a, b, size: a * b & MASKS[size],
    "and": lambda a, b, size: a & b,
    "or": lambda a, b, size: a | b,
    "xor": lambda a, b, size: a ^ b,
    "shl": lambda a, b, size: a << b & MASKS[size] if b < size else 0,
    "lshr": lambda a, b, size: a >> b if b < size else 0,
    "ashr": lambda a, b, size: signed(a, size) >> min(b, size - 1) & MASKS[size],
    "udiv": lambda a, b, size: a // b if b else MASKS[size],
    "urem": lambda a, b, size: a % b if b else a,
    "sdiv": _sdiv,
    "srem": _srem,
    "rol": _rol,
    "ror": lambda a, b, size: _rol(a, size - b % size, size),
}
COMPARISONS: dict[str, Callable[[int, int, int], bool]] = {
    "eq": lambda a, b, size: a == b,
    "ult": lambda a, b, size: a < b,
    "ule": lambda a, b, size: a <= b,
    "slt": lambda a, b, size: signed(a, size) < signed(b, size),
    "sle": lambda a, b, size: signed(a, size) <= signed(b, size),
}
