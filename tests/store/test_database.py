"""What is not a healthy store of a known version is refused in one line and left as it is."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from store_samples import a_finding, filled_store, found, new_campaign

from untrod.core.errors import UntrodError
from untrod.store import Store, blobs, schema
from untrod.store.database import Database, open_database
from untrod.store.quarantine import Quarantine


def refused(folder: Path, match: str) -> UntrodError:
    """Opening fails, for writing and for reading, with one line, and changes no byte."""
    path = folder / "store.sqlite3"
    before = path.read_bytes()
    for read_only in (True, False):
        with pytest.raises(UntrodError, match=match) as caught:
            Store.open(folder, read_only=read_only)
        assert "\n" not in str(caught.value)
        assert caught.value.hint
    assert path.read_bytes() == before
    return caught.value


def test_a_store_is_made_where_there_is_none(folder: Path) -> None:
    with Store.open(folder) as store:
        assert store.campaigns() == []
        assert store.database.rows("PRAGMA journal_mode") == [("wal",)]
        assert store.database.rows("PRAGMA synchronous") == [(2,)]
        assert store.database.rows("PRAGMA foreign_keys") == [(1,)]


@pytest.mark.parametrize("options", [{"create": False}, {"read_only": True}])
def test_a_missing_store_is_not_made_unasked(folder: Path, options: dict[str, bool]) -> None:
    with pytest.raises(UntrodError, match="there is no store"):
        Store.open(folder, **options)
    assert not folder.exists()


def test_a_store_can_be_made_in_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    Store.open(tmp_path / "build" / "untrod").close()
    assert (tmp_path / "build" / "untrod").is_dir()


def test_a_file_in_the_place_of_the_folder(folder: Path) -> None:
    folder.write_text("mine")
    with pytest.raises(UntrodError, match="is a file"):
        Store.open(folder)
    assert folder.read_text() == "mine"


def test_an_unwritable_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Tests may run as root, who ignores permissions: the system's answer is imitated instead.
    def refuse(self: Path, *args: object, **options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(UntrodError, match=r"cannot use .*\.untrod: Permission denied") as caught:
        Store.open(folder)
    assert "write" in caught.value.hint


def test_a_text_file_is_not_a_database(folder: Path) -> None:
    folder.mkdir()
    (folder / "store.sqlite3").write_text("dear diary " * 20)
    refused(folder, "is not a database")


def test_a_folder_in_the_place_of_the_database(folder: Path) -> None:
    (folder / "store.sqlite3").mkdir(parents=True)
    with pytest.raises(UntrodError, match="is no ordinary file"):
        Store.open(folder)


def test_another_programs_database(folder: Path) -> None:
    folder.mkdir()
    other = sqlite3.connect(folder / "store.sqlite3")
    other.execute("CREATE TABLE t (x)")
    other.close()
    refused(folder, "belongs to another program")


def test_a_store_of_a_newer_format(folder: Path) -> None:
    filled_store(folder)
    change(folder, f"PRAGMA user_version = {len(schema.MIGRATIONS) + 1}")
    assert "upgrade" in refused(folder, "newer than this untrod").hint


def test_a_store_whose_tables_were_altered(folder: Path) -> None:
    filled_store(folder)
    change(folder, "ALTER TABLE corpus RENAME COLUMN body TO text")
    refused(folder, "damaged")


@pytest.mark.parametrize("kept", [0, 1, 99, 100, 4096, 5000, 0.25, 0.5, 0.9, -1])
def test_a_truncated_database(folder: Path, kept: float) -> None:
    filled_store(folder, findings=40, corpus=400)
    path = folder / "store.sqlite3"
    size = path.stat().st_size
    os.truncate(path, size + kept if kept < 0 else int(kept * size) if isinstance(kept, float) else kept)
    refused(folder, "damaged")


def test_a_schema_that_sqlite_quotes_in_broken_text(folder: Path) -> None:
    filled_store(folder)
    path = folder / "store.sqlite3"
    data = path.read_bytes().replace(b"tablecorpuscorpus", b"table\xc9orpuscorpus")
    path.write_bytes(data.replace(b"CREATE TABLE corpus", b"CREATX TABLE corpus"))
    refused(folder, "damaged")


def test_a_page_of_zeros(folder: Path) -> None:
    filled_store(folder, findings=40, corpus=400)
    path = folder / "store.sqlite3"
    path.write_bytes(path.read_bytes()[:-4096] + bytes(4096))
    refused(folder, "damaged")


def test_a_store_that_appears_truncated_while_open(folder: Path) -> None:
    campaign = filled_store(folder, findings=40, corpus=4000)
    with Store.open(folder) as store:
        os.truncate(folder / "store.sqlite3", 40_000)
        with pytest.raises(UntrodError):
            list(store.corpus(campaign))


def test_the_log_of_a_database_that_is_gone_is_not_replayed(folder: Path) -> None:
    folder.mkdir()
    (folder / "store.sqlite3-wal").write_bytes(b"old log")
    with Store.open(folder) as store:
        assert "store.sqlite3-wal belongs to a database that is gone" in store.notices[0]
    assert [path.read_bytes() for path in (folder / "quarantine").iterdir()] == [b"old log"]


def test_a_store_appears_complete_or_not_at_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = os.replace

    def cut_short(source: Path, target: Path) -> None:
        if target.name == "store.sqlite3":
            raise KeyboardInterrupt
        rename(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", cut_short)
        with pytest.raises(KeyboardInterrupt):
            Store.open(folder)
    assert sorted(path.name for path in folder.iterdir()) == [".gitignore", "store.lock"]

    (folder / ".store.sqlite3.0123abcd.tmp").write_bytes(b"left by kill -9")
    with Store.open(folder) as store:
        assert store.campaigns() == []
    assert not list(folder.glob("*.tmp"))


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def full(descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UntrodError, match="disk is full"):
        blobs.write_atomic(tmp_path / "file", b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


# Migrations


def add_colour(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE quarantine ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'")


def fail_half_way(connection: sqlite3.Connection) -> None:
    add_colour(connection)
    connection.execute("INSERT INTO no_such_table VALUES (1)")


def migrated(folder: Path, *added: Callable[[sqlite3.Connection], None], read_only: bool = False) -> Database:
    quarantine = Quarantine(folder / "quarantine", [], read_only=read_only)
    return open_database(
        folder / "store.sqlite3",
        quarantine,
        create=False,
        read_only=read_only,
        migrations=(*schema.MIGRATIONS, *added),
    )


@pytest.mark.parametrize("read_only", [False, True])
def test_an_older_store_is_copied_and_migrated(folder: Path, read_only: bool) -> None:
    with Store.open(folder) as store:
        campaign = new_campaign(store)
        store.recorder(campaign.id)(found(1))

    database = migrated(folder, add_colour, read_only=read_only)

    assert database.rows("PRAGMA user_version") == [(len(schema.MIGRATIONS) + 1,)]
    assert database.rows("SELECT colour FROM quarantine") == []
    assert len(database.rows("SELECT * FROM findings")) == 1
    database.close()
    refused(folder, "newer than this untrod")
    (backup,) = (folder / "backups").iterdir()
    (folder / "store.sqlite3").write_bytes(backup.read_bytes())
    change(folder, "PRAGMA journal_mode = WAL")
    with Store.open(folder) as store:
        assert store.findings(campaign.id) == [a_finding(1)], "the copy is a whole store"


def test_a_failing_migration_changes_nothing(folder: Path) -> None:
    campaign = filled_store(folder, findings=3)

    with pytest.raises(
        UntrodError, match=f"cannot be migrated from format {len(schema.MIGRATIONS)}:"
    ) as caught:
        migrated(folder, add_colour, fail_half_way)

    assert "backups" in caught.value.hint
    with Store.open(folder) as store:
        assert store.findings(campaign) == [a_finding(number) for number in range(3)]


def test_a_current_store_is_not_copied(folder: Path) -> None:
    filled_store(folder)
    migrated(folder).close()
    assert not (folder / "backups").exists()


def change(folder: Path, statement: str) -> None:
    connection = sqlite3.connect(folder / "store.sqlite3")
    connection.execute(statement)
    connection.commit()
    connection.close()
