"""Labels: what is known about one step, and whether an atom holds there.

A step is one action and the screen that it leads to. Its **letter** is the set of labels of both: pairs of
a name and a value, such as ("activity", "MainActivity") or ("actionType", "click"). A name may have several
values: a screen shows many texts.

`[name = value]` holds when some value of that name is exactly this one. `[name ~ value]` holds when some
value of that name contains it; upper and lower case are the same. A name without any value makes both
false, except where the letter says that the name is *unknown*. Then the atom is unknown, too, and a formula
is progressed as far as it goes without it. Two things use that:

- A prediction knows the labels of an action before the action is taken, and nothing of the screen it leads
  to: `Letter.of(labels, known="action")`. As in the paper, the labels of actions are those whose name
  begins with `action`.
- A driver that cannot read a label says so, by the value None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from untrod.ltl.nodes import Atom

Known = Literal["all", "action", "screen"]
"""Which half of the labels a letter speaks about."""

Value: TypeAlias = str | bool | int | float
Values: TypeAlias = Value | Iterable[Value] | None
SINGLE = (str, bool, int, float)


@dataclass(frozen=True, slots=True)
class Letter:
    """The labels of one step. `elapsed` are the milliseconds since the step before; None: not measured."""

    pairs: frozenset[tuple[str, str]]
    unknown: frozenset[str] = frozenset()
    known: Known = "all"
    elapsed: int | None = field(default=None, compare=False)

    @classmethod
    def of(cls, labels: Mapping[str, Values], *, known: Known = "all", elapsed: int | None = None) -> Letter:
        """From a mapping of names to a value, several values, or None for what could not be read."""
        pairs: list[tuple[str, str]] = []
        unknown: list[str] = []
        for name, values in labels.items():
            if values is None:
                unknown.append(name)
            elif isinstance(values, SINGLE):
                pairs.append((name, spelled(values)))
            else:
                pairs += [(name, spelled(value)) for value in values]
        return cls(frozenset(pairs), frozenset(unknown), known, elapsed)

    def __or__(self, other: Letter) -> Letter:
        """Both halves of a step: an action's labels and the screen's."""
        known = self.known if self.known == other.known else "all"
        elapsed = other.elapsed if self.elapsed is None else self.elapsed
        return Letter(self.pairs | other.pairs, self.unknown | other.unknown, known, elapsed)

    def truth(self, atom: Atom) -> bool | None:
        """Does the atom hold at this step? None: the letter does not know."""
        if any(matches(atom, value) for value in self.values(atom.name)):
            return True
        return False if self.knows(atom.name) else None

    def knows(self, name: str) -> bool:
        if name in self.unknown:
            return False
        return self.known == "all" or is_action(name) == (self.known == "action")

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.pairs if key == name]


def matches(atom: Atom, value: str) -> bool:
    if atom.operator == "=":
        return value == atom.value
    return atom.value in value or atom.value.casefold() in value.casefold()


def is_action(name: str) -> bool:
    """The paper's rule: an action's label has a name that begins with `action`."""
    return name.startswith("action")


def spelled(value: Value) -> str:
    """Values in the spelling of formulas: `[checked = true]`."""
    if isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)
