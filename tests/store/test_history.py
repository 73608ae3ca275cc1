"""Reading back a campaign's curve: as much of it as is wanted, and no more."""

from __future__ import annotations

import pytest
from store_samples import Clock, found, grown, new_campaign, progressed

from untrod.core.events import CorpusGrown, FindingFound
from untrod.core.vocabulary import Trace
from untrod.store import CampaignRow, Store, results


def filled(store: Store, campaign: CampaignRow, points: int) -> None:
    clock = Clock()
    record = store.recorder(campaign.id, clock=clock)
    for number in range(points):
        record(progressed(number))
        clock.now += 30.0
    record(found(3))


def test_few_events_are_all_there_in_order(store: Store, campaign: CampaignRow) -> None:
    filled(store, campaign, 12)

    assert [event.episodes for _, event in store.history(campaign.id, "progress")] == list(range(12))


def test_many_are_thinned_evenly_and_keep_their_ends(store: Store, campaign: CampaignRow) -> None:
    filled(store, campaign, 101)

    episodes = [event.episodes for _, event in store.history(campaign.id, "progress", most=11)]

    assert episodes == list(range(0, 101, 10))


def test_of_very_many_the_ends_and_some_between_are_looked_up(
    store: Store, campaign: CampaignRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "FEW", 10)
    filled(store, campaign, 101)

    episodes = [event.episodes for _, event in store.history(campaign.id, "progress", most=11)]

    assert episodes == list(range(0, 101, 10))


def test_looking_up_events_of_one_name_reads_no_others(store: Store) -> None:
    query = "EXPLAIN QUERY PLAN SELECT min(seq) FROM events WHERE campaign = ? AND name = ? AND seq >= ?"

    [(*_, plan)] = store.database.rows(query, "inputs-0000", "progress", 7)

    assert plan == "SEARCH events USING COVERING INDEX events_by_name (campaign=? AND name=? AND seq>?)"


def test_only_events_of_the_name_are_told(store: Store, campaign: CampaignRow) -> None:
    filled(store, campaign, 5)

    [(at, event)] = store.history(campaign.id, "finding")

    assert isinstance(event, FindingFound)
    assert event.episode == 3
    assert at > 0
    assert store.history(campaign.id, "notice") == []


def test_a_damaged_point_is_left_out_and_named(store: Store, campaign: CampaignRow) -> None:
    filled(store, campaign, 4)
    with store.database.transaction() as connection:
        connection.execute("UPDATE events SET at = at + 1 WHERE seq = 2")

    assert [event.episodes for _, event in store.history(campaign.id, "progress")] == [0, 2, 3]
    assert any("checksum" in notice for notice in store.notices)


def test_the_longest_entries_of_the_corpus_come_first(store: Store, campaign: CampaignRow) -> None:
    record = store.recorder(campaign.id)
    for number in range(20):
        record(grown(number))
    for size in (9, 7, 8):
        record(CorpusGrown(f"long {size}", Trace(tuple(range(size))), f"{size} choices"))
    record.flush()

    assert [entry.text for entry in store.longest(campaign.id, 3)] == ["9 choices", "8 choices", "7 choices"]


def test_of_the_campaigns_those_that_changed_are_read_again(store: Store) -> None:
    quiet, busy = new_campaign(store), new_campaign(store)
    known = {row.id: row.updated_at for row in store.campaigns()}
    assert store.campaigns_changed(known) == []

    store.recorder(busy.id)(found(1))
    added = new_campaign(store)

    assert {row.id for row in store.campaigns_changed(known)} == {busy.id, added.id}
    assert {row.id for row in store.campaigns_changed({})} == {quiet.id, busy.id, added.id}


def test_another_process_is_noticed_by_the_version(store: Store, campaign: CampaignRow) -> None:
    with Store.open(store.folder, read_only=True) as watching:
        before = watching.version
        assert watching.version == before

        store.recorder(campaign.id)(found(1))

        assert watching.version != before


def test_the_newest_findings_are_the_last_of_all(store: Store, campaign: CampaignRow) -> None:
    record = store.recorder(campaign.id)
    for number in range(7):
        record(found(number))

    assert store.newest_findings(campaign.id, 3) == store.findings(campaign.id)[-3:]
    assert store.newest_findings(campaign.id, 99) == store.findings(campaign.id)
