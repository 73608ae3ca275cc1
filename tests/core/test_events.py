import json

import pytest

from untrod.core import events
from untrod.core.vocabulary import Finding, Trace

FINDING = Finding("k", "failed", "AssertionError", Trace((1, 0, 3)), {"place": "a.py:1"})
EVENTS = [
    events.CampaignStarted("c1", "inputs", "a.py:tree", 7, {"episodes": 5, "wall": None, "cpu": None}),
    events.Progress(10, 5, 4, 1, 0.5, 0.4, {"states": 3}),
    events.CorpusGrown("abc", Trace((1, 2)), "[1]"),
    events.FindingFound(FINDING, 3, 0),
    events.Checkpoint(0, 100),
    events.WorkerLost(1, "SIGSEGV", 1),
    events.Notice("set aside"),
    events.TestWritten("tests/test_a.py", ("f1", "f2")),
    events.CampaignFinished("c1", "episodes", 10, 5, 4, 1, 0.5, 0.4),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_every_event_survives_json(event):
    assert events.from_json(json.loads(json.dumps(events.to_json(event)))) == event


def test_every_kind_of_event_is_tested_above():
    assert {event.name for event in EVENTS} == set(events.KINDS)


def test_the_blob_of_a_checkpoint_does_not_travel_as_json():
    assert "blob" not in events.to_json(events.Checkpoint(0, 1, b"secret"))


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"event": "no-such"},
        {"event": "notice", "text": "x", "more": 1},
        {"event": "notice"},
        {"event": "finding"},
    ],
)
def test_malformed_events_are_refused(body):
    with pytest.raises(ValueError, match=r"event|fields"):
        events.from_json(body)


def test_the_bus_tells_listeners_in_order():
    heard = []
    bus = events.Bus(lambda event: heard.append(("store", event)))
    bus.listen(lambda event: heard.append(("screen", event)))
    bus(events.Notice("x"))
    assert [who for who, _ in heard] == ["store", "screen"]
