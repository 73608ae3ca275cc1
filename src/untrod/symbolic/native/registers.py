"""The registers that can be symbolic, each with a bit in the shadow, and their names in Unicorn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_NAMED = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi")
GENERAL = (*_NAMED, *(f"r{number}" for number in range(8, 16)))
FLAGS = {"cf": 0, "pf": 2, "af": 4, "zf": 6, "sf": 7, "df": 10, "of": 11}
"""With their bits in EFLAGS."""
WIDE = tuple(f"xmm{number}" for number in range(16))


@dataclass(frozen=True, slots=True)
class Register:
    name: str
    place: int
    size: int
    unicorn: int
    shift: int = -1
    """Of a flag within EFLAGS; -1 for what is no flag."""
    bit: int = field(init=False)
    """Of `Shadow.state.registers`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bit", 1 << self.place)


def registers() -> dict[str, Register]:
    from unicorn import x86_const

    numbers: dict[str, Any] = vars(x86_const)
    found: dict[str, Register] = {}
    for names, size in ((GENERAL, 64), (WIDE, 128)):
        for name in names:
            found[name] = Register(name, len(found), size, numbers[f"UC_X86_REG_{name.upper()}"])
    for name, shift in FLAGS.items():
        found[name] = Register(name, len(found), 1, numbers["UC_X86_REG_EFLAGS"], shift)
    return found


def canonical(name: str) -> str:
    """Triton's parent of `xmm0` is `zmm0`; we know it as `xmm0`."""
    return f"xmm{name[3:]}" if name[:3] in ("ymm", "zmm") and name[3:].isdigit() else name
