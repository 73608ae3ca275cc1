"""Bytecode offsets that stay the same when the interpreter warms up.

CPython 3.11 compiles a call to PRECALL and CALL. Once the call is specialised, PRECALL does the work of both,
and `f_lasti` within the callee's time points there, some bytes before where it pointed on the first runs. A
branch raised under such a call (`sorted(items)`, `max(a, b)`) would seem to move.
"""

from __future__ import annotations

from dis import opmap
from types import CodeType

_PRECALL = opmap.get("PRECALL", -1)  # only 3.11 has it


def stable_offset(code: CodeType, offset: int) -> int:
    """`offset`, or that of the CALL that belongs to the PRECALL standing there."""
    bytecode = code.co_code
    if 0 <= offset < len(bytecode) and bytecode[offset] == _PRECALL:
        while bytecode[offset] != opmap["CALL"]:
            offset += 2
    return offset
