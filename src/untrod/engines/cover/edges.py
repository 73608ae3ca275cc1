"""Inputs at the edges of what was already run: nothing, zero, one, minus one, None, and equal operands.

`100 // a` has no branch: two runs take all there is to take, and none of them is `a == 0`. So once everything
is covered, a campaign goes on for a little while. An edge is made from an input that there is, so that it has
the shape that the drawers gave it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from untrod.engines.cover.case import Input, Step
from untrod.source.nodes import Atom, Display, Node, Pairs, Text

MOST_EACH = 40
"""For one input."""
_WHOLE = (Atom("0"), Atom("1"), Atom("-1"))
_REAL = (Atom("0.0"), Atom("1.0"), Atom("-1.0"))
_SMALL = (0, 1, -1, 2, 10, 100)
_LARGE = 1_000


def edges_of(given: Input) -> Iterator[Input]:
    """Each differs from `given`; none comes twice. The steps with the most to say come first: the last."""
    seen = {given}
    for candidate in _candidates(given):
        if candidate not in seen:
            seen.add(candidate)
            yield candidate
        if len(seen) > MOST_EACH:
            return


def smaller(given: Input) -> Iterator[Input]:
    """Where a number is out of all proportion, the same with a small one."""
    for place, step in enumerate(given.steps):
        nodes = [*step.arguments, *(node for _, node in step.keywords)]
        for number, node in enumerate(nodes):
            if isinstance(node, Atom) and _is_large(node):
                for small in _SMALL:
                    text = f"{small}.0" if _is_real(node.text) else str(small)
                    yield _with(given, place, step, number, Atom(text))


def _candidates(given: Input) -> Iterator[Input]:
    for place in reversed(range(len(given.steps))):
        step = given.steps[place]
        if step.kind not in ("call", "set"):
            continue
        nodes = [*step.arguments, *(node for _, node in step.keywords)]
        changed = [list(_edges(node)) for node in nodes]
        if len(nodes) > 1 and all(changed):
            emptied = step
            for number, edges in enumerate(changed):
                emptied = _replaced(emptied, number, edges[0])
            yield replace(given, steps=(*given.steps[:place], emptied, *given.steps[place + 1 :]))
        for number, edges in enumerate(changed):
            for edge in edges:
                yield _with(given, place, step, number, edge)
        for number, node in enumerate(nodes[1:], 1):
            if type(node) is type(nodes[number - 1]):
                yield _with(given, place, step, number, nodes[number - 1])


def _edges(node: Node) -> Iterable[Node]:
    match node:
        case Atom("True" | "False"):
            return (Atom("False" if node.text == "True" else "True"),)
        case Atom("None"):
            return ()
        case Atom(text):
            return _REAL if _is_real(text) else _WHOLE
        case Text(value):
            return (Text(value[:0]), Text(value[:1]), Text(value[:1] * 2))
        case Display("[", items):
            first = items[:1]
            inside = [Display("[", (edge,)) for item in first for edge in _edges(item)]
            return (Display("[", ()), Display("[", first), Display("[", first * 2), *inside)
        case Pairs(items):
            return (Pairs(()), Pairs(items[:1]))
    return ()


def _with(given: Input, place: int, step: Step, number: int, node: Node) -> Input:
    return replace(
        given, steps=(*given.steps[:place], _replaced(step, number, node), *given.steps[place + 1 :])
    )


def _replaced(step: Step, number: int, node: Node) -> Step:
    count = len(step.arguments)
    if number < count:
        return replace(step, arguments=(*step.arguments[:number], node, *step.arguments[number + 1 :]))
    keywords = list(step.keywords)
    keywords[number - count] = (keywords[number - count][0], node)
    return replace(step, keywords=tuple(keywords))


def _is_real(text: str) -> bool:
    return "." in text or "e" in text.lower()


def _is_large(node: Atom) -> bool:
    try:
        return abs(float(node.text)) > _LARGE
    except (ValueError, OverflowError):
        return node.text.lstrip("-").isdecimal()
