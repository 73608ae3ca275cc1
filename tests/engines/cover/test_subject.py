"""Every real run: what it took, and how it ended."""

from __future__ import annotations

import pytest

from untrod.core.vocabulary import Outcome
from untrod.engines.cover.case import Input, Step
from untrod.source.literals import express
from untrod.source.nodes import Atom, Call, Ref, Text


def given(entry: str, *steps: tuple) -> Input:
    made = []
    for name, *arguments in steps:
        kind = "get" if name.startswith(".") else "call"
        made.append(Step(name.lstrip("."), tuple(map(express, arguments)), kind=kind))
    return Input(entry, tuple(made))


def lines(subject, run) -> set[str]:
    """The source of the lines that branches led to."""
    arcs = subject.branch_map.named(run.arcs & subject.branch_map.branches)
    return {subject.branch_map.line(arc.module, arc.end) for arc in arcs if arc.end > 0}


def test_a_call_takes_its_branches_and_returns(load) -> None:
    subject = load("triangle")
    run = subject.run(given("triangle:triangle", ("triangle", 3, 4, 5)))
    case, _ = subject.case(run, "hand")
    assert 'return "right-angled"' in lines(subject, run)
    assert case.outcome.value == Text("right-angled")
    assert case.outcome.error is None
    assert subject.finding(run) is None


def test_an_exception_that_the_author_meant_is_an_outcome_and_no_finding(load) -> None:
    subject = load("triangle")
    run = subject.run(given("triangle:triangle", ("triangle", 0, 4, 5)))
    outcome = subject.case(run, "hand")[0].outcome
    assert outcome.error == ("builtins", "ValueError")
    assert (outcome.text, outcome.place, outcome.suspect) == ("a side has a length", "triangle.py:9", False)
    assert subject.outcome(run) is Outcome.VALID


def test_an_exception_that_nobody_meant_is_a_finding(load) -> None:
    subject = load("calc")
    run = subject.run(given("calc:evaluate", ("evaluate", "1/0")))
    assert subject.case(run, "hand")[0].outcome.suspect
    told = subject.finding(run)
    assert told is not None
    assert told["title"].startswith("ZeroDivisionError")
    assert subject.outcome(run) is Outcome.FAILED


HALTING = """
class Halt(BaseException):
    def __eq__(self, other: object) -> bool:
        raise KeyboardInterrupt

def halt(how: str) -> object:
    if how == "interrupt":
        raise KeyboardInterrupt
    if how == "generator":
        raise GeneratorExit
    if how == "return":
        return Halt()
    raise Halt(how)

def take(halt: object) -> None:
    pass
"""


@pytest.mark.parametrize(
    ("how", "name"), [("interrupt", "KeyboardInterrupt"), ("generator", "GeneratorExit"), ("own", "Halt")]
)
def test_every_exception_that_the_code_raises_is_an_outcome(load, how: str, name: str) -> None:
    subject = load("halting", source=HALTING)
    run = subject.run(given("halting:halt", ("halt", how)))
    assert subject.case(run, "hand")[0].outcome.error[1] == name
    assert subject.outcome(run) is Outcome.VALID


def test_also_where_a_value_is_looked_at_or_an_argument_made(load) -> None:
    subject = load("halting", source=HALTING)
    run = subject.run(given("halting:halt", ("halt", "return")))
    assert subject.case(run, "hand")[0].outcome.error is None
    node = Call(Ref("halting", "halt"), (Text("interrupt"),))
    assert not subject.run(Input("halting:take", (Step("take", (node,)),))).valid


def test_steps_are_done_with_one_object(load) -> None:
    subject = load("bank")
    made = ("Account", "Ada", 10)
    run = subject.run(given("bank:Account", made, ("withdraw", 4), (".status",)))
    assert run.value == "in debt"
    assert subject.run(given("bank:Account", made, ("deposit", 4), ("deposit", 4))).value == 8


def test_an_object_is_used_after_it_has_refused_something(load) -> None:
    subject = load("bank")
    asked = given("bank:Account", ("Account", "Ada"), ("withdraw", 4), (".status",))
    run = subject.run(asked)
    assert run.value == "frozen"
    assert subject.case(run, "")[0].raised == ((1, ("bank", "Refused")),)
    refused, _ = subject.case(subject.run(given("bank:Account", ("Account", "Ada"), ("withdraw", 4))), "")
    assert (refused.outcome.error, refused.raised) == (("bank", "Refused"), ())


def test_what_nobody_meant_ends_the_case_and_so_does_a_constructor(load) -> None:
    subject = load("money", source=COMPARED)
    run = load("bank").run(given("bank:Account", ("Account", ""), ("deposit", 4)))
    assert [step.name for step in run.given.steps] == ["Account"]
    run = subject.run(given("money:Money", ("Money", 1), ("less", 3), ("less", 3)))
    assert [step.name for step in run.given.steps] == ["Money", "less"]
    assert isinstance(run.error, AttributeError)


def test_an_argument_of_a_wrong_type_is_to_blame_itself(load) -> None:
    subject = load("money", source=COMPARED)
    for wrong, told in (("x", False), (3, True)):
        run = subject.run(given("money:Money", ("Money", 1), ("less", wrong)))
        assert isinstance(run.error, AttributeError)
        assert (subject.finding(run) is not None) == told


def test_arguments_are_fresh_in_every_run(load) -> None:
    subject = load(
        "grows", source="def grow(items: list[int]):\n    items.append(1)\n    return len(items)\n"
    )
    asked = given("grows:grow", ("grow", [5]))
    assert [subject.run(asked).value for _ in range(3)] == [2, 2, 2]


def test_an_argument_that_cannot_be_made_makes_the_input_invalid(load) -> None:
    subject = load("triangle")
    unbuilt = Input(
        "triangle:triangle", (Step("triangle", (Call(Ref("decimal", "Decimal"), (Text("x"),)),)),)
    )
    run = subject.run(unbuilt)
    assert not run.valid
    assert subject.outcome(run) is Outcome.INVALID
    assert subject.run(Input("triangle:gone", (Step("gone"),))).valid is False


GENERATORS = """
import asyncio

def evens(limit: int):
    number = 0
    while number < limit:
        yield number
        number += 2

def endless(start: int):
    while True:
        yield start

async def twice(number: int):
    await asyncio.sleep(0)
    return 2 * number

async def counts(limit: int):
    for number in range(limit):
        yield number

async def forever(number: int):
    while True:
        await asyncio.sleep(0)
"""


@pytest.mark.parametrize(
    ("name", "argument", "value", "driven"),
    [
        ("evens", 5, [0, 2, 4], "generator"),
        ("endless", 7, [7] * 100, "generator"),
        ("twice", 4, 8, "coroutine"),
        ("counts", 3, [0, 1, 2], "async generator"),
    ],
)
def test_generators_and_coroutines_are_driven(load, name, argument, value, driven) -> None:
    subject = load("driven", source=GENERATORS)
    run = subject.run(given(f"driven:{name}", (name, argument)))
    assert (run.value, run.driven) == (value, driven)


def test_a_coroutine_that_never_ends_is_given_up(load) -> None:
    subject = load("driven", source=GENERATORS)
    assert not subject.run(given("driven:forever", ("forever", 1))).valid


def test_what_importing_takes_is_known(load) -> None:
    source = "import sys\nif sys.platform:\n    x = 1\nelse:\n    x = 2\n\ndef f(a: int):\n    return a\n"
    subject = load("branching", source=source)
    assert subject.branch_map.total == 2
    assert subject.branch_map.covered(subject.imported) == 1
    assert [arc.end for arc in subject.branch_map.untaken(subject.imported)] == [5]


def test_modules_beside_the_target_count_too(load, tmp_path) -> None:
    (tmp_path / "deep.py").write_text("def sign(n):\n    if n < 0:\n        return -1\n    return 1\n")
    source = "import deep\n\ndef thin(n: int) -> int:\n    return deep.sign(n)\n"
    subject = load("thin", source=source, also=("deep",))
    run = subject.run(given("thin:thin", ("thin", -5)))
    assert [arc.module for arc in subject.branch_map.named(run.arcs & subject.branch_map.branches)] == [
        "deep"
    ]


def test_an_episode_that_killed_a_worker_is_not_run_again(load) -> None:
    subject = load("triangle")
    subject.untested.add(0)
    assert not subject.run(given("triangle:triangle", ("triangle", 3, 4, 5))).valid
    assert subject.run(given("triangle:triangle", ("triangle", 3, 4, 5))).valid


def test_what_a_test_runs_to_look_at_a_value_is_the_cases_too(load) -> None:
    source = (
        "class Tag:\n    def __init__(self, n: int):\n        self.n = n\n"
        "    def __repr__(self):\n        if self.n > 3:\n            return 'many'\n        return 'few'\n"
    )
    subject = load("tags", source=source)
    run = subject.run(given("tags:Tag", ("Tag", 5)))
    case, arcs = subject.case(run, "hand")
    assert case.outcome.pin == "repr"
    assert {arc.end for arc in case.arcs} - {arc.end for arc in subject.branch_map.named(run.arcs)} >= {6}
    assert arcs > run.arcs
    assert subject.branch_map.named(arcs) == case.arcs


COMPARED = """
class Money:
    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __lt__(self, other: "Money") -> bool:
        return self.cents < other.cents

    def less(self, other: "Money | int") -> bool:
        return self.cents < other.cents
"""


def test_a_comparison_with_something_else_is_no_finding(load) -> None:
    """Python compares anything with anything; a method of one's own is another matter."""
    subject = load("money", source=COMPARED)
    for name, told in (("__lt__", False), ("less", True)):
        steps = (Step("Money", (Atom("1"),)), Step(name, (Atom("3"),)))
        run = subject.run(Input("money:Money", steps))
        assert isinstance(run.error, AttributeError)
        assert (subject.finding(run) is not None) == told, name


def test_a_comparison_is_tried_with_anything(load) -> None:
    from untrod.engines.cover.parameters import parameters_of

    (entry,) = load("money", source=COMPARED).survey.entries
    (other,) = parameters_of(entry.target.__lt__, owner=entry.target, bound=True)
    assert set(other.hint.__args__) == {entry.target, object}
    (other,) = parameters_of(entry.target.less, owner=entry.target, bound=True)
    assert set(other.hint.__args__) == {entry.target, int}


PLUGIN = """
import hub

if "csv" in hub.KNOWN:
    raise RuntimeError("there is a csv already")

class Csv:
    pass

hub.KNOWN["csv"] = Csv

if len(hub.KNOWN) == 1:
    FIRST = True
else:
    FIRST = False

def is_known(n: int) -> bool:
    return isinstance(hub.KNOWN["csv"](), Csv)
"""


def test_a_module_is_imported_once(load, tmp_path) -> None:
    (tmp_path / "hub.py").write_text("KNOWN = {}\n")
    subject = load("plugin", source=PLUGIN)
    assert subject.run(given("plugin:is_known", ("is_known", 1))).value is True
    assert {arc.end for arc in subject.branch_map.untaken(subject.imported)} == {5, 15}


SLOW_TO_LOOK_AT = """
from dataclasses import dataclass
from untrod.runtime.deadline import EpisodeTimeout

@dataclass
class Sum:
    terms: int

    def __eq__(self, other: object) -> bool:
        raise EpisodeTimeout  # as the supervisor's signal does, when it takes too long

def total(n: int) -> Sum:
    return Sum(n)
"""


def test_a_value_that_takes_too_long_to_look_at_is_left_alone(load) -> None:
    subject = load("slow", source=SLOW_TO_LOOK_AT)
    case, _ = subject.case(subject.run(given("slow:total", ("total", 3))), "hand")
    assert (case.outcome.error, case.outcome.pin) == (None, "nothing")
    assert not subject.beacon.running
