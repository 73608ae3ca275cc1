"""An input, and what it did: what `cover` stores, replays and hands over as a test.

    Input("shop.cart:total", (Step("total", (Display("[", ()),)),))
    Input("shop.cart:Cart", (Step("Cart"), Step("add", (Text("egg"), Atom("2"))), Step("price", kind="get")))

The first step of an input calls what the entry names: a function, a class, or a class method that makes an
object (`Step("Cart.parse", ...)`, where the name is given from the module on). Later steps are done with the
object that the first one made: a method is called, a property read, set or deleted, or the object is used in
a `with` statement. Arguments are source trees
(`source.nodes`), so that they survive as JSON, are fresh in every run, and can be written into a test.

A method that raises need not be the end: objects are used after they have refused something. So the steps go
on, and the case says which ones raised what (`Case.raised`). What nobody seems to have meant, and whatever
the first step raises, ends the run: that step is then the last one that the case keeps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast, get_args

from untrod.core import shapes
from untrod.core.shapes import (
    Malformed,
    anything,
    dotted_name,
    flag,
    listed,
    one_of,
    optional,
    record,
    row,
    text,
    texts,
    whole,
)
from untrod.core.vocabulary import Answer, Json, Trace
from untrod.engines.cover.outside import settings
from untrod.engines.cover.outside.settings import World
from untrod.source.codec import decode, decode_keywords, encode
from untrod.source.layout import flat
from untrod.source.literals import holds_nan
from untrod.source.names import is_name
from untrod.source.nodes import Node
from untrod.source.simpler import weight

StepKind = Literal["call", "host", "then", "get", "set", "del", "with", "async with"]
"""`host`, of the first step alone: for a class that needs others beside it, an object of one derived from
it; the first two arguments are what that has besides, and what a base behind has. `then` calls the object,
and goes on with what that gives. Of a `with`, the argument is what its body raises, if there is one."""
Driven = Literal["", "generator", "coroutine", "async generator"]
"""What the last step returned, when that had to be run on: it was driven to its end, or to a bound. Then
`Outcome.value` is the list of what came out; of a coroutine, what it returned."""

Pin = Literal["error", "value", "repr", "nothing"]
LONGEST_REPR = 150
DRIVEN_TO = 100
"""So many items of a generator are taken."""


class Arc(NamedTuple):
    """From the end of a line to the start of the next one; `end` is negative where the function is left."""

    module: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.module}:{self.start}->{self.end}"


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    arguments: tuple[Node, ...] = ()
    keywords: tuple[tuple[str, Node], ...] = ()
    kind: StepKind = "call"

    def __str__(self) -> str:
        if self.kind == "get":
            return self.name
        parts = [flat(node) for node in self.arguments]
        if self.kind == "host":
            named = [f"{name}={flat(node)}" for name, node in self.keywords]
            return f"{self.name}({', '.join((*parts[2:], *named))}) with {parts[0]}"
        if self.kind == "then":
            return f"then({', '.join(parts)})"
        if self.kind == "set":
            return f"{self.name} = {', '.join(parts)}"
        if self.kind == "del":
            return f"{self.name} deleted"
        if self.kind != "call":
            return f"{self.kind}: {f'raise {parts[0]}' if parts else 'pass'}"
        parts += [f"{name}={flat(node)}" for name, node in self.keywords]
        return f"{self.name}({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Input:
    """`entry` is `module:name`; there is at least one step. `world`: what is put in place outside before."""

    entry: str
    steps: tuple[Step, ...]
    world: World = ()

    @property
    def module(self) -> str:
        return self.entry.partition(":")[0]

    @property
    def weight(self) -> int:
        """How much there is to read: an order among inputs that do the same."""
        nodes = [node for step in self.steps for node in (*step.arguments, *dict(step.keywords).values())]
        outside = sum(setting.weight for setting in self.world) if self.world else 0
        return 10 * len(self.steps) + sum(map(weight, nodes)) + outside

    @property
    def is_private(self) -> bool:
        """Does it call something that is for the code itself?"""
        names = [part for step in self.steps for part in step.name.split(".")]
        return any(name.startswith("_") and not name.endswith("__") for name in names)

    def __str__(self) -> str:
        """`Cart(); .add("egg"); .price`: later steps are done with what the first one made."""
        steps = "; .".join(map(str, self.steps))
        return f"{steps} (with {', '.join(map(str, self.world))})" if self.world else steps

    def to_json(self) -> Json:
        steps = [
            [step.name, [*map(encode, step.arguments)], [[k, encode(v)] for k, v in step.keywords], step.kind]
            for step in self.steps
        ]
        return [self.entry, steps, settings.to_json(self.world)] if self.world else [self.entry, steps]

    @classmethod
    def from_json(cls, body: Json) -> Input:
        """Raises Malformed on anything `to_json` did not make."""
        body, world = _without_world(body)
        _INPUT(body, "an input")
        entry, steps = body
        read = tuple(
            Step(name, tuple(map(decode, arguments)), decode_keywords(keywords), kind)
            for name, arguments, keywords, kind in steps
        )
        if not read:
            raise Malformed("an input has no step")
        return cls(entry, read, settings.from_json(world))

    def trace(self) -> Trace:
        """As one answer, a text."""
        return Trace((json.dumps(self.to_json(), separators=(",", ":")),))

    def octets(self) -> list[int]:
        """The same for the beacon, which holds numbers only."""
        return list(json.dumps(self.to_json(), separators=(",", ":")).encode())

    @classmethod
    def from_trace(cls, answers: Sequence[Answer]) -> Input:
        """From either form. Raises Malformed."""
        try:
            if len(answers) == 1 and isinstance(answers[0], str):
                body = json.loads(answers[0])
            else:
                body = json.loads(bytes(cast(Sequence[int], answers)).decode())
        except (TypeError, ValueError, RecursionError) as error:
            raise Malformed("not the trace of an input") from error
        return cls.from_json(body)


@dataclass(frozen=True, slots=True)
class CallResult:
    """What the last step did: it raised `error`, as (module, qualified name), or it returned.

    `value` is what it returned as source, None where that has no exact source; `text` is the repr of what it
    returned, or the message of the exception, bounded. `place` is the line that raised. `suspect`: nobody
    seems to have meant this exception, so it is told as a finding.
    """

    error: tuple[str, str] | None = None
    value: Node | None = None
    text: str = ""
    driven: Driven = ""
    place: str = ""
    suspect: bool = False
    is_nonsense: bool = False
    """It says no more than that values of a wrong type do not do."""
    kind: tuple[str, str] | None = None
    """The class of what it returned, as (module, name); without a module where that cannot be imported."""
    names: tuple[str, ...] = ()
    """Of the parameters that the arguments of the last step are for, by position."""
    after: tuple[tuple[str, Node], ...] = ()
    """What is different afterwards: `.name` of the object, or `0:name`, an argument that was changed."""

    @property
    def pin(self) -> Pin:
        """By what a test holds on to it."""
        if self.error:
            return "error"
        if self.value is not None and not holds_nan(self.value):
            return "value"
        # Reprs with an address, or with a set in them, differ from process to process.
        steady = self.text.isprintable() and not re.search(r"<|0x[0-9a-f]{4}|\{", self.text)
        says_it_all = self.text and steady and len(self.text) <= LONGEST_REPR and not self.driven
        return "repr" if says_it_all or self.value is not None else "nothing"

    def __str__(self) -> str:
        return f"raises {self.error[1]}" if self.error else f"-> {self.text}"

    def to_json(self) -> Json:
        value = None if self.value is None else encode(self.value)
        error = list(self.error) if self.error else None
        more = {
            "nonsense": self.is_nonsense,
            "kind": list(self.kind) if self.kind else None,
            "names": list(self.names),
            "after": [[where, encode(node)] for where, node in self.after],
        }
        return [error, value, self.text, self.driven, self.place, self.suspect, more]

    @classmethod
    def from_json(cls, body: Json) -> CallResult:
        """Raises Malformed on anything `to_json` did not make."""
        _OUTCOME(body, "an outcome")
        error, value, text, driven, place, suspect, more = body
        return cls(
            (error[0], error[1]) if error else None,
            None if value is None else decode(value),
            text,
            driven,
            place,
            suspect,
            more["nonsense"],
            (more["kind"][0], more["kind"][1]) if more["kind"] else None,
            tuple(more["names"]),
            tuple((where, decode(node)) for where, node in more["after"]),
        )


@dataclass(frozen=True, slots=True)
class Case:
    """`given` was run for real: it ended in `outcome` and took `arcs`. `by` proposed it.

    `raised` are the steps before the last one that raised something, by number, and what as (module, name);
    `driven` are those that made a generator or the like, which a test has to drive as well. `loose` are arcs
    that it takes with some draws from chance and not with others.
    """

    given: Input
    outcome: CallResult
    arcs: frozenset[Arc] = field(default_factory=frozenset)
    by: str = ""
    raised: tuple[tuple[int, tuple[str, str]], ...] = ()
    driven: tuple[tuple[int, Driven], ...] = ()
    loose: frozenset[Arc] = field(default_factory=frozenset)

    def __str__(self) -> str:
        return f"{self.given} {self.outcome}"

    def to_json(self) -> Json:
        return {
            "input": self.given.to_json(),
            "outcome": self.outcome.to_json(),
            "arcs": [list(arc) for arc in sorted(self.arcs)],
            "loose": [list(arc) for arc in sorted(self.loose)],
            "by": self.by,
            "raised": [[number, list(error)] for number, error in self.raised],
            "driven": [list(step) for step in self.driven],
        }

    @classmethod
    def from_json(cls, body: Json) -> Case:
        """Raises Malformed on anything `to_json` did not make."""
        _CASE(body, "a case")
        return cls(
            Input.from_json(body["input"]),
            CallResult.from_json(body["outcome"]),
            read_arcs(body["arcs"]),
            body["by"],
            tuple((number, (error[0], error[1])) for number, error in body["raised"]),
            tuple((number, kind) for number, kind in body.get("driven", ())),
            read_arcs(body.get("loose", ())),
        )


def _without_world(body: Json) -> tuple[Json, Json]:
    """An input without settings has no third part."""
    has_world = isinstance(body, list) and len(body) == 3
    return (body[:2], body[2]) if has_world else (body, [])


def read_arcs(body: Json) -> frozenset[Arc]:
    """Raises Malformed on what are no arcs."""
    ARCS(body, "arcs")
    return frozenset(Arc(module, start, end) for module, start, end in body)


def _where(value: Json, name: str) -> None:
    number, mark, attribute = str(value).rpartition(":" if ":" in str(value) else ".")
    if type(value) is not str or not mark or not is_name(attribute) or (number and not number.isdecimal()):
        raise Malformed(f"{name} is neither an attribute nor an argument")


_LINE = whole(-shapes.MOST)
ARCS = listed(row(text(), _LINE, _LINE))
_ERROR = row(text(1000), text(1000))
_DRIVEN = one_of(get_args(Driven))
_INPUT = row(
    text(1000), listed(row(dotted_name, listed(anything), listed(anything), one_of(get_args(StepKind))))
)
_AFTER = listed(row(_where, anything))
_MORE = record(
    {"nonsense": flag, "kind": optional(row(text(1000), text(1000))), "names": texts(1000), "after": _AFTER}
)
_OUTCOME = row(optional(_ERROR), anything, text(), _DRIVEN, text(), flag, _MORE)
_CASE = record(
    {
        "input": anything,
        "outcome": anything,
        "arcs": anything,
        "by": text(),
        "raised": listed(row(whole(), _ERROR)),
    },
    {"driven": listed(row(whole(), _DRIVEN)), "loose": anything},
)
