"""One run, symbolically: what each register and byte holds in terms of the input, and what was decided."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from untrod.symbolic.native.arithmetic import MASKS
from untrod.symbolic.native.conditions import Conditions, NativeCondition
from untrod.symbolic.native.decode import Decoder
from untrod.symbolic.native.evaluate import evaluate
from untrod.symbolic.native.files import Symbol
from untrod.symbolic.native.pointers import Pointers
from untrod.symbolic.native.registers import Register
from untrod.symbolic.native.shadow import Shadow, register_reader
from untrod.symbolic.native.template import Access, Template
from untrod.symbolic.native.terms import (
    DEEPEST,
    Term,
    Value,
    binary,
    both,
    compare,
    concat,
    extract,
    variable,
    zero_extend,
)

_BITS64 = (1 << 64) - 1
MOST_BYTES = 1_000_000
"""So many bytes may have been symbolic on one path."""
LOOK = 500
"""So many instructions between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Decision:
    """`kind` as `protocol.BranchKind` has it."""

    pc: int
    condition: NativeCondition
    side: bool
    kind: Literal["user", "internal", "value"]


class CutOff(Exception):
    """Enough branches were met, or enough time was spent: says which."""


class Lifter:
    """`begin`, then `execute` for every instruction that touches symbolic data, as it is about to happen."""

    def __init__(self, decoder: Decoder, emulator: Any, shadow: Shadow, conditions: Conditions) -> None:
        from unicorn import UcError  # type: ignore[attr-defined]
        from unicorn.x86_const import UC_X86_REG_EFLAGS, UC_X86_REG_FS_BASE, UC_X86_REG_GS_BASE

        self._failure = UcError
        self._decoder = decoder
        self._read = register_reader(emulator)
        self._read_wide = emulator.reg_read
        self._memory = emulator.mem_read
        self._shadow = shadow
        self._state = shadow.state
        self._conditions = conditions
        self._pointers = Pointers(emulator, shadow, conditions)
        self._eflags = UC_X86_REG_EFLAGS
        self._segments = {"fs": UC_X86_REG_FS_BASE, "gs": UC_X86_REG_GS_BASE}
        self._rax = decoder.registers["rax"]
        self._rcx = decoder.registers["rcx"]
        self.begin(b"", 0)

    def begin(
        self,
        flat: bytes | bytearray,
        most: int,
        deadline: float | None = None,
        expected: Sequence[Decision] = (),
    ) -> None:
        """`flat` is the input; after `most` decisions, or past the deadline, `CutOff` is raised. `expected`
        are the first decisions of the path, as far as known, with the values that were refused."""
        self.decisions: list[Decision] = []
        self.deep = 0
        """Values that became too large an expression, and were made concrete."""
        self._flat = flat
        self._most = most
        self._deadline = deadline
        self._expected = expected
        self._patience = LOOK
        self._registers: list[Any] = [0] * len(self._decoder.registers)
        self._bytes: dict[int, tuple[Term, int]] = {}

    def symbolize(self, address: int, symbols: Mapping[int, Symbol]) -> None:
        """Make bytes symbolic: by offset, the number of an input byte, or what `symbols` has returned."""
        for place, symbol in symbols.items():
            known = (variable(symbol), 0) if symbol.__class__ is int else symbol
            self._bytes[address + place] = known
            self._shadow.mark(address + place, 1, True)

    def symbols(self, address: int, size: int) -> dict[int, Symbol]:
        """The symbolic bytes there, by offset, as `symbolize` takes them later on this path."""
        shadow = self._shadow
        if not shadow.is_symbolic(address, size):
            return {}
        return {
            place: self._bytes[address + place]
            for place in range(size)
            if shadow.is_symbolic(address + place, 1)
        }

    def pin(self, address: int, size: int, pc: int) -> None:
        """These bytes keep their values on this path."""
        for term, place in self.symbols(address, size).values():
            byte = extract(term, 8 * place, 8)
            if byte.__class__ is Term:
                self._pin(byte, 8, pc)

    def compare(self, address: int, texts: Iterable[bytes], pc: int) -> None:
        """The path depends on which of the texts these bytes are: they are compared in order."""
        for text in texts:
            for place, wanted in enumerate(text):
                byte = self._byte(address + place)
                truth = compare("eq", 8, byte, wanted)
                if truth.__class__ is Term:
                    self._decide(pc, self._conditions.of(truth), "user")
                    truth = evaluate(truth, self._flat)
                if not truth:
                    break
            else:
                return

    def execute(self, pc: int) -> None:
        self._patience -= 1
        if not self._patience:
            self._patience = LOOK
            self.look_at_clock()
            if len(self._bytes) > MOST_BYTES:
                raise CutOff("memory")
        template = self._decoder.template(pc)
        if template is None:
            self._state.registers &= ~self._decoder.decode(pc, b"").writes
            self._state.done = 0  # what it writes to memory is concrete
            return
        if template.repeats and not self._idle(template, pc):
            return
        # Addresses first: what is loaded depends on them.
        try:
            given = [
                self._register(source) if isinstance(source, Register) else self._load(source, pc)
                for source in template.sources
            ]
        except self._failure:
            return  # nothing is there: the processor is about to find that out, too
        if template.divisor is not None:
            self._divide(template.divisor(given), template.name == "idiv", pc)
        targets = [self._address(access, pc, writing=True) for access, _ in template.stores]
        stored = [function(given) for _, function in template.stores]
        shadow = self._state.registers & ~template.clears
        jump = template.jump(given) if template.jump is not None else None
        for register, function in template.registers:
            value = function(given)
            if value.__class__ is Term and value.depth <= DEEPEST:
                self._registers[register.place] = value
                shadow |= register.bit
            else:
                self.deep += value.__class__ is Term
                shadow &= ~register.bit
        for register, function in template.flags:
            self._registers[register.place] = (function, given)  # most flags are never looked at
            shadow |= register.bit
        self._state.registers = shadow
        for (access, _), address, value in zip(template.stores, targets, stored, strict=True):
            self._store(address, access.size, value)
        if jump.__class__ is Term:
            self._jump(jump, template, pc)

    def look_at_clock(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise CutOff("time")

    def concretise(self, register: Register, pc: int) -> None:
        """Make the register concrete: it keeps its value on this path."""
        if self._state.registers & register.bit:
            value = self._register(register)
            if value.__class__ is Term:
                self._pin(value, register.size, pc)

    def forget(self) -> None:
        self._pointers.forget()

    # -- what is there ----------------------------------------------------------------------------

    def _register(self, register: Register) -> Value:
        if self._state.registers & register.bit:
            value = self._registers[register.place]
            if value.__class__ is tuple:
                function, given = value
                value = function(given)
                if value.__class__ is Term and value.depth > DEEPEST:
                    self.deep += 1
                    value = evaluate(value, self._flat)
                self._registers[register.place] = value
            if value.__class__ is Term:
                return value
            self._state.registers &= ~register.bit
            return value
        if register.size > 64:
            return self._read_wide(register.unicorn)
        number = self._read(register.unicorn)
        return number if register.shift < 0 else number >> register.shift & 1

    def _load(self, access: Access, pc: int) -> Value:
        """A symbolic address keeps its value on this path, or another at which the same value is stored."""
        address, size = self._address(access, pc), access.size
        count = self._shadow.count(address, size)
        if not count:
            return int.from_bytes(self._memory(address, size), "little")
        known = self._bytes
        first = known.get(address)
        if count == size and first is not None and first[1] == 0 and first[0].size == 8 * size:
            whole = first[0]
            for place in range(1, size):
                if known[address + place] != (whole, place):
                    break
            else:
                return whole
        value: Value = self._byte(address)
        for place in range(1, size):
            value = concat(self._byte(address + place), 8, value, 8 * place)
        return value

    def _byte(self, address: int) -> Value:
        if not self._shadow.is_symbolic(address, 1):
            return self._memory(address, 1)[0]
        term, place = self._bytes[address]
        return extract(term, 8 * place, 8)

    def _store(self, address: int, size: int, value: Value) -> None:
        if value.__class__ is Term and value.depth <= DEEPEST:
            for place in range(size):
                self._bytes[address + place] = (value, place)
            self._shadow.mark(address, size, True)
        else:
            self.deep += value.__class__ is Term
            self._shadow.mark(address, size, False)

    def _address(self, access: Access, pc: int, writing: bool = False) -> int:
        address = access.displacement
        symbolic: Value = 0
        for register, scale in ((access.base, 1), (access.index, access.scale)):
            if register is None:
                continue
            address += self._read(register.unicorn) * scale
            if self._state.registers & register.bit:
                value = self._register(register)
                if value.__class__ is Term:
                    symbolic = binary("add", 64, symbolic, binary("mul", 64, value, scale))
                    continue
            symbolic = binary("add", 64, symbolic, self._read(register.unicorn) * scale & _BITS64)
        if access.segment:
            base = self._read(self._segments[access.segment])
            address += base
            symbolic = binary("add", 64, symbolic, base)
        address &= _BITS64
        if symbolic.__class__ is Term:
            symbolic = binary("add", 64, symbolic, access.displacement & _BITS64)
            condition = self._pointers.condition(symbolic, address, access.size, self._flat, writing)
            if condition is not None:
                self._decide(pc, condition, "value")
        return address

    # -- what is decided --------------------------------------------------------------------------

    def _jump(self, target: Term, template: Template, pc: int) -> None:
        if template.is_branch:
            self._decide(pc, self._conditions.of(target), "user")
        else:
            self._pin(target, 64, pc)

    def _pin(self, value: Term, size: int, pc: int) -> None:
        truth = compare("eq", size, value, evaluate(value, self._flat))
        if truth.__class__ is Term:
            self._decide(pc, self._conditions.of(truth), "value")

    def _divide(self, divisor: Value, is_signed: bool, pc: int) -> None:
        """The conditions under which the division fails: a divisor of 0, or of -1 for the least number."""
        if divisor.__class__ is not Term:
            return
        size = divisor.size
        truths = [compare("eq", size, divisor, 0)]
        if is_signed and size > 8:
            least = compare("eq", size, extract(self._register(self._rax), 0, size), 1 << size - 1)
            truths.append(both(least, compare("eq", size, divisor, MASKS[size])))
        for truth in truths:
            if truth.__class__ is Term:
                self._decide(pc, self._conditions.of(truth), "internal")

    def _idle(self, template: Template, pc: int) -> bool:
        """For an instruction with `rep`: is RCX not zero?"""
        count = self._register(self._rcx)
        if count.__class__ is Term:
            truth = compare("eq", 64, zero_extend(count, 64), 0)
            if truth.__class__ is Term:
                self._decide(pc, self._conditions.of(truth), "user")
            count = evaluate(count, self._flat)
        return bool(count)

    def _decide(
        self, pc: int, condition: NativeCondition, kind: Literal["user", "internal", "value"]
    ) -> None:
        if kind == "value":
            self._refuse(pc)
        if len(self.decisions) >= self._most:
            raise CutOff("branches")
        self.decisions.append(Decision(pc, condition, condition.holds(self._flat), kind))

    def _refuse(self, pc: int) -> None:
        """Repeat the decisions against values that were refused here, so that they stay refused."""
        place = len(self.decisions)
        while place < len(self._expected):
            known = self._expected[place]
            if known.side or known.kind != "value" or known.pc != pc:
                return
            self.decisions.append(Decision(pc, known.condition, known.condition.holds(self._flat), "value"))
            place += 1
