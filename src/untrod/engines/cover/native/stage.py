"""Real runs of the program, by a launcher that a worker keeps."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.runtime import channel, guard
from untrod.runtime.processes import MARKER

MEMORY_MB = 1024


@dataclass(frozen=True, slots=True)
class Ran:
    """`status` as `waitpid` has it; `counts` are gcc's, by file."""

    status: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False
    left: int = 0
    counts: Mapping[str, bytes] | None = None


class Stage:
    """Whoever makes one closes it; should this process die, the launcher notices and clears up."""

    def __init__(self, programs: Sequence[Path]) -> None:
        self._programs = {program.name for program in programs}
        command = [sys.executable, "-m", "untrod.engines.cover.native.launcher", *map(str, programs)]
        environment = dict(os.environ)
        environment.pop("TMPDIR", None)  # that is the worker's own folder, into which nobody can look
        if MARKER in environment:
            environment[f"_{MARKER}"] = environment.pop(MARKER)
        with guard.paused():
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env=environment,
            )
        self.cpu = 0.0
        """Seconds that it and the programs have used."""
        told, _ = self._hear()
        self.pid = self._process.pid
        self.folder = Path(told["folder"])

    def run(
        self,
        program: Path,
        argv: Sequence[bytes],
        stdin: bytes,
        files: Mapping[str, bytes],
        *,
        seconds: float,
        limited: bool = True,
    ) -> Ran:
        if program.name not in self._programs:
            raise ValueError(f"{program.name} is not on this stage")
        assert self._process.stdin is not None
        header: dict[str, Json] = {
            "program": program.name,
            "argv": [text.decode("latin-1") for text in argv],
            "files": {name: data.decode("latin-1") for name, data in files.items()},
            "seconds": seconds,
            "memory": MEMORY_MB if limited else 0,
        }
        try:
            channel.write(self._process.stdin.fileno(), channel.encode(header, stdin))
        except BrokenPipeError as error:
            raise UntrodError("the process that runs the program is gone", "start again") from error
        answer, blob = self._hear()
        self.cpu = float(answer["cpu"])
        parts, at = [], 0
        for size in answer["sizes"]:
            parts.append(blob[at : at + size])
            at += size
        stdout, stderr, *counts = parts
        named = dict(zip(answer["names"], counts, strict=True))
        return Ran(answer["status"], stdout, stderr, answer["timed_out"], answer["left"], named)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _hear(self) -> tuple[dict[str, Json], bytes]:
        assert self._process.stdout is not None
        answer = channel.read(self._process.stdout.fileno())
        if answer is None:
            raise UntrodError("the process that runs the program is gone", "start again")
        return answer
