"""What a change touches: the tasks whose file, or whose lines in it, differ from a revision."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.plugins import Task
from untrod.runtime import launch

_HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
Lines = frozenset[int]
EVERYTHING: Lines = frozenset()
"""A file that the revision does not have at all."""


def touched(tasks: Iterable[Task], changed: Mapping[str, Lines]) -> tuple[Task, ...]:
    """The tasks that stand in changed files; a function only when lines of its own have changed."""
    return tuple(task for task in tasks if task.file in changed and _meets(task, changed[task.file]))


def _meets(task: Task, lines: Lines) -> bool:
    if task.lines is None or lines == EVERYTHING:
        return True
    first, last = task.lines
    return any(first <= line <= last for line in lines)


def changed_since(revision: str, project: Path) -> dict[str, Lines]:
    """File to its changed lines, with what is not committed or not even added yet."""
    if revision.startswith("-"):
        raise UntrodError(f"{revision!r} is no revision", "name a commit, a tag or a branch")
    difference = _git(project, "diff", "--relative", "--no-color", "--no-ext-diff", "-U0", revision, "--")
    fresh = _git(project, "ls-files", "--others", "--exclude-standard", "-z")
    found = parse_difference(difference)
    found.update(dict.fromkeys(filter(None, fresh.split("\0")), EVERYTHING))
    return found


def parse_difference(text: str) -> dict[str, Lines]:
    """Reads what `git diff -U0` prints. Where lines are only taken away, the line before counts."""
    found: dict[str, Lines] = {}
    name = None
    for line in text.splitlines():
        if line.startswith("+++ "):
            name = line[6:].rstrip("\t") if line.startswith("+++ b/") else None
            if name is not None:
                found[name] = frozenset()
        elif name is not None and (hunk := _HUNK.match(line)):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            found[name] |= frozenset(range(first, first + max(1, count)))
    return found


def _git(project: Path, *words: str) -> str:
    try:
        done = launch.run(
            ["git", "-c", "core.quotePath=false", *words],
            cwd=project,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        raise UntrodError("--changed-since needs git, which is not installed", "install git") from None
    if done.returncode:
        line = (done.stderr.strip().splitlines() or ["git failed"])[0]
        raise UntrodError(f"git: {line}", "name a revision of this repository")
    return str(done.stdout)
