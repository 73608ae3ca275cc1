"""What is durable when, and what a second telling changes."""

from __future__ import annotations

import hashlib
import itertools
import sqlite3
from pathlib import Path

import pytest
from store_samples import Clock, a_finding, found, grown, new_campaign, progressed

from untrod.core.errors import UntrodError
from untrod.core.events import (
    CampaignFinished,
    CampaignStarted,
    Checkpoint,
    FindingFound,
    Notice,
    Progress,
    TestWritten,
    WorkerLost,
)
from untrod.core.vocabulary import Finding, Trace
from untrod.store import CampaignRow, Store, recorder


def committed(folder: Path, table: str) -> int:
    """What another process would see now."""
    other = sqlite3.connect(folder / "store.sqlite3")
    try:
        return int(other.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    finally:
        other.close()


def test_a_finding_is_durable_when_the_call_returns(
    store: Store, campaign: CampaignRow, folder: Path
) -> None:
    record = store.recorder(campaign.id, clock=Clock())
    record(grown(1))
    assert committed(folder, "corpus") == 0

    record(found(1))

    assert committed(folder, "findings") == 1
    assert committed(folder, "corpus") == 1, "what was told before is not on disk later"
    assert store.findings(campaign.id) == [a_finding(1)]
    assert store.campaign(campaign.id).findings == 1


def test_corpus_waits_at_most_a_second(store: Store, campaign: CampaignRow, folder: Path) -> None:
    clock = Clock()
    record = store.recorder(campaign.id, clock=clock)
    record(grown(1))
    clock.now += 0.9
    record(grown(2))
    assert committed(folder, "corpus") == 0

    clock.now += 0.1
    record(grown(3))

    assert committed(folder, "corpus") == 3
    clock.now += 0.9
    record(grown(4))
    assert committed(folder, "corpus") == 3, "a new second begins with the next entry"


def test_a_large_batch_does_not_wait(
    store: Store, campaign: CampaignRow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "_BATCH_ROWS", 5)
    record = store.recorder(campaign.id, clock=Clock())
    for number in range(7):
        record(grown(number))

    assert committed(folder, "corpus") == 5


def test_closing_commits_what_waits(store: Store, campaign: CampaignRow) -> None:
    with store.recorder(campaign.id, clock=Clock()) as record:
        record(grown(1))

    assert list(store.corpus(campaign.id)) == [grown(1)]


def test_corpus_keeps_its_order_and_each_key_once(store: Store, campaign: CampaignRow) -> None:
    record = store.recorder(campaign.id)
    for number in (3, 1, 3, 2, 1):
        record(grown(number))
    record.flush()
    record(grown(2))
    record.flush()

    assert list(store.corpus(campaign.id)) == [grown(3), grown(1), grown(2)]
    assert store.campaign(campaign.id).rows["corpus"] == 3


def test_a_corpus_longer_than_a_page_reads_whole(store: Store, campaign: CampaignRow) -> None:
    record = store.recorder(campaign.id)
    for number in range(1201):
        record(grown(number))
    record.flush()

    assert list(store.corpus(campaign.id)) == [grown(number) for number in range(1201)]


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ([(5, 5), (5,)], (5,)),
        ([(5,), (5, 5)], (5,)),
        ([(2, 9), (2, 1)], (2, 1)),
        ([(2, 1), (2, 9)], (2, 1)),
        ([(2, "a"), (2, None)], (2, None)),
        ([(2, 7), (2, "a")], (2, 7)),
    ],
)
def test_of_one_finding_the_smallest_trace_is_kept(
    store: Store, campaign: CampaignRow, told: list[tuple[int]], kept: tuple[int]
) -> None:
    record = store.recorder(campaign.id)
    for answers in told:
        record(FindingFound(Finding("k", "failed", str(answers), Trace(answers)), 0, 0))

    assert store.findings(campaign.id) == [Finding("k", "failed", str(kept), Trace(kept))]


def test_a_finding_told_again_leaves_no_second_event(store: Store, campaign: CampaignRow) -> None:
    record = store.recorder(campaign.id)
    for _ in range(3):
        record(found(1))

    assert [event for _, _, event in store.events(campaign.id)] == [found(1)]


def test_minimisation_replaces_a_finding(store: Store, campaign: CampaignRow) -> None:
    record = store.recorder(campaign.id)
    record(found(1))
    record(found(2))
    smaller = Finding("key 1", "failed", "better", Trace((0,)), {"flaky": 0.5})

    store.set_finding(campaign.id, smaller)

    assert store.findings(campaign.id) == [smaller, a_finding(2)]
    with pytest.raises(UntrodError, match="has no finding"):
        store.set_finding(campaign.id, a_finding(9))


def test_progress_is_counted_always_and_kept_now_and_then(store: Store, campaign: CampaignRow) -> None:
    clock = Clock()
    record = store.recorder(campaign.id, clock=clock)
    for episodes in range(10, 34):
        record(progressed(episodes))
        clock.now += 0.125
    record.flush()

    row = store.campaign(campaign.id)
    assert (row.episodes, row.valid, row.unique, row.wall, row.cpu) == (33, 16, 11, 3.3, 1.65)
    assert row.extra == {"states": 33}
    assert [event.episodes for _, _, event in store.events(campaign.id)] == list(range(10, 34, 2))


def test_a_long_campaign_keeps_a_few_hundred_points(
    store: Store, campaign: CampaignRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("untrod.store.recorder.COMMIT_SECONDS", 1e9)  # thousands of commits take their time
    clock = Clock()
    record = store.recorder(campaign.id, clock=clock)
    hour, pace = 3600, 4  # told four times a second, `wall` being a tenth of the episodes
    for tick in range(hour * pace):
        record(progressed(tick * 10 // pace))
        clock.now += 1 / pace
    record.flush()

    kept = [event.wall for _, event in store.history(campaign.id, "progress", most=10_000)]
    gaps = [after - before for before, after in itertools.pairwise(kept)]
    assert 300 < len(kept) < 500
    assert max(gaps) <= hour / 60 + 1
    assert min(gaps) <= 0.3


def test_what_is_too_long_for_a_curve_is_kept_once(store: Store, campaign: CampaignRow) -> None:
    record = store.recorder(campaign.id)
    extra = {"covered": 3, "untaken": ["x" * 100] * 1_000, "few": ["x"] * 10}
    record(Progress(1, 1, 1, 0, 1.0, 1.0, extra))
    record.flush()

    [(_, kept)] = store.history(campaign.id, "progress")
    assert kept.extra == {"covered": 3, "few": ["x"] * 10}
    assert store.campaign(campaign.id).extra == extra


def test_progress_alone_reaches_the_disk_within_a_second(store: Store, campaign: CampaignRow) -> None:
    clock = Clock()
    record = store.recorder(campaign.id, clock=clock)
    record(progressed(10))
    record.flush()
    clock.now += 0.5
    record(progressed(11))
    clock.now += 0.99
    record(progressed(12))
    assert store.campaign(campaign.id).episodes == 10

    clock.now += 0.01
    record(progressed(13))

    assert store.campaign(campaign.id).episodes == 13


@pytest.mark.parametrize(
    ("reason", "status"),
    [("interrupted", "interrupted"), ("wall time", "finished"), ("exhausted", "finished")],
)
def test_the_end_of_a_campaign(store: Store, campaign: CampaignRow, reason: str, status: str) -> None:
    record = store.recorder(campaign.id, clock=Clock())
    record(CampaignFinished(campaign.id, reason, 50, 40, 30, 2, 6.5, 3.25, {"states": 8}))

    row = store.campaign(campaign.id)
    assert (row.status, row.reason, row.episodes, row.valid, row.unique) == (status, reason, 50, 40, 30)
    assert (row.findings, row.wall, row.cpu, row.extra) == (2, 6.5, 3.25, {"states": 8})
    record(CampaignStarted(campaign.id, "inputs", "t", 7, {}, resumed_at=50))
    assert store.campaign(campaign.id).status == "running"


def test_all_events_but_corpus_and_checkpoints_are_kept_in_order(store: Store, campaign: CampaignRow) -> None:
    events = [
        CampaignStarted(campaign.id, "inputs", "t\ud800", 7, {"wall": 1.0, "episodes": None}),
        progressed(1),
        WorkerLost(1, "segfault", 2),
        Notice("refused"),
        found(1),
        TestWritten("tests/test_x.py", (found(1).finding.id,)),
        CampaignFinished(campaign.id, "exhausted", 1, 1, 1, 1, 0.1, 0.1),
    ]
    record = store.recorder(campaign.id)
    for event in (grown(1), *events, Checkpoint(0, 1, b"x")):
        record(event)

    read = list(store.events(campaign.id))
    assert [event for _, _, event in read] == events
    assert [seq for seq, _, _ in read] == list(range(1, 8))
    assert list(store.events(campaign.id, after_seq=5)) == read[5:]


def test_written_tests_are_durable_with_their_hash(
    store: Store, campaign: CampaignRow, tmp_path: Path
) -> None:
    path = tmp_path / "test_it.py"
    record = store.recorder(campaign.id, clock=Clock())
    for text in (b"old", b"new"):
        path.write_bytes(text)
        record(TestWritten(str(path), ("f1", "f2")))
    record(TestWritten("gone.py", ()))

    first, second = store.tests(campaign.id)
    assert (first.path, first.findings) == (str(path), ("f1", "f2"))
    assert first.sha256 == hashlib.sha256(b"new").hexdigest()
    assert (second.path, second.sha256) == ("gone.py", "")


def test_a_value_json_refuses_fails_its_own_call_only(store: Store, campaign: CampaignRow) -> None:
    record = store.recorder(campaign.id)
    with pytest.raises(TypeError):
        record(FindingFound(Finding("k", "failed", "t", Trace(()), {"bad": object()}), 0, 0))
    record(found(1))

    assert store.findings(campaign.id) == [a_finding(1)]


def test_two_campaigns_write_through_two_connections(folder: Path, store: Store) -> None:
    with Store.open(folder) as other:
        ours, theirs = new_campaign(store), new_campaign(other)
        for number in range(5):
            store.recorder(ours.id)(found(number))
            other.recorder(theirs.id)(found(number))

    assert store.findings(ours.id) == store.findings(theirs.id) == [a_finding(number) for number in range(5)]


def test_recording_to_a_full_disk_says_what_is_kept_and_can_go_on(
    store: Store, campaign: CampaignRow
) -> None:
    record = store.recorder(campaign.id, clock=Clock())
    record(found(1))
    pages = store.database.rows("PRAGMA page_count")[0][0]
    store.database.rows(f"PRAGMA max_page_count = {pages}")
    for number in range(500):
        record(grown(number))

    with pytest.raises(UntrodError, match=r"disk is full.*1 finding and 0 corpus entries are kept"):
        record(found(2))
    assert store.findings(campaign.id) == [a_finding(1)]

    store.database.rows("PRAGMA max_page_count = 1000000")
    record.flush()
    assert len(list(store.corpus(campaign.id))) == 500
    assert store.findings(campaign.id) == [a_finding(1), a_finding(2)]
    assert store.database.rows("PRAGMA integrity_check") == [("ok",)]
    assert store.notices == []
