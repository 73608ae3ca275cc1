"""A RobustFill program as a world: goals are its regular expressions and the expressions around them.

Its graph has expressions in a row, positions below them, and equal regexes joined. Coverage is defined in
`running.py`, and which goals count in `feasible.py`.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs.robustfill.feasible import feasible
from untrod.engines.explore.programs.robustfill.inputs import LONGEST, Texts
from untrod.engines.explore.programs.robustfill.language import (
    BOUNDARIES,
    CASES,
    DELIMITERS,
    FUNCTIONS,
    FURTHEST_OFFSET,
    HIGHEST_INDEX,
    TOKENS,
    Concat,
    ConstStr,
    Expression,
    Nest,
    Nesting,
    Offset,
    RegPos,
    SubStr,
    position,
)
from untrod.engines.explore.programs.robustfill.language import expression as text_of
from untrod.engines.explore.programs.robustfill.running import Goal, Machine, goals_of
from untrod.engines.explore.programs.world import SAME, GraphBuilder, ProgramGraph, Vocabulary

VOCABULARY = Vocabulary(
    [
        *("Concat", "RegPos", "Offset", *FUNCTIONS),
        *(f"regex {regex}" for regex in (*TOKENS, *DELIMITERS)),
        *(f"new {delimiter}" for delimiter in DELIMITERS),
        *(f"case {case}" for case in CASES),
        *BOUNDARIES,
        *(f"index {index}" for index in range(-HIGHEST_INDEX, HIGHEST_INDEX + 1)),
        *(f"at {offset}" for offset in range(-FURTHEST_OFFSET, FURTHEST_OFFSET + 1)),
    ]
)
_KINDS = {
    "regex": "regex",
    "token": "regex",
    "old": "regex",
    "new": "new",
    "case": "case",
    "index": "index",
    "count": "index",
}
"""Which sort of word a field of a nesting is."""


def graph(program: Concat) -> ProgramGraph:
    return _Drawing(program).builder.build()


class _Drawing:
    def __init__(self, program: Concat) -> None:
        self.builder = GraphBuilder(VOCABULARY)
        self._users: dict[str, int] = {}  # the last node that names a regex
        root = self.builder.node(["Concat"])
        self.builder.chain([self._expression(each, root) for each in program.expressions])

    def _expression(self, of: Expression, parent: int) -> int:
        match of:
            case ConstStr():
                return self.builder.node(["ConstStr"], parent)
            case Nest(outer, inner):
                # Goals are numbered in the order of running, so the node of `outer`, which stands
                # above, gets the goal behind those of `inner`.
                top = self.builder.node(_words(outer), parent)
                self._expression(inner, top)
                return self._reached(top, outer)
            case SubStr(left, right):
                top = self.builder.node(["SubStr"], parent)
                self.builder.chain([self._position(each, top) for each in (left, right)])
                return self._reached(top, of)
            case _:
                return self._reached(self.builder.node(_words(of), parent), of)

    def _position(self, of: Offset | RegPos, parent: int) -> int:
        if isinstance(of, Offset):
            return self.builder.node(["Offset", f"at {of.at}"], parent)
        words = ["RegPos", f"regex {of.regex}", f"index {of.index}", of.boundary]
        return self._reached(self.builder.node(words, parent), of)

    def _reached(self, node: int, of: SubStr | RegPos | Nesting) -> int:
        """The next goal belongs to `node`; and `node` is joined to the last one that names its regex."""
        self.builder.goal(node)
        for field in fields(of):
            regex = getattr(of, field.name)
            if _KINDS.get(field.name) != "regex":
                continue
            if regex in self._users:
                self.builder.edge(self._users[regex], node, SAME)
            self._users[regex] = node
        return node


def _words(of: Nesting) -> list[str]:
    arguments = [f"{_KINDS[field.name]} {getattr(of, field.name)}" for field in fields(of)]
    return [type(of).__name__, *arguments]


class RobustFillWorld:
    kind = "robustfill"

    def __init__(self, program: Concat, longest: int = LONGEST) -> None:
        self.program = program
        self.inputs = Texts(longest)
        self._machine = Machine(program)
        self._goals: list[tuple[int, Goal]] = []  # number of the expression, goal
        self.counted = 0
        for number, each in enumerate(program.expressions):
            self.counted |= feasible(each, longest) << len(self._goals)
            self._goals += [(number, goal) for goal in goals_of(each)]
        self.wanted = (1 << len(self._goals)) - 1
        if not self._goals:
            hint = "use GetToken, SubStr or another that looks at its input"
            raise UntrodError("the program asks nothing of its input: there is nothing to cover", hint)
        if not self.counted:
            hint = f"check indices and offsets against texts of up to {longest} characters"
            raise UntrodError("no input reaches any expression of the program", hint)

    @property
    def goals(self) -> list[Goal]:
        """Goal by goal, what it is."""
        return [goal for _, goal in self._goals]

    @cached_property
    def graph(self) -> ProgramGraph:
        return graph(self.program)

    def run(self, given: str) -> int:
        return self._machine.run(given)[1]

    def output(self, given: str) -> str:
        """What the program makes of `given`. Expressions that find nothing add nothing."""
        return self._machine.run(given)[0]

    def name(self, goal: int) -> str:
        number, what = self._goals[goal]
        whole = text_of(self.program.expressions[number])
        inner = f"{position(what)} in " if isinstance(what, RegPos) else ""
        if not isinstance(what, RegPos) and text_of(what) != whole:
            inner = f"{text_of(what)} in "
        return f"expression {number + 1}: {inner}{whole}"

    def text(self, mask: int) -> str:
        """`+` before an expression with every goal reached, `-` with one missing; then how many of them."""
        lines = []
        for number, each in enumerate(self.program.expressions):
            bits = [bit for bit, (owner, _) in enumerate(self._goals) if owner == number]
            due = sum(self.counted >> bit & 1 for bit in bits)
            got = sum((self.counted & mask) >> bit & 1 for bit in bits)
            mark = " " if not due else "+" if got == due else "-"
            tally = f"   {got}/{due}" if due else ""
            lines.append(f"{mark} {text_of(each)}{tally}")
        return "\n".join(lines)
