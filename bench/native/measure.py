"""What inputs cover together, by gcov itself: the judge of every contender."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.native.subjects import Subject
from untrod.engines.cover.native.build import Programs, build
from untrod.engines.cover.native.target import NativeTarget
from untrod.symbolic.native.fields import Values

SECONDS = 2.0


def branches(subject: Subject, inputs: Sequence[Values]) -> tuple[int, int]:
    """Taken, and there are. Runs as whoever runs the bench: the programs are known."""
    target = subject.target()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = _programs(target, folder)
        work = folder / "work"
        work.mkdir()
        environment = {"LC_ALL": "C", "GCOV_PREFIX": str(folder / "counts"), "GCOV_PREFIX_STRIP": "99"}
        place = target.fields.stdin_place
        for values in inputs:
            try:
                subprocess.run(
                    [b"program", *target.fields.argv(values)],
                    executable=programs.covered,
                    input=values[place],
                    cwd=work,
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                continue  # its counts are lost, as they are for everybody
        return _counted(folder / "counts", programs, Path(target.source).name)


def _programs(target: NativeTarget, folder: Path) -> Programs:
    made = folder / "made"
    made.mkdir()
    return build(target, Path("/"), made, "")


def _counted(counts: Path, programs: Programs, source: str) -> tuple[int, int]:
    """Counts accumulate in one file over all runs: gcov is asked once."""
    taken = total = 0
    for notes in programs.notes:
        if (counts / f"{notes.stem}.gcda").exists():
            shutil.copy(notes, counts)
            command = ["gcov", "-b", "--json-format", "--stdout", f"{notes.stem}.gcda"]
            said = subprocess.run(command, cwd=counts, capture_output=True, check=True).stdout
            for file in json.loads(said)["files"]:
                if os.path.basename(file["file"]) == source:
                    for line in file["lines"]:
                        total += len(line["branches"])
                        taken += sum(branch["count"] > 0 for branch in line["branches"])
    return taken, total
