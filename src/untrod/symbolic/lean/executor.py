"""The door to the lean engine: `protocol.SymbolicExecutor` for one function and one shape of arguments."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.validity import Rejected
from untrod.symbolic.lean import current, terms
from untrod.symbolic.lean.bools import make_bool
from untrod.symbolic.lean.candidate import Candidate
from untrod.symbolic.lean.counting import counted
from untrod.symbolic.lean.current import NoRun, Stop
from untrod.symbolic.lean.ints import make_int
from untrod.symbolic.lean.memory import Memory
from untrod.symbolic.lean.realise import realise
from untrod.symbolic.lean.rewriting import Rewritten
from untrod.symbolic.lean.run import Run
from untrod.symbolic.lean.solver import Constraint, Solver
from untrod.symbolic.lean.strings import join_characters, make_text
from untrod.symbolic.lean.suits import unsuited
from untrod.symbolic.protocol import (
    BranchPolicy,
    Feasibility,
    PathResult,
    PathStats,
    State,
    Status,
)
from untrod.symbolic.shapes import Arguments, Bool, Char, assemble, leaves

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
            {"int", "bool", "str"} | ({"instructions"} if count_instructions else set())
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
        started = time.process_time()
        self._tidy()
        memory, solver = self._memory, self._memory.solver
        solver.begin()
        memory.instructions = 0
        calls = solver.calls
        run = Run(memory, state, policy, max_branches, deadline)
        value, error = self._execute(run)
        candidate = self._candidate(run)
        status, reason = _status(run, error)
        units = solver.units() if solver.calls > calls else 0
        spent, memory.units = (units - memory.units, units) if units else (0, memory.units)
        pending = self._pending(state, run, calls, spent) if status != "infeasible" else ()
        inputs = None
        if candidate is not None and status not in ("infeasible", "diverged", "unknown"):
            inputs = self._inputs(candidate)
            value, error = realise(value, candidate), _detached(error, candidate)
        stats = PathStats(solver.calls - calls, spent, run.hits, time.process_time() - started)
        ended = status in ("done", "raised", "ignored")
        return PathResult(
            status,
            pending[0].trail if pending else tuple(run.branches),
            pending,
            inputs,
            value if status == "done" else None,
            error if ended else None,
            reason,
            stats,
        )

    def check(self, state: State) -> Feasibility:
        self._memory.solver.begin()
        return self._memory.solver.check(_constraints(state))

    def solve(self, state: State) -> tuple[Any, ...] | None:
        if self.check(state) != "sat":
            return None
        return self._inputs(self._memory.solver.candidate())

    def release(self, ids: Iterable[int]) -> None:
        """Nothing is kept for a state: its trail is all there is."""

    def _execute(self, run: Run) -> tuple[Any, BaseException | None]:
        arguments = assemble(self._shape, self._proxies(), join_characters)
        current.run = run
        try:
            with self._rewritten, counted(self._memory) if self._counting else _NOTHING:
                return self._function(*arguments), None
        except KeyboardInterrupt:
            raise
        except Stop:
            return None, None
        except BaseException as error:
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

    def _candidate(self, run: Run) -> Candidate | None:
        """An input for what the path has come to, wherever it ended."""
        if run.stopped is not None and run.stopped.status in ("infeasible", "diverged", "unknown"):
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

    def _pending(self, state: State, run: Run, calls: int, units: int) -> tuple[State, ...]:
        """The siblings of what was decided on this path beyond its prefix."""
        trail = tuple(run.branches)
        unit = units / max(1, self._memory.solver.calls - calls)
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
        """A long campaign must not keep every term it ever met."""
        if terms.table_size() > MOST_TERMS or len(self._memory.solver) > MOST_TERMS:
            terms.forget()
            self._memory.solver.reset()


class _Nothing:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


_NOTHING = _Nothing()


def _constraints(state: State) -> list[Constraint]:
    """The path condition of a state, read off its trail."""
    pairs = zip(state.trail, state.path(), strict=False)
    return [(branch.condition, side) for branch, side in pairs if isinstance(branch.condition, terms.Term)]


def _status(run: Run, error: BaseException | None) -> tuple[Status, str]:
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
            error.args = realise(error.args, candidate)
        except Exception:
            pass  # a class of its own that guards its arguments
    return error
