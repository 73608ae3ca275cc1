"""The native engine's `protocol.SymbolicExecutor` for one program and the fields of its input.

It is concolic: a path is run on an input, so all its decisions are known before the policy is asked.
A policy that wants another side than the input takes costs a run more; `follow` wants what the input does.
An input is `fields.Values`; what a path gives back as its value is (status, standard output), the status as
`waitpid` has it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from untrod.symbolic.native import terms
from untrod.symbolic.native.elf import Image
from untrod.symbolic.native.fields import Fields, Values
from untrod.symbolic.native.lifter import Decision
from untrod.symbolic.native.machine import INSTRUCTIONS, Machine, Walk
from untrod.symbolic.native.solver import RLIMIT, Constraint, NativeSolver
from untrod.symbolic.native.trail import Trail, as_branches, as_decisions
from untrod.symbolic.protocol import (
    Branch,
    BranchPolicy,
    Condition,
    Feasibility,
    Location,
    PathResult,
    PathStats,
    State,
    Status,
)

MOST_TERMS = 400_000
RERUNS = 100
"""So often may a policy want another side on one path."""


class NativeExecutor:
    name = "native"
    capabilities = frozenset({"bytes", "follow", "instructions"})

    def __init__(
        self,
        image: Image,
        fields: Fields,
        library: Path,
        *,
        rlimit: int = RLIMIT,
        instructions: int = INSTRUCTIONS,
        seed: int = 0,
    ) -> None:
        """`library` is `shadow.SOURCE`, compiled to a shared object."""
        self.fields = fields
        self.image = image
        self.machine = Machine(image, fields, library, instructions)
        self.solver = NativeSolver(rlimit, seed)
        self.counts: Counter[str] = Counter()
        self.last: Walk | None = None
        self._ids = count(1)

    def initial(self) -> State:
        return State(id=0, parent=None, feasibility="sat")

    def advance(
        self, state: State, policy: BranchPolicy, *, max_branches: int, deadline: float | None = None
    ) -> PathResult:
        self._tidy()
        before, started = (self.solver.calls, self.solver.units, self.solver.masks), time.process_time()

        def stats() -> PathStats:
            calls, units, hits = before
            return PathStats(
                self.solver.calls - calls,
                self.solver.units - units,
                self.solver.masks - hits,
                time.process_time() - started,
            )

        self.last = None
        if deadline is not None and time.monotonic() > deadline:
            return PathResult("limit", (), reason="out of time", stats=stats())
        values = policy.values if isinstance(policy, InputPolicy) else None
        if values is None:
            answer, values = self._inputs(state)
            if values is None:
                status: Status = "infeasible" if answer == "unsat" else "unknown"
                words = "no input reaches this state" if answer == "unsat" else "the solver gave up"
                return PathResult(status, state.trail[: max(0, state.depth - 1)], reason=words, stats=stats())
        path = state.path()
        walk, branches = self._run(values, max_branches, deadline, as_decisions(state))
        if not _follows(branches, path):
            self.counts["diverged"] += 1
            reason = "the same decisions led to another branch than before"
            return PathResult("diverged", branches, reason=reason, stats=stats())
        if not isinstance(policy, InputPolicy):
            walk, branches, values = self._steer(
                values, walk, branches, len(path), policy, max_branches, deadline
            )
        return self._result(state, Trail(branches, values), walk, values, stats())

    def check(self, state: State) -> Feasibility:
        return self._inputs(state)[0]

    def solve(self, state: State, *, deadline: float | None = None) -> Values | None:
        if deadline is not None and time.monotonic() > deadline:
            return None
        return self._inputs(state)[1]

    def follow(self, inputs: tuple[Any, ...]) -> BranchPolicy:
        return InputPolicy(self.fields.check(inputs))

    def release(self, ids: Iterable[int]) -> None:
        """Nothing is kept for a state: its trail is all there is."""

    def close(self) -> None:
        self.machine.close()

    # -- within a path ----------------------------------------------------------------------------

    def _inputs(self, state: State) -> tuple[Feasibility, Values | None]:
        """An input that reaches `state`: that of the path which left it, with few bytes changed."""
        trail, fields = state.trail, self.fields
        values = trail.values if isinstance(trail, Trail) else fields.blank()
        if not state.depth:
            return "sat", values
        flat = fields.flat(values)
        constraints = _constraints(trail[: state.depth], state.path())
        solve = self.solver.solve if isinstance(trail, Trail) else self.solver.solve_all
        answer, found = solve(constraints, flat)
        return answer, fields.fields(found, values) if found is not None else None

    def _run(
        self, values: Values, most: int, deadline: float | None, expected: Sequence[Decision]
    ) -> tuple[Walk, tuple[Branch, ...]]:
        walk = self.last = self.machine.run(values, most_branches=most, deadline=deadline, expected=expected)
        self.counts["instructions"] += walk.instructions
        self.counts["touched"] += walk.touched
        return walk, as_branches(walk.decisions, self.image)

    def _steer(
        self,
        values: Values,
        walk: Walk,
        branches: tuple[Branch, ...],
        place: int,
        policy: BranchPolicy,
        most: int,
        deadline: float | None,
    ) -> tuple[Walk, tuple[Branch, ...], Values]:
        """Ask the policy about every branch from `place` on; run again where it wants another side."""
        decided = list(branches[:place])
        reruns = 0
        while place < len(branches):
            branch = branches[place]
            if branch.kind == "implied":
                decided.append(branch)
                place += 1
                continue
            wanted = policy.decide(branch.location, branch.condition, decided)
            feasible, other = True, branch.other
            if wanted != branch.taken and reruns < RERUNS:
                sibling = State(-1, None, Trail(branches[: place + 1], values), place + 1)
                other, found = self._inputs(sibling)
                feasible = other != "unsat"
                if found is not None:
                    reruns += 1
                    again, following = self._run(found, most, deadline, as_decisions(sibling))
                    if _follows(following, (*(b.taken for b in branches[:place]), wanted)):
                        walk, branches, values, branch = again, following, found, following[place]
                        other = "sat"
                    else:
                        self.counts["diverged"] += 1
                        other = "unknown"
            told = _told(branch, wanted, other if wanted != branch.taken else branch.other)
            policy.feedback(told, feasible)
            decided.append(told)
            place += 1
        return walk, tuple(decided), values

    def _result(self, state: State, trail: Trail, walk: Walk, values: Values, stats: PathStats) -> PathResult:
        status: Status = "done" if not walk.cut else "limit"
        reason = _REASONS.get(walk.cut, f"cut off: too many {walk.cut}") if walk.cut else ""
        pending = tuple(
            State(
                next(self._ids),
                state.id,
                trail,
                depth + 1,
                state.query_cost + stats.solver_units,
                walk.instructions,
            )
            for depth in range(state.depth, len(trail))
            if trail[depth].other == "unchecked"
        )
        value = (walk.status, walk.output) if not walk.cut else None
        return PathResult(status, trail, pending, values, value, None, reason, stats)

    def _tidy(self) -> None:
        """Bounds the memory of a long campaign: not all terms are kept."""
        if terms.table_size() > MOST_TERMS:
            terms.forget()
            self.machine.forget()
            self.solver.forget()


_REASONS = {
    "time": "out of time",
    "memory": "cut off: too much memory",
    "output": "cut off: too much output",
    "code": "cut off: the program changes its own code",
}


class InputPolicy:
    """Takes the sides that this input takes. `advance` runs the input and asks nothing."""

    def __init__(self, values: Values) -> None:
        self.values = values

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        raise RuntimeError("a native executor runs the input, and asks no policy")

    def feedback(self, branch: Branch, feasible: bool) -> None:
        """Nothing to learn."""


def _follows(branches: Sequence[Branch], path: Sequence[bool]) -> bool:
    return len(branches) >= len(path) and all(
        branch.taken == side for branch, side in zip(branches, path, strict=False)
    )


def _told(branch: Branch, wanted: bool, other: Feasibility) -> Branch:
    return Branch(branch.location, branch.condition, wanted, branch.taken, other, branch.kind)


def _constraints(trail: Sequence[Branch], path: Sequence[bool]) -> list[Constraint]:
    return [
        (branch.condition, side)  # type: ignore[misc]
        for branch, side in zip(trail, path, strict=True)
        if branch.kind != "implied"
    ]
