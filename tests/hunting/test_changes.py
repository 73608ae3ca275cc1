"""`--changed-since`: what a change touches, by file and by line."""

from __future__ import annotations

import subprocess

import pytest

from untrod.core.errors import UntrodError
from untrod.hunting.changes import changed_since, touched
from untrod.plugins import Task

BEFORE = "def f(xs):\n    return 1\n\n\ndef g(xs):\n    return 2\n"


@pytest.fixture
def repository(project):
    project.write("a.py", BEFORE)
    project.write("same.py", BEFORE)
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "before")
    return project


def git(project, *words: str) -> None:
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
    subprocess.run(["git", *who, *words], cwd=project.folder, check=True, capture_output=True)


LOTS = (
    Task("cover", "a.py", "", "a.py"),
    Task("worst", "a.py:f", "", "a.py", (1, 2)),
    Task("worst", "a.py:g", "", "a.py", (5, 6)),
    Task("cover", "same.py", "", "same.py"),
    Task("worst", "new.py:f", "", "new.py", (1, 2)),
)


def names(changed):
    return [lot.name for lot in touched(LOTS, changed)]


def test_a_module_by_its_file_a_function_by_its_lines(repository):
    repository.write("a.py", BEFORE.replace("return 2", "return 3"))
    assert names(changed_since("HEAD", repository.folder)) == ["cover a.py", "worst a.py:g"]


def test_files_that_git_does_not_know_yet_have_changed_throughout(repository):
    repository.write("new.py", BEFORE)
    assert names(changed_since("HEAD", repository.folder)) == ["worst new.py:f"]


def test_lines_taken_away_count_where_they_were(repository):
    repository.write("a.py", BEFORE.replace("    return 1\n", ""))
    assert "worst a.py:f" in names(changed_since("HEAD", repository.folder))


def test_committed_changes_count_too(repository):
    repository.write("a.py", BEFORE.replace("return 1", "return 7"))
    git(repository, "commit", "-q", "-a", "-m", "after")
    assert names(changed_since("HEAD~1", repository.folder)) == ["cover a.py", "worst a.py:f"]
    assert names(changed_since("HEAD", repository.folder)) == []


@pytest.mark.parametrize("revision", ["nowhere", "--output=x"])
def test_no_such_revision(repository, revision):
    with pytest.raises(UntrodError):
        changed_since(revision, repository.folder)
    assert not (repository.folder / "x").exists()


def test_no_repository(project):
    with pytest.raises(UntrodError, match="git"):
        changed_since("HEAD", project.folder)


def test_nothing_changed_is_no_mistake(repository):
    result = repository.untrod("hunt", "--changed-since", "HEAD", "--no-coverage", "--sarif", "out.sarif")
    assert result.status == 0, result.err
    assert "nothing that can be tested in . differs from HEAD" in result.out
    assert (repository.folder / "out.sarif").exists()
    (told,) = repository.untrod("hunt", "--changed-since", "HEAD", "--json").events
    assert (told["event"], told["findings"], told["lots"]) == ("hunt-finished", [], [])
    (plan,) = repository.untrod("hunt", "--changed-since", "HEAD", "--plan", "--json").events
    assert plan["lots"] == []
