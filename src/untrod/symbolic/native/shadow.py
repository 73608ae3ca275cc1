"""Shadow memory: which registers and bytes are symbolic, kept by hooks of the emulator, and an undo log.

The hooks are in C (shadow.c), because they are called for every instruction.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from untrod.core.errors import UntrodError

SOURCE = Path(__file__).with_name("shadow.c")
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_uint64)
_MOST_BLOCKS = 1 << 17


class _State(ctypes.Structure):
    """The head of `struct shadow`."""

    _fields_ = (
        ("registers", ctypes.c_uint64),
        ("pc", ctypes.c_uint64),
        ("steps", ctypes.c_uint64),
        ("limit", ctypes.c_uint64),
        ("touched", ctypes.c_uint64),
        ("blocks", ctypes.c_uint64),
        ("dirty", ctypes.c_uint64),
        ("on", ctypes.c_int32),
        ("done", ctypes.c_int32),
        ("over", ctypes.c_int32),
        ("visited", ctypes.POINTER(ctypes.c_uint64)),
    )


class Shadow:
    """`state` is shared with the hooks. An exception from `execute` or `decode` stops the emulation and is
    kept in `error`: it cannot pass through C."""

    def __init__(
        self, library: Path, emulator: Any, execute: Callable[[int], None], decode: Callable[[int], None]
    ) -> None:
        from unicorn.unicorn_py3.unicorn import uclib

        self.error: BaseException | None = None
        self._library = _bound(library)
        self._emulator = emulator
        self._callbacks = (_CALLBACK(self._guarded(execute)), _CALLBACK(self._guarded(decode)))
        functions = [
            ctypes.cast(getattr(uclib, name), ctypes.c_void_p)
            for name in ("uc_hook_add", "uc_emu_stop", "uc_mem_read", "uc_mem_write")
        ]
        self._shadow = self._library.shadow_new(emulator._uch, *functions, *self._callbacks)
        if not self._shadow:
            raise UntrodError("Unicorn does not take our hooks", "reinstall it: pip install 'untrod[native]'")
        self.state = _State.from_address(self._shadow)

    def _guarded(self, function: Callable[[int], None]) -> Callable[[int], None]:
        def call(pc: int) -> None:
            try:
                function(pc)
            except BaseException as error:
                self.fail(error)

        return call

    def fail(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error
        self._emulator.emu_stop()

    def touch(self, address: int, size: int) -> None:
        """These bytes are about to be written, and not by the program: keep them for the undo log."""
        self._library.shadow_touch(self._shadow, address, size)

    def is_symbolic(self, address: int, size: int) -> bool:
        return bool(self._library.shadow_is_symbolic(self._shadow, address, size))

    def count(self, address: int, size: int) -> int:
        """How many of these bytes are symbolic."""
        return int(self._library.shadow_count(self._shadow, address, size))

    def mark(self, address: int, size: int, symbolic: bool) -> None:
        self._library.shadow_mark(self._shadow, address, size, symbolic)

    def decoded(self, pc: int, size: int, reads: int, writes: int) -> None:
        self._library.shadow_decoded(self._shadow, pc, size, reads, writes)

    def soft(self, address: int, size: int) -> None:
        """The range of code that may be overwritten: a path that does so is cut off."""
        self._library.shadow_soft(self._shadow, address, size)

    def reset(self, *, keep: bool = False) -> None:
        """Memory as it was at the last reset with `keep`, nothing symbolic, all counts zero."""
        self.error = None
        self._library.shadow_reset(self._shadow, keep)

    def blocks(self) -> list[int]:
        """Where the blocks of this run begin, each once."""
        return list(self.state.visited[: min(self.state.blocks, _MOST_BLOCKS)])

    def close(self) -> None:
        if self._shadow:
            self._library.shadow_free(self._shadow)
            self._shadow = None


def register_reader(emulator: Any) -> Callable[[int], int]:
    """`emulator.reg_read` for registers of up to 64 bits, in a tenth of the time."""
    from unicorn.unicorn_py3.unicorn import uclib

    value = ctypes.c_uint64()
    ask, handle, place = uclib.uc_reg_read, emulator._uch, ctypes.byref(value)

    def read(number: int) -> int:
        value.value = 0  # some are shorter
        ask(handle, number, place)
        return value.value

    return read


def _bound(path: Path) -> Any:
    library = ctypes.CDLL(str(path))
    word, handle, number = ctypes.c_uint64, ctypes.c_void_p, ctypes.c_int
    library.shadow_new.restype = handle
    library.shadow_new.argtypes = [handle] * 5 + [_CALLBACK, _CALLBACK]
    for name, types in (
        ("shadow_touch", [handle, word, word]),
        ("shadow_is_symbolic", [handle, word, number]),
        ("shadow_count", [handle, word, number]),
        ("shadow_mark", [handle, word, number, number]),
        ("shadow_decoded", [handle, word, number, word, word]),
        ("shadow_soft", [handle, word, word]),
        ("shadow_reset", [handle, number]),
        ("shadow_free", [handle]),
    ):
        getattr(library, name).argtypes = types
    return library
