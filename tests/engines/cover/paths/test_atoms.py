"""Features have the same names in every round, template and engine."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from untrod.engines.cover.paths.atoms import Atoms, atom
from untrod.symbolic.protocol import Branch, Location, State


@dataclass(frozen=True)
class Compared:
    """A condition as the engines have it: the name of the input differs, the comparison does not."""

    variable: str
    operator: str = "<"
    constant: int | None = 7
    key: int = 0

    def core(self):
        return None if self.constant is None else (self.variable, self.operator, self.constant)

    def smt2(self) -> str:
        return ""


def branch(line: int, condition: Compared, taken: bool = True, offset: int = 0) -> Branch:
    return Branch(Location("parse", line, offset), condition, taken, taken)


def test_an_atom_is_a_place_and_a_comparison_as_it_was_decided() -> None:
    assert atom(branch(3, Compared("x0")), True) == "parse:3 < 7"
    assert atom(branch(3, Compared("x0")), False) == "parse:3 >= 7"
    assert atom(branch(3, Compared("x0", "==", -1)), False) == "parse:3 != -1"
    assert atom(branch(4, Compared("x0", constant=None)), True) == "parse:4 yes"


def test_the_name_of_the_input_and_the_bytecode_do_not_matter() -> None:
    assert atom(branch(3, Compared("x0"), offset=10), True) == atom(branch(3, Compared("text_2")), True)


def test_a_state_has_the_atoms_of_its_path_with_the_last_decision_flipped() -> None:
    trail = (branch(1, Compared("a")), branch(2, Compared("a")), branch(1, Compared("b")))
    atoms = Atoms()
    assert atoms.of(State(1, 0, trail, 2)) == ("parse:1 < 7", "parse:2 >= 7")
    assert atoms.of(State(2, 0, trail, 3)) == ("parse:1 < 7", "parse:2 < 7", "parse:1 >= 7")
    assert atoms.of_path(trail) == ("parse:1 < 7", "parse:2 < 7"), "each once"
    assert atoms.of(State(0, None)) == ()


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
    from untrod.engines.cover.paths.executors import Executors
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
        walked, _ = Executors(subject.atlas.files.values(), subject.entries, engine).for_input(given)
        path = walked.executor.advance(walked.executor.initial(), Yes(), max_branches=50)
        assert path.inputs == (5,)
        found.append(Atoms().of_path(path.branches))
    assert found[0] == found[1] == ("sign:2 >= 0", "sign:4 == 5")
