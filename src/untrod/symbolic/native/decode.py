"""Instructions, as far as symbolic data is concerned: which registers they read and write, and what they do.

The first is asked of every instruction that runs, the second only of those that touch symbolic data.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from untrod.core.errors import MissingExtra, UntrodError
from untrod.symbolic.native.registers import FLAGS, GENERAL, Register, canonical, registers
from untrod.symbolic.native.template import Access, Semantics, Template, make_template
from untrod.symbolic.native.translate import NotKnown, Translator

_SHIFTS = frozenset(("shl", "sal", "shr", "sar", "rol", "ror", "rcl", "rcr", "shld", "shrd"))
"""They leave the flags alone when the count is zero."""
_SPACING, _START = 0x1_0000_0000, 0x1001
"""Registers hold numbers far from one another, none of which is zero in any part that a name stands for."""
_SMALL = {"rax": 1, "rdx": 0}
_IGNORED = frozenset(("rip", "fs", "gs", "cs", "ds", "es", "ss", "mxcsr", "tf", "if", "ftw", "fsw", "fcw"))
_LONGEST = 15
_OPAQUE = frozenset(("cpuid", "xgetbv", "rdpmc", "rdmsr"))
"""What they answer depends on what is asked, but Triton does not say how."""


@dataclass(frozen=True, slots=True)
class Decoded:
    reads: int
    writes: int
    raw: bytes
    name: str
    is_known: bool
    is_relative: bool


class Decoder:
    """`unsupported` counts by name what touched symbolic data and could not be followed."""

    def __init__(self) -> None:
        self._triton = load_triton()
        self.registers = registers()
        self._scratch = self._context()
        self._scratch.addCallback(self._triton.CALLBACK.GET_CONCRETE_MEMORY_VALUE, _ones)
        kinds = self._triton.AST_NODE
        self._nodes = {getattr(kinds, name): name for name in dir(kinds) if name[0] != "_"}
        self._known: dict[int, Decoded] = {}
        self._templates: dict[tuple[bytes, int], Template | None] = {}
        self._by_place: dict[int, Template] = {}
        self.unsupported: Counter[str] = Counter()

    def decode(self, pc: int, raw: bytes) -> Decoded:
        """`raw` are at least the bytes of the instruction."""
        found = self._known.get(pc)
        if found is None:
            found = self._known[pc] = self._decode(pc, raw[:_LONGEST])
        return found

    def forget(self, pc: int) -> None:
        """Something else may be there the next time."""
        del self._known[pc]

    def template(self, pc: int) -> Template | None:
        """None, and counted, where Triton or `terms` do not know what it does."""
        found = self._by_place.get(pc)
        if found is not None:
            return found
        decoded = self._known[pc]
        # The same bytes do the same elsewhere, unless they speak of where they are.
        key = (decoded.raw, pc if decoded.is_relative else 0)
        if key not in self._templates:
            try:
                self._templates[key] = self._make(pc, decoded)
            except NotKnown:
                self._templates[key] = None
        found = self._templates[key]
        if found is None:
            self.unsupported[decoded.name] += 1
        else:
            self._by_place[pc] = found
        return found

    # -- first sight ------------------------------------------------------------------------------

    def _decode(self, pc: int, raw: bytes) -> Decoded:
        context = self._scratch
        self._spread(context)
        instruction = self._triton.Instruction(pc, raw)
        try:
            context.disassembly(instruction)
            instruction = self._triton.Instruction(pc, raw[: instruction.getSize()])
            known = context.processing(instruction) == self._triton.EXCEPTION.NO_FAULT
        except Exception:  # Triton has no class of its own for what it cannot decode
            known = False
        words = instruction.getDisassembly().split() or [raw[:4].hex()]
        name = " ".join(words[: 2 if words[0].startswith(("rep", "lock")) else 1])
        reads = writes = 0
        if known:
            for register, _ in instruction.getReadRegisters():
                reads |= self._bit(context, register)
            for access, _ in (*instruction.getLoadAccess(), *instruction.getStoreAccess()):
                for register in (access.getBaseRegister(), access.getIndexRegister()):
                    reads |= self._bit(context, register)
            for register, _ in instruction.getWrittenRegisters():
                bit = self._bit(context, register)
                writes |= bit
                if self._is_partial(register):
                    reads |= bit  # the rest of it stays
            for register in instruction.getUndefinedRegisters():
                writes |= self._bit(context, register)
            if words[-1 if len(words) == 1 else 0] in _SHIFTS:
                flags = sum(self.registers[flag].bit for flag in FLAGS if flag != "df")
                reads |= flags
        else:
            for operand in instruction.getOperands():
                if operand.getType() == self._triton.OPERAND.REG:
                    reads |= self._bit(context, operand)
            writes = reads  # as far as can be told; when it runs on symbolic data, it is counted
        relative = "rip" in instruction.getDisassembly() or words[0] == "call"
        return Decoded(reads, writes, raw[: instruction.getSize()], name, known, relative)

    def _bit(self, context: Any, register: Any) -> int:
        if not context.isRegisterValid(register):
            return 0
        found = self.registers.get(canonical(context.getParentRegister(register).getName()))
        return found.bit if found is not None else 0

    def _is_partial(self, register: Any) -> bool:
        name, size = register.getName(), register.getBitSize()
        return size in (8, 16) or name.startswith("xmm")

    # -- what it does -----------------------------------------------------------------------------

    def _make(self, pc: int, decoded: Decoded) -> Template:
        if not decoded.is_known or decoded.name in _OPAQUE:
            raise NotKnown(decoded.name)
        _, first = self._processed(pc, decoded, ())
        accesses = [access for access, _ in first.getLoadAccess()]
        context, instruction = self._processed(pc, decoded, accesses)
        told = Semantics(decoded.name, [], [], None, None, decoded.name.startswith("rep"), decoded.writes)
        written: dict[str, Any] = {}
        for expression in instruction.getSymbolicExpressions():
            if not expression.isRegister():
                continue
            name = canonical(context.getParentRegister(expression.getOrigin()).getName())
            node = expression.getAst()
            if name == "rip":
                told.target = node if node.isSymbolized() else None
            elif name in self.registers:
                written[name] = node
                told.clears &= ~self.registers[name].bit
            elif name not in _IGNORED:
                raise NotKnown(name)
        told.written = [(self.registers[name], node) for name, node in written.items()]
        told.stored = [(self._access(context, access), node) for access, node in instruction.getStoreAccess()]
        told.divisor = self._divisor(context, instruction)
        sources: list[Register | Access] = [
            *self.registers.values(),
            *(self._access(context, access) for access in accesses),
        ]
        return make_template(told, Translator(self._nodes), lambda number: sources[number])

    def _processed(self, pc: int, decoded: Decoded, loads: Sequence[Any]) -> tuple[Any, Any]:
        """A context in which every register and the memory at `loads` is a variable, in that order."""
        context = self._context()
        self._spread(context)
        for register in self.registers.values():
            context.symbolizeRegister(getattr(context.registers, register.name), register.name)
        for access in loads:
            where = self._triton.MemoryAccess(access.getAddress(), access.getSize())
            context.setConcreteMemoryValue(where, 1)
            context.symbolizeMemory(where, "load")
        if not loads:
            context.addCallback(self._triton.CALLBACK.GET_CONCRETE_MEMORY_VALUE, _ones)
        instruction = self._triton.Instruction(pc, decoded.raw)
        if context.processing(instruction) != self._triton.EXCEPTION.NO_FAULT:
            raise NotKnown(decoded.name)
        return context, instruction

    def _access(self, context: Any, access: Any) -> Access:
        base, index = access.getBaseRegister(), access.getIndexRegister()
        segment = access.getSegmentRegister().getName()
        size, address = access.getSize(), access.getAddress()
        named = context.isRegisterValid(base) or context.isRegisterValid(index) or segment in ("fs", "gs")
        if not named and not access.getDisplacement().getValue():
            return self._implicit(address, size)
        if context.isRegisterValid(base) and base.getName() == "rip":
            return Access(size, None, None, 1, address, "")
        return Access(
            size,
            self._register(context, base),
            self._register(context, index),
            access.getScale().getValue() or 1,
            access.getDisplacement().getValue(),
            segment if segment in ("fs", "gs") else "",
        )

    def _implicit(self, address: int, size: int) -> Access:
        """`push`, `pop`, `ret`: the register that the address is near to."""
        place = address // _SPACING - 1
        if not 0 <= place < len(GENERAL):
            raise NotKnown("an address from nowhere")
        register = self.registers[GENERAL[place]]
        return Access(size, register, None, 1, address - (place + 1) * _SPACING - _START, "")

    def _register(self, context: Any, register: Any) -> Register | None:
        if not context.isRegisterValid(register):
            return None
        found = self.registers.get(register.getName())
        if found is None:
            raise NotKnown(f"an address in {register.getName()}")
        return found

    def _divisor(self, context: Any, instruction: Any) -> Any:
        if instruction.getDisassembly().split()[0] not in ("div", "idiv"):
            return None
        operand = instruction.getOperands()[0]
        is_memory = operand.getType() == self._triton.OPERAND.MEM
        return context.getMemoryAst(operand) if is_memory else context.getRegisterAst(operand)

    def _context(self) -> Any:
        context = self._triton.TritonContext(self._triton.ARCH.X86_64)
        for mode in ("ALIGNED_MEMORY", "AST_OPTIMIZATIONS", "SYMBOLIZE_INDEX_ROTATION"):
            context.setMode(getattr(self._triton.MODE, mode), True)
        return context

    def _spread(self, context: Any) -> None:
        """Addresses tell which register they came from; divisions do not overflow."""
        for number, name in enumerate(GENERAL, 1):
            value = number * _SPACING + _START
            context.setConcreteRegisterValue(getattr(context.registers, name), _SMALL.get(name, value))


def _ones(context: Any, access: Any) -> None:
    """No memory is empty: a division by what is there must not fail."""
    context.setConcreteMemoryValue(access, 1)


def load_triton() -> Any:
    """Raises MissingExtra; UntrodError when another package of the same name is in its place."""
    try:
        triton = importlib.import_module("triton")
    except ImportError as error:
        raise MissingExtra("triton-library", "native") from error
    if not hasattr(triton, "TritonContext"):
        raise UntrodError(
            "another package called triton hides triton-library", "use an environment without it"
        )
    return triton
