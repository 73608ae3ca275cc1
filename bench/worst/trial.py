"""One policy on one subject at one size with one seed, in a process of its own.

    python -m bench.worst.trial SUBJECT POLICY SIZE SEED ATTEMPTS CPU_SECONDS [ENOUGH]

prints one JSON object: the costliest input's branches (`best`), how many attempts, symbolic paths, solver
calls and CPU seconds it took to get there (`to_best`), the same in all (`spent`), what practice at smaller
sizes took before (`lessons`), and `ended`: `exhausted` means that every path was walked, so that `best` is
the true worst. With ENOUGH, the trial ends when an input of that cost is found. Practice that would take more
than half of the CPU time is broken off: whoever has not finished it hunts with what it has learned so far. A
path that is on when the CPU time is over is broken off; an input that begins like it counts.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.worst.subjects import SUBJECTS
from untrod.engines.worst.costs import make_cost
from untrod.engines.worst.policies.catalogue import make_policy
from untrod.engines.worst.protocol import Attempt, SearchPolicy
from untrod.engines.worst.subject import Executors, Subject, SubjectEnvironment


class NoBeacon:
    """Nobody watches: the trial runs without a guarded worker around it."""

    def begin(self, episode: int) -> None: ...

    def trace(self, answers: list[int]) -> None: ...

    def end(self) -> None: ...


@dataclass
class Spent:
    attempts: int = 0
    paths: int = 0
    infeasible: int = 0
    solver_calls: int = 0
    cpu: float = 0.0

    def add(self, attempt: Attempt) -> None:
        self.attempts += 1
        self.paths += bool(attempt.branches)
        self.infeasible += attempt.infeasible
        self.solver_calls += attempt.solver_calls


class Trial:
    def __init__(
        self, subject: str, policy: str, seed: int, attempts: int, cpu: float, enough: int | None = None
    ) -> None:
        of = SUBJECTS[subject]
        self._subject = Subject(
            subject,
            of.function,
            make_cost("branches"),
            NoBeacon(),
            Path(tempfile.gettempdir()),
            factory=of.shape,
            make_executor=Executors(),
            seconds=4 * cpu,  # of wall time: what a busy machine takes for that much CPU time
            seed=seed,
        )
        self._policy: SearchPolicy = make_policy(policy, seed)
        self._attempts, self._cpu, self._enough = attempts, cpu, enough
        self._started = time.process_time()
        self._environments: dict[int, SubjectEnvironment] = {}

    def run(self, size: int) -> dict[str, Any]:
        lessons = Spent()
        for lesson in self._policy.lessons(size):
            self._policy.grow(lesson.size, lesson=True)
            self._steps(self._environment(lesson.size), lesson.steps, lessons, lessons, self._cpu / 2)
        self._policy.grow(size)
        env, spent = self._environment(size), Spent()
        ended = self._steps(env, self._attempts, spent, lessons, self._cpu, self._enough)
        best = env.best
        return {
            "best": best.cost if best is not None else None,
            "raises": best.error if best is not None else "",
            "to_best": self._to_best,
            "spent": asdict(spent),
            "lessons": asdict(lessons),
            "ended": ended,
        }

    def _environment(self, size: int) -> SubjectEnvironment:
        if size not in self._environments:
            self._environments[size] = self._subject.environment(size)
        return self._environments[size]

    def _steps(
        self,
        env: SubjectEnvironment,
        steps: int,
        spent: Spent,
        lessons: Spent,
        cpu: float,
        enough: int | None = None,
    ) -> str:
        self._to_best: dict[str, Any] = asdict(Spent())
        last = spent.attempts + steps
        end = self._started + cpu
        self._subject.over = lambda: time.process_time() > end
        while spent.attempts < last:
            if self._subject.over():
                return "out of CPU time"
            attempt = self._policy.step(env)
            if attempt is None:
                return "exhausted"
            book = lessons if attempt.practice else spent
            book.add(attempt)
            book.cpu = time.process_time() - self._started
            if attempt.counts and (env.best is None or attempt.cost > env.best.cost):
                env.best = attempt
                self._to_best = asdict(spent)
                if enough is not None and attempt.cost >= enough:
                    return "found the worst"
        return "finished"


def run(
    subject: str, policy: str, size: int, seed: int, attempts: int, cpu: float, enough: int | None = None
) -> dict[str, Any]:
    try:
        return Trial(subject, policy, seed, attempts, cpu, enough).run(size)
    except ImportError as missing:
        return {"skipped": f"needs a missing package: {missing}"}
    except Exception as error:
        traceback.print_exc()
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0][:200]}


def main() -> None:
    """What a subject prints must not mix with the result: stdout is given to stderr meanwhile."""
    subject, policy, size, seed, attempts, cpu, *enough = sys.argv[1:]
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    known = int(enough[0]) if enough else None
    answer.write(json.dumps(run(subject, policy, int(size), int(seed), int(attempts), float(cpu), known)))
    answer.close()


if __name__ == "__main__":
    main()
