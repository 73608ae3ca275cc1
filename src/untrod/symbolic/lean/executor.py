"""The lean engine's `protocol.SymbolicExecutor` for one function and one shape of arguments."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.interrupts import is_pressed
from untrod.core.validity import Rejected
from untrod.symbolic.lean import current, solver_pool, terms
from untrod.symbolic.lean.bools import LeanBool, make_bool
from untrod.symbolic.lean.candidate import Candidate, CandidatePolicy, shortfall
from untrod.symbolic.lean.current import NoRun, Stop
from untrod.symbolic.lean.ints import LeanInt, make_int
from untrod.symbolic.lean.memory import Memory
from untrod.symbolic.lean.meter import Meter, counted
from untrod.symbolic.lean.rewriting import Rewritten
from untrod.symbolic.lean.run import PathRun
from untrod.symbolic.lean.session import Constraint
from untrod.symbolic.lean.solver import Solver
from untrod.symbolic.lean.strings import LeanStr, join_characters, make_text
from untrod.symbolic.lean.suits import unsuited
from untrod.symbolic.protocol import (
    Branch,
    BranchPolicy,
    Feasibility,
    PathResult,
    State,
    Status,
)
from untrod.symbolic.shapes import Arguments, Bool, Char, assemble, disassemble, leaves

RLIMIT = 20_000_000
"""Solver units for one check: seconds, where a usual check takes a few hundred microseconds."""
MOST_TERMS = 400_000
_PROXY = re.compile(r"\bLean(Int|Bool|Str)\b")


class LeanExecutor:
    """`count_instructions` makes `State.instructions` true, at the price of tracing every bytecode."""

    name = "lean"

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: Arguments,
        *,
        rlimit: int = RLIMIT,
        count_instructions: bool = False,
    ) -> None:
        reason = unsuited(arguments)
        if reason:
            raise UntrodError(f"the lean engine cannot take {reason}", "use the engine crosshair")
        self.capabilities = frozenset(
            {"int", "bool", "str", "follow", "shortfalls"}
            | ({"instructions"} if count_instructions else set())
        )
        self._function = function
        self._shape = arguments
        self._leaves = list(leaves(arguments).values())
        self._memory = Memory(Solver(self._leaves, rlimit))
        self._rewritten = Rewritten(function)
        self._counting = count_instructions
        self._ids = count(1)

    def initial(self) -> State:
        return State(id=0, parent=None, feasibility="sat")

    def advance(
        self, state: State, policy: BranchPolicy, *, max_branches: int, deadline: float | None = None
    ) -> PathResult:
        self._tidy()
        memory = self._memory
        memory.instructions = 0
        meter = Meter(memory)
        answer = self._feasible(state, deadline)
        if answer == "unsat":
            reason = "no input reaches this state"
            return PathResult(
                "infeasible", state.trail[: state.depth - 1], reason=reason, stats=meter.stats()
            )
        if answer == "unknown":
            late = deadline is not None and time.monotonic() > deadline
            reason = "out of time" if late else "the solver gave up on the state to start from"
            return PathResult("limit" if late else "unknown", (), reason=reason, stats=meter.stats())
        memory.solver.begin()
        run = PathRun(memory, state, policy, max_branches, deadline)
        value, error = self._execute(run)
        candidate = self._candidate(run)
        status, reason = _status(run, error)
        stats = meter.stats(run.hits)
        pending = self._pending(state, run, meter.per_call(stats), meter.calls)
        if candidate is not None:
            value, error = _realise(value, candidate), _detached(error, candidate)
        ended = status in ("done", "raised", "ignored")
        return PathResult(
            status,
            pending[0].trail if pending else tuple(run.branches),
            pending,
            None if candidate is None or status in ("diverged", "unknown") else self._inputs(candidate),
            value if status == "done" else None,
            error if ended else None,
            reason,
            stats,
        )

    def check(self, state: State) -> Feasibility:
        self._tidy()
        self._memory.solver.begin()
        return self._memory.solver.check(_constraints(state))

    def solve(self, state: State, *, deadline: float | None = None) -> tuple[Any, ...] | None:
        self._tidy()
        self._memory.solver.begin()
        if self._memory.solver.check(_constraints(state), deadline=deadline) != "sat":
            return None
        return self._inputs(self._memory.solver.candidate())

    def follow(self, inputs: tuple[Any, ...]) -> BranchPolicy:
        """The next path finds these inputs at hand as a model that takes every wanted side."""
        self._memory.candidate = self._known(inputs)
        return CandidatePolicy(self._memory.candidate)

    def shortfalls(self, branches: Sequence[Branch], inputs: tuple[Any, ...]) -> Sequence[int | None]:
        known = self._known(inputs)
        return [
            shortfall(branch.condition, not branch.taken, known)
            if isinstance(branch.condition, terms.Term)
            else None
            for branch in branches
        ]

    def release(self, ids: Iterable[int]) -> None:
        """Nothing is kept for a state: its trail is all there is."""

    def _known(self, inputs: tuple[Any, ...]) -> Candidate:
        values = [ord(v) if isinstance(v, str) else v for v in disassemble(self._shape, inputs)]
        return Candidate(values.__getitem__)

    def _feasible(self, state: State, deadline: float | None) -> Feasibility:
        """By its conditions alone: most siblings on some paths are infeasible, and are not worth a run."""
        if not state.depth or state.feasibility in ("sat", "unsat"):
            return state.feasibility
        constraints, memory = _constraints(state), self._memory
        candidate = memory.candidate
        # The last one first: it is where this path leaves the one that made the candidate.
        backwards = reversed(constraints)
        if candidate is not None and all(candidate.evaluate(term) == side for term, side in backwards):
            memory.reuse.hit()
            return "sat"
        memory.solver.begin()
        answer = memory.solver.check(constraints, deadline=deadline)
        if answer == "sat":
            memory.reuse.used_up()
            if memory.reuse.wants_model():
                memory.candidate = memory.solver.candidate()
        return answer

    def _execute(self, run: PathRun) -> tuple[Any, BaseException | None]:
        arguments = assemble(self._shape, self._proxies(), join_characters)
        current.run = run
        try:
            with self._rewritten, counted(self._memory) if self._counting else _NOTHING:
                return self._function(*arguments), None
        except Stop:
            return None, None
        except BaseException as error:
            if is_pressed(error):
                raise
            return None, error
        finally:
            current.run = NoRun()

    def _proxies(self) -> list[Any]:
        made = []
        for term, leaf in zip(self._memory.solver.inputs, self._leaves, strict=True):
            if isinstance(leaf, Char):
                made.append(make_text((term,)))
            else:
                made.append(make_bool(term) if isinstance(leaf, Bool) else make_int(term))
        return made

    def _candidate(self, run: PathRun) -> Candidate | None:
        """An input for what the path has come to, wherever it ended."""
        if run.stopped is not None and run.stopped.status in ("diverged", "unknown"):
            return None
        try:
            return run.candidate()
        except Stop:
            return None

    def _inputs(self, candidate: Candidate) -> tuple[Any, ...]:
        values = [
            chr(candidate[number]) if isinstance(leaf, Char) else candidate[number]
            for number, leaf in enumerate(self._leaves)
        ]
        return assemble(self._shape, values)  # type: ignore[no-any-return]

    def _pending(self, state: State, run: PathRun, unit: float, calls: int) -> tuple[State, ...]:
        """The siblings of what was decided on this path beyond its prefix. Z3 tells what a path has cost, not
        each call (asking takes as long as one), so a call is taken to cost `unit`."""
        trail = tuple(run.branches)
        return tuple(
            State(
                next(self._ids),
                state.id,
                trail,
                depth + 1,
                state.query_cost + int((run.calls_at[depth] - calls) * unit),
                run.instructions_at[depth],
            )
            for depth in range(state.depth, len(trail))
            if trail[depth].other == "unchecked"
        )

    def _tidy(self) -> None:
        """Bounds the memory of a long campaign: neither all terms are kept, nor all solvers."""
        solver_pool.use(self._memory)
        if terms.table_size() > MOST_TERMS or len(self._memory.solver) > MOST_TERMS:
            terms.forget()
            solver_pool.release_all()  # they hold translations of forgotten terms


class _Nothing:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


_NOTHING = _Nothing()


def _constraints(state: State) -> list[Constraint]:
    """The path condition of a state, read off its trail."""
    return [
        (branch.condition, side)
        for branch, side in zip(state.trail, state.path(), strict=False)
        if branch.kind != "implied" and isinstance(branch.condition, terms.Term)
    ]


def _status(run: PathRun, error: BaseException | None) -> tuple[Status, str]:
    if run.stopped is not None:
        return run.stopped.status, run.stopped.reason
    if not run.followed():
        return "diverged", "the path ended before the state it was to start from"
    if error is None:
        return "done", ""
    if isinstance(error, Rejected):
        return "ignored", ""
    if isinstance(error, TypeError) and _PROXY.search(str(error)):
        return "unsupported", f"Python did not accept a symbolic value: {error}"
    return "raised", ""


def _detached(error: BaseException | None, candidate: Candidate) -> BaseException | None:
    """Without the frames that it would keep alive, and with values for what was symbolic in its arguments."""
    if error is not None:
        error.__traceback__ = error.__context__ = error.__cause__ = None
        try:
            error.args = _realise(error.args, candidate)
        except Exception:
            pass  # a class of its own that guards its arguments
    return error


def _realise(value: Any, candidate: Candidate) -> Any:
    """What a path returned, with the values that its symbolic parts have under one input.

    Looks into lists, tuples, dicts and sets; other objects are handed on as they are."""
    try:
        return _realised(value, candidate, {})
    except RecursionError:
        return value


def _realised(value: Any, candidate: Candidate, seen: dict[int, Any]) -> Any:
    kind = type(value)
    if kind is LeanInt or kind is LeanBool:
        return candidate.evaluate(value.term)
    if kind is LeanStr:
        return "".join([chr(candidate.evaluate(code)) for code in value.codes])
    if kind not in (list, tuple, dict, set, frozenset):
        return value
    if id(value) in seen:
        return seen[id(value)]
    if kind is list:
        made: list[Any] = []
        seen[id(value)] = made
        made.extend(_realised(part, candidate, seen) for part in value)
        return made
    if kind is dict:
        table: dict[Any, Any] = {}
        seen[id(value)] = table
        for key, part in value.items():
            table[_realised(key, candidate, seen)] = _realised(part, candidate, seen)
        return table
    return kind(_realised(part, candidate, seen) for part in value)
