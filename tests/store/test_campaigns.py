"""Campaigns are created, listed and found again by a few letters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from store_samples import found, new_campaign

from untrod.core.budget import Budget
from untrod.core.errors import UntrodError
from untrod.store import CampaignRow, Store, campaigns


def test_a_campaign_reads_back_as_it_was_created(store: Store) -> None:
    config = {"nested": {"list": [1, None, "é"]}}
    created = store.create_campaign("inputs", "a b/\udc80:f", config, 2**100, Budget(episodes=9, cpu=1.5))

    assert store.campaign(created.id) == created
    assert store.campaigns() == [created]
    assert created.status == "running"
    assert re.fullmatch(r"inputs-[0-9a-f]{4}", created.id)


def test_campaigns_are_listed_oldest_first(store: Store) -> None:
    made = [new_campaign(store, engine).id for engine in ("worst", "gui", "cover")]

    assert [row.id for row in store.campaigns()] == made


def test_ids_stay_unique_when_the_random_source_repeats(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns.secrets, "token_hex", lambda size: "ab" * size)

    assert [new_campaign(store).id for _ in range(3)] == ["inputs-abab", "inputs-ababab", "inputs-abababab"]


def test_the_start_of_an_id_is_enough(store: Store) -> None:
    gui, inputs = new_campaign(store, "gui"), new_campaign(store, "inputs")

    assert store.campaign("g").id == gui.id
    assert store.campaign(inputs.id[:-1]).id == inputs.id


def test_an_exact_id_wins_over_a_longer_one(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns.secrets, "token_hex", lambda size: "ab" * size)
    short, _ = new_campaign(store), new_campaign(store)

    assert store.campaign("inputs-abab") == short


@pytest.mark.parametrize("wanted", ["inpust-0000", "\udc80", ""])
def test_an_unknown_campaign_names_the_nearest(store: Store, campaign: CampaignRow, wanted: str) -> None:
    with pytest.raises(UntrodError, match="there is no campaign") as caught:
        store.campaign(wanted)
    assert campaign.id in caught.value.hint


def test_an_ambiguous_start_names_the_candidates(store: Store) -> None:
    ids = [new_campaign(store).id for _ in range(2)]

    with pytest.raises(UntrodError, match="2 campaigns begin with 'inputs'") as caught:
        store.campaign("inputs")
    assert all(name in caught.value.hint for name in ids)


def test_an_unknown_campaign_is_refused_everywhere(store: Store) -> None:
    for use in (store.findings, store.tests, store.recorder, lambda name: list(store.corpus(name))):
        with pytest.raises(UntrodError, match="there is no campaign"):
            use("nobody-0000")
    with pytest.raises(UntrodError, match="there is no campaign"), store.lock("../escape"):
        pass


def test_findings_are_found_across_campaigns(store: Store) -> None:
    first, second = new_campaign(store), new_campaign(store)
    store.recorder(first.id)(found(1))
    store.recorder(second.id)(found(1))
    store.recorder(second.id)(found(2))
    wanted = store.findings(second.id)

    assert store.finding(wanted[1].id) == (store.campaign(second.id), wanted[1])
    assert store.finding(wanted[1].id[:6]) == (store.campaign(second.id), wanted[1])
    assert store.finding(wanted[0].id)[0].id == second.id, "the newest campaign counts"
    assert store.finding(f"{first.id}/{wanted[0].id}")[0].id == first.id


def test_unknown_and_ambiguous_findings_say_which_there_are(store: Store, campaign: CampaignRow) -> None:
    with pytest.raises(UntrodError, match="nothing was found yet"):
        store.finding("f00")
    recorder = store.recorder(campaign.id)
    recorder(found(1))
    recorder(found(2))

    with pytest.raises(UntrodError, match="more than one finding"):
        store.finding("f")
    with pytest.raises(UntrodError, match="there is no finding") as caught:
        store.finding("g")
    assert store.findings(campaign.id)[0].id in caught.value.hint


def test_the_folder_hides_itself_from_git(store: Store, folder: Path) -> None:
    assert (folder / ".gitignore").read_text() == "*\n"
