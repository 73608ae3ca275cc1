"""What a test says, before it is Python source.

    values = express(tree)                                    # literals.py: a Node, or None
    call = Call(Ref("shop.cart", "total"), (Atom("tree"),))
    TestCase("total is never negative", call, IsTrue(), given=(Let("tree", values),))

Engines fill in test cases; only the writer knows how they look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from untrod.core.vocabulary import Outcome, Trace
from untrod.source.literals import express, holds_nan, importable
from untrod.source.nodes import Atom, Call, Member, Node, Ref, Text

TAKES_PYTEST_DOWN = (Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY, Outcome.CRASHED, Outcome.EXITED)


@dataclass(frozen=True, slots=True)
class Passes:
    """The call returns: what it returns does not matter."""


@dataclass(frozen=True, slots=True)
class IsTrue:
    """The call returns something true: how a property says that it holds."""


@dataclass(frozen=True, slots=True)
class Returns:
    """The call returns `value`; with `through`, that built-in function of the result is `value`."""

    value: Node
    through: str = ""


@dataclass(frozen=True, slots=True)
class Raises:
    """The call raises `error`; `message`, when given, is part of its text."""

    error: Ref
    message: str = ""


@dataclass(frozen=True, slots=True)
class AtMost:
    """The call returns a number that is not above `bound`."""

    bound: int


Expectation: TypeAlias = Passes | IsTrue | Returns | Raises | AtMost


ASSERTION = Ref("builtins", "AssertionError")


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """The expectation is not met today: the test is an expected failure, strictly, until the bug is fixed.

    `run` is False when running the call would take the test run down with it: a crash, a hang.
    """

    reason: str
    error: Ref = ASSERTION
    run: bool = True


@dataclass(frozen=True, slots=True)
class Let:
    """`name = value`, before the call."""

    name: str
    value: Node


@dataclass(frozen=True, slots=True)
class Put:
    """`place = value`, where that runs code: a property is set."""

    place: Member
    value: Node


@dataclass(frozen=True, slots=True)
class Delete:
    """`del place`: the same for a property that is deleted."""

    place: Member


@dataclass(frozen=True, slots=True)
class Within:
    """`with manager as name:`, whose body raises `error`, if there is one. `name` is its value."""

    manager: str
    error: Node | None = None
    name: str = "value"


Doing: TypeAlias = Call | Atom | Member | Put | Delete | Within


@dataclass(frozen=True, slots=True)
class Do:
    """A step before the call: `page.goto("...")`; with `raises`, one that is refused."""

    call: Doing
    raises: Ref | None = None


@dataclass(frozen=True, slots=True)
class Holds:
    """`assert place == value`, after the call."""

    place: Call | Atom | Member
    value: Node


@dataclass(frozen=True, slots=True)
class Each:
    """Runs the test once per value, given to it as the argument `name`."""

    name: str
    values: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class TestCase:
    """One test function. `name_hint` says in words what it shows; `finding` is the id that replays it.

    `remark` is for whoever reads the test, a comment above the check. `weaker` is the test to write when
    this one does not hold under pytest. `trace` is that of the test, where it is simpler than the finding's.
    `repeats` are the traces that it repeats where it is no finding's. `then` must hold afterwards. Tests with
    a `section` stand at the end of the file, under that comment. Those of one `form`, a name and the names of
    the arguments, may be written as one test with parameters. It works in a folder of its own, or keeps its
    temporary files in one, where these touched such files (`harmless`).
    """

    __test__: ClassVar[bool] = False  # not a pytest class
    name_hint: str
    call: Doing
    expectation: Expectation = Passes()
    given: tuple[Let | Do, ...] = ()
    known_failure: KnownFailure | None = None
    each: Each | None = None
    fixtures: tuple[str, ...] = ()
    finding: str = ""
    remark: str = ""
    weaker: TestCase | None = None
    trace: Trace | None = None
    repeats: tuple[Trace, ...] = ()
    then: tuple[Holds, ...] = ()
    section: str = ""
    form: tuple[str, ...] = ()
    own_folder: bool = False
    own_temporary: bool = False


REPLAY = Ref("", "replay")
"""The helper the writer adds to a file that refers to it: see `replayed`."""


def replayed(generator: Ref, answers: Sequence[int]) -> Call:
    """A value without a literal form: the user's own generator, answered as recorded."""
    return Call(generator, (Call(REPLAY, tuple(Atom(str(answer)) for answer in answers)),))


def returns(value: Any) -> Returns | None:
    """Pins `value`, or None when it has no literal. NaN differs from itself, so there the repr is pinned."""
    node = express(value)
    if node is None:
        return None
    return Returns(Text(repr(value)), "repr") if holds_nan(node) else Returns(node)


def raises(error: BaseException, message: str = "") -> Raises:
    """Pins the type of `error`, as far as a test can import it."""
    return Raises(error_type(error), message)


def error_type(error: BaseException) -> Ref:
    """The nearest class of `error` that a test can import; in the end that is a built-in one."""
    return next(ref for kind in type(error).__mro__ if (ref := importable(kind)) is not None)


def failure_words(exception: str) -> str:
    """`AssertionError` as `raises assertion error`; an outcome such as `timed-out` as it is."""
    if not exception[:1].isupper():
        return exception
    spaced = "".join(f" {char.lower()}" if char.isupper() else char for char in exception)
    return f"raises{spaced}"
