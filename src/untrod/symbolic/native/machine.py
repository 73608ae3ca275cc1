"""The program, emulated: Unicorn runs it, the watch tells what touches symbolic data, the lifter follows."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from untrod.core.errors import MissingExtra, UntrodError
from untrod.symbolic.native.conditions import Conditions
from untrod.symbolic.native.decode import Decoder
from untrod.symbolic.native.elf import EXECUTE, PAGE, READ, WRITE, Image
from untrod.symbolic.native.fields import Fields, Values
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
from untrod.symbolic.native.system import Ended, Fault, System
from untrod.symbolic.native.watch import Watch

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
        self._watch = Watch(library, self._emulator, self._execute, self._decode)
        self._lifter = Lifter(self.decoder, self._emulator, self._watch, self.conditions)
        self._hear: Callable[[int], None] = self._lifter.execute
        self._emulator.hook_add(
            unicorn.UC_HOOK_INSN, self._system_call, None, 1, 0, x86_const.UC_X86_INS_SYSCALL
        )
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
        watch, state = self._watch, self._watch.state
        watch.reset()
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
        status = self._ended
        return Walk(
            self._lifter.decisions,
            status if not cut else None,
            self.system.output,
            state.steps,
            state.touched,
            watch.blocks(),
            cut,
        )

    def forget(self) -> None:
        """The terms were forgotten: what is known by them goes, too."""
        self.conditions.forget()
        self._lifter.forget()

    def close(self) -> None:
        self._watch.close()

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
        values, state = self._fields.blank(), self._watch.state
        self._registers, self._restore = self._emulator.context_save(), self.system.snapshot()
        self._start = image.entry
        self._watch.reset(keep=True)
        self._lifter.begin(self._fields.flat(values), 1)
        self._write_arguments(values)
        self._hear = self._stop_at_first
        state.limit, state.on = self._limit, 1
        try:
            self._emulate(image.entry)
        except _FirstRead:
            steps, pc = state.steps - 1, state.pc
        else:
            raise UntrodError(
                "the program ends without looking at its input", "are --args, --stdin and --file right?"
            )
        finally:
            state.on, self._hear = 0, self._lifter.execute
        self._watch.reset()
        self._emulator.context_restore(self._registers)
        self._restore(values)
        if steps:
            try:
                self._emulator.emu_start(image.entry, 0, count=steps)
            except self._unicorn.UcError:
                pass  # it went too far, and into a crash
        if self._emulator.reg_read(self._names.UC_X86_REG_RIP) == pc:
            self._start = pc
            self._registers, self._restore = self._emulator.context_save(), self.system.snapshot()
            self._watch.reset(keep=True)
        else:  # instructions are not always counted alike: then every run starts at the beginning
            self._watch.reset()

    def _stop_at_first(self, pc: int) -> None:
        raise _FirstRead

    def _write_arguments(self, values: Values) -> None:
        sizes = self._fields.arguments
        for address, number, size in zip(self._stack.arguments, self._fields.starts, sizes, strict=False):
            self.write(address, values[self._fields.starts.index(number)][:size], number)

    # -- while it runs ----------------------------------------------------------------------------

    def _emulate(self, start: int) -> str:
        """Why it was cut off, empty if it has ended."""
        state = self._watch.state
        try:
            self._emulator.emu_start(start, 0)
            if self._watch.error is not None:
                raise self._watch.error
        except CutOff as cut:
            return str(cut)
        except self._unicorn.UcError as error:
            if self._watch.error is not None:
                raise self._watch.error from None
            self._ended = -_SIGNALS.get(error.errno, signal.SIGSEGV)
        if self._ended is None:
            if state.over:
                return "memory" if state.full else "instructions"
            self._ended = -signal.SIGTRAP
        return ""

    def _execute(self, pc: int) -> None:
        self._hear(pc)

    def _decode(self, pc: int) -> None:
        found = self.decoder.decode(pc, bytes(self._emulator.mem_read(pc, 15)))
        self._watch.decoded(pc, found.reads, found.writes)

    def _system_call(self, emulator: Any, data: Any) -> None:
        names, registers, state = self._names, self.decoder.registers, self._watch.state
        order = ("rax", "rdi", "rsi", "rdx", "r10", "r8", "r9")
        if state.on:
            for name in order[:4]:
                self._lifter.concretise(registers[name], state.pc)
        number, *arguments = (emulator.reg_read(registers[name].unicorn) for name in order)
        if number == _ARCH_PRCTL and arguments[0] == _SET_FS:
            emulator.reg_write(names.UC_X86_REG_FS_BASE, arguments[1])
        try:
            answer = self.system.call(number, tuple(arguments), self)
        except Ended as ended:
            self._ended = ended.status
            emulator.emu_stop()
            return
        emulator.reg_write(names.UC_X86_REG_RAX, answer & (1 << 64) - 1)
        state.registers &= ~(registers["rax"].bit | registers["rcx"].bit | registers["r11"].bit)

    def read(self, address: int, size: int) -> bytes:
        try:
            return bytes(self._emulator.mem_read(address, size))
        except self._unicorn.UcError:
            raise Fault from None

    def write(self, address: int, data: bytes, first: int | None = None) -> None:
        if not data:
            return
        self._watch.touch(address, len(data))
        try:
            self._emulator.mem_write(address, data)
        except self._unicorn.UcError:
            raise Fault from None
        if self._watch.state.on and first is not None and self._hear == self._stop_at_first:
            raise _FirstRead
        if first is None:
            self._watch.mark(address, len(data), False)
        else:
            self._lifter.symbolize(address, first, len(data))


_ARCH_PRCTL, _SET_FS = 158, 0x1002
_UC_ERR_INSN_INVALID, _UC_ERR_EXCEPTION = 10, 21
_SIGNALS = {_UC_ERR_INSN_INVALID: signal.SIGILL, _UC_ERR_EXCEPTION: signal.SIGFPE}


def load_unicorn() -> Any:
    try:
        import unicorn
    except ImportError as error:
        raise MissingExtra("unicorn", "native") from error
    return unicorn
