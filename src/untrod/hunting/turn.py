"""One turn: the verb of a task as a command of its own, listened to through its NDJSON.

A process for each turn keeps turns apart whatever happens in one, and what a hunt does can be repeated by
hand. A task's first turn starts a campaign, the later ones resume it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from untrod.core.vocabulary import Json
from untrod.plugins import Task
from untrod.runtime import launch
from untrod.store.owner import lent_secret

Told = Callable[[Task, Json], None]


@dataclass
class TurnOutcome:
    """What a turn came to. Without `finished`, it never ran: `trouble` says why."""

    campaign: str = ""
    finished: dict[str, Any] | None = None
    findings: list[dict[str, Any]] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)  # in the store's folder, by what they are
    trouble: str = ""

    @property
    def over(self) -> bool:
        """There is nothing left that this task could do."""
        return self.finished is None or self.finished["reason"] in ("exhausted", "gave-up")


class Turn:
    def __init__(self, task: Task, project: Path, told: Told) -> None:
        self.task = task
        self._project = project
        self._told = told
        self._process: launch.Process | None = None
        self._stopped = False

    def run(self, words: Sequence[str]) -> TurnOutcome:
        """`words` is the command line behind `untrod`."""
        outcome = TurnOutcome()
        with tempfile.TemporaryFile() as complaints:  # a file: a pipe that nobody reads fills up
            with self._begun(words, complaints) as process:
                self._process = process
                if self._stopped:
                    self.stop()
                assert process.stdout is not None
                for line in process.stdout:
                    self._note(line, outcome)
            complaints.seek(0)
            said = complaints.read().decode("utf-8", "replace").strip().splitlines()
        if process.returncode not in (0, 1) or outcome.finished is None:
            last = said[-1] if said else f"ended with status {process.returncode}"
            outcome.trouble = last.removeprefix("untrod: ")
        return outcome

    def _begun(self, words: Sequence[str], complaints: IO[bytes]) -> launch.Process:
        return launch.start(  # Ctrl-C is passed on by us, once, and not by the terminal as well
            [sys.executable, "-P", "-m", "untrod", *words],  # nothing of the project is imported there
            cwd=self._project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=launch.with_own_root({**os.environ, **lent_secret(), "PYTHONIOENCODING": "utf-8"}),
        )

    def stop(self) -> None:
        """As by Ctrl-C: it finishes, writes its tests and reports. A second time: at once."""
        self._stopped = True
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)

    def _note(self, line: str, outcome: TurnOutcome) -> None:
        try:
            event = json.loads(line)
            kind = event["event"]
        except (ValueError, TypeError, KeyError):
            return
        if kind == "campaign-started":
            outcome.campaign = event["campaign"]
        elif kind == "campaign-finished" and not event["reason"].startswith("error"):
            outcome.finished = event
            files = event.get("extra", {}).get("files")
            outcome.files = files if isinstance(files, dict) else {}  # another package's engine may mean else
        elif kind == "finding":
            outcome.findings.append(event["finding"])
        elif kind == "test-written":
            outcome.tests.append(event["path"])
        elif kind == "notice":
            outcome.notices.append(event["text"])
        self._told(self.task, event)
