"""Learned tables: loaded when their manifest vouches for them, otherwise set aside and named."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import untrod
from untrod.store import Store

BLOB = bytes(range(256)) * 20
MANIFEST = {"engine": "inputs", "learner": "exonerate"}


def test_a_table_reads_back_with_its_manifest(store: Store) -> None:
    store.save_table("inputs-a", MANIFEST, BLOB)

    loaded = store.load_table("inputs-a")

    assert loaded is not None
    manifest, blob = loaded
    assert blob == BLOB
    assert manifest | MANIFEST == manifest
    assert manifest["untrod"] == untrod.__version__
    assert (manifest["format"], manifest["size"], manifest["key"]) == (1, len(BLOB), "inputs-a")
    assert store.tables() == [manifest]
    assert store.notices == []


def test_saving_again_replaces(store: Store) -> None:
    for blob in (b"old", b"", b"new"):
        store.save_table("k", MANIFEST, blob)
        loaded = store.load_table("k")
        assert loaded is not None
        assert loaded[1] == blob
    assert len(store.tables()) == 1


def test_a_table_nobody_saved(store: Store) -> None:
    assert store.load_table("nothing") is None
    assert store.tables() == []
    assert store.notices == []


@pytest.mark.parametrize("key", ["", "../up", ".hidden", "a/b", "é", "x" * 200])
def test_a_key_is_a_file_name(store: Store, key: str) -> None:
    with pytest.raises(ValueError, match="key"):
        store.save_table(key, MANIFEST, BLOB)


def edited(**changes: object) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        manifest = json.loads((folder / "k.json").read_text())
        (folder / "k.json").write_text(json.dumps(manifest | changes))

    return edit


DAMAGE: dict[str, Callable[[Path], object]] = {
    "torn blob": lambda folder: (folder / "k.bin").write_bytes(BLOB[:100]),
    "changed blob": lambda folder: (folder / "k.bin").write_bytes(b"x" + BLOB[1:]),
    "missing blob": lambda folder: (folder / "k.bin").unlink(),
    "missing manifest": lambda folder: (folder / "k.json").unlink(),
    "torn manifest": lambda folder: (folder / "k.json").write_text('{"format": 1'),
    "binary manifest": lambda folder: (folder / "k.json").write_bytes(b"\xff\x00"),
    "deep manifest": lambda folder: (folder / "k.json").write_text("[" * 100_000),
    "list for a manifest": lambda folder: (folder / "k.json").write_text("[]"),
    "newer format": edited(format=2),
    "no hash": edited(sha256=None),
    "another's manifest": edited(key="other"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
@pytest.mark.parametrize("list_first", [False, True])
def test_a_table_that_cannot_be_trusted_is_set_aside_and_named(
    store: Store, folder: Path, damage: Callable[[Path], object], list_first: bool
) -> None:
    store.save_table("good", MANIFEST, BLOB)
    store.save_table("k", MANIFEST, BLOB)
    damage(folder / "tables")
    present = [path for path in (folder / "tables").iterdir() if path.stem == "k"]

    if list_first:
        store.tables()
    assert store.load_table("k") is None

    assert [manifest["key"] for manifest in store.tables()] == ["good"]
    assert len(store.notices) == len(present) == len(list((folder / "quarantine").iterdir()))
    assert all(notice.startswith("k.") for notice in store.notices)


def test_foreign_files_are_set_aside_and_named(store: Store, folder: Path) -> None:
    store.save_table("good", MANIFEST, BLOB)
    for name in ("README", "weights.pkl", "two.json.bak"):
        (folder / "tables" / name).write_text(name)
    (folder / "tables" / "subfolder.bin").mkdir()

    assert [manifest["key"] for manifest in store.tables()] == ["good"]

    assert len(store.notices) == 4
    kept = sorted(path.name.split("-", 2)[2] for path in (folder / "quarantine").iterdir())
    assert kept == ["README", "subfolder.bin", "two.json.bak", "weights.pkl"]


def test_two_files_of_one_name_are_both_kept(store: Store, folder: Path) -> None:
    for text in ("one", "two"):
        store.save_table("k", MANIFEST, BLOB)
        (folder / "tables" / "k.bin").write_text(text)
        assert store.load_table("k") is None

    kept = {path.read_text() for path in (folder / "quarantine").iterdir() if path.suffix == ".bin"}
    assert kept == {"one", "two"}


def test_a_read_only_store_names_and_moves_nothing(store: Store, folder: Path) -> None:
    store.save_table("k", MANIFEST, BLOB)
    (folder / "tables" / "k.bin").write_bytes(b"torn")
    with Store.open(folder, read_only=True) as reader:
        assert reader.load_table("k") is None
        assert reader.notices
    assert (folder / "tables" / "k.bin").read_bytes() == b"torn"


@pytest.mark.parametrize(("write", "survivor"), [(1, b"old"), (2, b"old"), (3, b"new")])
def test_a_save_cut_short_leaves_the_old_or_the_new_table(
    store: Store, monkeypatch: pytest.MonkeyPatch, write: int, survivor: bytes
) -> None:
    store.save_table("k", MANIFEST, b"old")
    renames = 0
    rename = os.replace

    def cut_short(source: Path, target: Path) -> None:
        nonlocal renames
        renames += 1
        if renames == write:
            raise KeyboardInterrupt
        rename(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", cut_short)
        with pytest.raises(KeyboardInterrupt):
            store.save_table("k", MANIFEST, b"new")

    assert len(store.tables()) == 1
    for _ in range(2):
        loaded = store.load_table("k")
        assert loaded is not None
        assert loaded[1] == survivor
    assert store.notices == []
