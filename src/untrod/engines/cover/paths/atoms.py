"""The features of a state: facts about its path that have the same name in every round and for every engine.

HOMI's features are the branch conditions of the form *lvalue = constant*. What the lvalue is called differs
from template to template, and from engine to engine; where it is compared does not. So an atom is the place
of the branch with the comparison as it was decided: `parse:12 == 48`. The place is function and line, since
the lean engine's rewritten code has bytecode offsets of its own. Where a condition is no such comparison, the
atom is the place and the side.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from untrod.symbolic.protocol import Branch, State

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MOST_TRAILS = 2_000


def atom(branch: Branch, side: bool) -> str:
    location, core = branch.location, branch.condition.core()
    if core is None:
        return f"{location.unit}:{location.line} {'yes' if side else 'no'}"
    _, operator, constant = core
    return f"{location.unit}:{location.line} {operator if side else _OPPOSITE[operator]} {constant}"


class Atoms:
    """Of many states that share their trails, each trail is read once. `name` gives a decision's name."""

    def __init__(self, name: Callable[[Branch, bool], str] = atom) -> None:
        self._name = name
        self._known: OrderedDict[int, tuple[tuple[Branch, ...], list[str]]] = OrderedDict()

    def of(self, state: State) -> tuple[str, ...]:
        """In the order of the path, each once."""
        if not state.depth:
            return ()
        names = self._along(state.trail)[: state.depth - 1]
        last = state.trail[state.depth - 1]
        return tuple(dict.fromkeys([*names, self._name(last, not last.taken)]))

    def of_path(self, branches: tuple[Branch, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._along(branches)))

    def _along(self, trail: tuple[Branch, ...]) -> list[str]:
        found = self._known.get(id(trail))
        if found is None:
            # Holding the trail keeps its id from being given to another.
            found = self._known[id(trail)] = (trail, [self._name(branch, branch.taken) for branch in trail])
            if len(self._known) > MOST_TRAILS:
                self._known.popitem(last=False)
        return found[1]
