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
from untrod.engines.cover.native.emptying import remove
from untrod.runtime import channel, guard, launch
from untrod.runtime.processes import MARKER, STAGE

MEMORY_MB = 1024
PATIENCE = 5


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
    """To be closed by its maker; should this process die, the launcher notices and clears up."""

    def __init__(self, programs: Sequence[Path]) -> None:
        self._programs = {program.name for program in programs}
        command = [sys.executable, "-m", "untrod.engines.cover.native.launcher", *map(str, programs)]
        environment = dict(os.environ)
        environment.pop("TMPDIR", None)  # that is the worker's own folder, into which nobody can look
        if environment.get(STAGE):
            environment["TMPDIR"] = environment[STAGE]
        if MARKER in environment:
            environment[f"_{MARKER}"] = environment.pop(MARKER)
        with guard.paused():
            self._process = launch.start(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,  # that of programs goes elsewhere
                env=environment,
            )
        self._to_clear: Path | None = None
        self.cpu = 0.0
        """Seconds that it and the programs have used."""
        told, _ = self._hear()
        self.pid = self._process.pid
        self.folder = self._to_clear = Path(told["folder"])

    def run(
        self,
        program: Path,
        argv: Sequence[bytes],
        stdin: bytes,
        files: Mapping[str, bytes],
        *,
        seconds: float,
        patience: float = PATIENCE,
        limited: bool = True,
    ) -> Ran:
        """`seconds` are CPU seconds, also on a busy machine; on the wall it may have `patience` times more.
        `limited`: in memory, which a variant with sanitizers cannot be."""
        if program.name not in self._programs:
            raise ValueError(f"{program.name} is not on this stage")
        assert self._process.stdin is not None
        header: dict[str, Json] = {
            "program": program.name,
            "argv": [text.decode("latin-1") for text in argv],
            "files": {name: data.decode("latin-1") for name, data in files.items()},
            "seconds": seconds,
            "wall": seconds * patience,
            "memory": MEMORY_MB if limited else 0,
        }
        try:
            channel.write(self._process.stdin.fileno(), channel.encode(header, stdin))
        except BrokenPipeError as error:
            raise self._gone() from error
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
        if not self._process.stdin.closed:
            self._process.stdin.close()
        self._process.wait()

    def _hear(self) -> tuple[dict[str, Json], bytes]:
        assert self._process.stdout is not None
        answer = channel.read(self._process.stdout.fileno())
        if answer is None:
            raise self._gone()
        return answer

    def _gone(self) -> UntrodError:
        """It can be killed by a program that runs as the same user, and so cannot clear up."""
        _, said = self._process.communicate()
        with guard.paused():
            if self._to_clear and self._to_clear.exists():
                remove(self._to_clear)
        lines = said.decode("utf-8", "replace").strip().splitlines()
        reason = lines[-1][:200] if lines else "it was killed, perhaps by the program"
        return UntrodError(
            f"the process that runs the program is gone: {reason}",
            "run such programs as root, in a container",
        )
