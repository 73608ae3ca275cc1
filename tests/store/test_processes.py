"""Real processes: killed in the middle of things, competing for a campaign, reading while another writes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from store_samples import a_finding, grown, new_campaign

import untrod
from untrod.core.errors import UntrodError
from untrod.store import CampaignRow, Store

HERE = Path(__file__).parent
SOURCES = Path(untrod.__file__).parents[1]
ROUNDS = 15


@contextmanager
def writer(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, str(HERE / "store_writer.py"), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def kill_after(process: subprocess.Popen[str], lines: int) -> list[tuple[str, int]]:
    """Everything the process acknowledged: `lines` lines, and what it still said before it died."""
    output = pipe(process)
    said = [output.readline() for _ in range(lines)]
    process.kill()
    said += output.read().splitlines(keepends=True)
    process.wait()
    return [(word, int(number)) for word, number in (line.split() for line in said if line.endswith("\n"))]


def pipe(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout


def test_nothing_acknowledged_is_lost_to_kill_9(folder: Path) -> None:
    chance = random.Random(1)
    with Store.open(folder) as store:
        campaign = new_campaign(store).id
    expected: list[int] = []
    for round_number in range(ROUNDS):
        with writer("results", folder, campaign, round_number * 100_000) as process:
            said = kill_after(process, chance.randrange(1, 60))

        with Store.open(folder) as store:
            assert store.database.rows("PRAGMA integrity_check") == [("ok",)]
            findings = store.findings(campaign)
            corpus = list(store.corpus(campaign))
            checkpoint = store.checkpoint(campaign, 0)
            assert store.notices == []
        expected += [number for word, number in said if word == "finding"]
        assert {a_finding(number).key for number in expected} <= {finding.key for finding in findings}
        assert {grown(number).key for number in expected} <= {entry.key for entry in corpus}
        assert checkpoint is not None
        assert checkpoint[1] == b"%d." % checkpoint[0] * 5000
        assert checkpoint[0] >= max((number for word, number in said if word == "checkpoint"), default=0)
    leftovers = len(list((folder / "checkpoints" / campaign).iterdir()))
    assert leftovers <= 4, "two generations, and at most what the last kill left"


def test_a_learned_table_is_old_or_new_never_torn(folder: Path) -> None:
    chance = random.Random(2)
    for _ in range(6):
        with writer("tables", folder) as process:
            said = kill_after(process, chance.randrange(1, 40))
        with Store.open(folder) as store:
            assert len(store.tables()) == 1
            loaded = store.load_table("q")
            assert store.notices == []
        assert loaded is not None
        manifest, blob = loaded
        assert manifest["number"] >= said[-1][1]
        assert blob == b"%d." % manifest["number"] * 5000


def test_a_process_killed_while_making_a_store_leaves_no_broken_one(tmp_path: Path) -> None:
    for attempt in range(6):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        with writer("stores", folder) as process:
            kill_after(process, attempt + 1)
        for made in folder.iterdir():
            with Store.open(made) as store:
                new_campaign(store)
                assert store.notices == []


def test_a_reader_sees_what_was_acknowledged_while_another_writes(folder: Path) -> None:
    with Store.open(folder) as store:
        campaign = new_campaign(store).id
    with writer("results", folder, campaign, 0) as process, Store.open(folder, read_only=True) as reader:
        for _ in range(40):
            word, number = pipe(process).readline().split()
            if word == "finding":
                seen = reader.findings(campaign)
                assert len(seen) > int(number)
                assert seen == [a_finding(n) for n in range(len(seen))]
                assert len(list(reader.corpus(campaign))) > int(number)
        assert reader.notices == []


def test_a_store_left_by_kill_9_opens_read_only(folder: Path) -> None:
    with Store.open(folder) as store:
        campaign = new_campaign(store).id
    with writer("results", folder, campaign, 0) as process:
        said = kill_after(process, 20)
    with Store.open(folder, read_only=True) as reader:
        assert len(reader.findings(campaign)) >= sum(word == "finding" for word, _ in said)


@pytest.mark.parametrize("fork", ["", "fork"], ids=["alone", "with a forked worker"])
def test_a_campaign_runs_in_one_process_and_is_free_once_that_is_killed(
    store: Store, campaign: CampaignRow, folder: Path, fork: str
) -> None:
    assert store.holder(campaign.id) is None
    with writer("hold", folder, campaign.id, fork) as process:
        pipe(process).readline()
        with (
            pytest.raises(UntrodError, match=f"already running in process {process.pid}"),
            store.lock(campaign.id),
        ):
            pass
        assert store.holder(campaign.id) == process.pid

        process.kill()
        process.wait()

        with store.lock(campaign.id):
            assert store.holder(campaign.id) == os.getpid()
        assert store.holder(campaign.id) is None


def test_a_campaign_is_locked_within_one_process_too(store: Store, campaign: CampaignRow) -> None:
    with (
        store.lock(campaign.id),
        pytest.raises(UntrodError, match="already running"),
        store.lock(campaign.id),
    ):
        pass
    with store.lock(campaign.id), store.lock(new_campaign(store).id):
        pass
