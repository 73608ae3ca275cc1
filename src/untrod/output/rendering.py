"""One test case as the lines of one test function."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from untrod.core.text import one_line
from untrod.output.cases import (
    AtMost,
    Delete,
    Do,
    Doing,
    Each,
    KnownFailure,
    Let,
    Passes,
    Put,
    Raises,
    Returns,
    TestCase,
    Within,
)
from untrod.output.helpers import HELPERS
from untrod.source.layout import COLUMNS, Names, flat, references, statement
from untrod.source.names import name as named
from untrod.source.nodes import Atom, Call, Display, Member, Node, Ref, Text
from untrod.source.quoting import width

_LONGEST_REASON = 200
_LONGEST_MESSAGE = 60
_LONGEST_COMMENT = 1_000
_CONSTANTS = ("None", "True", "False")


def render_case(name: str, case: TestCase, names: Names) -> list[str]:
    """The decorators, the function and its body, formatted."""
    arguments = [*_fixtures(case), *([case.each.name] if case.each else [])]
    return [
        *_decorators(case, names),
        f"def {named(name)}({', '.join(map(named, arguments))}):",
        *_own_folders(case),
        *_setup(case, names),
        *comment(case.remark, indent=4),
        *_check(case, names),
        *(line for held in case.then for line in _comparison(held.place, held.value, names)),
    ]


def render_table(name: str, cases: Sequence[TestCase], names: Names) -> list[str]:
    """Cases of one form, each of them a call that returns something, as one test with parameters."""
    columns = (*cases[0].form[1:], "expected")
    rows = []
    for case in cases:
        assert isinstance(case.call, Call)
        assert isinstance(case.expectation, Returns)
        rows.append(Display("(", (*case.call.arguments, case.expectation.value)))
    heads = Display("(", tuple(map(Text, columns)))
    table = Call(Atom("pytest.mark.parametrize"), (heads, Display("[", tuple(rows))))
    first = cases[0].call
    assert isinstance(first, Call)
    called = Call(first.function, tuple(Atom(named(column)) for column in columns[:-1]))
    return [
        *statement(table, names, before="@"),
        f"def {named(name)}({', '.join(columns)}):",
        *_assertion(called, " == expected", names),
    ]


def case_refs(case: TestCase) -> list[Ref]:
    """Everything importable that the test mentions."""
    nodes: list[Node] = _nodes(case.call)
    nodes += [ref for name in case.fixtures if (ref := Ref("", name)) in HELPERS]
    for step in case.given:
        nodes += [step.value] if isinstance(step, Let) else _nodes(step.call)
    nodes += [step.raises for step in case.given if isinstance(step, Do) and step.raises]
    nodes += case.each.values if case.each else ()
    nodes += [node for held in case.then for node in (held.place, held.value)]
    match case.expectation:
        case Returns(value):
            nodes.append(value)
        case Raises(error):
            nodes.append(error)
    if case.known_failure and case.known_failure.run:
        nodes.append(case.known_failure.error)
    return [ref for node in nodes for ref in references(node)]


def _nodes(doing: Doing) -> list[Node]:
    match doing:
        case Put(place, value):
            return [place, value]
        case Delete(place):
            return [place]
        case Within(_, error):
            return [] if error is None else [error]
    return [doing]


def local_variables(case: TestCase) -> Iterator[str]:
    """Names the function binds: an import of the same name would be hidden by them."""
    yield from _fixtures(case)
    if case.each:
        yield case.each.name
    yield from (step.name for step in case.given if isinstance(step, Let))
    if isinstance(case.call, Within):
        yield case.call.name


def _fixtures(case: TestCase) -> list[str]:
    own = ("tmp_path", "monkeypatch") if case.own_folder or case.own_temporary else ()
    return list(dict.fromkeys([*own, *case.fixtures]))


def _own_folders(case: TestCase) -> Iterator[str]:
    if case.own_folder:
        yield "    monkeypatch.chdir(tmp_path)"
    if case.own_temporary:
        yield '    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))'


def needed_modules(case: TestCase) -> Iterator[str]:
    refused = any(isinstance(step, Do) and step.raises for step in case.given)
    if case.known_failure or case.each or refused or isinstance(case.expectation, Raises):
        yield "pytest"
    if isinstance(case.expectation, Raises) and _pattern(case.expectation.message)[1]:
        yield "re"


def comment(text: str, indent: int = 0) -> list[str]:
    """In as many lines as it takes; none for no text. None of them declares an encoding (PEP 263)."""
    text = one_line(text, _LONGEST_COMMENT).encode("ascii", "backslashreplace").decode("ascii")  # columns
    text = text.replace("coding:", "coding\\x3a").replace("coding=", "coding\\x3d")
    start = " " * indent + "# "
    return textwrap.wrap(
        text, COLUMNS, initial_indent=start, subsequent_indent=start, replace_whitespace=False
    )


def _decorators(case: TestCase, names: Names) -> list[str]:
    lines: list[str] = []
    if case.known_failure:
        lines += statement(_xfail(case.known_failure), names, before="@")
    if case.each:
        lines += statement(_parametrize(case.each), names, before="@")
    return lines


def _xfail(failure: KnownFailure) -> Call:
    reason = ("reason", Text(one_line(failure.reason, _LONGEST_REASON)))
    if not failure.run:
        return Call(Atom("pytest.mark.xfail"), (), (("run", Atom("False")), reason))
    return Call(Atom("pytest.mark.xfail"), (), (("strict", Atom("True")), ("raises", failure.error), reason))


def _parametrize(each: Each) -> Call:
    return Call(Atom("pytest.mark.parametrize"), (Text(each.name), Display("[", each.values)))


def _setup(case: TestCase, names: Names) -> list[str]:
    lines: list[str] = []
    for step in case.given:
        if isinstance(step, Let):
            lines += statement(step.value, names, indent=4, before=f"{named(step.name)} = ")
        elif step.raises:
            lines += _refused(step.call, step.raises, "", names)
        else:
            lines += _done(step.call, names)
    return lines


def _done(doing: Doing, names: Names, indent: int = 4, as_name: bool = False) -> list[str]:
    """As a statement. `as_name`: what a manager gives gets its name."""
    match doing:
        case Put(place, value):
            return statement(value, names, indent=indent, before=f"{flat(place, names)} = ")
        case Delete(place):
            return [" " * indent + f"del {flat(place, names)}"]
        case Within(manager, error, name):
            head = f"with {named(manager)} as {named(name)}:" if as_name else f"with {named(manager)}:"
            if error is None:
                return [" " * indent + head, " " * indent + "    pass"]
            return [" " * indent + head, *statement(error, names, indent=indent + 4, before="raise ")]
    return statement(doing, names, indent=indent)


def _check(case: TestCase, names: Names) -> list[str]:
    match case.expectation:
        case Passes():
            return _done(case.call, names)
        case Raises(error, message):
            return _refused(case.call, error, message, names)
    if not isinstance(case.call, Within):
        return _expected(case, case.call, names)
    return [*_done(case.call, names, as_name=True), *_expected(case, Atom(case.call.name), names)]


def _expected(case: TestCase, call: Doing, names: Names) -> list[str]:
    assert isinstance(call, Call | Atom | Member)
    match case.expectation:
        case Returns(value, through):
            return _comparison(Call(Atom(named(through)), (call,)) if through else call, value, names)
        case AtMost(bound):
            return _assertion(call, f" <= {bound:_}", names)
    return _assertion(call, "", names)


def _refused(call: Doing, error: Ref, message: str, names: Names) -> list[str]:
    match, escaped = _pattern(message)
    pattern: Node = Call(Atom("re.escape"), (Text(match),)) if escaped else Text(match)
    guard = Call(Atom("pytest.raises"), (error,), (("match", pattern),) if match else ())
    return [
        *statement(guard, names, indent=4, before="with ", after=":"),
        *_done(call, names, indent=8),
    ]


def _comparison(call: Call | Atom | Member, value: Node, names: Names) -> list[str]:
    """In one line if it fits; what does not fit gets a name first."""
    expected = flat(value, names)
    equals = f" is {expected}" if expected in _CONSTANTS else f" == {expected}"
    if _fits(flat(call, names) + equals) or _fits("result" + equals):
        return _assertion(call, equals, names)
    naming = statement(value, names, indent=4, before="expected = ")
    return [*naming, *_assertion(call, " == expected", names)]


def _assertion(call: Call | Atom | Member, condition: str, names: Names) -> list[str]:
    if _fits(flat(call, names) + condition):
        return [f"    assert {flat(call, names)}{condition}"]
    return [*statement(call, names, indent=4, before="result = "), f"    assert result{condition}"]


def _fits(asserted: str) -> bool:
    return 4 + len("assert ") + width(asserted) <= COLUMNS


def _pattern(message: str) -> tuple[str, bool]:
    """What `match` looks for: the start of the message, and whether it has to be escaped."""
    start = message[:_LONGEST_MESSAGE]
    return start, re.escape(start).replace("\\ ", " ") != start
