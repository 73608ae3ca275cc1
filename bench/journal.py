"""Trials that were measured before: a long bench can be stopped, and continued where it was.

One line of JSON for each trial. A trial is the same when its words, the code it ran and the machine are the
same; a line cut short by a kill is no trial.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from bench import machine


class Journal:
    """Without a path it remembers nothing, and every trial is new."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = Lock()
        self._known: dict[str, Any] = {}
        if path is not None and path.exists():
            for line in path.read_text().splitlines():
                try:
                    entry = json.loads(line)
                    self._known[entry["trial"]] = entry["result"]
                except (ValueError, KeyError, TypeError):
                    continue

    def get(self, trial: str) -> Any:
        """The trial's result, None when it was not measured yet."""
        return self._known.get(trial)

    def recall(self, trial: str, play: Callable[[], Any], *, late: bool = False) -> Any:
        """What is known of the trial, which else is played and kept; None where it is too `late` for that.

        What was skipped is not kept: what was missing may be installed by the next time.
        """
        known = self.get(trial)
        if known is None and not late:
            known = play()
            if not (isinstance(known, Mapping) and "skipped" in known):
                self.put(trial, known)
        return known

    def put(self, trial: str, result: Any) -> None:
        """Durable when it returns. The line break before it ends what a kill may have left."""
        if self._path is None:
            return
        with self._lock, self._path.open("a") as file:
            self._known[trial] = result
            file.write("\n" + json.dumps({"trial": trial, "result": result}) + "\n")
            file.flush()
            os.fsync(file.fileno())


def trial_name(words: Mapping[str, Any], code: Iterable[Path]) -> str:
    """Names a trial: what was asked, of which code, on which kind of machine."""
    here = {key: value for key, value in machine.describe().items() if key != "cores"}
    return json.dumps({**words, "code": digest(code), "machine": here}, sort_keys=True)


def digest(code: Iterable[Path]) -> str:
    """Of these files, and of all Python files in these folders, by relative name and content."""
    hashed = hashlib.blake2b(digest_size=8)
    for each in code:
        folder, files = (each.parent, [each]) if each.is_file() else (each, sorted(each.rglob("*.py")))
        for file in files:
            hashed.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes() + b"\0")
    return hashed.hexdigest()
