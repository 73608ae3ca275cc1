"""The language of Karel (as in Bunel et al. 2018), as frozen dataclasses, and programs as text.

    program   := def run() { statement ... }
    statement := action(); | while (condition) { ... } | if (condition) { ... } [else { ... }]
               | repeat (times) { ... }
    action    := move | turnLeft | turnRight | pickMarker | putMarker
    condition := frontIsClear() | leftIsClear() | rightIsClear() | markersPresent() | noMarkersPresent()
               | not condition

`parse(text(program)) == program`; `parsing.py` has the parser. Each line of the text knows the goals that
begin on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

ACTIONS = ("move", "turnLeft", "turnRight", "pickMarker", "putMarker")
CONDITIONS = ("frontIsClear", "leftIsClear", "rightIsClear", "markersPresent", "noMarkersPresent")
MOST_TIMES = 100
DEEPEST = 12
"""Loops and conditionals within one another: more than this is refused."""


@dataclass(frozen=True, slots=True)
class Condition:
    name: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    name: str


@dataclass(frozen=True, slots=True)
class While:
    condition: Condition
    body: Block


@dataclass(frozen=True, slots=True)
class If:
    condition: Condition
    then: Block
    otherwise: Block | None = None


@dataclass(frozen=True, slots=True)
class Repeat:
    times: int
    body: Block


Statement: TypeAlias = Action | While | If | Repeat
Block: TypeAlias = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Program:
    body: Block


@dataclass(frozen=True, slots=True)
class Branch:
    """Where a statement may send control. `block` is what is run then; None where the statement is left.

    `kind` is one of `then`, `else`, `skip` (an if without else that does not hold), `body` and `leave` (of a
    while), `repeat`.
    """

    kind: str
    statement: While | If | Repeat
    block: Block | None


def branches(program: Program) -> list[Branch]:
    """All of them, in the order in which they stand in the text: the numbers of the goals."""
    return list(_branches(program.body))


def branches_of(statement: Statement) -> list[Branch]:
    """Those of the statement itself: where the condition holds, or the body, comes first."""
    match statement:
        case While(_, body):
            return [Branch("body", statement, body), Branch("leave", statement, None)]
        case If(_, then, otherwise):
            other = "skip" if otherwise is None else "else"
            return [Branch("then", statement, then), Branch(other, statement, otherwise)]
        case Repeat(_, body):
            return [Branch("repeat", statement, body)]
        case Action():
            return []


def _branches(block: Block) -> Iterator[Branch]:
    for statement in block:
        for branch in branches_of(statement):
            yield branch
            yield from _branches(branch.block or ())


def text(program: Program) -> str:
    return "".join(f"{line}\n" for line, _ in lines(program))


def lines(program: Program) -> list[tuple[str, tuple[int, ...]]]:
    """Line by line, each with the numbers of the branches that are taken there."""
    return [("def run() {", ()), *_block(program.body, "    ", count()), ("}", ())]


def condition(of: Condition) -> str:
    return f"{'not ' * of.negated}{of.name}()"


def _block(block: Block, indent: str, numbers: Iterator[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    deeper = indent + "    "
    for statement in block:
        match statement:
            case Action(name):
                yield f"{indent}{name}();", ()
            case While(holds, body):
                inside = list(_numbered(body, deeper, numbers))
                yield f"{indent}while ({condition(holds)}) {{", (inside[0][1][0], next(numbers))
                yield from inside[1:]
                yield f"{indent}}}", ()
            case Repeat(times, body):
                inside = list(_numbered(body, deeper, numbers))
                yield f"{indent}repeat ({times}) {{", inside[0][1]
                yield from inside[1:]
                yield f"{indent}}}", ()
            case If(holds, then, None):
                inside = list(_numbered(then, deeper, numbers))
                yield f"{indent}if ({condition(holds)}) {{", (inside[0][1][0], next(numbers))
                yield from inside[1:]
                yield f"{indent}}}", ()
            case If(holds, then, otherwise):
                inside = list(_numbered(then, deeper, numbers))
                yield f"{indent}if ({condition(holds)}) {{", inside[0][1]
                yield from inside[1:]
                other = list(_numbered(otherwise or (), deeper, numbers))
                yield f"{indent}}} else {{", other[0][1]
                yield from other[1:]
                yield f"{indent}}}", ()


def _numbered(block: Block, indent: str, numbers: Iterator[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The number of the branch that leads into `block`, as if it were a line, and the block's own lines."""
    yield "", (next(numbers),)
    yield from _block(block, indent, numbers)
