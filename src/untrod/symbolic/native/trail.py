"""The branches of a walk, and the input that took them.

A branch's location has the function as its unit, the distance from the function's start as its line, and the
address as its offset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import cast

from untrod.symbolic.native.conditions import ALL, NativeCondition
from untrod.symbolic.native.elf import Image
from untrod.symbolic.native.fields import Values
from untrod.symbolic.native.lifter import Decision
from untrod.symbolic.protocol import Branch, BranchKind, Feasibility, Location, State

REFUSALS = 8
"""After so many values of a pointer were refused at one instruction, no more are asked for."""


class Trail(tuple[Branch, ...]):
    """A path as `State.trail` has it. It remembers its input: siblings start from that."""

    values: Values

    def __new__(cls, branches: Iterable[Branch], values: Values) -> Trail:
        made = super().__new__(cls, branches)
        made.values = values
        return made


def as_branches(decisions: Sequence[Decision], image: Image) -> tuple[Branch, ...]:
    """The decisions as branches. `implied` are those that earlier ones on the same byte have settled."""
    allowed: dict[int, int] = {}
    refused: Counter[tuple[int, int]] = Counter()
    seen: dict[int, bool] = {}
    made = []
    for decision in decisions:
        condition, side = decision.condition, decision.side
        kind: BranchKind = decision.kind
        other: Feasibility = "unchecked"
        if condition.variable is None:
            if condition.key in seen:
                kind, other = "implied", "unsat"
            seen[condition.key] = side
        else:
            before = allowed.get(condition.variable, ALL)
            after = before & condition.values(side)
            if after == before:
                kind, other = "implied", "unsat"
            allowed[condition.variable] = after
        if kind == "value" and refused[decision.pc, condition.vars] >= REFUSALS:
            other = "unknown"
        elif kind == "value" and not side:
            refused[decision.pc, condition.vars] += 1
        unit, offset = image.function(decision.pc)
        made.append(Branch(Location(unit, offset, decision.pc), condition, side, side, other, kind))
    return tuple(made)


def as_decisions(state: State) -> list[Decision]:
    """The path to a state, as the first decisions of a run."""
    return [
        Decision(
            branch.location.offset,
            cast(NativeCondition, branch.condition),
            side,
            "value" if branch.kind == "value" else "user",
        )
        for branch, side in zip(state.trail, state.path(), strict=False)
    ]
