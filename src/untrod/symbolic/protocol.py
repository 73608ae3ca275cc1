"""The interfaces of symbolic executors, branch policies and searchers.

The unit is a *path by re-execution*: the executor runs the function from its start with symbolic arguments,
and at every branch on a symbolic value a `BranchPolicy` says which side it wants. The executor finds out
whether that side is feasible, takes the other one if it is not, and goes on. What was not taken is handed
back as pending states, their feasibility *unchecked*: a pruning (`learn/pruning.py`) can drop states before
the solver was asked about them.

    frontier = [executor.initial()]
    while frontier:
        state = searcher.select()
        result = executor.advance(state, policy, max_branches=..., deadline=...)
        searcher.add(result.pending)

`worst` steers by the policy and mostly starts at the initial state; `cover` steers by the searcher and the
pruning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from untrod.symbolic.ranges import Ranges

Feasibility = Literal["sat", "unsat", "unknown", "unchecked"]
"""`unknown` is the solver's third answer: neither infeasible nor explored. `unchecked`: not asked yet."""

BranchKind = Literal["user", "internal", "value", "implied"]
"""`user`: a branch of the code under test. `internal`: one that the engine's own modelling raised. `value`:
a value made concrete (`range(x)`, an index), as the decision "is it this one?". `implied`: asked before on
this path, so its answer was certain; it has a place on the path and cost nothing."""

Status = Literal["done", "raised", "infeasible", "unknown", "limit", "ignored", "diverged", "unsupported"]
"""How a path ended. `infeasible`: the state it was to start from is not feasible. `limit`: too many branches
or past the deadline. `ignored`: the code under test said that the input does not count. `diverged`:
re-running the prefix met another branch than before: the function is not deterministic. `unsupported`: an
operation the engine cannot model."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a branch stands: a code object's qualified name, the line, and the bytecode offset within it."""

    unit: str
    line: int
    offset: int


class Condition(Protocol):
    """The condition of a branch, in the engine's own form."""

    @property
    def key(self) -> int:
        """Equal for structurally equal conditions, on every path of the same executor. Cheap."""
        ...

    def ranges(self) -> tuple[str, Ranges] | None:
        """(variable, the values for which this holds) where one input is compared with constants, be it
        with `and`, `or` and `not`; else None."""
        ...

    def smt2(self) -> str:
        """For a person to read: slow."""
        ...


@dataclass(frozen=True, slots=True)
class Branch:
    """One decision on a path. `other` is what is known of the side not taken."""

    location: Location
    condition: Condition
    wanted: bool
    taken: bool
    other: Feasibility = "unchecked"
    kind: BranchKind = "user"


@dataclass(frozen=True, slots=True)
class State:
    """A place from which execution can go on: the first `depth` branches of `trail`, the last one flipped.

    The siblings that one path leaves behind share its trail, so a path of n branches costs n, not n squared.
    The initial state has an empty trail and depth 0.
    """

    id: int
    parent: int | None
    trail: tuple[Branch, ...] = ()
    depth: int = 0
    query_cost: int = 0  # solver units (rlimit) spent along the path
    instructions: int = 0  # bytecodes executed along the path
    feasibility: Feasibility = "unchecked"

    @property
    def location(self) -> Location | None:
        return self.trail[self.depth - 1].location if self.depth else None

    def path(self) -> tuple[bool, ...]:
        """The decisions to take, one for each branch."""
        if not self.depth:
            return ()
        before = tuple(branch.taken for branch in self.trail[: self.depth - 1])
        return (*before, not self.trail[self.depth - 1].taken)


@dataclass(frozen=True, slots=True)
class PathStats:
    solver_calls: int = 0
    solver_units: int = 0  # Z3's rlimit: what a solver call cost, the same on every machine
    model_hits: int = 0  # branches answered by the last model, without the solver
    cpu: float = 0.0
    outages: int = 0  # how often the solver has run out of memory, since the last path


@dataclass(frozen=True, slots=True)
class PathResult:
    """One path run to its end. `inputs` are the concrete arguments that walk it, None when there are none."""

    status: Status
    branches: tuple[Branch, ...]
    pending: tuple[State, ...] = ()
    inputs: tuple[Any, ...] | None = None
    value: Any = None
    error: BaseException | None = None
    reason: str = ""  # for `unsupported`, `diverged`, `unknown`: in words
    stats: PathStats = field(default_factory=PathStats)


class Enough(Exception):
    """A policy raises it when asked, to break a path of Python code off there: it ends as `limit`."""


class BranchPolicy(Protocol):
    """Says which side of a branch to try first."""

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        """The wanted side of this branch; `history` are the branches before it on this path.

        May raise `Enough`.
        """
        ...

    def feedback(self, branch: Branch, feasible: bool) -> None:
        """What became of the last decision: `branch` as it was taken, `feasible` for the wanted side."""
        ...


class SymbolicExecutor(Protocol):
    """Runs one function on symbolic arguments, one path at a time, keeping the solver warm between paths."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> frozenset[str]: ...

    def initial(self) -> State: ...

    def advance(
        self, state: State, policy: BranchPolicy, *, max_branches: int, deadline: float | None = None
    ) -> PathResult:
        """Run from the start along `state.path()`, then as `policy` wants, to the end of the path.

        The prefix is taken to be feasible but for its last decision, which is checked when it is `unchecked`.
        `deadline` is a `time.monotonic()`; no exception of the code under test comes out of here.
        """
        ...

    def check(self, state: State) -> Feasibility:
        """Is there an input that reaches `state`?"""
        ...

    def solve(self, state: State, *, deadline: float | None = None) -> tuple[Any, ...] | None:
        """Concrete arguments that reach `state`, None when it is not known to be feasible in time."""
        ...

    def release(self, ids: Iterable[int]) -> None:
        """These states will not be asked for again."""
        ...


class Follower(Protocol):
    """What an executor with the capability `follow` can do besides: walk where a known input goes."""

    def follow(self, inputs: tuple[Any, ...]) -> BranchPolicy:
        """The policy that takes the sides these arguments take. It needs next to no solver.

        Raises ValueError when they do not have the executor's shape. Use it for one `advance`, at once.
        """
        ...


class MeasuresShortfalls(Protocol):
    """What an executor with the capability `shortfalls` can do besides."""

    def shortfalls(self, branches: Sequence[Branch], inputs: tuple[Any, ...]) -> Sequence[int | None]:
        """By how much each of these, of a path that `inputs` walk, was off the side not taken: at least 1,
        None where that cannot be told."""
        ...


class Searcher(Protocol):
    """Chooses which state to run next (KLEE's `Searcher`). See `searchers/`."""

    def add(self, states: Iterable[State]) -> None: ...

    def remove(self, ids: Iterable[int]) -> None: ...

    def select(self) -> State:
        """The next state; it stays in the searcher until it is removed. Never called on an empty one."""
        ...

    def __len__(self) -> int: ...
