"""Random expressions, evaluated symbolically and then for real, agree.

Each function branches on what it computed. So a wrong translation to Z3 shows as an input that takes the
other side, and a wrong model of an operation as another value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from untrod.symbolic.concrete import disagreement
from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.protocol import PathResult
from untrod.symbolic.shapes import Arguments, Bool, Int, Text
from untrod.testing.executors import Always

REPEATABLE = settings(derandomize=True, deadline=None, database=None, max_examples=150)


def function_of(*lines: str) -> Callable[..., Any]:
    namespace: dict[str, Any] = {}
    exec("\n".join(lines), namespace)
    return namespace["function"]  # type: ignore[no-any-return]


def some_paths(executor: LeanExecutor, most: int) -> list[PathResult]:
    """The first few, from both ends of the frontier."""
    frontier, results = [executor.initial()], []
    while frontier and len(results) < most:
        state = frontier.pop(0 if len(results) % 2 else -1)
        results.append(executor.advance(state, Always(len(results) % 3 == 0), max_branches=60))
        frontier.extend(results[-1].pending)
    return results


def must_agree(function: Callable[..., Any], shape: Arguments, source: object) -> None:
    results = some_paths(LeanExecutor(function, shape, rlimit=200_000), 8)
    for result in results:
        assert disagreement(function, result) == "", (source, result.inputs)
        assert result.status not in ("diverged", "unsupported"), (source, result.reason)
        assert not isinstance(result.error, TypeError | AttributeError), (source, result.error)


numbers = st.integers(-20, 20)
operands = st.sampled_from(["a", "b", "p", "(a < b)"]) | numbers.map("({})".format)
nonzero = numbers.filter(bool).map("({})".format)
shifts = st.integers(0, 5).map(str)


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*"]), inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["//", "%"]), nonzero | st.just("b")),
        st.builds("({} {} {})".format, inner, st.sampled_from(["<<", ">>"]), shifts),
        st.builds("({} {} {})".format, inner, st.sampled_from(["&", "|", "^"]), numbers.map("({})".format)),
        st.builds("({}{})".format, st.sampled_from(["-", "~", "+"]), inner),
        st.builds("{}({})".format, st.sampled_from(["abs", "bool", "int"]), inner),
        st.builds("max({}, {})".format, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("divmod({}, {})[1]".format, inner, nonzero),
        st.builds("({} ** 2)".format, operands),
    )


expressions = st.recursive(operands, combined, max_leaves=6)
comparisons = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])


@REPEATABLE
@given(expressions, comparisons, expressions | st.sampled_from(["2.5", "-1.0", "float('inf')"]))
def test_arithmetic(left: str, sign: str, right: str) -> None:
    source = f"{left} {sign} {right}"
    function = function_of(
        "def function(a, b, p):",
        f"    value = {left}",
        f"    if value {sign} {right}:",
        "        return 'yes', value",
        "    return 'no', value",
    )
    must_agree(function, Arguments((Int(), Int(-9, 9), Bool())), source)


texts = st.sampled_from(["s", "t", "s[1:]", "s[-1]", "t[0]", "s[::-1]", "(s + t)", "(t * 2)", "('a' + s)"])
plain = st.text("aB 1", max_size=2).map(repr)
parts = texts | plain


def text_method(name: str, *arguments: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(f"{{}}.{name}({{}})".format, texts, st.tuples(*arguments).map(", ".join))


questions = st.one_of(
    *[text_method(name) for name in "isdigit isalpha isalnum isspace isupper islower isprintable".split()],  # noqa: SIM905
    *[text_method(name) for name in ("upper", "lower", "swapcase", "capitalize", "strip", "split", "lstrip")],
    *[text_method(name, parts) for name in ("startswith", "endswith", "find", "rfind", "index", "count")],
    *[text_method(name, parts) for name in ("rindex", "strip", "partition", "rpartition", "removeprefix")],
    text_method("find", parts, st.integers(-4, 5).map(str), st.integers(-4, 5).map(str)),
    text_method("startswith", parts, st.integers(-4, 5).map(str), st.integers(-4, 5).map(str)),
    text_method("count", parts, st.integers(-4, 5).map(str)),
    text_method("replace", parts, plain),
    text_method("replace", parts, plain, st.integers(0, 2).map(str)),
    text_method("split", parts, st.integers(-1, 2).map(str)),
    text_method("split", st.just("None"), st.integers(-1, 2).map(str)),
    st.builds("({} {} {})".format, texts, comparisons, parts),
    st.builds("({} in {})".format, parts, texts),
    st.builds("sorted({})".format, texts),
    st.builds("({} * (t < s))".format, texts),
    st.builds("({}, {})".format, texts, parts),
)


@REPEATABLE
@given(questions, questions)
@example("s.isdigit()", "s.replace('', '1')")
@example("s.isdigit()", "s.replace('', 'a', 2)")
def test_text(first: str, second: str) -> None:
    function = function_of(
        "def function(s, t):",
        f"    value = {first}",
        f"    other = {second}",
        "    if value:",
        "        return 'yes', value, other",
        "    if value == other:",
        "        return 'same', value, other",
        "    return 'no', value, other",
    )
    must_agree(function, Arguments((Text(3, "aB 1"), Text(2, "aB 1"))), (first, second))
