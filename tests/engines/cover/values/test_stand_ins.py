"""Arguments that keep a protocol: classes of the project, dicts with keys, functions, stand-ins."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.parameters import parameters_of
from untrod.engines.cover.values.hints import kind_of
from untrod.engines.cover.values.kinds import DrawContext
from untrod.engines.cover.values.stand_ins import Arguments, has_stand_in
from untrod.engines.cover.values.words import Words
from untrod.source.codec import decode, encode
from untrod.source.evaluate import evaluate
from untrod.source.layout import flat
from untrod.source.nodes import Atom, Node


class Parcel:
    def __init__(self, weight: int) -> None:
        self.weight = weight

    def sealed_by(self) -> str:
        return "me"


def fits_a_class(parcel):
    return parcel.sealed_by() if parcel.weight > 3 else None


def fits_none(remote, name):
    if remote.is_open and remote.ask(name, 2).status == 404:
        return remote.headers["etag"]
    return None


def reads_keys(options):
    return options["size"] if "size" in options else options.get("name", "").upper()


def enters(lock):
    with lock as held:
        return held.owner


def calls(callback):
    return callback(1, 2)


def plain(text, number):
    return text.upper(), number + 1


async def waits(client):
    return (await client.fetch("x")).code


def drawn(function: Callable[..., Any], name: str, count: int = 200) -> list[Node]:
    context = DrawContext(Random(4), Words())
    parameter = next(one for one in parameters_of(function) if one.name == name)
    kind = Arguments(function).kind(parameter)
    nodes = [kind.draw(context) for _ in range(count)]
    nodes += [kind.mutate(node, context) for node in nodes]
    assert all(decode(encode(node)) == node for node in nodes)
    return nodes


def mostly(nodes: list[Node], test: Callable[[Any], bool]) -> None:
    """A guess may be wrong: now and then it is something else."""
    held = 0
    for node in nodes:
        try:
            held += bool(test(evaluate(node)))
        except Exception:
            continue
    assert held > 0.6 * len(nodes)


def test_a_class_that_has_the_members_is_taken() -> None:
    nodes = drawn(fits_a_class, "parcel")
    assert any("Parcel(" in flat(node) for node in nodes)
    mostly(nodes, lambda value: isinstance(value.weight, object) and value.sealed_by() is not value)


def test_else_a_stand_in_has_them() -> None:
    nodes = drawn(fits_none, "remote")
    mostly(nodes, lambda remote: hasattr(remote.ask("x", 2), "status") and "etag" in remote.headers)
    assert any("SimpleNamespace(" in flat(node) and "404" in flat(node) for node in nodes)


def test_a_dict_has_the_keys_that_are_read() -> None:
    nodes = drawn(reads_keys, "options")
    sizes = {tuple(sorted(evaluate(node))) for node in nodes if "size" in flat(node)}
    assert ("name", "size") in sizes
    mostly(nodes, lambda options: isinstance(options, dict) and options.keys() <= {"size", "name"})


def test_operators_are_those_of_a_class_made_on_the_spot() -> None:
    def owned(lock: Any) -> bool:
        with lock as held:
            return hasattr(held, "owner")

    mostly(drawn(enters, "lock"), owned)


def test_what_is_called_can_be_and_with_as_many_arguments() -> None:
    mostly(drawn(calls, "callback"), lambda callback: callback(1, 2) is not callback)


def test_what_is_awaited_can_be() -> None:
    import asyncio

    async def code(client: Any) -> bool:
        return hasattr(await client.fetch("x"), "code")

    mostly(drawn(waits, "client"), lambda client: asyncio.run(code(client)))


def test_plain_values_stay_plain() -> None:
    nodes = [*drawn(plain, "text"), *drawn(plain, "number")]
    assert not any(has_stand_in(Input("m:f", (Step("f", (node,)),))) for node in nodes)


def test_an_input_says_that_it_has_a_stand_in() -> None:
    (made, *_) = (n for n in drawn(fits_none, "remote") if "SimpleNamespace(" in flat(n))
    assert has_stand_in(Input("m:f", (Step("f", (), (("remote", made),)),)))
    assert not has_stand_in(Input("m:f", (Step("f", (Atom("1"),)),)))


@pytest.mark.parametrize(
    ("hint", "kind"),
    [
        (types.FunctionType, types.FunctionType),
        (types.CodeType, types.CodeType),
        (types.FrameType, types.FrameType),
        (types.ModuleType, types.ModuleType),
        (ast.AST, ast.AST),
        (ast.FunctionDef, ast.FunctionDef),
        (type, type),
        (type[ValueError], type),
    ],
)
def test_code_is_a_value_too(hint: Any, kind: type) -> None:
    context = DrawContext(Random(1), Words())
    for _ in range(40):
        node = kind_of(hint).draw(context)
        assert isinstance(evaluate(decode(encode(node))), kind)


def test_callables_have_the_arity_and_the_answer_that_the_annotation_says() -> None:
    context = DrawContext(Random(1), Words())
    for _ in range(20):
        function = evaluate(kind_of(Callable[[int, int, int], str]).draw(context))
        assert isinstance(function(1, 2, 3), str)


def walks(node):
    return [one for one in ast.walk(node) if one.lineno > 1]


def wraps(func):
    return func.__code__.co_name


def test_use_and_name_tell_what_code_it_is() -> None:
    mostly(drawn(walks, "node"), lambda node: isinstance(node, ast.AST))
    mostly(drawn(wraps, "func"), lambda func: bool(func.__name__))


class Hard:
    def __init__(self, port: int) -> None:
        raise OSError


def typed(hard: Hard, number: int):
    return hard.port + number


def test_beside_a_class_that_is_named_there_is_a_stand_in() -> None:
    hard, number = parameters_of(typed)
    beside = Arguments(typed).beside(hard)
    assert beside is not None
    assert hasattr(evaluate(beside.draw(DrawContext(Random(1), Words()))), "port")
    assert Arguments(typed).beside(number) is None


class Odd(type):
    def __dir__(cls) -> list[str]:
        raise OSError


class Strange(metaclass=Odd):
    pass


def of_function(thing):
    return thing.__annotations__, thing.some_member


def test_classes_of_all_kinds_may_be_at_hand() -> None:
    of_function.__globals__["kinds"] = [types.FunctionType]
    of_function.__globals__["FunctionType"] = types.FunctionType
    try:
        assert drawn(of_function, "thing", 20)
    finally:
        del of_function.__globals__["FunctionType"], of_function.__globals__["kinds"]
