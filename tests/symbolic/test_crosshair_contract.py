"""What we rely on in CrossHair, all of it internal: a test for each hook. Run it first on a new version."""

from __future__ import annotations

import contextlib
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import crosshair.core_and_libs  # noqa: F401  registers the symbolic types
import pytest
import z3
from crosshair.condition_parser import condition_parser
from crosshair.copyext import CopyMode, deepcopyext
from crosshair.core import (
    _SIMPLE_PROXIES,
    Patched,
    deep_realize,
    proxy_for_type,
    suspected_proxy_intolerance_exception,
)
from crosshair.fnutil import resolve_signature
from crosshair.libimpl.builtinslib import SymbolicInt
from crosshair.options import DEFAULT_OPTIONS
from crosshair.statespace import (
    HeapRef,
    NodeStem,
    RootNode,
    StateSpace,
    StateSpaceContext,
    make_default_solver,
    model_value_to_python,
    prefer_true,
)
from crosshair.tracers import COMPOSITE_TRACER, NoTracing, ResumedTracing, is_tracing
from crosshair.type_repo import get_subclass_map
from crosshair.util import (
    ControlFlowException,
    CrossHairInternal,
    IgnoreAttempt,
    NotDeterministic,
    PathTimeout,
    UnexploredPath,
    UnknownSatisfiability,
)
from crosshair.z3util import z3Not

from untrod.core.errors import MissingExtra, UntrodError
from untrod.symbolic.crosshair import executor as executors
from untrod.symbolic.crosshair.space import UNIQUE_KEYS, DecidingSpace

PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


class Recording(StateSpace):
    """Writes down what CrossHair asks; the answers are its own."""

    def __init__(self) -> None:
        super().__init__(float("inf"), 60.0, RootNode())
        self.asked: list[tuple[str, Any, Any]] = []
        self.assumed: list[tuple[str, Callable[[], bool]]] = []

    def choose_possible(self, expr: Any, probability_true: float | None = None) -> bool:
        self.asked.append(("choose_possible", expr, probability_true))
        return super().choose_possible(expr, probability_true)

    def find_model_value(self, expr: Any, choice_conformity: float = 1.0) -> Any:
        self.asked.append(("find_model_value", expr, None))
        return super().find_model_value(expr, choice_conformity)

    def fork_parallel(self, false_probability: float, desc: str = "") -> bool:
        self.asked.append(("fork_parallel", desc, false_probability))
        return False

    def defer_assumption(self, description: str, checker: Callable[[], bool]) -> None:
        self.assumed.append((description, checker))
        super().defer_assumption(description, checker)


@contextlib.contextmanager
def recording() -> Iterator[Recording]:
    space = Recording()
    conditions = condition_parser(DEFAULT_OPTIONS.analysis_kind)
    with Patched(), conditions, COMPOSITE_TRACER, NoTracing(), StateSpaceContext(space):
        yield space


def questions(space: Recording) -> list[str]:
    return [name for name, _, _ in space.asked]


def test_the_version_in_pyproject_is_the_one_that_is_known():
    extras = tomllib.loads(PYPROJECT.read_text())["project"]["optional-dependencies"]
    assert f"{executors.PACKAGE}=={executors.KNOWN}" in extras["symbolic"]
    executors.require()


def test_another_version_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda package: "9.9.9")
    with pytest.raises(UntrodError, match=r"9\.9\.9 is installed, but only") as raised:
        executors.require()
    assert "pip install 'untrod[symbolic]'" in raised.value.hint


def test_a_missing_crosshair_is_named_with_the_extra_to_install(monkeypatch):
    monkeypatch.setattr(executors, "PACKAGE", "crosshair-tool-that-nobody-has")
    with pytest.raises(MissingExtra, match=re.escape("pip install 'untrod[symbolic]'")):
        executors.require()


def test_a_branch_on_a_symbolic_value_asks_choose_possible_with_a_z3_boolean_and_no_probability():
    with recording() as space:
        number = proxy_for_type(int, "number")
        space.asked.clear()
        with ResumedTracing():
            if number > 3:
                pass
    ((name, expression, probability),) = space.asked
    assert (name, probability) == ("choose_possible", None)
    assert z3.is_bool(expression)


def test_smt_fork_asks_choose_possible_and_passes_its_probability_on():
    with recording() as space:
        space.smt_fork(z3.Bool("here"), probability_true=0.75)
        space.smt_fork(desc="there")
    (first, second) = space.asked
    assert first == ("choose_possible", z3.Bool("here"), 0.75)
    assert second[0] == "choose_possible"
    assert second[1].decl().name().startswith("there")


def test_a_union_and_an_enum_are_chosen_by_smt_fork():
    with recording() as space:
        proxy_for_type(int | None, "either")
    assert "choose_possible" in questions(space)


def test_fork_parallel_only_chooses_how_to_model_and_false_is_the_symbolic_way():
    with recording() as space:
        flag = proxy_for_type(bool, "flag")
    assert questions(space) == ["fork_parallel"]
    assert hasattr(flag, "var")


def test_making_a_value_concrete_asks_find_model_value():
    with recording() as space:
        number = proxy_for_type(int, "number")
        space.asked.clear()
        with ResumedTracing():
            hash(number)
    assert questions(space)[0] == "find_model_value"


def test_a_fresh_root_leaves_the_search_at_a_stem_so_that_nothing_else_decides():
    with recording() as space:
        assert isinstance(space._search_position, NodeStem)
        assert space.stats_lookahead()[0].iterations == 0


def test_what_is_added_or_chosen_is_known_afterwards():
    with recording() as space:
        space.add(z3.Int("x") > 3)
        assert space._exprs_known[z3.Int("x") > 3] is True


def test_asserting_keeps_a_model_that_agrees_and_drops_one_that_does_not():
    with recording() as space:
        x = z3.Int("x")
        space._assert(x > 3)
        space.solver.check()
        space._remember_model(space.solver.model())
        model = space._known_model()
        assert space._model_satisfies(model, x > 3)
        space._assert(x > 2)
        assert space._known_model() is model
        space._assert(x != model.eval(x))
        assert space._known_model() is None


def test_names_are_numbered_by_next_uniq():
    with recording() as space:
        space.next_uniq = 100
        assert space.uniq() == "_65"
        assert space.next_uniq == 101


def test_detaching_checks_the_deferred_assumptions_and_doubles_the_solvers_units():
    with recording() as space:
        space.smt_rlimit = 1_000
        space.defer_assumption("never", lambda: False)
        with pytest.raises(IgnoreAttempt), ResumedTracing():
            space.detach_path()
        assert space.is_detached
        assert space.smt_rlimit == 2_000


def test_prefer_true_insists_with_probability_one():
    with recording() as space:
        flag = proxy_for_type(bool, "flag")
        space.asked.clear()
        prefer_true(flag)
    assert [probability for _, _, probability in space.asked] == [1.0]


def test_a_dict_with_text_keys_defers_that_they_are_unique_and_its_pairs_can_be_had():
    with recording() as space:
        proxy_for_type(dict[str, int], "table")
        (checker,) = [checker for description, checker in space.assumed if description == UNIQUE_KEYS]
        assert "orig_kv" in inspect.getclosurevars(checker).nonlocals


def test_whether_two_objects_are_one_is_asked_as_an_equality_of_heap_references():
    with recording() as space:
        for name in ("one", "two"):
            space.find_key_in_heap(z3.Const(name, HeapRef), str, lambda kind: "made")
    ((_, expression, _),) = space.asked
    assert z3.is_eq(expression)
    assert expression.arg(0).sort() == HeapRef


def test_the_maker_of_integers_can_be_replaced_and_is_asked_with_a_factory():
    made = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(_SIMPLE_PROXIES, int, lambda factory: made.append(factory.varname))
        with recording():
            proxy_for_type(int, "number")
    assert made == ["number"]


def test_a_plain_symbolic_integer_remembers_no_bounds():
    with recording() as space:
        number = SymbolicInt("number")
        with ResumedTracing():
            large = bool(number > 10)
            bool(number < 5) if large else bool(number > 20)
    assert questions(space) == ["choose_possible", "choose_possible"]


@pytest.mark.parametrize(
    "kind", [int, bool, float, str, bytes, list[int], dict[str, int], set[int], tuple[int, str]], ids=str
)
def test_deep_realising_gives_plain_values(kind):
    with recording() as space:
        proxy = proxy_for_type(kind, "proxy")
        with ResumedTracing():
            space.detach_path()
        value = deep_realize(proxy)
    assert type(value) is (getattr(kind, "__origin__", None) or kind)


def test_a_copy_of_the_arguments_stays_symbolic():
    with recording():
        numbers = proxy_for_type(list[int], "numbers")
        copied = deepcopyext((numbers,), CopyMode.REGULAR, {})
    assert copied[0] is not numbers
    assert type(copied[0]) is type(numbers)


def test_tracing_is_on_where_it_is_resumed_and_gone_afterwards():
    before = sys.gettrace()
    with recording():
        off = is_tracing()
        with ResumedTracing():
            on = is_tracing()
    assert (off, on) == (False, True)
    assert sys.gettrace() is before


def test_values_of_models_become_python_values():
    assert model_value_to_python(z3.IntVal(7)) == 7
    assert model_value_to_python(z3.RealVal("2.5")) == 2.5
    assert model_value_to_python(z3.BoolVal(True)) is True


def test_negation_does_not_pile_up():
    x = z3.Bool("x")
    assert z3Not(z3Not(x)).eq(x)


def test_the_default_solver_counts_assertions_and_obeys_a_budget_of_units():
    solver = make_default_solver()
    a, b, c = z3.Ints("a b c")
    solver.assert_bool(z3.And(a > 1, b > 1, c > 1, a * a * a + b * b * b == c * c * c))
    assert solver.assertion_version == 1
    solver.set("rlimit", 20_000)
    assert solver.check() == z3.unknown


def test_what_crosshair_raises_to_end_a_path_is_told_apart():
    assert issubclass(UnknownSatisfiability, UnexploredPath)
    assert issubclass(PathTimeout, UnexploredPath)
    assert issubclass(UnexploredPath, ControlFlowException)
    assert issubclass(IgnoreAttempt, ControlFlowException)
    assert issubclass(CrossHairInternal, ControlFlowException)
    assert not issubclass(ControlFlowException, Exception)
    assert issubclass(NotDeterministic, Exception)


def test_a_type_error_of_c_code_that_was_given_a_symbolic_value_is_recognised():
    assert suspected_proxy_intolerance_exception(TypeError("expected str, not SymbolicInt"))
    assert not suspected_proxy_intolerance_exception(TypeError("expected str, not int"))


def test_signatures_come_with_their_annotations_resolved_or_as_a_line_of_text():
    def fine(number: int) -> int:
        return number

    def wrong(number: Nowhere) -> int:  # noqa: F821
        return 0

    assert resolve_signature(fine).parameters["number"].annotation is int
    assert isinstance(resolve_signature(wrong), str)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_subclasses_are_looked_up_once():
    assert get_subclass_map() is get_subclass_map()


def test_the_space_replaces_only_what_it_means_to_replace():
    """A name that CrossHair uses for something else would be overwritten without a word."""
    meant = {"choose_possible", "find_model_value", "fork_parallel", "defer_assumption", "smt_rlimit"}
    theirs = set(vars(StateSpace)) | set(vars(StateSpace(float("inf"), 1.0, RootNode())))
    source = inspect.getsource(DecidingSpace)
    ours = set(vars(DecidingSpace)) | set(re.findall(r"self\.(\w+)(?:: [^=\n]+)? = ", source))

    clashes = {name for name in ours & theirs if not name.startswith("__")}
    assert clashes == meant
