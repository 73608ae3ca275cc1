"""One shard of a `cover` campaign on a C program, inside a worker."""

from __future__ import annotations

import os
import resource
from pathlib import Path

from untrod.core.protocols import Beacon
from untrod.core.seeds import derive
from untrod.core.vocabulary import Json, Trace
from untrod.engines.cover.arms.base import Arm
from untrod.engines.cover.arms.catalogue import AUTO, NONE, SHORT
from untrod.engines.cover.arms.chance import RandomArm
from untrod.engines.cover.arms.mutation import MutationArm
from untrod.engines.cover.arms.paths import PathsArm
from untrod.engines.cover.exploration import Exploration
from untrod.engines.cover.job import CoverJob
from untrod.engines.cover.native.atlas import NativeAtlas
from untrod.engines.cover.native.build import build
from untrod.engines.cover.native.compiling import build_watch
from untrod.engines.cover.native.drawing import words_of_source
from untrod.engines.cover.native.executors import NativeShared
from untrod.engines.cover.native.stage import Stage
from untrod.engines.cover.native.subject import NativeSubject
from untrod.engines.cover.native.target import NativeTarget
from untrod.engines.cover.purse import Purse
from untrod.learn.catalogue import make_pruning
from untrod.runtime import guard
from untrod.symbolic.native.elf import read_elf
from untrod.symbolic.native.executor import NativeExecutor

PORTFOLIO = ("covnew", "random-path", "mindistance")
"""The searchers that `auto` learns to choose from. `open-first` wants to know which lines are open."""
TURN_SECONDS = 0.25
"""A turn has room for dozens of real runs, a round of symbolic execution for a hundred paths."""
FREE, MOST = 0.4, 0.8
"""What symbolic execution may spend: a path costs as much as a few real runs, not as many as in Python."""
LULL = 0.3
"""For the same reason it begins sooner: after this share of the runs without a find."""
RUN_SHARE = 10
"""A real run may use this part of what an episode may."""
BOTH, UNDEFINED = "address,undefined", "undefined"


class NativeJob(CoverJob):
    """Built from the JSON that `engine.NativeEngine.spec` makes."""

    _subject: NativeSubject
    _executor: NativeExecutor | None = None

    def _load(self, spec: Json, beacon: Beacon) -> NativeSubject:
        project, folder = Path(spec["project"]), Path(os.getcwd()).resolve()
        target = NativeTarget.from_json(spec["target"])
        self._notices: list[str] = []
        # AddressSanitizer asks for terabytes of addresses: the launcher lifts our limit, if it can be lifted.
        unlimited = resource.getrlimit(resource.RLIMIT_AS)[1] == resource.RLIM_INFINITY
        sanitizers = BOTH if unlimited else UNDEFINED
        if not unlimited:
            self._notices.append(
                "the memory limit keeps AddressSanitizer from running: only undefined behaviour is checked"
            )
        programs = build(target, project, folder, sanitizers)
        read_elf(programs.emulated)  # what cannot be emulated is told now
        sources = [project / path for path in (target.source, *target.also)]
        atlas = NativeAtlas(sources, programs.notes)
        variants = [programs.covered, *([programs.checked] if programs.checked else [])]
        return NativeSubject(
            target, programs, Stage(variants), atlas, beacon, seconds=spec["timeout"] / RUN_SHARE
        )

    def replay(self, trace: Trace) -> Json:
        self._subject.checks_all = True
        try:
            return super().replay(trace)
        finally:
            self._subject.checks_all = False

    def _explore(self) -> Exploration:
        spec, subject = self._spec, self._subject
        arms = self._arms()
        self._report["notices"] += self._notices
        words = words_of_source([subject.atlas.source(module) for module in subject.atlas.files])
        return Exploration(
            subject,
            arms,
            words,
            spec["seed"],
            self._heard,
            timed=spec["timed"],
            turn_seconds=TURN_SECONDS,
            purse=Purse(FREE, MOST),
            lull=LULL,
        )

    def _arms(self) -> list[Arm]:
        spec, seed = self._spec, self._spec["seed"]
        arms: list[Arm] = []
        if spec["chance"]:
            arms += [RandomArm(derive(seed, "random")), MutationArm(derive(seed, "mutate"))]
        if spec["searcher"] == NONE:
            return arms
        pruning = make_pruning(spec["pruning"], derive(seed, "pruning", "native"), SHORT)
        shared = NativeShared(pruning, self._path_seconds, self._make_executor(), self._subject.target)
        self._shared = [shared]
        names = PORTFOLIO if spec["searcher"] == AUTO else (spec["searcher"],)
        return arms + [PathsArm(name, name, derive(seed, "paths", name), shared) for name in names]

    def _make_executor(self) -> NativeExecutor:
        subject = self._subject
        with guard.paused():
            library = build_watch(Path(os.getcwd()).resolve())
        self._executor = NativeExecutor(
            read_elf(subject.programs.emulated), subject.target.fields, library, seed=self._spec["seed"]
        )
        return self._executor

    def _counts(self) -> dict[str, Json]:
        counts = super()._counts()
        executor = self._executor
        if executor is not None:
            counts["symbolic"] |= {
                "instructions": executor.counts["instructions"],
                "diverged": executor.counts["diverged"],
                "solver_calls": executor.solver.calls,
            }
            counts["unknown"] = {
                "system calls": dict(executor.machine.system.unknown),
                "instructions": dict(executor.machine.decoder.unsupported),
            }
        counts["left_over"] = self._subject.left_over
        counts["cpu_elsewhere"] = self._subject.stage.cpu
        return counts

    def _reason(self, line: int) -> str:
        return "not reached within the budget"
