"""What an instruction does to symbolic data, as Triton says, made into Python once.

Triton is shown an instruction with all its registers and all the memory that it loads unknown. What it says
comes out as functions of those unknowns, in the operations of `terms`. When the instruction is executed, they
are called with what the registers and the memory hold then: ints and terms. So Triton is asked once for each
instruction of the program, however often that runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from untrod.symbolic.native import terms
from untrod.symbolic.native.registers import Register
from untrod.symbolic.native.terms import Value
from untrod.symbolic.native.translate import Translator

Function = Callable[[list[Value]], Value]


@dataclass(frozen=True, slots=True)
class Access:
    """An address: base + index * scale + displacement, within a segment or not."""

    size: int
    base: Register | None
    index: Register | None
    scale: int
    displacement: int
    segment: str


@dataclass(frozen=True, slots=True)
class Template:
    """`sources` are what each function's arguments are: registers and loads."""

    name: str
    sources: tuple[Register | Access, ...]
    registers: tuple[tuple[Register, Function], ...]
    flags: tuple[tuple[Register, Function], ...]
    stores: tuple[tuple[Access, Function], ...]
    jump: Function | None
    """The condition of a branch, or where an indirect jump leads."""
    is_branch: bool
    repeats: bool
    divisor: Function | None
    clears: int
    """Bits of the registers that are written, and are not among the outputs."""


@dataclass(slots=True)
class Semantics:
    """What Triton said: expressions of what an instruction writes."""

    name: str
    written: list[tuple[Register, Any]]
    stored: list[tuple[Access, Any]]
    target: Any
    """The next address, None where it is certain."""
    divisor: Any
    repeats: bool
    clears: int


def make_template(
    told: Semantics, translator: Translator, source: Callable[[int], Register | Access]
) -> Template:
    """`source` tells what a variable of Triton's stands for. Raises NotKnown."""
    outputs = [(r, _compiled(translator, node, r.size)) for r, node in told.written]
    stores = tuple((access, _compiled(translator, node, access.size * 8)) for access, node in told.stored)
    condition = translator.condition(told.target) if told.target is not None else None
    jump = _function(condition) if condition is not None else None
    if told.target is not None and jump is None:
        jump = _compiled(translator, told.target, 64)
    divisor = _compiled(translator, told.divisor, 0) if told.divisor is not None else None
    return Template(
        name=told.name,
        sources=tuple(map(source, translator.used)),
        registers=tuple((r, function) for r, function in outputs if r.size > 1),
        flags=tuple((r, function) for r, function in outputs if r.size == 1),
        stores=stores,
        jump=jump,
        is_branch=condition is not None,
        repeats=told.repeats,
        divisor=divisor,
        clears=told.clears,
    )


def _compiled(translator: Translator, node: Any, size: int) -> Function:
    source, width = translator.source(node)
    if size and width > size:
        source = f"extract({source}, 0, {size})"
    return _function(source)


_NAMES = {
    name: getattr(terms, name)
    for name in (
        "binary",
        "both",
        "compare",
        "complement",
        "concat",
        "differ",
        "either",
        "extract",
        "invert",
        "ite",
        "negate",
        "sign_extend",
        "zero_extend",
    )
}


def _function(source: str) -> Function:
    """`source` is made by the translator from operations and numbers alone."""
    made: Function = eval(f"lambda a: {source}", dict(_NAMES))
    return made
