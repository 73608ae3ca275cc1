"""A case of `cover` as a test: the call, and what it does today.

What cannot be pinned exactly is pinned less: a value without a source by its repr, one without a repr worth
the name by its class. Besides, a test says what the call has changed: arguments, and what the object holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from untrod.engines.cover.case import DRIVEN_TO, CallResult, Case, Driven, Input, Step
from untrod.engines.cover.outside.writing import FIXTURE, has_files, statements
from untrod.output.cases import (
    Delete,
    Do,
    Doing,
    Expectation,
    Holds,
    IsTrue,
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
from untrod.source.nodes import Atom, Call, Display, Member, Node, Pairs, Ref, Text

PRIVATE = "Private, and called directly: nothing public was seen to reach it."
_LONGEST_VALUE = 20  # in a test's name
_LONGEST_NAME = 54
_LONGEST_WORDS = 16
_NONE = Atom("None")
NONSENSE = (
    "What follows gives values of a wrong type, for the branches that nothing else takes. That it fails, "
    "and how, is hardly meant: delete what gets in the way."
)
_SPOKEN = {"__len__": "len", "__str__": "str", "__repr__": "repr", "__bool__": "bool"}
"""Methods that a person would call by their function."""


def as_test(case: Case, finding: str = "") -> TestCase:
    given, call, then = _whole(case)
    world = case.given.world
    remark = PRIVATE if case.given.is_private else ""
    if case.outcome.suspect and case.outcome.error:
        remark = f"Looks like a bug: {case.outcome.error[1]} in {case.outcome.place}."
    checked, expectation = _expected(case.outcome, case.given.steps[-1], call, then)
    itself = Ref(case.given.module, case.given.steps[0].name)
    is_called = isinstance(checked, Call) and checked.function == itself and not (given or world or then)
    is_plain = is_called and not finding and isinstance(expectation, Returns) and not expectation.through
    test = TestCase(
        name_hint=_name(case.given, _ending(case.outcome, case.given.steps[-1])),
        call=checked,
        expectation=expectation,
        given=(*statements(world), *given),
        fixtures=(FIXTURE,) if world else (),
        then=then,
        section=NONSENSE if case.outcome.is_nonsense else "",
        form=_form(case) if is_plain else (),
        finding=finding,
        remark=remark,
        trace=case.given.trace() if finding else None,
        repeats=(case.given.trace(),),
        own_folder=has_files(world),
    )
    return replace(test, weaker=_weaker(test, case))


def _form(case: Case) -> tuple[str, ...]:
    """Of a call with nothing but positional arguments: what it is called, and what these are."""
    (step,) = case.given.steps
    names = case.outcome.names[: len(step.arguments)]
    clear = len(names) == len(step.arguments) > 0 and all(map(is_name, names)) and "expected" not in names
    return (_spaced(step.name), *names) if clear and not step.keywords else ()


def asserts(case: Case) -> bool:
    """Does its test say anything of what came out?"""
    outcome, kind = case.outcome, case.given.steps[-1].kind
    if outcome.after or outcome.error:
        return True
    return kind in ("call", "get") or (kind in ("with", "async with") and outcome.pin != "nothing")


def _whole(case: Case) -> tuple[tuple[Let | Do, ...], Doing, tuple[Holds, ...]]:
    """What comes before the call, the call, and what holds after it. What is looked at then has a name."""
    given, call = rendered(case.given, case.outcome, dict(case.raised), dict(case.driven))
    if not case.outcome.after or case.outcome.error:
        return given, call, ()
    first = case.given.steps[0]
    name = _variable(first.name)
    then: list[Holds] = []
    for where, value in case.outcome.after:
        number, _, attribute = where.rpartition(":")
        if not number:
            if not given and len(case.given.steps) == 1:
                given, call = (Let(name, call),) if isinstance(call, Call) else given, Atom(name)
            then.append(Holds(Member(Atom(name), attribute.removeprefix(".")), value))
        elif isinstance(call, Call) and isinstance(call.function, Ref | Member):
            argument = attribute if attribute != name else f"{attribute}_"
            place = int(number)
            given = (*given, Let(argument, call.arguments[place]))
            call = replace(
                call, arguments=(*call.arguments[:place], Atom(argument), *call.arguments[place + 1 :])
            )
            then.append(Holds(Atom(argument), value))
    return given, call, tuple(then)


def fatal(given: Input, title: str, finding: str) -> TestCase:
    """For an input that takes the process down: written down, not run."""
    steps, call = rendered(given, CallResult())
    return TestCase(
        name_hint=_name(given, "ends the process"),
        call=call,
        given=(*statements(given.world), *steps),
        fixtures=(FIXTURE,) if given.world else (),
        own_folder=has_files(given.world),
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


def _expected(
    outcome: CallResult, last: Step, call: Doing, then: tuple[Holds, ...]
) -> tuple[Doing, Expectation]:
    if outcome.error:
        return call, Raises(_importable(outcome.error), "" if outcome.suspect else _steady(outcome.text))
    if last.kind in ("set", "del"):
        return call, Passes()
    if outcome.pin == "value":
        assert outcome.value is not None
        # That nothing is returned is worth a line where there is nothing else to say.
        return call, Passes() if then and outcome.value == _NONE else Returns(outcome.value)
    if outcome.pin == "repr":
        return call, Returns(Text(outcome.text), "repr")
    return _class_of(outcome, call)


def _class_of(outcome: CallResult, call: Doing) -> tuple[Doing, Expectation]:
    """The least that can be said of a value."""
    if outcome.kind is None or isinstance(call, Put | Delete | Within):
        return call, Passes()
    module, name = outcome.kind
    if module and is_dotted(module) and is_dotted(name):
        return Call(Atom("isinstance"), (call, Ref(module, name))), IsTrue()
    return Member(Call(Atom("type"), (call,)), "__name__"), Returns(Text(name))


def _weaker(test: TestCase, case: Case) -> TestCase | None:
    """For when a process says something else than the last one did: hashes, messages with an address."""
    outcome = case.outcome
    weak = replace(test, then=(), form=())
    if outcome.error:
        ending = _ending(outcome, case.given.steps[-1])
        return replace(
            weak, expectation=Raises(_importable(outcome.error), ""), name_hint=_name(case.given, ending)
        )
    _, call = rendered(case.given, outcome, dict(case.raised), dict(case.driven))
    call, expectation = _class_of(outcome, call)
    ending = _ending(replace(outcome, value=None), case.given.steps[-1])
    return replace(weak, name_hint=_name(case.given, ending), call=call, expectation=expectation)


def _importable(error: tuple[str, str]) -> Ref:
    module, name = error
    return Ref(module, name) if is_dotted(name) and module != "__main__" else Ref("builtins", "Exception")


def _steady(message: str) -> str:
    """The message, unless it says something that may differ in the next process."""
    return message if message.isprintable() and not re.search(r"0x[0-9a-f]{4}|\{.*\}|/", message) else ""


# -- names ----------------------------------------------------------------------------------------


def _name(given: Input, ending: str) -> str:
    """The function, what kind of input it is given, what comes out: `price of nothing raises value error`.
    Of the input, what fits."""
    last = given.steps[-1]
    owner = given.steps[0].name.rpartition(".")[0] or given.steps[0].name
    called = _spaced(last.name if len(given.steps) == 1 else f"{owner} {last.name.strip('_')}")
    parts = [
        *map(_spoken, last.arguments[2 if last.kind == "host" else 0 :]),
        *(f"{_spaced(key)} {_spoken(node)}" for key, node in last.keywords),
    ]
    words = " and ".join(parts) or ("" if len(given.steps) > 1 or not ending else "nothing")
    left = _LONGEST_NAME - len(called) - len(ending)
    kept: list[str] = []
    for word in words.split():
        if sum(map(len, kept)) + len(kept) + len(word) > left - 4:
            break
        kept.append(word)
    while kept and kept[-1] in ("and", "of", "minus"):
        kept.pop()
    return " ".join(filter(None, [called, f"of {' '.join(kept)}" if kept else "", ending]))


def _spoken(node: Node) -> str:
    """An argument in a word or a few."""
    match node:
        case Text(value):
            kind = "text" if isinstance(value, str) else "bytes"
            return f"empty {kind}" if not value else _words(flat(node), _LONGEST_WORDS) or kind
        case Display("[" | "{", ()):
            return "empty list" if node.bracket == "[" else "empty set"
        case Pairs(()):
            return "empty dict"
        case Pairs(items):
            return f"dict of {len(items)}"
        case Display(bracket, items):
            plain = _words(flat(node), _LONGEST_WORDS) if len(flat(node)) <= _LONGEST_WORDS else ""
            return plain or f"{_BRACKETS.get(bracket, 'tuple')} of {len(items)}"
        case Call(Ref(_, name)) | Ref(_, name):
            return _spaced(name.rpartition(".")[2])
    return _words(flat(node), _LONGEST_WORDS)


_BRACKETS = {"[": "list", "{": "set"}


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
    """For an object made by `Cart` or `Cart.parse`; what a function makes has no name of its own."""
    owner = next((part for part in name.split(".") if part[:1].isupper()), "made")
    variable = _spaced(owner).replace(" ", "_")
    return next((each for each in (variable, f"{variable}_") if is_name(each)), "made")
