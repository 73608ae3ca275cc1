"""How much is to be made of an exception: a level, and in one line the reason to believe it.

The checks go from what excuses the function to what accuses it: the first that applies decides.
"""

from __future__ import annotations

import ast
import datetime
import inspect
import math
import os
import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from untrod.core.interrupts import stands_at_raise
from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.methods import Method
from untrod.engines.cover.parameters import Parameter
from untrod.engines.cover.rightness.callers import Callers, Calls
from untrod.engines.cover.rightness.contracts import NOTHING_SAID, Contract, contract_of, tree_of
from untrod.engines.cover.rightness.fitting import fits, one_constraint
from untrod.engines.cover.rightness.levels import LEVELS, NOTE, Judgement, Level
from untrod.engines.cover.rightness.raised_at import Given, raised_at, value_of
from untrod.engines.cover.targets import Entry, Maker
from untrod.engines.cover.under_test import InputRun
from untrod.runtime.deadline import EpisodeStopped, EpisodeTimeout
from untrod.runtime.guard import Refused
from untrod.source.evaluate import evaluate
from untrod.source.nodes import Atom, Display, Node, Pairs, Ref, Text

ABSURD = 1_000_000
"""Numbers beyond it are given to few functions; small ones work as well, or nothing does."""
LONG = 2_000
_LOOKUPS = frozenset(
    ["__getitem__", "__delitem__", "__missing__", "pop", "popitem", "popleft", "remove", "index"]
)
_ENDLESS = frozenset(
    [
        "serve",
        "serve_forever",
        "run",
        "run_forever",
        "main",
        "loop",
        "mainloop",
        "listen",
        "watch",
        "poll",
        "wait",
    ]
)
_OF_TYPES = (TypeError, AttributeError)
_SAYS_LITTLE = (list, tuple, dict, set, str, bytes)
"""Of what is in them the type says little: a `str` may have to be a format."""
_CONTAINERS = (str, bytes, list, tuple, dict)
_NO_REFUSAL = ("NotImplementedError", "TypeError", "AttributeError", "StopIteration")
_OF_NAMES = (NameError,)
_STAND_INS = ("unittest.mock", "untrod.")


class _Argument(NamedTuple):
    parameter: Parameter
    place: int | str
    value: Any
    guarded: Any = None
    """The type that the function demands before it does anything."""

    @property
    def hint(self) -> Any:
        return self.parameter.hint if self.guarded is None else self.guarded

    @property
    def is_guessed(self) -> bool:
        return self.parameter.guessed and self.guarded is None


@dataclass(slots=True)
class _Use:
    """A step of the input: what it calls, with which arguments."""

    step: Step
    part: Maker | Method | None
    function: Any
    name: str
    """As callers write it: of a class, that of the class."""
    arguments: list[_Argument]

    @property
    def contract(self) -> Contract:
        return contract_of(self.function) if self.function is not None else NOTHING_SAID


class Judge:
    """Of one subject. `files` are those of the code under test."""

    def __init__(
        self, entries: Mapping[str, Entry], files: Collection[str], callers: Callers, project: str
    ) -> None:
        self._entries = entries
        self._files = files
        self._callers = callers
        self._project = project

    def judge(self, run: InputRun, error: BaseException) -> Judgement:
        entry = self._entries.get(run.given.entry)
        if entry is None:
            return Judgement(NOTE, "nothing is known of what was called")
        return _Case(self, run, error, entry).judgement()

    def calls(self, name: str) -> Calls:
        return self._callers.of(name)

    def repaired(self, given: Input) -> Iterator[Input]:
        """Where callers pass another kind of argument, with one of that kind."""
        entry = self._entries[given.entry]
        for number, step in enumerate(given.steps):
            use = _use(step, entry, number)
            mended = step
            for argument in use.arguments:
                calls = self.calls(use.name)
                if argument.is_guessed and calls.contradicts(argument.place, argument.value):
                    kinds = sorted(calls.kinds[argument.place] & _MENDED.keys())
                    mended = _with_argument(mended, argument.place, _MENDED[kinds[0]]) if kinds else mended
            if mended != step:
                given = replace(given, steps=(*given.steps[:number], mended, *given.steps[number + 1 :]))
                yield given


class _Case:
    """One exception, with everything that is asked of it."""

    def __init__(self, judge: Judge, run: InputRun, error: BaseException, entry: Entry) -> None:
        self._judge = judge
        self.run, self.error, self.entry = run, error, entry
        self.uses = [_use(step, entry, number) for number, step in enumerate(run.given.steps)]
        self.files = _files_of(error, judge._files, judge._project)
        self.raised = raised_at(error, self.files)
        self.values = [argument.value for use in self.uses for argument in use.arguments]
        named = {argument.parameter.name: argument.value for use in self.uses for argument in use.arguments}
        self.given = Given(self.raised.first, named) if self.raised is not None else None

    # -- from what excuses to what accuses --------------------------------------------------------

    def judgement(self) -> Judgement:
        if isinstance(self.error, Refused):
            return Judgement("low", "untrod's guard refused it: nobody knows how it would have gone on")
        excuse = self._stopped()
        misuse = "" if excuse else self._misused()
        if excuse or misuse:
            return Judgement(NOTE, excuse or misuse, bool(misuse))
        if isinstance(self.error, EpisodeStopped | MemoryError):
            return self._resources()
        excuse = self._meant()
        if excuse:
            return Judgement(NOTE, excuse)
        return self._weighed()

    def _stopped(self) -> str:
        return "it ends the process on purpose" if isinstance(self.error, SystemExit) else ""

    def _misused(self) -> str:
        """What the arguments, the class or the callers say against the input."""
        return self._stand_in() or self._unmade() or self._misfit() or self._forbidden() or self._unheard_of()

    def _stand_in(self) -> str:
        if any(map(_is_stand_in, self.values)) and not isinstance(self.error, _OF_NAMES):
            return "one of the arguments only stands in for what the code was written for"
        return ""

    def _unmade(self) -> str:
        if not self.entry.is_class:
            return ""
        return contract_of(self.entry.target).unmade or self._without_host()

    def _without_host(self) -> str:
        """An attribute that no method of the class or its bases ever sets: a mixin has it from its host."""
        error = self.error
        kind = self.entry.target
        if not isinstance(error, AttributeError) or not isinstance(kind, type) or type(error.obj) is not kind:
            return ""
        known = _set_in(kind)
        if error.name and error.name not in known and "*" not in known:
            return (
                f"nothing in {kind.__name__} sets .{error.name}: it is for subclasses or mixed in elsewhere"
            )
        return ""

    def _misfit(self) -> str:
        for use in self.uses:
            for argument in use.arguments:
                hint = argument.hint
                if argument.is_guessed or hint is None or fits(argument.value, hint):
                    continue
                return f"{argument.parameter.name} has not the type that is written down for it"
            pairs = [(argument.value, argument.parameter.hint) for argument in use.arguments]
            if not one_constraint(pairs):
                return "the arguments are of different types where one is meant"
        return ""

    def _forbidden(self) -> str:
        for use in self.uses:
            for argument in use.arguments:
                told = use.contract.forbids(argument.parameter.name, argument.value)
                if told:
                    return told
        return ""

    def _unheard_of(self) -> str:
        """A kind of argument that no caller passes, where nobody wrote a type down."""
        for use in self.uses:
            for argument in use.arguments:
                if argument.is_guessed and self._judge.calls(use.name).contradicts(
                    argument.place, argument.value
                ):
                    kind = type(argument.value).__name__
                    return f"nobody calls {use.name} with a {kind} for {argument.parameter.name}"
        return ""

    # -- what was stopped -------------------------------------------------------------------------

    def _resources(self) -> Judgement:
        absurd = self._absurd()
        if absurd:
            return Judgement(NOTE, f"it takes too long, or too much memory, only with {absurd}")
        last = self.uses[-1]
        if last.step.name.lower().rpartition(".")[2].strip("_") in _ENDLESS:
            return Judgement(NOTE, f"{last.step.name} runs until it is stopped, by its name")
        if any(callable(value) or hasattr(value, "__next__") for value in self.values):
            return Judgement(NOTE, "a callable or an iterator that was given may never come to an end")
        how = "did not end in time" if isinstance(self.error, EpisodeTimeout) else "took all the memory"
        if self._is_written_down() and not self.run.raised:
            if self._in_while_loop() or not isinstance(self.error, EpisodeTimeout):
                return Judgement(
                    "critical", f"it {how}, in a loop, with small arguments of the annotated types"
                )
            return Judgement("high", f"it {how} with small arguments of the annotated types")
        confirmed = self._is_confirmed()
        if self._in_while_loop() and confirmed:
            return Judgement("high", f"it {how}, in a loop, with small arguments as callers pass them")
        return Judgement("medium" if confirmed else "low", f"it {how} with small arguments")

    def _in_while_loop(self) -> bool:
        """Was the innermost frame of the code under test within `while`?"""
        if self.raised is None:
            return False
        code = self.raised.frame.f_code
        tree = tree_of(code)
        if tree is None:
            return False
        line = self.raised.line - code.co_firstlineno + 1
        return any(
            isinstance(node, ast.While) and node.lineno <= line <= (node.end_lineno or node.lineno)
            for node in ast.walk(tree)
        )

    # -- what is part of the interface ------------------------------------------------------------

    def _meant(self) -> str:
        error, last = self.error, self.uses[-1]
        for contract in self._contracts():
            name = contract.documents(error)
            if name:
                return f"{name} is documented"
        if isinstance(error, LookupError) and last.step.name in _LOOKUPS:
            return f"{type(error).__name__} is how a container says that it does not have it"
        if _raised_on_purpose(error, self.files):
            return "a function that it calls refuses the value on purpose"
        if isinstance(error, AssertionError) and self._is_head():
            return "the function asserts at its beginning what it demands of its arguments"
        for use in self.uses:
            name = self._judge.calls(use.name).handles(error)
            if name:
                return f"callers of {use.name} handle {name}"
        return ""

    def _contracts(self) -> Iterator[Contract]:
        yield from (use.contract for use in self.uses)
        if self.entry.is_class:
            yield contract_of(self.entry.target)
        for function in _functions_on_the_way(self.error, self.files):
            yield contract_of(function)

    def _is_head(self) -> bool:
        """Does an assert at the head of a function refuse what the caller has given?"""
        if self.raised is None:
            return False
        contract = next(
            (contract_of(one) for one in _functions_on_the_way(self.error, self.files, last=True)),
            None,
        )
        if contract is None or self.raised.line not in contract.head:
            return False
        return self.raised.frame is self.raised.first or self._touches_given()

    # -- what is left -----------------------------------------------------------------------------

    def _weighed(self) -> Judgement:
        error = self.error
        if isinstance(error, _OF_NAMES):
            name = (
                "an unbound variable"
                if isinstance(error, UnboundLocalError)
                else "a name that does not exist"
            )
            return self._lowered("high", f"{name}: no argument makes that right")
        if isinstance(error, RecursionError):
            return self._recursion()
        absurd = self._absurd()
        if absurd and isinstance(error, OverflowError):
            return Judgement(NOTE, f"only with {absurd}")
        written = self._is_written_down()
        touches = self._touches_given()
        where = f" (`{self.raised.expression}`)" if self.raised is not None and self.raised.expression else ""
        if self._calls_given() or (isinstance(error, _OF_TYPES) and any(map(callable, self.values))):
            return Judgement(NOTE, "a callable that was given fails, or gives what the function cannot use")
        if touches and not (written and isinstance(error, IndexError) and self._is_at_computed_place()):
            return self._of_given(written, where)
        if isinstance(error, AssertionError):
            level: Level = "high" if written else "medium" if self._is_confirmed() else "low"
            return self._lowered(
                level, "an assert about something that the function made itself does not hold"
            )
        if not written:
            if isinstance(error, _OF_TYPES):
                return Judgement(NOTE, "the types of its arguments were guessed")
            if self._is_confirmed() and not (isinstance(error, LookupError) and self._is_empty_given()):
                return self._lowered(
                    "medium", f"an operation inside fails{where}, with arguments as callers pass them"
                )
            return Judgement(
                "note", f"an operation inside fails{where}, and nobody says what the arguments are to be"
            )
        other = self._other_errors()
        if other:
            return self._lowered(
                "high",
                f"it refuses such arguments by {other} elsewhere, and here an operation inside fails{where}",
            )
        return self._lowered(
            "high" if self._is_annotated() else "medium",
            f"arguments of the types written down; an operation inside fails{where}",
        )

    def _of_given(self, written: bool, where: str) -> Judgement:
        """The operation that failed was done to a value that the caller gave."""
        error = self.error
        if not written:
            return Judgement(
                "note", f"it fails on the value given{where}, and nobody says what that is to be"
            )
        if isinstance(error, _OF_TYPES):
            if self._is_annotated() and self._is_told_apart():
                return self._lowered(
                    "high", f"the type written down allows a value that it cannot use{where}"
                )
            return Judgement(NOTE, f"the type written down says too little of the value{where}")
        if isinstance(error, ArithmeticError):
            absurd = self._absurd()
            if absurd:
                return Judgement(NOTE, f"only with {absurd}")
            return self._lowered("medium", f"a plain number of the type written down{where}")
        if isinstance(error, IndexError) and self._is_empty_given() and self._is_at_fixed_place():
            return self._lowered("medium", f"the value may be empty by its type, and is looked into{where}")
        return Judgement(NOTE, f"the value given is looked up and is not there{where}")

    def _recursion(self) -> Judgement:
        """Endless, or as deep as what was given?"""
        if self._absurd() or max((_depth(value) for value in self.values), default=0) > 20:
            return Judgement(NOTE, "as deep as what was given")
        if any(_is_number(value, 200) for value in self.values):
            return Judgement("low", "it calls itself as often as a number says")
        if self._is_written_down() or self._is_confirmed() or not any(map(callable, self.values)):
            return self._lowered("high", "it calls itself without end, on small arguments", by_text=False)
        return self._lowered("medium", "it calls itself without end", by_text=False)

    def _lowered(self, level: Level, evidence: str, by_text: bool = True) -> Judgement:
        """For what makes the input less likely: an absurd number, a step before that was refused."""
        steps = 0
        absurd = self._absurd()
        if absurd:
            steps, evidence = 2, f"{evidence}; only seen with {absurd}"
        if self.run.raised:
            steps, evidence = steps + 1, f"{evidence}; after a step that was refused"
        if getattr(self.entry, "private", False):
            steps, evidence = steps + 1, f"{evidence}; nothing public calls it"
        if by_text and any(
            use.contract.demands(argument.parameter.name)
            for use in self.uses
            for argument in use.arguments
            if self._is_blamed(argument)
        ):
            steps, evidence = steps + 1, f"{evidence}; the docstring asks for more than a type says"
        if not steps:
            return Judgement(level, evidence)
        worst = LEVELS.index("low") if LEVELS.index(level) < LEVELS.index(NOTE) else LEVELS.index(NOTE)
        return Judgement(LEVELS[min(LEVELS.index(level) + steps, worst)], evidence)

    def _is_blamed(self, argument: _Argument) -> bool:
        """Has the failing operation to do with it?"""
        if self.raised is None:
            return True
        return any(
            isinstance(node, ast.Name) and node.id == argument.parameter.name
            for operand in self.raised.operands
            for node in ast.walk(operand)
        )

    # -- facts ------------------------------------------------------------------------------------

    def _is_written_down(self) -> bool:
        """Has somebody said of every argument what it is to be?"""
        return not any(
            argument.is_guessed or _says_nothing(argument.hint)
            for use in self.uses
            for argument in use.arguments
        )

    def _is_annotated(self) -> bool:
        return all(
            argument.parameter.source == "annotation" for use in self.uses for argument in use.arguments
        )

    def _is_confirmed(self) -> bool:
        """Of what nobody wrote down: do callers pass such values?"""
        unknown = [(use, argument) for use in self.uses for argument in use.arguments if argument.is_guessed]
        return all(
            self._judge.calls(use.name).confirms(argument.place, argument.value) for use, argument in unknown
        )

    def _is_told_apart(self) -> bool:
        """Does the type name this class of values, rather than `object` or a bare container?"""
        blamed = [one for use in self.uses for one in use.arguments if self._is_blamed(one)]
        return not any(_says_nothing(one.hint) or isinstance(one.value, _SAYS_LITTLE) for one in blamed)

    def _touches_given(self) -> bool:
        raised, given = self.raised, self.given
        if raised is None or given is None:
            return False
        if isinstance(self.error, AttributeError) and isinstance(raised.node, ast.Attribute):
            return given.holds(raised.node.value, raised.frame)
        operands = raised.operands
        if isinstance(self.error, KeyError) and isinstance(raised.node, ast.Subscript):
            # A name that is looked up in some other spelling is the caller's all the same.
            operands = [*operands, *(one for one in ast.walk(raised.node.slice) if isinstance(one, ast.Name))]
        return any(given.holds(operand, raised.frame) for operand in operands)

    def _calls_given(self) -> bool:
        """Was a callable that was given what failed?"""
        raised, given = self.raised, self.given
        if raised is None or given is None or not isinstance(raised.node, ast.Call):
            return False
        func = raised.node.func
        if isinstance(func, ast.Name) and func.id in raised.frame.f_locals and not self._is_written_down():
            return True  # one that it was given, or has made of what it was given
        return given.holds(func, raised.frame)

    def _is_empty_given(self) -> bool:
        """Is there nothing in what was looked into? Where that has no name: in one of the arguments?"""
        node = self.raised.node if self.raised is not None else None
        if self.raised is not None and isinstance(node, ast.Subscript):
            known, value = value_of(node.value, self.raised.frame)
            if known:
                return isinstance(value, _CONTAINERS) and len(value) == 0
        return any(isinstance(value, _CONTAINERS) and len(value) == 0 for value in self.values)

    def _is_at_fixed_place(self) -> bool:
        """`items[0]`, not `items[place]` with a place that was given as well."""
        node = self.raised.node if self.raised is not None else None
        if not isinstance(node, ast.Subscript):
            return False
        place = node.slice.operand if isinstance(node.slice, ast.UnaryOp) else node.slice
        return isinstance(place, ast.Constant)

    def _is_at_computed_place(self) -> bool:
        """`items[len(items)]`: the place is the function's own."""
        raised, given = self.raised, self.given
        if raised is None or given is None or not isinstance(raised.node, ast.Subscript):
            return False
        place = raised.node.slice
        names = [one for one in ast.walk(place) if isinstance(one, ast.Name)]
        if self._is_at_fixed_place() or self._is_empty_given():
            return False
        return any(not given.holds(name, raised.frame) for name in names)

    def _other_errors(self) -> str:
        """What it documents, or raises on purpose, for arguments that it refuses."""
        for contract in self._contracts():
            names = sorted(contract.raises | contract.on_purpose)
            wanted = [
                name
                for name in names
                if name.endswith(("Error", "Exception", "Invalid")) and name != "NotImplementedError"
            ]
            if wanted:
                return wanted[0]
        return ""

    def _absurd(self) -> str:
        return absurdity(self.values)


_MENDED: dict[str, Node] = {
    "callable": Ref("operator", "add"),
    "str": Text("a"),
    "int": Atom("1"),
    "float": Atom("1.5"),
    "list": Display("[", (Atom("1"),)),
    "tuple": Display("(", (Atom("1"),)),
    "dict": Pairs(((Text("a"), Atom("1")),)),
    "bytes": Text(b"a"),
}


def _with_argument(step: Step, place: int | str, node: Node) -> Step:
    if isinstance(place, int):
        return replace(step, arguments=(*step.arguments[:place], node, *step.arguments[place + 1 :]))
    keywords = tuple((name, node if name == place else value) for name, value in step.keywords)
    return replace(step, keywords=keywords)


# -- helpers ------------------------------------------------------------------------------------------


def absurdity(values: Sequence[Any]) -> str:
    """What is out of all proportion in the arguments, in words; empty where nothing is."""
    for value in _inside(values):
        if isinstance(value, float) and not math.isfinite(value):
            return f"{value}"
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) > ABSURD:
            return "a number beyond a million"
        if isinstance(value, float) and 0 < abs(value) < 1 / ABSURD:
            return "a number next to nothing"
        if isinstance(value, datetime.date) and not 1000 <= value.year <= 3000:
            return f"the year {value.year}"
        if isinstance(value, datetime.timedelta) and abs(value.days) > ABSURD:
            return "a time beyond a million days"
        if isinstance(value, str | bytes | list | tuple | dict | set) and len(value) > LONG:
            return f"{len(value):,} items"
    return ""


def arguments_of(given: Input) -> list[Any]:
    """Evaluated anew. What cannot be made is left out."""
    found = []
    for step in given.steps:
        for node in (*step.arguments, *(value for _, value in step.keywords)):
            found += _evaluated(node)
    return found


def _evaluated(node: Node) -> list[Any]:
    try:
        return [evaluate(node)]
    except EpisodeStopped:
        raise
    except BaseException:
        return []


def _inside(values: Sequence[Any], depth: int = 4) -> Iterator[Any]:
    for value in values:
        yield value
        if depth and isinstance(value, list | tuple | set | frozenset):
            yield from _inside(list(value)[:100], depth - 1)
        elif depth and isinstance(value, dict):
            yield from _inside([*value.keys(), *value.values()][:200], depth - 1)
        elif (
            depth
            and type(value).__module__ != "builtins"
            and isinstance(getattr(value, "__dict__", None), dict)
        ):
            yield from _inside(
                list(vars(value).values())[:50] if not isinstance(value, type | types.ModuleType) else [],
                depth - 1,
            )


def _use(step: Step, entry: Entry, number: int) -> _Use:
    parts: list[Maker | Method] = [*(entry.makers if number == 0 else ()), *entry.methods]
    part = next((one for one in parts if (one.name, one.kind) == (step.name, step.kind)), None)
    function: Any = entry.target if number == 0 else None
    if isinstance(part, Method):
        function = part.function
    elif entry.is_class and number == 0 and step.name != entry.attribute:
        function = getattr(entry.target, step.name.rpartition(".")[2], entry.target)
    name = step.name.rpartition(".")[2]
    guards = contract_of(function).types if function is not None else {}
    bound = _bound(step, part.parameters) if part is not None else ()
    arguments = [one._replace(guarded=guards.get(one.parameter.name)) for one in bound]
    return _Use(step, part, function, name, arguments)


def _bound(step: Step, parameters: Sequence[Parameter]) -> Iterator[_Argument]:
    places = [one for one in parameters if not one.keyword and not one.rest]
    rest = next((one for one in parameters if one.rest and not one.keyword), None)
    for number, node in enumerate(step.arguments):
        parameter = places[number] if number < len(places) else rest
        for value in _evaluated(node) if parameter is not None else ():
            assert parameter is not None
            yield _Argument(parameter, number, value)
    named = {one.name: one for one in parameters}
    anything = next((one for one in parameters if one.rest and one.keyword), None)
    for name, node in step.keywords:
        parameter = named.get(name, anything)
        for value in _evaluated(node) if parameter is not None else ():
            assert parameter is not None
            yield _Argument(parameter, name, value)


def _says_nothing(hint: Any) -> bool:
    """`object`, `Any`, a bare `dict`: a type that most values have says nothing of them."""
    return hint in (None, Any, object, dict, list, tuple, set)


def _is_stand_in(value: Any) -> bool:
    kind = type(value)
    if kind is types.SimpleNamespace or kind.__module__.startswith(_STAND_INS) or kind is object:
        return True
    return bool(getattr(kind, "_is_protocol", False))


def _is_number(value: Any, most: int) -> bool:
    return isinstance(value, int) and abs(value) > most


def _depth(value: Any, most: int = 60) -> int:
    if most == 0 or not isinstance(value, list | tuple | dict | set):
        return 0
    items = [*value.values()] if isinstance(value, dict) else list(value)
    return 1 + max((_depth(item, most - 1) for item in items[:20]), default=0)


def _files_of(error: BaseException, files: Collection[str], project: str) -> set[str]:
    """Of the code under test, and of the rest of the project as far as the exception came through it."""
    on_the_way = {frame.f_code.co_filename for frame in _frames(error)}
    return {
        path
        for path in on_the_way
        if path in files or (path.startswith(project + os.sep) and "site-packages" not in path)
    }


def _frames(error: BaseException) -> Iterator[types.FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _raised_on_purpose(error: BaseException, files: Collection[str]) -> bool:
    """Is the innermost frame of the project at a `raise`?"""
    found = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in files:
            found = trace
        trace = trace.tb_next
    return found is not None and not isinstance(error, AssertionError) and stands_at_raise(found)


def _functions_on_the_way(error: BaseException, files: Collection[str], last: bool = False) -> list[Any]:
    """The functions of the code under test that the exception went through, the outermost first."""
    found = []
    for frame in _frames(error):
        code = frame.f_code
        if code.co_filename not in files:
            continue
        owner = frame.f_locals.get("self", frame.f_locals.get("cls"))
        candidates = [frame.f_globals.get(code.co_name)]
        kind = owner if isinstance(owner, type) else type(owner)
        candidates += [vars(base).get(code.co_name) for base in kind.__mro__] if owner is not None else []
        for one in candidates:
            plain = getattr(one, "__func__", getattr(one, "fget", one))
            try:
                plain = inspect.unwrap(plain) if callable(plain) else plain
            except ValueError:
                continue
            if getattr(plain, "__code__", None) is code:
                found.append(plain)
                break
        if len(found) > 20:
            break
    return found[-1:] if last else found


def _set_in(kind: type) -> set[str]:
    """The attributes that the class and its bases define or set somewhere."""
    names: set[str] = set(dir(kind))
    for base in kind.__mro__[:-1]:
        tree = tree_of(base)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                names.add(node.attr)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.add(node.target.id)
            elif (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "setattr"
                and len(node.args) > 1
            ):
                second = node.args[1]
                if isinstance(second, ast.Constant):
                    names.add(str(second.value))
                else:
                    return names | {"*"}
    return names
