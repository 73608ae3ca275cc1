"""Ctrl-C, and code that raises a KeyboardInterrupt of its own: that is an outcome like any other."""

from __future__ import annotations

import dis
import signal
from types import TracebackType

_RAISES = (dis.opmap["RAISE_VARARGS"], dis.opmap["RERAISE"])


def is_pressed(error: BaseException) -> bool:
    """Did a person press Ctrl-C? Workers cannot hear it, and elsewhere it strikes between instructions, and
    not at a `raise`."""
    if not isinstance(error, KeyboardInterrupt) or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return False
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is None or not stands_at_raise(trace)


def stands_at_raise(trace: TracebackType) -> bool:
    """Did a `raise` of the code itself get it out of this frame?"""
    return trace.tb_frame.f_code.co_code[trace.tb_lasti] in _RAISES
