"""Names and paths in somebody else's store lead nowhere, and no page shows what is not the project's."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import foreign
import pytest

from untrod.core.errors import UntrodError
from untrod.core.events import CorpusGrown
from untrod.core.shapes import Malformed
from untrod.engines.cover.native.delivery import NativeRecipe
from untrod.engines.cover.native.engine import NativeConfig
from untrod.engines.cover.native.inputs import as_input
from untrod.engines.cover.native.target import NativeTarget
from untrod.output.html import write_html
from untrod.store import Store
from untrod.store.blobs import sha256
from untrod.symbolic.native.fields import Fields

Project = Any
"""As the fixture `project` makes them."""
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def theirs(project: Project) -> Project:
    foreign.a_store(project.folder / ".untrod")
    project.write("shop.py", "def total(choose):\n    return choose((1, 2))\n")
    return project


def renamed(project: Project, name: str) -> None:
    foreign.alter(
        project.folder / ".untrod", "campaigns", lambda row: row.update(id=name), "engine = 'inputs'"
    )


@pytest.mark.parametrize(
    "name", ["../../escaped", "/tmp/escaped", "a/../../../b", "", ".", "..", "A b", "x" * 300]
)
def test_a_campaign_whose_name_is_a_path_is_no_campaign(theirs: Project, tmp_path: Path, name: str) -> None:
    renamed(theirs, name)
    before = files(tmp_path, theirs)

    listed = theirs.untrod("campaigns", "list", "--json")
    assert [event["engine"] for event in listed.events].count("inputs") == 0
    assert "cannot be read: it.id is no name of a campaign: skipped" in listed.err
    for words in (["campaigns", "resume", name, "--trust"], ["report", name], ["campaigns", "export", name]):
        refused = theirs.untrod(*words)
        assert refused.status == 2
        assert "there is no campaign" in refused.err or "campaigns begin with" in refused.err
    assert theirs.untrod("report").status == 0
    assert files(tmp_path, theirs) == before


def test_a_checkpoint_is_a_file_among_the_others_of_its_campaign(theirs: Project, tmp_path: Path) -> None:
    """What does not match its checksum is moved to quarantine: that must not be a file of the user's."""
    (tmp_path / "precious.bin").write_bytes(b"precious")
    folder = theirs.folder / ".untrod"
    foreign.alter(folder, "checkpoints", lambda row: row.update(file="../../../../precious.bin"))

    with Store.open(folder) as store:
        for row in store.campaigns():
            assert store.checkpoint(row.id, 0) is None
        assert any("is no file of a checkpoint" in notice for notice in store.notices)

    assert (tmp_path / "precious.bin").read_bytes() == b"precious"


@pytest.mark.parametrize(
    "where",
    [
        "tables",
        "checkpoints",
        "locks",
        "reports",
        "screens",
        "scratch",
        "quarantine",
        "backups",
        "store.lock",
    ],
)
def test_a_store_has_no_links(theirs: Project, tmp_path: Path, where: str) -> None:
    """Git keeps links, and archives do: files that are no tables were moved away from where one led."""
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "letter.txt").write_text("precious")
    (precious / "0-10.bin").write_text("precious")
    place = theirs.folder / ".untrod" / where
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.symlink_to(precious / "letter.txt" if where == "store.lock" else precious)
    before = files(tmp_path, theirs)

    for words in (["campaigns", "list"], ["report"], ["inputs", "shop.py:total", "--budget", "5"]):
        refused = theirs.untrod(*words)
        assert refused.status == 2
        assert f".untrod/{where} is a link to {precious}" in refused.err
    assert files(tmp_path, theirs) == before


@pytest.mark.parametrize("where", ["checkpoints/inputs-0000", "tables/x.bin", "locks/inputs-0000.lock"])
def test_nor_are_there_links_further_down(theirs: Project, tmp_path: Path, where: str) -> None:
    (theirs.folder / ".untrod" / where).parent.mkdir(exist_ok=True)
    (theirs.folder / ".untrod" / where).symlink_to(tmp_path)

    refused = theirs.untrod("campaigns", "list")

    assert refused.status == 2
    assert f".untrod/{where} is a link to {tmp_path}" in refused.err


@pytest.mark.parametrize(
    "where", ["store.sqlite3", "store.sqlite3-wal", "store.lock", "tables/x.json", "locks/x.lock"]
)
def test_a_pipe_holds_nobody_up(theirs: Project, where: str) -> None:
    place = theirs.folder / ".untrod" / where
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place)

    refused = theirs.untrod("campaigns", "list", timeout=30)

    assert refused.status == 2
    assert f".untrod/{where} is neither a file nor a folder" in refused.err


def test_a_store_that_is_a_link_is_left_alone(project: Project, tmp_path: Path) -> None:
    """Else the folder above the project would get a database, and a .gitignore that hides all of it."""
    project.write("shop.py", "def total(choose):\n    return choose((1, 2))\n")
    (project.folder / ".untrod").symlink_to("..")

    refused = project.untrod("inputs", "shop.py:total", "--budget", 5)

    assert refused.status == 2
    assert ".untrod is a link that leads out of the project" in refused.err
    assert os.listdir(tmp_path) == ["project"]


def test_another_disk_may_hold_the_store_if_the_person_says_so(project: Project, tmp_path: Path) -> None:
    project.write("shop.py", "def total(choose):\n    return choose((1, 2))\n")
    (tmp_path / "disk").mkdir()
    (project.folder / ".untrod").symlink_to(tmp_path / "disk")

    assert project.untrod("inputs", "shop.py:total", "--budget", 5).status == 2
    assert os.listdir(tmp_path / "disk") == []
    for _ in range(2):
        kept = ("--store", tmp_path / "disk")
        assert project.untrod("inputs", "shop.py:total", "--budget", 5, *kept).status == 0
    assert (tmp_path / "disk" / "store.sqlite3").exists()


def test_the_corpus_of_a_c_program_is_kept_in_files_that_are_called_by_digests(tmp_path: Path) -> None:
    target = NativeTarget("shop.c", Fields((2,)))
    recipe = NativeRecipe(NativeConfig(target), tmp_path / "store" / "corpus")
    entry = CorpusGrown("../../../escaped", as_input((b"a", b""), target).trace(), "")

    with pytest.raises(Malformed, match="a key is no digest"):
        recipe._keep([entry])

    assert list(tmp_path.iterdir()) == []


# Pages

SECRET = "def test_secret():\n    assert 'do not show this'\n"


@pytest.mark.parametrize("how", ["absolute", "up", "link", "folder", "no source", "large", "pipe"])
def test_a_page_shows_no_file_from_elsewhere(theirs: Project, tmp_path: Path, how: str) -> None:
    (tmp_path / "secret.py").write_text(SECRET)
    names = {
        "absolute": str(tmp_path / "secret.py"),
        "up": "../secret.py",
        "link": "link.py",
        "folder": "link/secret.py",
        "no source": ".env",
        "large": "large.py",
        "pipe": "pipe.py",
    }
    (theirs.folder / "link.py").symlink_to(tmp_path / "secret.py")
    (theirs.folder / "link").symlink_to(tmp_path)
    theirs.write(".env", SECRET)
    theirs.write("large.py", SECRET + "#" * 2_000_000)
    os.mkfifo(theirs.folder / "pipe.py")
    foreign.alter(theirs.folder / ".untrod", "tests", lambda row: row.update(path=names[how]))

    assert "do not show this" not in page(theirs)


def test_a_page_shows_a_test_of_the_project(theirs: Project) -> None:
    theirs.write("tests/untrod/test_shop.py", SECRET)

    assert "do not show this" in page(theirs)


@pytest.mark.parametrize("root", ["/", "..", "link"])
def test_nor_does_it_show_lines_of_a_module_from_elsewhere(
    theirs: Project, tmp_path: Path, root: str
) -> None:
    """`asks` in the table of what the policy has learned is read from the generator's file."""
    (tmp_path / "shop.py").write_text("secret('do not show this')\n" * 9)
    (theirs.folder / "link").symlink_to(tmp_path)
    module = str(tmp_path / "shop")[1:].replace("/", ".") if root == "/" else "shop"

    def change(row: dict) -> None:
        row["config"]["generator"].update(root=root, module=module)
        row["extra"]["convicted"][0]["site"] = "total:2:0"

    foreign.alter(theirs.folder / ".untrod", "campaigns", change, "engine = 'inputs'")

    shown = page(theirs)
    assert "What the policy has learned" in shown
    assert "do not show this" not in shown


def test_pictures_are_those_of_the_store(theirs: Project, tmp_path: Path) -> None:
    folder = theirs.folder / ".untrod"
    with Store.open(folder, create=False, read_only=True) as store:
        (gui,) = [row.id for row in store.campaigns() if row.engine == "gui"]
        (finding,) = store.findings(gui)
    (tmp_path / "private.png").write_bytes(PNG + b"private")
    place = folder / "screens" / finding.id
    place.mkdir(parents=True)
    (place / "step-0.png").symlink_to(tmp_path / "private.png")
    (place / "step-1.png").write_bytes(PNG + b"taken")

    assert page(theirs).count("data:image/png;base64,") == 1


def page(project: Project) -> str:
    path = project.folder.parent / "page.html"
    with Store.open(project.folder / ".untrod", create=False, read_only=True) as store:
        write_html(store, [row.id for row in store.campaigns()], path, "theirs", project=project.folder)
    return path.read_text()


# Size and depth


def test_a_row_that_says_there_were_endlessly_many_is_no_trouble(theirs: Project) -> None:
    folder = theirs.folder / ".untrod"
    foreign.alter(folder, "campaigns", lambda row: row["rows"].update(findings=2**53, events=2**53))

    with Store.open(folder, create=False, read_only=True) as store:
        for row in store.campaigns():
            assert len(store.findings(row.id)) == 1
            store.newest_findings(row.id, 5)
        assert any("rows of the findings" in notice for notice in store.notices)


def test_a_row_of_a_gigabyte_is_not_read(theirs: Project) -> None:
    folder = theirs.folder / ".untrod"
    with closing(sqlite3.connect(folder / "store.sqlite3")) as connection:
        connection.execute("UPDATE events SET body = zeroblob(300000000) WHERE seq = 2")
        connection.commit()

    with Store.open(folder, create=False, read_only=True) as store:
        names = [row.id for row in store.campaigns()]
        with pytest.raises(UntrodError, match="too big"):
            list(store.events(names[0]))


@pytest.mark.parametrize("blob", [b"[" * 100_000, b"[]", b"3", b"\xff", b'{"a": NaN}', b'{"a": 1e999}', b""])
def test_what_was_learned_is_read_when_it_is_json_of_numbers_that_there_are(
    tmp_path: Path, blob: bytes
) -> None:
    with Store.open(tmp_path / "store") as store:
        store.save_table("x", {}, blob)
        assert store.table("x") is None
        assert len(store.notices) == 1
        store.save_table("x", {}, b'{"a": 1.5}')
        assert store.table("x") == {"a": 1.5}


@pytest.mark.parametrize("manifest", [{"test": ["x"]}, {"engine": 5}, {"sha256": None}])
def test_a_manifest_of_another_shape_is_set_aside(tmp_path: Path, manifest: dict) -> None:
    folder = tmp_path / "store"
    with Store.open(folder) as store:
        store.save_table("x", {}, b"{}")
    path = folder / "tables" / "x.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **manifest}))

    with Store.open(folder) as store:
        assert store.tables() == []
        assert store.load_table("x") is None
        assert "malformed manifest" in store.notices[0]


def files(root: Path, project: Project) -> dict[str, str]:
    """What lies outside of the store, by its digest."""
    own = project.folder / ".untrod"
    return {
        str(path): sha256(path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file() and own not in path.parents
    }
