"""Reading back a campaign's curve: as much of it as is wanted, and no more."""

from __future__ import annotations

from store_samples import Clock, found, progressed

from untrod.core.events import FindingFound
from untrod.store import CampaignRow, Store


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
