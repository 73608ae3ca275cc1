"""A case of `cover` as a test: the call, and what it does today.

What cannot be pinned exactly is pinned less: a value without a source by its repr, one without a repr worth
the name not at all. Then the test says only that the call returns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from untrod.engines.cover.case import DRIVEN_TO, CallResult, Case, Driven, Input, Step
from untrod.output.cases import (
    Delete,
    Do,
    Doing,
    Expectation,
    KnownFailure,
    Let,
    Passes,
    Put,
    Raises,
    Returns,
    TestCase,
    Within,
)
from untrod.output.helpers import COLLECTED, ENTERED
from untrod.source.layout import flat
from untrod.source.names import is_dotted, is_name
from untrod.source.nodes import Atom, Call, Display, Member, Pairs, Ref, Text

PRIVATE = "Private, and called directly: nothing public was seen to reach it."
_LONGEST_VALUE = 20  # in a test's name
_LONGEST_ARGUMENTS = 25
_SPOKEN = {"__len__": "len", "__str__": "str", "__repr__": "repr", "__bool__": "bool"}
"""Methods that a person would call by their function."""


def as_test(case: Case, finding: str = "") -> TestCase:
    given, call = rendered(case.given, case.outcome, dict(case.raised), dict(case.driven))
    remark = PRIVATE if case.given.is_private else ""
    if case.outcome.suspect and case.outcome.error:
        remark = f"Looks like a bug: {case.outcome.error[1]} in {case.outcome.place}."
    test = TestCase(
        name_hint=f"{_called(case.given)} {_ending(case.outcome, case.given.steps[-1])}",
        call=call,
        expectation=_expectation(case.outcome, case.given.steps[-1]),
        given=given,
        finding=finding,
        remark=remark,
        trace=case.given.trace() if finding else None,
        repeats=(case.given.trace(),),
    )
    return replace(test, weaker=_weaker(test, case))


def fatal(given: Input, title: str, finding: str) -> TestCase:
    """For an input that takes the process down: written down, not run."""
    steps, call = rendered(given, CallResult())
    return TestCase(
        name_hint=f"{_called(given)} ends the process",
        call=call,
        given=steps,
        known_failure=KnownFailure(title, run=False),
        finding=finding,
    )


def rendered(
    given: Input,
    outcome: CallResult,
    raised: Mapping[int, tuple[str, str]] = MappingProxyType({}),
    driven: Mapping[int, Driven] = MappingProxyType({}),
) -> tuple[tuple[Let | Do, ...], Doing]:
    """What comes before the call, and the call. By number, `raised` are the steps that are refused, and
    `driven` those that make a generator or the like."""
    first, *later = given.steps
    making = _making(given.module, first)
    if not later:
        return (), _driven(making, outcome)
    name = _variable(first.name)
    before: list[Let | Do] = [Let(name, making)]
    for number, step in enumerate(later[:-1], 1):
        # Reading a property may do something, but a statement that only reads is what linters remove.
        made = _read(name, step) if step.kind == "get" else _on(name, step)
        if step.kind == "then" and isinstance(made, Call) and number not in raised:
            before.append(Let(name, made))
            continue
        doing = _driven(made, CallResult(driven=driven.get(number, "")))
        before.append(Do(doing, _importable(raised[number]) if number in raised else None))
    last = later[-1]
    call = Member(Atom(name), last.name) if last.kind == "get" else _on(name, last)
    return tuple(before), _driven(call, outcome)


def _making(module: str, step: Step) -> Call:
    made = Ref(module, step.name)
    if step.kind != "host":
        return Call(made, step.arguments, step.keywords)
    members, above, *arguments = step.arguments
    base = Call(Atom("type"), (Text("Base"), Display("(", ()), above))
    bases = Display("(", (made, base) if above != Pairs(()) else (made,))
    host = Call(Atom("type"), (Text("Host"), bases, members))
    return Call(host, tuple(arguments), step.keywords)


def _on(name: str, step: Step) -> Doing:
    match step.kind:
        case "set":
            return Put(Member(Atom(name), step.name), step.arguments[0])
        case "del":
            return Delete(Member(Atom(name), step.name))
        case "with":
            return Within(name, step.arguments[0] if step.arguments else None, _unlike(name))
        case "async with":
            return Call(ENTERED, (Atom(name), *step.arguments))
    if step.name == "__call__":
        return Call(Atom(name), step.arguments, step.keywords)
    if step.name in _SPOKEN and not step.arguments:
        return Call(Atom(_SPOKEN[step.name]), (Atom(name),))
    return Call(Member(Atom(name), step.name), step.arguments, step.keywords)


def _read(name: str, step: Step) -> Call:
    return Call(Atom("getattr"), (Atom(name), Text(step.name)))


def _unlike(name: str) -> str:
    return "value" if name != "value" else "given"


def _driven(call: Doing, outcome: CallResult) -> Doing:
    driven: Driven = outcome.driven
    if isinstance(call, Put | Delete | Within):
        return call
    if driven == "generator":
        whole = isinstance(outcome.value, Display) and len(outcome.value.items) < DRIVEN_TO
        items = call if whole else Call(Ref("itertools", "islice"), (call, Atom(str(DRIVEN_TO))))
        return Call(Atom("list"), (items,))
    if driven == "coroutine":
        return Call(Ref("asyncio", "run"), (call,))
    return Call(COLLECTED, (call,)) if driven == "async generator" else call


def _expectation(outcome: CallResult, last: Step) -> Expectation:
    if last.kind in ("set", "del") and not outcome.error:
        return Passes()
    match outcome.pin:
        case "error":
            assert outcome.error
            return Raises(_importable(outcome.error), "" if outcome.suspect else _steady(outcome.text))
        case "value":
            assert outcome.value is not None
            return Returns(outcome.value)
        case "repr":
            return Returns(Text(outcome.text), "repr")
    return Passes()


def _weaker(test: TestCase, case: Case) -> TestCase:
    """For when a process says something else than the last one did: hashes, messages with an address."""
    error = case.outcome.error
    expectation = Raises(_importable(error), "") if error else Passes()
    ending = _ending(replace(case.outcome, value=None), case.given.steps[-1])
    return replace(test, name_hint=f"{_called(case.given)} {ending}", expectation=expectation)


def _importable(error: tuple[str, str]) -> Ref:
    module, name = error
    return Ref(module, name) if is_dotted(name) and module != "__main__" else Ref("builtins", "Exception")


def _steady(message: str) -> str:
    """The message, unless it says something that may differ in the next process."""
    return message if message.isprintable() and not re.search(r"0x[0-9a-f]{4}|\{.*\}|/", message) else ""


# -- names ----------------------------------------------------------------------------------------


def _called(given: Input) -> str:
    last = given.steps[-1]
    owner = given.steps[0].name.rpartition(".")[0] or given.steps[0].name
    name = last.name if len(given.steps) == 1 else f"{owner} {last.name.strip('_')}"
    parts = [flat(node) for node in last.arguments[2 if last.kind == "host" else 0 :]]
    parts += [f"{key} {flat(node)}" for key, node in last.keywords]
    words = _words(" ".join(parts), _LONGEST_ARGUMENTS)
    return f"{_spaced(name)} {words}".strip()


def _ending(outcome: CallResult, last: Step) -> str:
    if outcome.error:
        return f"raises {_spaced(outcome.error[1].rpartition('.')[2])}"
    if last.kind in ("set", "del"):
        return "is set" if last.kind == "set" else "is deleted"
    shown = _words(flat(outcome.value) if outcome.value is not None else "", _LONGEST_VALUE)
    return f"returns {shown}" if shown else "returns"


def _words(source: str, longest: int) -> str:
    """The beginning of `source` as words: what fits."""
    spoken = source.replace("-", " minus ").replace(".", " point ") if len(source) <= longest else source
    words: list[str] = []
    for word in re.findall(r"[A-Za-z0-9]+", spoken):
        if sum(map(len, words)) + len(words) + len(word) > longest:
            break
        words.append(word)
    return " ".join(words)


def _spaced(name: str) -> str:
    """`HTTPError` and `is_valid` in words."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return re.sub(r"[._]+", " ", parted).strip().lower()


def _variable(name: str) -> str:
    """For an object made by `Cart` or `Cart.parse`."""
    owner = next((part for part in name.split(".") if part[:1].isupper()), name.rpartition(".")[2])
    variable = _spaced(owner).replace(" ", "_")
    return next((each for each in (variable, f"{variable}_") if is_name(each)), "made")
