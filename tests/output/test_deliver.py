"""What a campaign's findings may cost before its tests are written."""

from __future__ import annotations

from typing import Any

import pytest

from untrod.core.vocabulary import Finding, Outcome, Trace
from untrod.output import deliver
from untrod.runtime.replayer import Replayed


class Replays:
    """Shows the finding every time, and counts."""

    def __init__(self) -> None:
        self.count = 0

    def replay(self, trace: Trace) -> Replayed:
        self.count += 1
        return Replayed(Outcome.TIMED_OUT, "key", (), {})


@pytest.mark.parametrize(("kind", "replays"), [(Outcome.TIMED_OUT, 1), (Outcome.FAILED, 3)])
def test_what_has_to_be_stopped_is_replayed_once_even_where_it_is_small_already(
    kind: Outcome, replays: int
) -> None:
    finding = Finding("key", kind, "never ends", Trace(()), {"shrunk": True})
    counting: Any = Replays()
    better = deliver._improve(finding, counting, lambda: False)
    assert counting.count == replays
    assert better.detail["held"] == [replays, replays]


def test_findings_leave_half_of_the_time_to_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(deliver.time, "monotonic", lambda: now)
    clock = deliver._Clock(10.0, hurry=lambda: False, show=lambda line: None)
    now = 105.0
    assert clock.expired(deliver.FINDINGS_SHARE)
    assert not clock.expired()
    now = 110.0
    assert clock.expired()


@pytest.mark.parametrize(
    ("text", "seconds"), [(None, None), ("2.5", 2.5), ("0", 0.0), ("-1", None), ("nan", None), ("inf", None)]
)
def test_a_turn_of_a_hunt_is_told_what_its_tests_may_take(monkeypatch, text, seconds) -> None:
    monkeypatch.delenv(deliver.DELIVERY, raising=False)
    if text is not None:
        monkeypatch.setenv(deliver.DELIVERY, text)
    assert deliver.told_seconds() == seconds
