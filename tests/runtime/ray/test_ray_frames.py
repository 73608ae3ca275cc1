"""Messages survive the way as frames, and nonsense is noticed."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from untrod.core.vocabulary import Outcome
from untrod.runtime.channel import ChannelError
from untrod.runtime.messages import Failure, Lost, Reply
from untrod.runtime.ray.frames import pack, unpack
from untrod.runtime.refusals import Refusal

REFUSAL = Refusal("write", "write /x", "open", times=3)


@pytest.mark.parametrize(
    "message",
    [
        Reply(3, "run", {"episodes": 2}),
        Reply(3, "snapshot", None, b"\x00\xff", (REFUSAL,)),
        Reply(3, "open", None, error=Failure("no module x", "install it", "Traceback ...")),
        Lost(3, Outcome.CRASHED, "SIGSEGV", 7, (1, 2), "log", "run", truncated=True),
        Lost(3, Outcome.TIMED_OUT, "late", None, None, ""),
    ],
)
def test_a_message_comes_out_as_it_went_in(message):
    assert unpack(3, message.op, pack(message, 1.5)) == (message, 1.5)


@pytest.mark.parametrize("frame", [b"", b"nonsense", pack(Reply(0, "run", {}), 0.0)[:-1]])
def test_what_is_no_frame_is_refused(frame):
    with pytest.raises(ChannelError):
        unpack(0, "run", frame)


def test_threads_are_said_with_the_methods_since_ray_client_takes_them_with_no_call() -> None:
    pytest.importorskip("ray")
    from untrod.runtime.ray.bridge import Grouped

    names = ("ready", "interrupt", "perform", "close")
    groups = [getattr(Grouped, name).__ray_concurrency_group__ for name in names]
    assert groups == ["control", "control", "work", "work"]


@pytest.mark.parametrize(("failures", "joins"), [(3, True), (4, False)])
def test_a_client_server_that_is_late_is_asked_again(monkeypatch, failures: int, joins: bool) -> None:
    pytest.importorskip("ray")
    from untrod.runtime.ray import bridge

    late = iter([ConnectionAbortedError("Initialization failure from server:")] * failures)

    def init(**_: object) -> None:
        for error in late:
            raise error

    monkeypatch.setattr(bridge.ray, "init", init)
    with nullcontext() if joins else pytest.raises(ConnectionAbortedError):
        bridge._connect("ray://127.0.0.1:10001", "")


def test_a_reason_that_comes_as_a_traceback_is_told_by_its_last_line() -> None:
    pytest.importorskip("ray")
    from untrod.runtime.ray.bridge import _first_line

    trace = "Initialization failure from server:\nTraceback (most recent ...):\n  ...\nRuntimeError: no room"
    assert _first_line(ConnectionAbortedError(trace)) == (
        "ConnectionAbortedError: Initialization failure from server: RuntimeError: no room"
    )
    assert _first_line(ValueError("")) == "ValueError: no reason given"
