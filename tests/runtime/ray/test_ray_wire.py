"""Messages survive the way as frames, and nonsense is noticed."""

from __future__ import annotations

import pytest

from untrod.core.vocabulary import Outcome
from untrod.runtime.channel import ChannelError
from untrod.runtime.messages import Failure, Lost, Reply
from untrod.runtime.ray.wire import pack, unpack


@pytest.mark.parametrize(
    "message",
    [
        Reply(3, "run", {"episodes": 2}),
        Reply(3, "snapshot", None, b"\x00\xff", ({"permission": "write"},)),
        Reply(3, "open", None, error=Failure("no module x", "install it", "Traceback ...")),
        Lost(3, Outcome.CRASHED, "SIGSEGV", 7, (1, 2), "log", "run", truncated=True),
        Lost(3, Outcome.TIMED_OUT, "late", None, None, ""),
    ],
)
def test_a_message_comes_out_as_it_went_in(message):
    assert unpack(3, pack(message, 1.5)) == (message, 1.5)


@pytest.mark.parametrize("frame", [b"", b"nonsense", pack(Reply(0, "run", {}), 0.0)[:-1]])
def test_what_is_no_frame_is_refused(frame):
    with pytest.raises(ChannelError):
        unpack(0, frame)


def test_threads_are_said_with_the_methods_since_ray_client_takes_them_with_no_call() -> None:
    pytest.importorskip("ray")
    from untrod.runtime.ray.bridge import Grouped

    names = ("ready", "interrupt", "perform", "close")
    groups = [getattr(Grouped, name).__ray_concurrency_group__ for name in names]
    assert groups == ["control", "control", "work", "work"]
