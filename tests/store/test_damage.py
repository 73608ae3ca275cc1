"""Whatever happens to the bytes: correct data, or the damage is named. Never wrong data in silence."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from store_samples import a_finding, filled_store, found, grown

from untrod.core.errors import UntrodError
from untrod.core.events import Checkpoint
from untrod.store import CampaignRow, Store, database

FINDINGS, CORPUS = 30, 150
SEEDS = int(os.environ.get("UNTROD_FLIPS", "60"))  # more of them for a longer look


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("healthy") / ".untrod"
    with pytest.MonkeyPatch.context() as patch:  # the same bytes in every run, so that a seed is a recipe
        patch.setattr("secrets.token_hex", lambda size: "ab" * size)
        patch.setattr("time.time", lambda: 1_700_000_000.0)
        return folder, filled_store(folder, FINDINGS, CORPUS)


@pytest.mark.parametrize("checked", [True, False], ids=["small", "too large to check"])
def test_flipped_bytes_are_survived_or_named(
    healthy: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checked: bool
) -> None:
    if not checked:
        monkeypatch.setattr(database, "CHECKED_BYTES", 0)
    source, campaign = healthy
    original = (source / "store.sqlite3").read_bytes()
    folder = tmp_path / ".untrod"
    outcomes = {"intact": 0, "named": 0, "refused": 0}
    for seed in range(SEEDS):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder)
        (folder / "store.sqlite3").write_bytes(flipped(original, random.Random(seed)))
        outcomes[judge(folder, campaign)] += 1

    assert all(outcomes.values()), f"the experiment reaches every outcome: {outcomes}"


def flipped(data: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 20))):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    if chance.random() < 0.2:
        start = chance.randrange(len(damaged))
        damaged[start : start + 512] = bytes(len(damaged[start : start + 512]))
    return bytes(damaged)


def judge(folder: Path, campaign: str) -> str:
    """Any exception but UntrodError, and any wrong or missing entry without a notice, fails the test."""
    findings = {finding.key: finding for finding in map(a_finding, range(FINDINGS))}
    corpus = {entry.key: entry for entry in map(grown, range(CORPUS))}
    named: list[str] = []
    for read_only in (True, False, False):
        try:
            store = Store.open(folder, create=False, read_only=read_only)
        except UntrodError:
            return "refused"
        with store:
            try:
                read_findings = store.findings(campaign)
                read_corpus = list(store.corpus(campaign))
                store.campaigns()
                list(store.events(campaign))
                store.checkpoint(campaign, 0)
                if not read_only:
                    store.recorder(campaign)(found(FINDINGS + 1))
                    assert a_finding(FINDINGS + 1) in store.findings(campaign), "acknowledged, so readable"
            except UntrodError:
                return "refused"
            read_findings = [finding for finding in read_findings if finding != a_finding(FINDINGS + 1)]
            assert all(findings[finding.key] == finding for finding in read_findings)
            assert all(corpus[entry.key] == entry for entry in read_corpus)
            named += store.notices
            assert len(read_findings) == FINDINGS or any("findings" in notice for notice in named)
            assert len(read_corpus) == CORPUS or any("corpus" in notice for notice in named)
    return "named" if named else "intact"


def test_a_changed_row_is_set_aside_once_and_named(store: Store, campaign: CampaignRow, folder: Path) -> None:
    record = store.recorder(campaign.id)
    for number in range(3):
        record(found(number))
        record(grown(number))
    record.flush()
    change(folder, "UPDATE findings SET body = replace(body, 'finding 1', 'finding 7')")
    change(folder, "UPDATE corpus SET body = x'ff00' WHERE seq = 3")

    assert store.findings(campaign.id) == [a_finding(0), a_finding(2)]
    assert list(store.corpus(campaign.id)) == [grown(0), grown(1)]
    assert store.notices == [
        f"row 2 of the findings of {campaign.id} does not match its checksum: skipped",
        f"row 3 of the corpus of {campaign.id} does not match its checksum: skipped",
    ]
    set_aside = store.database.rows("SELECT source, content FROM quarantine ORDER BY source")
    assert [row[0] for row in set_aside] == ["corpus", "findings"]
    assert "finding 7" in set_aside[1][1], "what it said is kept"
    with Store.open(folder) as again:
        assert len(again.findings(campaign.id)) == 2
        assert again.notices == []


def test_a_read_only_store_names_and_moves_nothing(store: Store, campaign: CampaignRow, folder: Path) -> None:
    store.recorder(campaign.id)(found(1))
    change(folder, "UPDATE findings SET checksum = x'00'")
    with Store.open(folder, read_only=True) as reader:
        assert reader.findings(campaign.id) == []
        assert reader.notices
    assert store.database.rows("SELECT count(*) FROM findings") == [(1,)]


def test_a_vanished_row_is_named(store: Store, campaign: CampaignRow, folder: Path) -> None:
    record = store.recorder(campaign.id)
    for number in range(3):
        record(found(number))
    change(folder, "DELETE FROM findings WHERE seq = 3")

    assert store.findings(campaign.id) == [a_finding(0), a_finding(1)]
    assert store.notices == [f"1 of 3 rows of the findings of {campaign.id} are missing"]


def test_rows_behind_one_that_is_out_of_order_are_still_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "CHECKED_BYTES", 0)
    monkeypatch.setattr(database, "_SMALL_TABLES", ())  # as if the check at opening had not seen it
    campaign = filled_store(folder, findings=9)
    data = (folder / "store.sqlite3").read_bytes()
    sixth_row = campaign.encode() + b"\x06key 5"
    assert sixth_row in data
    (folder / "store.sqlite3").write_bytes(data.replace(sixth_row, b"z" + sixth_row[1:]))

    with Store.open(folder) as store:
        assert store.findings(campaign) == [a_finding(number) for number in range(9) if number != 5]
        assert f"row 9 of the findings of {campaign} was out of order: used" in store.notices
        assert f"1 of 9 rows of the findings of {campaign} are missing" in store.notices
        store.recorder(campaign)(found(20))
        assert a_finding(20) in store.findings(campaign)


def test_a_finding_whose_row_is_damaged_can_be_found_again(
    store: Store, campaign: CampaignRow, folder: Path
) -> None:
    record = store.recorder(campaign.id)
    record(found(1))
    change(folder, "UPDATE findings SET body = '{}'")

    record(found(1))

    assert store.findings(campaign.id) == [a_finding(1)]
    assert len(store.notices) == 1


def test_a_damaged_campaign_is_named_and_its_findings_stay_readable(
    store: Store, campaign: CampaignRow, folder: Path
) -> None:
    store.recorder(campaign.id)(found(1))
    change(folder, "UPDATE campaigns SET seed = 8")

    assert store.campaigns() == []
    assert store.findings(campaign.id) == [a_finding(1)]
    assert len(store.notices) == 2
    with pytest.raises(UntrodError, match="is damaged"):
        store.campaign(campaign.id)
    with pytest.raises(UntrodError, match="is damaged"):
        store.recorder(campaign.id)


# Checkpoints


def test_the_newest_two_generations_of_each_shard_are_kept(
    store: Store, campaign: CampaignRow, folder: Path
) -> None:
    record = store.recorder(campaign.id)
    for episodes in (10, 20, 30):
        record(Checkpoint(0, episodes, b"zero %d" % episodes))
        record(Checkpoint(1, episodes, b"one %d" % episodes))

    assert store.checkpoint(campaign.id, 0) == (30, b"zero 30")
    assert store.checkpoint(campaign.id, 1) == (30, b"one 30")
    assert store.checkpoint(campaign.id, 2) is None
    files = sorted(path.name for path in (folder / "checkpoints" / campaign.id).iterdir())
    assert files == ["0-20.bin", "0-30.bin", "1-20.bin", "1-30.bin"]


def test_a_checkpoint_commits_what_was_told_before_it(store: Store, campaign: CampaignRow) -> None:
    record = store.recorder(campaign.id)
    record(grown(1))
    record(Checkpoint(0, 10, b"ten"))
    assert store.database.rows("SELECT count(*) FROM corpus") == [(1,)]


def test_a_torn_checkpoint_is_set_aside_and_the_previous_one_used(
    store: Store, campaign: CampaignRow, folder: Path
) -> None:
    record = store.recorder(campaign.id)
    record(Checkpoint(0, 10, b"ten" * 100))
    record(Checkpoint(0, 20, b"twenty" * 100))
    files = folder / "checkpoints" / campaign.id
    (files / "0-20.bin").write_bytes(b"twenty" * 50)

    assert store.checkpoint(campaign.id, 0) == (10, b"ten" * 100)
    assert "0-20.bin" in store.notices[0]
    assert [path.read_bytes() for path in (folder / "quarantine").iterdir()] == [b"twenty" * 50]

    (files / "0-10.bin").unlink()
    assert store.checkpoint(campaign.id, 0) is None
    assert "0-10.bin cannot be read" in store.notices[1]
    record(Checkpoint(0, 15, b"fifteen"))
    assert store.checkpoint(campaign.id, 0) == (15, b"fifteen")


def test_a_checkpoint_at_the_same_episode_leaves_the_committed_one_whole(
    store: Store, campaign: CampaignRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = store.recorder(campaign.id)
    record(Checkpoint(0, 10, b"first"))

    with monkeypatch.context() as patched:
        patched.setattr(record, "flush", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            record(Checkpoint(0, 10, b"second"))

    assert store.checkpoint(campaign.id, 0) == (10, b"first")
    record(Checkpoint(0, 10, b"third"))
    assert store.checkpoint(campaign.id, 0) == (10, b"third")


def test_a_checkpoint_without_its_blob_is_not_one(store: Store, campaign: CampaignRow) -> None:
    store.recorder(campaign.id)(Checkpoint(0, 10))
    assert store.checkpoint(campaign.id, 0) is None


def change(folder: Path, statement: str) -> None:
    connection = sqlite3.connect(folder / "store.sqlite3")
    connection.execute(statement)
    connection.commit()
    connection.close()
