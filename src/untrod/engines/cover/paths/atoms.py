"""The features of a state: facts about its path that have the same name in every round and for every engine.

HOMI's features are the branch conditions of the form *lvalue = constant*, with `and` and `or`. An atom is the
place of the branch, and which values of which input it has left: `parse:12 parse.0[3] in 48..57` is about the
fourth character of the first argument. The place is function and line, since the lean engine's rewritten code
has bytecode offsets of its own. The lvalue is where the template has its hole: engines number the holes, and
numbers differ from template to template. Where more than one input decides, the atom is the place and the
side.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol

from untrod.symbolic.protocol import Branch, State
from untrod.symbolic.ranges import complement, described

MOST_TRAILS = 2_000


class Named(Protocol):
    """Who knows what the inputs of a path are called in every round."""

    def lvalue(self, variable: str) -> str: ...


Name = Callable[[Branch, bool, Any], str]
"""Gives a decision the name that it has in every round. The third is the template of its path."""


def atom(branch: Branch, side: bool, template: Named) -> str:
    place, found = f"{branch.location.unit}:{branch.location.line}", branch.condition.ranges()
    if found is None:
        return f"{place} {'yes' if side else 'no'}"
    variable, ranges = found
    return f"{place} {template.lvalue(variable)} {described(ranges if side else complement(ranges))}"


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
