"""The program, emulated: Unicorn runs it, and the lifter executes what touches symbolic data symbolically."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from untrod.core.errors import MissingExtra, UntrodError
from untrod.symbolic.native.conditions import Conditions
from untrod.symbolic.native.decode import Decoder
from untrod.symbolic.native.elf import EXECUTE, PAGE, READ, WRITE, Image, Segment
from untrod.symbolic.native.fields import Fields, Values
from untrod.symbolic.native.files import Symbol
from untrod.symbolic.native.layout import (
    HEAP,
    HEAP_SIZE,
    MAPS,
    MAPS_SIZE,
    STACK_SIZE,
    STACK_TOP,
    STRINGS,
    first_stack,
)
from untrod.symbolic.native.lifter import CutOff, Decision, Lifter
from untrod.symbolic.native.memory import Fault, TooMuch
from untrod.symbolic.native.shadow import Shadow
from untrod.symbolic.native.system import Ended, System

INSTRUCTIONS = 2_000_000
"""A path with more of them is cut off: it may be endless."""


@dataclass(frozen=True, slots=True)
class Walk:
    """One run. `status` as `waitpid` has it: the exit status, or minus a signal; None: it was cut off."""

    decisions: list[Decision]
    status: int | None
    output: bytes
    instructions: int
    touched: int
    blocks: list[int]
    cut: str = ""
    """By what: instructions, branches, time."""


class _FirstRead(Exception):
    """Something symbolic was about to be read."""


class Machine:
    """Of one program. Its start-up is run once: the snapshot is taken before the first symbolic read."""

    def __init__(self, image: Image, fields: Fields, library: Path, instructions: int = INSTRUCTIONS) -> None:
        unicorn = load_unicorn()
        from unicorn import x86_const

        self._names = x86_const
        self._unicorn = unicorn
        self._fields = fields
        self.system = System(fields)
        self.decoder = Decoder()
        self.conditions = Conditions(fields.names)
        self._limit = instructions
        self._stack = first_stack(image, fields)
        self._emulator = unicorn.Uc(unicorn.UC_ARCH_X86, unicorn.UC_MODE_64)
        self._map(image)
        self._shadow = Shadow(library, self._emulator, self._execute, self._decode)
        self._soft = [s for s in image.segments if s.flags & WRITE and s.flags & EXECUTE]
        self._shadow.soft(*_range(self._soft))
        self._lifter = Lifter(self.decoder, self._emulator, self._shadow, self.conditions)
        self._hear: Callable[[int], None] = self._lifter.execute
        self._emulator.hook_add(
            unicorn.UC_HOOK_INSN, self._system_call, None, 1, 0, x86_const.UC_X86_INS_SYSCALL
        )
        self._emulator.hook_add(unicorn.UC_HOOK_INTR, self._interrupt)
        self._ended: int | None = None
        self._take_snapshot(image)

    def run(
        self,
        values: Values,
        *,
        most_branches: int,
        deadline: float | None = None,
        expected: Sequence[Decision] = (),
    ) -> Walk:
        """From the snapshot to the end, on this input; `expected` as `Lifter.begin` has it."""
        shadow, state = self._shadow, self._shadow.state
        shadow.reset()
        self._emulator.context_restore(self._registers)
        self._restore(values)
        self._lifter.begin(self._fields.flat(values), most_branches, deadline, expected)
        self._write_arguments(values)
        self._ended = None
        state.limit, state.on = self._limit, 1
        cut = ""
        try:
            cut = self._emulate(self._start)
        finally:
            state.on = 0
        if self._lifter.deep:
            self.decoder.unsupported["results of too many operations"] += self._lifter.deep
        status = self._ended
        return Walk(
            self._lifter.decisions,
            status if not cut else None,
            self.system.output,
            state.steps,
            state.touched,
            [*self._blocks_before, *shadow.blocks()],
            cut,
        )

    def forget(self) -> None:
        """Drop what is cached by term, after `terms.forget`."""
        self.conditions.forget()
        self._lifter.forget()

    def close(self) -> None:
        self._shadow.close()

    # -- before the first run ---------------------------------------------------------------------

    def _map(self, image: Image) -> None:
        """Pages have the rights of all segments that they belong to."""
        unicorn = self._unicorn
        pages: dict[int, int] = {}
        for segment in image.segments:
            first, last = segment.address // PAGE, (segment.address + len(segment.data) - 1) // PAGE
            for page in range(first, last + 1):
                pages[page] = pages.get(page, 0) | segment.flags
        rights = {READ: unicorn.UC_PROT_READ, WRITE: unicorn.UC_PROT_WRITE, EXECUTE: unicorn.UC_PROT_EXEC}
        self._read_only = frozenset(page for page, flags in pages.items() if not flags & WRITE)
        for page, flags in pages.items():
            self._emulator.mem_map(page * PAGE, PAGE, sum(r for flag, r in rights.items() if flags & flag))
        for segment in image.segments:
            self._emulator.mem_write(segment.address, segment.data)
        readable = unicorn.UC_PROT_READ | unicorn.UC_PROT_WRITE
        for start, size in ((STACK_TOP - STACK_SIZE, STACK_SIZE), (HEAP, HEAP_SIZE), (MAPS, MAPS_SIZE)):
            self._emulator.mem_map(start, size, readable)
        self._emulator.mem_write(self._stack.pointer, self._stack.words)
        self._emulator.mem_write(STRINGS, self._stack.strings)
        self._emulator.reg_write(self._names.UC_X86_REG_RSP, self._stack.pointer)

    def _take_snapshot(self, image: Image) -> None:
        """Run up to the first symbolic read twice: to count the instructions, and to stop just before it."""
        values, state = self._fields.blank(), self._shadow.state
        self._registers, self._restore = self._emulator.context_save(), self.system.snapshot()
        self._start, self._blocks_before = image.entry, []
        self._shadow.reset(keep=True)
        self._lifter.begin(self._fields.flat(values), 1)
        self._write_arguments(values)
        steps, pc = self._first_read(image.entry)
        self._shadow.reset()
        self._emulator.context_restore(self._registers)
        self._restore(values)
        # Nothing is symbolic now, and our own count stops it: Unicorn's counts other things as instructions.
        state.limit, state.on = steps, 1
        try:
            self._emulate(image.entry)
        finally:
            state.on = 0
        if self._emulator.reg_read(self._names.UC_X86_REG_RIP) == pc and state.steps == steps + 1:
            self._start, self._blocks_before = pc, self._shadow.blocks()
            self._registers, self._restore = self._emulator.context_save(), self.system.snapshot()
            self._shadow.reset(keep=True)
        else:  # it did not go the same way again: then every run starts at the beginning
            self._shadow.reset()

    def _first_read(self, entry: int) -> tuple[int, int]:
        """The number of instructions before the first that reads the input, and the address of that one."""
        state = self._shadow.state
        self._hear, self.system.first_look = self._stop_at_first, self._look
        state.limit, state.on = self._limit, 1
        try:
            cut = self._emulate(entry)
        except _FirstRead:
            return state.steps - 1, state.pc
        finally:
            state.on, self._hear, self.system.first_look = 0, self._lifter.execute, None
        words = f"runs for {self._limit:,} instructions" if cut else "ends"
        raise UntrodError(
            f"the program {words} without looking at its input", "are --args, --stdin and --file right?"
        )

    def _stop_at_first(self, pc: int) -> None:
        raise _FirstRead

    def _look(self) -> None:
        raise _FirstRead

    def _write_arguments(self, values: Values) -> None:
        sizes = self._fields.arguments
        for address, number, size in zip(self._stack.arguments, self._fields.starts, sizes, strict=False):
            data = values[self._fields.starts.index(number)][:size]
            self.write(address, data, dict(enumerate(range(number, number + len(data)))))

    # -- while it runs ----------------------------------------------------------------------------

    def _emulate(self, start: int) -> str:
        """Run on from `start`. Returns why the run was cut off, empty when the program has ended."""
        state = self._shadow.state
        try:
            self._emulator.emu_start(start, _NOWHERE)
            if self._shadow.error is not None:
                raise self._shadow.error
        except (CutOff, TooMuch) as cut:
            return str(cut)
        except self._unicorn.UcError as error:
            if self._shadow.error is not None:
                raise self._shadow.error from None
            self._ended = -signal.SIGILL if error.errno == _INVALID else -signal.SIGSEGV
            if error.errno == _INVALID:
                self._note_invalid(state.pc)
        if self._ended is None:
            if state.over:
                return _OVER[state.over]
            self._ended = -signal.SIGSEGV  # `hlt`: no program may do that
        return ""

    def _note_invalid(self, pc: int) -> None:
        """Count it: an instruction of a newer processor than Unicorn emulates would not crash for real."""
        name = self.decoder.decode(pc, self._code(pc)).name
        if not name.startswith("ud"):
            self.decoder.unsupported[name] += 1

    def _execute(self, pc: int) -> None:
        self._hear(pc)

    def _decode(self, pc: int) -> None:
        found = self.decoder.decode(pc, self._code(pc))
        size = len(found.raw)
        for segment in self._soft:
            at = pc - segment.address
            if 0 <= at < len(segment.data) and (
                segment.data[at : at + size] != found.raw or self._shadow.is_symbolic(pc, size)
            ):
                self.decoder.forget(pc)
                raise CutOff("code")
        self._shadow.decoded(pc, len(found.raw), found.reads, found.writes)

    def _code(self, pc: int) -> bytes:
        """Fifteen bytes are the longest instruction; at the end of the code there are fewer."""
        raw = b""
        for start, end in ((pc, min(pc + 15, pc // PAGE * PAGE + PAGE)), (pc // PAGE * PAGE + PAGE, pc + 15)):
            try:
                raw += bytes(self._emulator.mem_read(start, end - start)) if start < end else b""
            except self._unicorn.UcError:
                break
        return raw

    def _system_call(self, emulator: Any, data: Any) -> None:
        names, registers, state = self._names, self.decoder.registers, self._shadow.state
        if state.on:
            self._lifter.look_at_clock()
            self._lifter.concretise(registers["rax"], state.pc)
        number = emulator.reg_read(registers["rax"].unicorn)
        if state.on:
            for name in _ORDER[: self.system.arity(number)]:
                self._lifter.concretise(registers[name], state.pc)
        arguments = tuple(emulator.reg_read(registers[name].unicorn) for name in _ORDER)
        if number == _ARCH_PRCTL and arguments[0] == _SET_FS:
            emulator.reg_write(names.UC_X86_REG_FS_BASE, arguments[1])
        try:
            answer = self.system.call(number, arguments, self)
        except Ended as ended:
            self._ended = ended.status
            emulator.emu_stop()
            return
        emulator.reg_write(names.UC_X86_REG_RAX, answer & (1 << 64) - 1)
        state.registers &= ~(registers["rax"].bit | registers["rcx"].bit | registers["r11"].bit)

    def _interrupt(self, emulator: Any, number: int, data: Any) -> None:
        if number == _OLD_CALL:
            self.system.unknown["int 0x80"] += 1
        self._ended = -_SIGNALS.get(number, signal.SIGSEGV)
        emulator.emu_stop()

    # -- what `System` needs of it ----------------------------------------------------------------

    def read(self, address: int, size: int) -> bytes:
        try:
            found = bytes(self._emulator.mem_read(address, size))
        except self._unicorn.UcError:
            raise Fault from None
        if self.system.first_look is not None and self._shadow.is_symbolic(address, size):
            self.system.first_look()
        return found

    def fixed(self, address: int, size: int) -> bytes:
        found = self.read(address, size)
        self._lifter.pin(address, size, self._shadow.state.pc)
        return found

    def symbols(self, address: int, size: int) -> dict[int, Symbol]:
        return self._lifter.symbols(address, size)

    def compare(self, address: int, texts: list[bytes]) -> None:
        self._lifter.compare(address, texts, self._shadow.state.pc)

    def write(self, address: int, data: bytes, symbols: dict[int, Symbol] | None = None) -> None:
        if not data:
            return
        last = (address + len(data) - 1) // PAGE
        if any(page in self._read_only for page in range(address // PAGE, last + 1)):
            raise Fault
        self._shadow.touch(address, len(data))
        try:
            self._emulator.mem_write(address, data)
        except self._unicorn.UcError:
            raise Fault from None
        self._shadow.mark(address, len(data), False)
        if symbols:
            self._lifter.symbolize(address, symbols)


_ORDER = ("rdi", "rsi", "rdx", "r10", "r8", "r9")
"""Of a system call's arguments."""
_OVER = {1: "instructions", 2: "memory", 3: "code"}
"""As shadow.c has it."""
_NOWHERE = (1 << 64) - 1
"""Where Unicorn is to stop: an address that no program has code at, as it may have at 0."""
_ARCH_PRCTL, _SET_FS = 158, 0x1002
_INVALID = 10
"""UC_ERR_INSN_INVALID."""
_SIGNALS = {
    0: signal.SIGFPE,
    1: signal.SIGTRAP,
    3: signal.SIGTRAP,
    6: signal.SIGILL,
    16: signal.SIGFPE,
    17: signal.SIGBUS,
    19: signal.SIGFPE,
}
"""By the number of the processor's exception."""
_OLD_CALL = 0x80


def _range(segments: list[Segment]) -> tuple[int, int]:
    """The least one that has them all: its start and its size."""
    if not segments:
        return 0, 0
    first = min(segment.address for segment in segments)
    return first, max(segment.address + len(segment.data) for segment in segments) - first


def load_unicorn() -> Any:
    try:
        import unicorn
    except ImportError as error:
        raise MissingExtra("unicorn", "native") from error
    return unicorn
