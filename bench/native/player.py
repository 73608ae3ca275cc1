"""One trial, in a process of its own: `python -m bench.native.player`, a JSON object in and one out.

    {subject, contender, seed, cpu}
        -> {inputs, paths, complete, states, live, peak, findings, cpu, memory}

CPU time is that of this process and of all real runs, building and loading included. `inputs` are those that
took something new when they came; the branches they take together are counted by gcov, elsewhere.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.native.contenders import OURS
from bench.native.subjects import SUBJECTS
from untrod.core.protocols import Batch
from untrod.core.vocabulary import Json
from untrod.engines.cover.case import Input
from untrod.engines.cover.native.engine import NativeConfig, NativeEngine
from untrod.engines.cover.native.inputs import as_values
from untrod.engines.cover.native.job import NativeJob


class _NoBeacon:
    def begin(self, episode: int) -> None: ...

    def trace(self, answers: list[int]) -> None: ...

    def end(self) -> None: ...


def play(asked: Json) -> Json:
    target = SUBJECTS[asked["subject"]].target()
    searcher, pruning, chance = OURS[asked["contender"]]
    config = NativeConfig(target, searcher=searcher, pruning=pruning, chance=chance, timed=True, timeout=10.0)
    job = NativeJob(NativeEngine(config, asked["seed"], Path("/")).spec(0), _NoBeacon())
    subject = job.search.subject
    inputs: list[list[str]] = []
    findings: list[str] = []
    report: Json = {}
    while subject.cpu() < asked["cpu"]:
        report = job.run(Batch(20, 60.0))
        for _, answers, _ in report["corpus"]:
            values = as_values(Input.from_trace(answers), target.fields)
            if values is not None:
                inputs.append([value.decode("latin-1") for value in values])
        findings += [finding["key"] for finding in report["findings"]]
        if report["exhausted"]:
            break
    counts: dict[str, Any] = report.get("symbolic", {})
    lost = sum(counts.get(name, 0) for name in ("infeasible", "unknown", "unsupported"))
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = subject.cpu()
    subject.close()
    return {
        "inputs": inputs,
        "runs": report.get("episodes", 0),
        "complete": counts.get("paths", 0) - lost,
        "states": counts.get("states", 0),
        "live": counts.get("live", 0),
        "peak": counts.get("peak", 0),
        "diverged": counts.get("diverged", 0),
        "instructions": counts.get("instructions", 0),
        "findings": findings,
        "cpu": cpu,
        "memory": used.ru_maxrss / 1024,
    }


def main() -> None:
    asked = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print(json.dumps(play(asked)))


if __name__ == "__main__":
    main()
