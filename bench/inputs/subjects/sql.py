"""SELECT statements that sqlite3 accepts, from a grammar that knows neither scopes nor arities.

An expression is ("int", n), ("col", column), ("of", table, column), ("op", operator, left, right),
("call", function, arguments), ("scalar", expression, table) or ("in", expression, select).
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import strategies as st

from bench.inputs.subjects.base import Assume, Bug, Subject, Trace, bucketed

SCHEMA = {"t": "abc", "u": "ad", "w": "efg"}
COLUMNS, TABLES = tuple("abcdefg"), tuple(SCHEMA)
OPERATORS = ("+", "=", "<", " and ")
FUNCTIONS = ("max", "count", "length", "abs", "coalesce", "substr")
KINDS = ("int", "col", "of", "op", "call", "scalar", "in")
MAX_DEPTH = 2  # below the first level of a statement

_database = sqlite3.connect(":memory:")
_database.executescript("create table t(a, b, c); create table u(a, d); create table w(e, f, g);")


@dataclass(frozen=True)
class Select:
    columns: tuple[Any, ...]
    tables: tuple[str, ...]
    where: Any = None
    group: Any = None
    having: Any = None
    order: Any = None
    union: Select | None = None


@st.composite
def expressions(draw: st.DrawFn, depth: int) -> Any:
    kind = draw(st.sampled_from(KINDS if depth < MAX_DEPTH else KINDS[:3]))
    inner = expressions(depth + 1)
    if kind == "int":
        return (kind, draw(st.integers(0, 9)))
    if kind == "col":
        return (kind, draw(st.sampled_from(COLUMNS)))
    if kind == "of":
        return (kind, draw(st.sampled_from(TABLES)), draw(st.sampled_from(COLUMNS)))
    if kind == "op":
        return (kind, draw(st.sampled_from(OPERATORS)), draw(inner), draw(inner))
    if kind == "call":
        return (kind, draw(st.sampled_from(FUNCTIONS)), tuple(draw(st.lists(inner, min_size=1, max_size=3))))
    if kind == "scalar":
        return (kind, draw(inner), draw(st.sampled_from(TABLES)))
    return (kind, draw(inner), draw(selects(depth + 1)))


@st.composite
def selects(draw: st.DrawFn, depth: int = 0) -> Select:
    inner = expressions(depth + 1)
    columns = tuple(draw(st.lists(inner, min_size=1, max_size=3)))
    tables = tuple(draw(st.lists(st.sampled_from(TABLES), min_size=1, max_size=2)))
    where = draw(inner) if draw(st.booleans()) else None
    group = draw(inner) if draw(st.booleans()) else None
    having = draw(inner) if group is not None and draw(st.booleans()) else None
    order = draw(inner) if draw(st.booleans()) else None
    union = draw(selects(1)) if depth == 0 and draw(st.booleans()) else None
    return Select(columns, tables, where, group, having, order, union)


def render(node: Any) -> str:
    if isinstance(node, Select):
        return _render_select(node)
    kind, *rest = node
    if kind in ("int", "col"):
        return str(rest[0])
    if kind == "of":
        return f"{rest[0]}.{rest[1]}"
    if kind == "op":
        return f"({render(rest[1])}{rest[0]}{render(rest[2])})"
    if kind == "call":
        return f"{rest[0]}({','.join(map(render, rest[1]))})"
    if kind == "scalar":
        return f"(select {render(rest[0])} from {rest[1]})"
    return f"{render(rest[0])} in ({render(rest[1])})"


def _render_select(select: Select) -> str:
    text = f"select {','.join(map(render, select.columns))} from {','.join(select.tables)}"
    if select.where is not None:
        text += f" where {render(select.where)}"
    if select.group is not None:
        text += f" group by {render(select.group)}"
    if select.having is not None:
        text += f" having {render(select.having)}"
    if select.order is not None:
        text += f" order by {render(select.order)}"
    if select.union is not None:
        text += f" union {_render_select(select.union)}"
    return text


def check(select: Select, assume: Assume) -> None:
    assume(program(select))


def program(select: Select) -> list[str]:
    """The opcodes of the compiled statement; none when sqlite3 refuses it."""
    try:
        return [row[1] for row in _database.execute(f"explain {render(select)}")]
    except sqlite3.Error:
        return []


def trace(select: Select) -> Trace:
    """What sqlite3 compiled the statement to: its instructions, counted."""
    return bucketed(Counter(program(select)))


def construct(random: Random, depth: int = 0, width: int | None = None, in_union: bool = False) -> Select:
    """Only columns in scope, functions with their arity, no ORDER BY beside UNION, no aggregates."""
    tables = tuple(random.sample(TABLES, random.randint(1, 2)))

    def expression(bare: bool = True) -> Any:
        return _expression(random, tables, depth + 1, bare)

    columns = tuple(expression() for _ in range(width or random.randint(1, 3)))
    where = expression() if random.random() < 0.5 else None
    group = expression(False) if random.random() < 0.5 else None
    having = expression() if group is not None and random.random() < 0.5 else None
    union = construct(random, 1, len(columns), True) if depth == 0 and random.random() < 0.5 else None
    order = expression(False) if union is None and not in_union and random.random() < 0.5 else None
    return Select(columns, tables, where, group, having, order, union)


_ARITIES = {"max": (2, 3), "length": (1, 1), "abs": (1, 1), "coalesce": (2, 3), "substr": (2, 3)}


def _expression(random: Random, tables: tuple[str, ...], depth: int, bare: bool) -> Any:
    """`bare` allows an integer alone, which GROUP BY and ORDER BY take for a column's number."""
    columns = Counter("".join(SCHEMA[table] for table in tables))
    kind = random.choice(KINDS if depth < MAX_DEPTH else KINDS[:3])

    def inner(among: tuple[str, ...] = tables) -> Any:
        return _expression(random, among, depth + 1, True)

    if kind == "int" and bare:
        return (kind, random.randint(0, 9))
    if kind in ("int", "of"):
        table = random.choice(tables)
        return ("of", table, random.choice(SCHEMA[table]))
    if kind == "col":
        return (kind, random.choice([column for column, times in columns.items() if times == 1]))
    if kind == "op":
        # sqlite3 folds `x and 0` to 0, which GROUP BY again takes for a column's number.
        return (kind, random.choice(OPERATORS if bare else OPERATORS[:-1]), inner(), inner())
    if kind == "call":
        function, (least, most) = random.choice(list(_ARITIES.items()))
        return (kind, function, tuple(inner() for _ in range(random.randint(least, most))))
    if kind == "scalar":
        table = random.choice(TABLES)
        return (kind, inner((table,)), table)
    return (kind, inner(), construct(random, depth + 1, 1))


def nodes(node: Any) -> Iterator[Any]:
    """Every expression and statement inside a node, itself included."""
    yield node
    if isinstance(node, Select):
        clauses = (*node.columns, node.where, node.group, node.having, node.order, node.union)
    else:
        clauses = node[2] if node[0] == "call" else node[1:]
    for part in clauses:
        if isinstance(part, tuple | Select):
            yield from nodes(part)


def admits(select: Select) -> bool:
    return all(_known(node) for node in nodes(select)) and _depth(select) <= MAX_DEPTH + 1


def _known(node: Any) -> bool:
    if isinstance(node, Select):
        return set(node.tables) <= set(TABLES) and 1 <= len(node.columns) <= 3 and 1 <= len(node.tables) <= 2
    return node[0] in KINDS and (node[0] != "call" or (node[1] in FUNCTIONS and 1 <= len(node[2]) <= 3))


def _depth(node: Any) -> int:
    """Levels of nesting as the strategy counts them: one for each statement and each expression."""
    if isinstance(node, Select):
        below = max(
            _depth(part) for part in (*node.columns, node.where, node.group, node.having, node.order) if part
        )
        return max(below + 1, _depth(node.union) if node.union else 0)
    inner = node[2] if node[0] == "call" else node[1:]
    return max((1 + _depth(part) for part in inner if isinstance(part, tuple | Select)), default=0)


def _has_kind(node: Any, kind: str) -> bool:
    return any(not isinstance(part, Select) and part[0] == kind for part in nodes(node))


BUGS = (
    Bug("HAVING after WHERE", lambda select: select.where is not None and select.having is not None),
    Bug(
        "a subquery beside a UNION",
        lambda select: select.union is not None and any(_has_kind(c, "scalar") for c in select.columns),
    ),
    Bug(
        "IN in the WHERE of a join",
        lambda select: (
            len(set(select.tables)) == 2 and select.where is not None and _has_kind(select.where, "in")
        ),
    ),
)

SUBJECT = Subject("sql", selects(), check, construct, admits, trace, BUGS, render)
