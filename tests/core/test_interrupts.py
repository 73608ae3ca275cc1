"""A Ctrl-C is told from a KeyboardInterrupt that code raises by itself."""

from __future__ import annotations

import signal

from untrod.core.interrupts import is_pressed


def raised_by(function) -> BaseException:
    try:
        function()
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def pretend() -> None:
    raise KeyboardInterrupt


def test_what_a_person_presses_is_ctrl_c() -> None:
    assert is_pressed(raised_by(press))


def test_what_code_raises_is_not() -> None:
    assert not is_pressed(raised_by(pretend))
    assert not is_pressed(ValueError())


def test_where_nobody_can_hear_ctrl_c_it_is_always_the_code() -> None:
    error = raised_by(press)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert not is_pressed(error)
    finally:
        signal.signal(signal.SIGINT, before)
