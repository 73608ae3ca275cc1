"""Modules of the project that are called like those that untrod needs: only confined processes run them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

NAMES = (
    "typer",
    "rich",
    "coverage",
    "hypothesis",
    "lark",
    "zlib",
    "uuid",
    "playwright",
    "uvicorn",
    "graphlib",
)
SHADOW = """
import os
try:
    open(os.path.join({folder!r}, "ran-" + __name__), "w").close()
except OSError:
    pass
"""
CLEAN = "def check(n: int) -> int:\n    if n > 3:\n        return 1\n    return 0\n"
COMMANDS = {
    "cover": ["cover", "mod.py", "--budget", "2s"],
    "hunt": ["hunt", "mod.py", "--budget", "4s", "--no-coverage", "--workers", "1", "--only", "cover"],
    "explore": ["explore", "maze", "--side", "3", "--walker", "dfs"],
    "doctor": ["doctor"],
}
STARTS = {
    "as a module": [sys.executable, "-m", "untrod"],
    "as a script": [sys.executable, "-P", "-c", "from untrod.cli import main; main()"],
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("verb", COMMANDS)
def test_they_are_never_run_where_nothing_stops_them(project, verb: str, start: str) -> None:
    project.write("mod.py", CLEAN)
    for name in NAMES:
        project.write(f"{name}.py", SHADOW.format(folder=str(project.folder)))
    subprocess.run(
        [*STARTS[start], *COMMANDS[verb]],
        cwd=project.folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
        capture_output=True,
        timeout=150,
    )
    assert [path.name for path in project.folder.glob("ran-*")] == []
