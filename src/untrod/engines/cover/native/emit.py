"""A case of `cover` on a C program as a test: the program is compiled and run, without a shell."""

from __future__ import annotations

import re
from dataclasses import replace

from untrod.engines.cover.case import Case, Input
from untrod.engines.cover.native.subject import BY_SIGNAL
from untrod.engines.cover.native.target import NativeTarget
from untrod.output.cases import IsTrue, KnownFailure, Passes, Returns, TestCase
from untrod.output.helpers import BUILT, ENDS_WELL, FOUND, RUN
from untrod.source.nodes import Atom, Call, Display, Node, Text

LONGEST_OUTPUT = 4_000
_SANITIZED = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_PLAIN = ("-O0",)
"""What crashed without a sanitizer may not do so when it is optimised."""
_HANG_SECONDS = "2"


def can_be_tested(case: Case) -> bool:
    """Not where processes are left, or files become too large: pytest has no launcher to deal with that."""
    return case.outcome.value is not None


def as_test(case: Case, target: NativeTarget, finding: str = "") -> TestCase:
    if case.outcome.error is not None:
        title = f"{case.outcome.text} {case.outcome.place}".strip()
        return ends_badly(case.given, target, title, finding, flags=flags_for(case))
    value = case.outcome.value
    assert isinstance(value, Display)
    status, stdout, stderr = value.items
    short = all(isinstance(text, Text) and len(text.value) <= LONGEST_OUTPUT for text in (stdout, stderr))
    test = TestCase(
        name_hint=f"{_called(case.given)} exits {_number(status)}",
        call=_call(RUN, _program(target), case.given, target),
        expectation=Returns(value) if short else Passes(),
        finding=finding,
    )
    return replace(test, weaker=replace(test, expectation=Passes()))


def ends_badly(
    given: Input,
    target: NativeTarget,
    title: str,
    finding: str,
    *,
    flags: tuple[str, ...] = (),
    hangs: bool = False,
) -> TestCase:
    """An expected failure, until somebody mends the program."""
    program = _program(target, flags)
    call = _call(ENDS_WELL, program, given, target)
    if hangs:
        call = replace(call, keywords=(*call.keywords, ("seconds", Atom(_HANG_SECONDS))))
    return TestCase(
        name_hint=f"{_called(given)} ends well",
        call=call,
        expectation=IsTrue(),
        known_failure=KnownFailure(title),
        finding=finding,
    )


def flags_for(case: Case) -> tuple[str, ...]:
    """With which the program fails as it did."""
    return _PLAIN if case.outcome.error and case.outcome.error[0] == BY_SIGNAL else _SANITIZED


def _call(helper: Node, program: Node, given: Input, target: NativeTarget) -> Call:
    step = given.steps[0]
    fixed = tuple(Text(text) for text in target.fields.fixed)
    return Call(helper, (program, *fixed, *step.arguments), step.keywords)  # type: ignore[arg-type]


def _program(target: NativeTarget, flags: tuple[str, ...] = ()) -> Node:
    if target.binary:
        return Call(FOUND, (Text(target.coverage_binary),))
    options = (*flags, *target.flags)
    keywords = (("flags", Display("(", tuple(map(Text, options)))),) if options else ()
    return Call(BUILT, tuple(map(Text, (target.source, *target.also))), keywords)


def _called(given: Input) -> str:
    """In a few words, for the test's name."""
    step = given.steps[0]
    texts = [node.value for node in step.arguments if isinstance(node, Text)]
    texts += [node.value for _, node in step.keywords if isinstance(node, Text)]
    words = [re.sub(r"[^a-z0-9]+", " ", _spoken(text)).strip() for text in texts]
    program = given.module.removesuffix(".c")
    return " ".join([program, *filter(None, words)])[:60].strip()


def _spoken(text: str | bytes) -> str:
    return (text.decode("latin-1") if isinstance(text, bytes) else text).lower()


def _number(status: Node) -> str:
    return status.text.replace("-", "by signal ") if isinstance(status, Atom) else "?"
