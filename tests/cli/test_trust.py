"""A store is data: what another has started is run when the person at the keyboard says so, with what is
allowed now. What one has started oneself goes on as it was."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from untrod.store.sheets import seal

SOURCE = """
def pick(choose):
    return choose(range(9))

def check(number):
    open({mark!r}, "a").close()
    assert number < 7
"""
SUMS = """
from hypothesis import given, strategies as st

@given(st.lists(st.integers()))
def test_sums(numbers):
    assert sum(numbers) == sum(reversed(numbers))
"""
SEARCH = ("inputs", "picked.py:pick", "--test", "check", "--budget", 60)


@pytest.fixture
def mine(project, tmp_path):
    """A campaign that may write, started here. `touched` says whether its code has been run with that."""
    project.write("picked.py", SOURCE.format(mark=str(tmp_path / "mark")))
    result = project.untrod(*SEARCH, "--allow", "write", "--json")
    assert result.status == 1, result.err
    (tmp_path / "mark").unlink()
    return project, result.of("campaign-started")[0]["campaign"], result.of("finding")[0]["finding"]["id"]


def handed_over(project, tmp_path, name="theirs"):
    """The same folder elsewhere, as a clone or an archive brings it."""
    folder = tmp_path / name
    shutil.copytree(project.folder, folder)
    return type(project)(folder)


def test_ones_own_campaigns_go_on_with_the_permissions_they_were_given(mine, tmp_path):
    project, campaign, finding = mine

    assert project.untrod("replay", finding).status == 1
    assert (tmp_path / "mark").exists()
    again = project.untrod("campaigns", "resume", campaign, "--budget", 90)
    assert again.status == 1, again.err


@pytest.mark.parametrize("verb", ["replay", "resume"])
def test_what_came_with_a_copy_asks_first_and_names_what_it_would_run(mine, tmp_path, verb):
    project, campaign, finding = mine
    theirs = handed_over(project, tmp_path)
    words = ("replay", finding) if verb == "replay" else ("campaigns", "resume", campaign)

    refused = theirs.untrod(*words)

    assert refused.status == 2
    assert refused.out == ""
    assert refused.err == (
        f"untrod: you have not started {campaign} in this folder: it would run inputs on picked.py:pick "
        f"with --allow write (if you trust it: untrod {' '.join(words)} --trust --allow write)\n"
    )
    assert not (tmp_path / "mark").exists()


def test_what_is_trusted_has_the_permissions_of_now_and_not_its_own(mine, tmp_path):
    project, campaign, finding = mine
    theirs = handed_over(project, tmp_path)

    trusted = theirs.untrod("replay", finding, "--trust")

    assert not (tmp_path / "mark").exists()
    assert f"untrod: {campaign} runs without --allow write, which it was started with\n" in trusted.err
    assert "does not show any more: refused" in trusted.out
    again = theirs.untrod("replay", finding)
    assert (again.status, again.err) == (trusted.status, ""), "it has been said, and is remembered"
    assert not (tmp_path / "mark").exists()
    assert theirs.untrod("replay", finding, "--allow", "write").status == 1
    assert (tmp_path / "mark").exists()


def test_a_campaign_that_was_changed_is_somebody_elses(mine, tmp_path):
    project, _campaign, finding = mine
    changed(project.folder, lambda config: config["session"].update(allow=["network", "processes", "write"]))

    refused = project.untrod("replay", finding)

    assert refused.status == 2
    assert "with --allow network --allow processes --allow write (if you trust it" in refused.err


def test_the_store_of_an_older_untrod_is_taken_over_once(mine, tmp_path):
    project, campaign, finding = mine
    changed(project.folder, lambda config: config["session"].pop("mark"))

    refused = project.untrod("replay", finding)
    assert refused.status == 2
    assert f"{campaign} was started by an older untrod, or by somebody else: it would run" in refused.err

    assert project.untrod("campaigns", "resume", campaign, "--trust", "--allow", "write").status == 1
    assert project.untrod("replay", finding).status == 1


def test_a_moved_checkout_is_asked_for_once(mine, tmp_path):
    project, _campaign, finding = mine
    moved = tmp_path / "moved"
    project.folder.rename(moved)
    theirs = type(project)(moved)

    assert theirs.untrod("replay", finding).status == 2
    assert theirs.untrod("replay", finding, "--trust", "--allow", "write").status == 1
    assert theirs.untrod("replay", finding).status == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda config: config["generator"].update(root="/usr/lib"),
        lambda config: config["generator"].update(root="../../elsewhere"),
        lambda config: config["session"].update(tests="../tests"),
        lambda config: config["test"].update(root="/"),
    ],
    ids=["root", "up", "tests", "test"],
)
def test_what_lies_elsewhere_is_not_run_however_much_it_is_trusted(mine, change):
    project, campaign, _ = mine
    changed(project.folder, change)

    refused = project.untrod("campaigns", "resume", campaign, "--trust")

    assert refused.status == 2
    assert "which is not in this folder (start a campaign of your own)" in refused.err


def test_a_foreign_campaign_does_not_choose_where_it_runs(mine):
    project, campaign, finding = mine
    changed(project.folder, lambda config: config["session"].update(on="ray://192.0.2.1:10001"))

    refused = project.untrod("replay", finding)
    assert "not on ray://192.0.2.1:10001 but here" in refused.err
    assert project.untrod("campaigns", "resume", campaign, "--trust", "--allow", "write").status == 1


@pytest.mark.parametrize("table", ["[tool.untrod.replay]\ntrust = true\n", "[tool.untrod]\ntrust = true\n"])
def test_a_project_cannot_say_that_it_is_trusted(mine, tmp_path, table):
    project, _, finding = mine
    theirs = handed_over(project, tmp_path)
    theirs.write("pyproject.toml", table)

    refused = theirs.untrod("replay", finding)

    assert refused.status == 2
    assert "has no setting 'trust'" in refused.err


def test_nor_what_it_is_allowed_when_it_is(mine, tmp_path):
    project, _, finding = mine
    theirs = handed_over(project, tmp_path)
    theirs.write("pyproject.toml", '[tool.untrod]\nallow = ["write"]\n')

    theirs.untrod("replay", finding, "--trust")

    assert not (tmp_path / "mark").exists()


def test_pytest_passes_over_what_somebody_else_has_found(mine, tmp_path):
    project, _, _finding = mine
    theirs = handed_over(project, tmp_path)
    shutil.rmtree(theirs.folder / "tests")
    theirs.write("test_nothing.py", "def test_nothing():\n    pass\n")
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", "--untrod"]

    done = subprocess.run(words, cwd=theirs.folder, capture_output=True, text=True, check=False)

    assert "1 passed, 1 skipped" in done.stdout, done.stdout
    assert "you have not started" in done.stdout
    assert not (tmp_path / "mark").exists()


def test_where_no_secret_can_be_kept_campaigns_run_and_nobody_is_known_again(project, tmp_path, monkeypatch):
    (tmp_path / "state").write_text("a file in the place of the folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project.write("picked.py", SOURCE.format(mark=str(tmp_path / "mark")))

    started = project.untrod(*SEARCH, "--allow", "write", "--json")
    assert started.status == 1, started.err
    finding = started.of("finding")[0]["finding"]["id"]
    refused = project.untrod("replay", finding)
    assert refused.status == 2
    assert "whether you have started inputs-" in refused.err
    assert f"cannot be told ({tmp_path / 'state'}" in refused.err
    assert project.untrod("replay", finding, "--trust", "--allow", "write").status == 1


def test_a_hunt_knows_its_own_turns_where_no_secret_can_be_kept(project, tmp_path, monkeypatch):
    (tmp_path / "state").write_text("a file in the place of the folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project.write("test_sums.py", SUMS)
    hunt = ("hunt", "--only", "inputs", "--budget", 200, "--workers", 1, "--no-coverage")

    result = project.untrod(*hunt, "--json")

    assert result.status == 0, result.err
    (lot,) = result.events[-1]["lots"]
    assert lot["turns"] > 1, "the later ones resume the first"
    assert lot["trouble"] == ""


def changed(folder: Path, change) -> None:
    """Whoever can write to a store can give a row its checksum."""
    with closing(sqlite3.connect(folder / ".untrod" / "store.sqlite3")) as connection:
        cursor = connection.execute("SELECT * FROM campaigns")
        names = [column[0] for column in cursor.description]
        row = dict(zip(names, cursor.fetchone(), strict=True))
        config = json.loads(row["config"])
        change(config)
        row["config"] = json.dumps(config)
        kept = tuple(row[name] for name in names if name != "checksum")
        statement = "UPDATE campaigns SET config = ?, checksum = ?"
        connection.execute(statement, (row["config"], seal("campaigns", kept)))
        connection.commit()
