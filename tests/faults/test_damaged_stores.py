"""Bytes of the store and of its log change: all is there, or what is not is named, or nothing is opened."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from untrod.core.budget import Budget
from untrod.core.errors import UntrodError
from untrod.core.events import Checkpoint, CorpusGrown, FindingFound, Progress, TestWritten
from untrod.core.vocabulary import Finding, Trace
from untrod.store import Recorder, Store

PLACES = int(os.environ.get("UNTROD_FLIPS", "300"))  # more of them for a longer look
FILE, LOG = "store.sqlite3", "store.sqlite3-wal"
CAMPAIGNS = ("inputs-abab", "gui-abab")


def all_in_the_log(store: Store, first: Recorder, second: Recorder) -> None:
    """SQLite has copied nothing back yet."""
    tell(first, 0, 15)
    tell(second, 0, 4)
    store.create_campaign("worst", "m:f", {}, 1, Budget(episodes=2))


def log_begun_anew(store: Store, first: Recorder, second: Recorder) -> None:
    """The log holds the newest commits, and behind them old ones, which are in the file by now."""
    tell(first, 0, 12)
    tell(second, 0, 9)
    checkpoint(store, "RESTART")
    tell(first, 12, 16)


def log_half_copied(store: Store, first: Recorder, second: Recorder) -> None:
    """The file has pages that are newer than those of the same number in the log."""
    tell(first, 0, 8)
    tell(second, 0, 5)
    checkpoint(store, "PASSIVE")
    tell(first, 8, 12)
    checkpoint(store, "PASSIVE")
    with Store.open(store.folder, create=False, read_only=True) as reader:
        reader.database.connection.execute("BEGIN")  # from here on, the log cannot begin anew
        reader.campaigns()
        tell(second, 5, 8)
        checkpoint(store, "PASSIVE")
        tell(first, 12, 14)
        reader.database.connection.execute("COMMIT")


STORES = (all_in_the_log, log_begun_anew, log_half_copied)


@pytest.mark.parametrize("history", STORES, ids=[each.__name__ for each in STORES])
def test_flipped_bytes_lose_nothing_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, history: Callable[..., None]
) -> None:
    killed = tmp_path / "killed"
    with monkeypatch.context() as patch:  # the same bytes in every run, so that a seed is a recipe
        patch.setattr("secrets.token_hex", lambda size: "ab" * size)
        patch.setattr("time.time", lambda: 1_700_000_000.0)
        left_by_kill_9(tmp_path / "alive", killed, history)
    truth = everything(unharmed(killed, tmp_path / "unharmed"))
    outcomes = {"intact": 0, "named": 0, "refused": 0}
    for seed in range(PLACES // len(STORES)):
        folder = tmp_path / "harmed"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(killed, folder)
        flip(folder, random.Random(seed))
        outcomes[judged(folder, truth, seed)] += 1

    assert all(outcomes.values()), f"the experiment reaches every outcome: {outcomes}"


def left_by_kill_9(alive: Path, killed: Path, history: Callable[..., None]) -> None:
    """What a process has written that uses `alive`, and never closes it."""
    with Store.open(alive) as store:
        store.database.connection.execute("PRAGMA wal_autocheckpoint = 0")
        rows = [
            store.create_campaign(each.split("-")[0], "m:f", {}, 7, Budget(wall=9.0)) for each in CAMPAIGNS
        ]
        history(store, *(store.recorder(row.id) for row in rows))
        shutil.copytree(alive, killed)
    assert (killed / LOG).stat().st_size > 0


def unharmed(killed: Path, folder: Path) -> Store:
    shutil.copytree(killed, folder)
    store = Store.open(folder, create=False)
    assert store.notices == []
    return store


def flip(folder: Path, chance: random.Random) -> None:
    path = folder / chance.choice((FILE, LOG, LOG))
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 1, 1, 4))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    if chance.random() < 0.1:
        del data[chance.randrange(len(data)) :]
    path.write_bytes(data)


def judged(folder: Path, truth: dict[str, Any], seed: int) -> str:
    """Whatever differs from the truth must have been named, by those who look and by those who go on."""
    for read_only in (True, False):
        try:
            store = Store.open(folder, create=False, read_only=read_only)
            seen = everything(store)
        except UntrodError:
            return "refused"
        notices = store.notices
        for part, whole in truth.items():
            campaign = part.split()[-1]
            if seen.get(part) != whole:
                assert any(campaign in notice for notice in notices), (seed, read_only, part, notices)
        assert not (seen.keys() - truth.keys()), (seed, "out of nothing")
    return "named" if notices else "intact"


def everything(store: Store) -> dict[str, Any]:
    """By what it is and whose. Closes the store."""
    found: dict[str, Any] = {}
    with store:
        for row in store.campaigns():
            found[f"row of {row.id}"] = row
        for name in (each for each in CAMPAIGNS if f"row of {each}" in found):
            found[f"findings of {name}"] = store.findings(name)
            found[f"corpus of {name}"] = list(store.corpus(name))
            found[f"tests of {name}"] = store.tests(name)
            found[f"events of {name}"] = list(store.events(name))
            found[f"checkpoint of {name}"] = store.checkpoint(name, 0)
    return found


def tell(record: Recorder, first: int, last: int) -> None:
    """Findings, each durable by itself, and what comes with them."""
    for number in range(first, last):
        record(CorpusGrown(f"{number:024x}", Trace((number, None, "x")), f"value({number})" * 20))
        record(FindingFound(a_finding(number), episode=number, shard=0))
        record(Progress(number, number, number, number, float(number), 0.0, {"states": number}))
        if number % 4 == 0:
            record(FindingFound(a_finding(number, 1), episode=number, shard=0))  # shown by less
            record(TestWritten(f"tests/test_{number}.py", (a_finding(number).id,)))
    record(Checkpoint(0, last, b"%d" % last * 50))


def a_finding(number: int, *answers: int) -> Finding:
    return Finding(f"key {number}", "failed", f"finding {number}", Trace(answers or (1, 2, 3)), {})


def checkpoint(store: Store, kind: str) -> None:
    store.database.connection.execute(f"PRAGMA wal_checkpoint({kind})").fetchall()


def test_a_log_that_is_gone_is_named_to_all_who_look_and_once_to_who_goes_on(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    left_by_kill_9(tmp_path / "alive", killed, log_begun_anew)
    (killed / LOG).unlink()

    for read_only in (True, True, False):
        with Store.open(killed, create=False, read_only=read_only) as store:
            (row, *_) = store.campaigns()
            assert [
                each for each in store.notices if f"campaign {row.id} has lost what it wrote from" in each
            ]
    with Store.open(killed, create=False) as store:
        assert store.notices == []
        store.recorder(row.id)(FindingFound(a_finding(50), 0, 0))
        assert a_finding(50) in store.findings(row.id)


def test_a_campaign_that_was_in_the_log_alone_is_named(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    left_by_kill_9(tmp_path / "alive", killed, all_in_the_log)
    (killed / LOG).unlink()

    with Store.open(killed, create=False) as store:
        assert store.campaigns() == []
        assert len([each for each in store.notices if " is lost: " in each]) == 3


def test_a_damaged_log_is_copied_before_sqlite_removes_it(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    left_by_kill_9(tmp_path / "alive", killed, log_begun_anew)
    data = bytearray((killed / LOG).read_bytes())
    data[40] ^= 1
    (killed / LOG).write_bytes(data)

    with Store.open(killed, create=False) as store:
        (copied,) = [each for each in store.notices if "a copy is quarantine/" in each]
    assert not (killed / LOG).exists()
    assert (killed / copied.split()[-1]).read_bytes() == data


def test_what_is_at_rest_needs_no_notes(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with Store.open(folder) as store:
        row = store.create_campaign("inputs", "m:f", {}, 7, Budget(wall=9.0))
        with Store.open(folder) as other:
            tell(other.recorder(row.id), 0, 3)
        assert os.listdir(folder / "acknowledged") == [row.id], "the log is still in use"
    assert os.listdir(folder / "acknowledged") == []


def test_a_note_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    left_by_kill_9(tmp_path / "alive", killed, log_begun_anew)
    for note, harm in zip(sorted((killed / "acknowledged").iterdir()), (b"1.5 x", bytes(96)), strict=True):
        note.write_bytes(harm)

    with Store.open(killed, create=False) as store:
        assert len(store.notices) == 1, "one was cut off by a power cut, which is no harm"
        assert "is unknown: acknowledged/" in store.notices[0]


def test_a_clock_that_goes_back_is_no_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed = tmp_path / "killed"
    with Store.open(tmp_path / "alive") as store:
        row = store.create_campaign("inputs", "m:f", {}, 7, Budget(wall=9.0))
        monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)
        tell(store.recorder(row.id), 0, 3)
        shutil.copytree(tmp_path / "alive", killed)
    with Store.open(killed, create=False) as store:
        assert store.notices == []
