"""The states that wait, and their features.

States are the siblings of what was walked, of all templates together, unchecked. Nothing is paid for a state
that is never picked: no solver has looked at it, and it shares its trail with the other siblings of its path.
There are at most `most` of them; beyond that the oldest go, and are counted.

The features of a state are facts about its path that have the same name in every round and for every
executor. HOMI's features are the branch conditions of the form *lvalue = constant*, with `and` and `or`. An
atom is the place of the branch, and which values of which input it has left: `parse:12 parse.0[3] in 48..57`
is about the fourth character of the first argument. The place is function and line, since the lean executor's
rewritten code has bytecode offsets of its own. The lvalue is where the template has its hole: executors
number the holes, and numbers differ from template to template. Where more than one input decides, the atom is
the place and the side.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Protocol

from untrod.engines.cover.case import Input
from untrod.symbolic.protocol import Branch, Follower, Searcher, State, SymbolicExecutor
from untrod.symbolic.ranges import complement, described

MOST_STATES = 20_000
MOST_TRAILS = 2_000


class AnyTemplate(Protocol):
    """An input, parts of which are symbolic. `values` are those of the input it was made from."""

    @property
    def entry(self) -> str: ...

    @property
    def values(self) -> tuple[Any, ...]: ...

    def input(self, values: tuple[Any, ...]) -> Input: ...


class FollowingExecutor(SymbolicExecutor, Follower, Protocol):
    """`follow` is for those that say that they can."""


@dataclass(frozen=True, slots=True, eq=False)
class Walker:
    """A template and the executor that walks its paths."""

    template: AnyTemplate
    executor: FollowingExecutor


class NamesInputs(Protocol):
    """A template that can say what the inputs of a path are called in every round."""

    def lvalue(self, variable: str) -> str: ...


Name = Callable[[Branch, bool, Any], str]
"""Gives a decision the name that it has in every round. The third is the template of its path."""


def atom(branch: Branch, side: bool, template: NamesInputs) -> str:
    place, found = f"{branch.location.unit}:{branch.location.line}", branch.condition.ranges()
    if found is None:
        return f"{place} {'yes' if side else 'no'}"
    variable, ranges = found
    return f"{place} {template.lvalue(variable)} {described(ranges if side else complement(ranges))}"


class Frontier:
    """States get numbers of their own here, so that those of different executors can wait together."""

    def __init__(
        self,
        searcher: Searcher,
        most: int = MOST_STATES,
        name: Name = atom,
        numbers: Iterator[int] | None = None,
    ) -> None:
        """`numbers` for the states: searchers remember them, so frontiers of a campaign share none."""
        self._searcher = searcher
        self._most = most
        self._held: dict[int, tuple[State, Walker]] = {}
        self._numbers = count(1) if numbers is None else numbers
        self.atoms = Atoms(name)
        self.overflowed = 0

    def __len__(self) -> int:
        return len(self._held)

    def start(self, state: State) -> State:
        """An initial state, numbered: the parent of what its path leaves behind."""
        return replace(state, id=next(self._numbers))

    def add(self, states: Iterable[State], walker: Walker) -> None:
        """Siblings that a path has left; `parent` is the state that the path started from."""
        added = [replace(state, id=next(self._numbers)) for state in states]
        self._held |= {state.id: (state, walker) for state in added}
        self._searcher.add(added)
        if len(self._held) > self._most:
            oldest = list(self._held)[: len(self._held) - self._most]
            self.overflowed += len(oldest)
            self.drop(oldest)

    def pick(self) -> tuple[State, Walker]:
        """The searcher's choice; it waits no longer."""
        state = self._searcher.select()
        found = self._held.pop(state.id)
        self._searcher.remove([state.id])
        return found

    def drop(self, ids: Iterable[int]) -> list[tuple[State, Walker]]:
        dropped = [self._held.pop(number) for number in ids]
        self._searcher.remove([state.id for state, _ in dropped])
        return dropped

    def features(self) -> dict[int, tuple[str, ...]]:
        held = self._held.items()
        return {number: self.atoms.of(state, walker.template) for number, (state, walker) in held}

    def ids(self) -> list[int]:
        return list(self._held)


class Atoms:
    """Of many states that share their trails, each trail is read once. `name` gives a decision's name."""

    def __init__(self, name: Name = atom) -> None:
        self._name = name
        self._known: OrderedDict[int, tuple[tuple[Branch, ...], list[str]]] = OrderedDict()

    def of(self, state: State, template: Any) -> tuple[str, ...]:
        """In the order of the path, each once."""
        if not state.depth:
            return ()
        names = self._along(state.trail, template)[: state.depth - 1]
        last = state.trail[state.depth - 1]
        return tuple(dict.fromkeys([*names, self._name(last, not last.taken, template)]))

    def of_path(self, branches: tuple[Branch, ...], template: Any) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._along(branches, template)))

    def _along(self, trail: tuple[Branch, ...], template: Any) -> list[str]:
        found = self._known.get(id(trail))
        if found is None:
            # Holding the trail keeps its id from being given to another.
            names = [self._name(branch, branch.taken, template) for branch in trail]
            found = self._known[id(trail)] = (trail, names)
            if len(self._known) > MOST_TRAILS:
                self._known.popitem(last=False)
        return found[1]
