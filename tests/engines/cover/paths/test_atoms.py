"""Features have the same names in every round, template and engine."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from untrod.engines.cover.paths.frontier import Atoms, atom
from untrod.symbolic.protocol import Branch, Location, State
from untrod.symbolic.ranges import Ranges, below, only

BELOW_7 = below(7)


@dataclass(frozen=True)
class Compared:
    """A condition as the engines have it; without values, one of many inputs."""

    variable: str
    values: Ranges | None = BELOW_7
    key: int = 0

    def ranges(self):
        return None if self.values is None else (self.variable, self.values)

    def smt2(self) -> str:
        return ""


class Plain:
    """A template whose inputs are called what the engine calls them."""

    def lvalue(self, variable: str) -> str:
        return variable


def branch(line: int, condition: Compared, taken: bool = True, offset: int = 0) -> Branch:
    return Branch(Location("parse", line, offset), condition, taken, taken)


def test_an_atom_is_a_place_an_input_and_its_values_as_it_was_decided() -> None:
    def named(condition: Compared, side: bool) -> str:
        return atom(branch(3, condition), side, Plain())

    assert named(Compared("x0"), True) == "parse:3 x0 <= 6"
    assert named(Compared("x0"), False) == "parse:3 x0 >= 7"
    assert named(Compared("x0", only(-1)), False) == "parse:3 x0 != -1"
    digit = Compared("x1", ((48, 57),))
    assert named(digit, True) == "parse:3 x1 in 48..57"
    assert named(digit, False) == "parse:3 x1 not in 48..57"
    assert named(Compared("x0", None), True) == "parse:3 yes"


def test_the_bytecode_does_not_matter() -> None:
    there, here = branch(3, Compared("x0"), offset=10), branch(3, Compared("x0"))
    assert atom(there, True, Plain()) == atom(here, True, Plain())


def test_a_state_has_the_atoms_of_its_path_with_the_last_decision_flipped() -> None:
    trail = (branch(1, Compared("a")), branch(2, Compared("a")), branch(1, Compared("a")))
    atoms, plain = Atoms(), Plain()
    assert atoms.of(State(1, 0, trail, 2), plain) == ("parse:1 a <= 6", "parse:2 a >= 7")
    assert atoms.of(State(2, 0, trail, 3), plain) == ("parse:1 a <= 6", "parse:2 a <= 6", "parse:1 a >= 7")
    assert atoms.of_path(trail, plain) == ("parse:1 a <= 6", "parse:2 a <= 6"), "each once"
    assert atoms.of(State(0, None), plain) == ()


SIGN = """def sign(n: int) -> int:
    if n < 0:
        return -1
    if n == 5:
        return 5
    return 1
"""


def test_both_engines_name_the_same_branch_alike(load) -> None:
    pytest.importorskip("crosshair")
    from untrod.engines.cover.case import Input, Step
    from untrod.engines.cover.paths.python import PythonExecutors
    from untrod.source.nodes import Atom

    subject = load("signs", source=SIGN)
    given = Input("signs:sign", (Step("sign", (Atom("5"),)),))

    class Yes:
        def decide(self, location, condition, history) -> bool:
            return location.line == 4

        def feedback(self, branch, feasible) -> None:
            pass

    found = []
    for engine in ("lean", "crosshair"):
        walked, _ = PythonExecutors(subject.branch_map.files.values(), subject.entries, engine).for_input(
            given
        )
        path = walked.executor.advance(walked.executor.initial(), Yes(), max_branches=50)
        assert path.inputs == (5,)
        found.append(Atoms().of_path(path.branches, walked.template))
    assert found[0] == found[1] == ("sign:2 sign.0 >= 0", "sign:4 sign.0 == 5")


DIGIT = """def digit(text: str) -> bool:
    if text[1] in "0123456789":
        return True
    return False
"""


def test_which_character_may_be_what_is_one_condition(load) -> None:
    pytest.importorskip("z3")
    from untrod.engines.cover.case import Input, Step
    from untrod.engines.cover.paths.python import PythonExecutors
    from untrod.source.nodes import Text

    subject = load("digits", source=DIGIT)
    given = Input("digits:digit", (Step("digit", (Text("ab"),)),))
    walked, _ = PythonExecutors(subject.branch_map.files.values(), subject.entries, "lean").for_input(given)
    path = walked.executor.advance(
        walked.executor.initial(), walked.executor.follow(("ab",)), max_branches=50
    )
    assert Atoms().of_path(path.branches, walked.template) == ("digit:2 digit.0[1] not in 48..57",)
