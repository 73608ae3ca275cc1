"""One shard of a `cover` campaign on a C program, inside a worker."""

from __future__ import annotations

import os
import resource
from pathlib import Path

from untrod.core.protocols import Beacon
from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.engines.cover.arms import Arm, MutationArm, RandomArm, SymbolicArm, Turns
from untrod.engines.cover.native.branch_map import NativeBranchMap
from untrod.engines.cover.native.build import build
from untrod.engines.cover.native.compiling import build_watch
from untrod.engines.cover.native.drawing import words_of_source
from untrod.engines.cover.native.paths import SharedNativeSession
from untrod.engines.cover.native.stage import Stage
from untrod.engines.cover.native.subject import NativeSubject
from untrod.engines.cover.native.target import NativeTarget
from untrod.engines.cover.portfolio import AUTO, NONE, SHORT
from untrod.engines.cover.quota import SolverQuota
from untrod.engines.cover.search import CoverSearch, Exploration
from untrod.learn.catalogue import make_pruning
from untrod.runtime import guard
from untrod.runtime.job import SearchJob
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


class NativeSearch(CoverSearch):
    """With arms, a quota and turns that fit a program."""

    subject: NativeSubject
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
        branch_map = NativeBranchMap(sources, programs.notes)
        variants = [programs.covered, *([programs.checked] if programs.checked else [])]
        return NativeSubject(
            target, programs, Stage(variants), branch_map, beacon, seconds=spec["timeout"] / RUN_SHARE
        )

    def _explore(self) -> Exploration:
        spec, branch_map = self._spec, self.subject.branch_map
        turns = Turns(
            self._arms(),
            spec["seed"],
            timed=spec["timed"],
            turn_seconds=TURN_SECONDS,
            quota=SolverQuota(FREE, MOST),
            lull=LULL,
        )
        self._news["notices"] += self._notices
        words = words_of_source([branch_map.source(module) for module in branch_map.files])
        return Exploration(self.subject, turns, words, spec["seed"], self._record)

    def _arms(self) -> list[Arm]:
        spec, seed = self._spec, self._spec["seed"]
        arms: list[Arm] = []
        if spec["chance"]:
            arms += [RandomArm(derive(seed, "random")), MutationArm(derive(seed, "mutate"))]
        if spec["searcher"] == NONE:
            return arms
        pruning = make_pruning(spec["pruning"], derive(seed, "pruning", "native"), SHORT)
        executor = self._executor = self._make_executor()
        shared = SharedNativeSession(pruning, self._path_seconds, executor, self.subject.target)
        self._shared = [shared]
        names = PORTFOLIO if spec["searcher"] == AUTO else (spec["searcher"],)
        return arms + [SymbolicArm(name, name, derive(seed, "paths", name), shared) for name in names]

    def _make_executor(self) -> NativeExecutor:
        subject = self.subject
        with guard.paused():
            library = build_watch(Path(os.getcwd()).resolve())
        return NativeExecutor(
            read_elf(subject.programs.emulated), subject.target.fields, library, seed=self._spec["seed"]
        )

    def counts(self) -> dict[str, Json]:
        counts = super().counts()
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
        counts["left_over"] = self.subject.left_over
        counts["cpu_elsewhere"] = self.subject.stage.cpu
        return counts

    def _reason(self, line: int) -> str:
        return "not reached within the budget"


class NativeJob(SearchJob):
    """Built from the JSON that `engine.NativeEngine.spec` makes."""

    search: NativeSearch

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        super().__init__(NativeSearch(spec, beacon), beacon)
