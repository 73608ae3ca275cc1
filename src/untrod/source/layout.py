"""Expression trees as source, laid out the way `ruff format` lays them out at 88 columns.

The writer never runs a formatter: it cannot count on one being installed. So it keeps to the few shapes whose
layout is simple to state, and the tests compare it with ruff itself:

- what fits on the line stays on the line;
- a display (list, tuple, set, dict) that does not fit has one element per line and a trailing comma;
- a call that does not fit tries all arguments on one indented line, then one per line with a trailing comma;
  a lone argument never has one;
- a string that does not fit even on a line of its own is written in pieces, one below the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from untrod.source.names import dotted, name
from untrod.source.nodes import Atom, Call, Display, Lambda, Member, Node, Pairs, Ref, Text
from untrod.source.quoting import pieces, quoted, width

COLUMNS = 88

Names: TypeAlias = Callable[[Ref], str]
"""How a Ref is spelled in the file at hand."""

_CLOSING = {"[": "]", "(": ")", "{": "}"}


def qualified(ref: Ref) -> str:
    """The spelling outside any file: by the last part of the name."""
    return ref.qualname


def flat(node: Node, names: Names = qualified) -> str:
    """`node` on one line, however long. Raises NoName on what is called by no identifier."""
    match node:
        case Atom(text):
            return text
        case Text(value):
            return quoted(value)
        case Ref():
            return dotted(names(node))
        case Member(of, member):
            return f"{_owner(of, names)}.{name(member)}"
        case Lambda(parameters, body):
            return _lambda_head(parameters) + flat(body, names)
        case Call(function):
            return f"{flat(function, names)}({', '.join(_flat_arguments(node, names))})"
        case Display("{", ()):
            return "set()"  # `{}` is a dict
        case Display(bracket, items):
            comma = "," if bracket == "(" and len(items) == 1 else ""
            return f"{bracket}{', '.join(flat(item, names) for item in items)}{comma}{_CLOSING[bracket]}"
        case Pairs(items):
            return "{" + ", ".join(f"{flat(key, names)}: {flat(value, names)}" for key, value in items) + "}"


def statement(
    node: Node, names: Names = qualified, *, indent: int = 0, before: str = "", after: str = ""
) -> list[str]:
    """The lines of `before` + `node` + `after`, `indent` columns in: `x = [...]`, `@mark(...)`."""
    lines = _Layout(names).broken(node, indent, indent + width(before), len(after))
    overlong = indent + width(before + lines[0]) > COLUMNS
    if isinstance(node, Atom | Text | Ref | Member) and (overlong or len(lines) > 1):
        lines = _parenthesised(node, names, indent) or lines
    lines[0] = " " * indent + before + lines[0]
    lines[-1] += after
    return lines


def references(node: Node) -> list[Ref]:
    """Every Ref in `node`, in reading order."""
    match node:
        case Ref():
            return [node]
        case Member(of) | Lambda(_, of):
            return references(of)
        case Call(function, arguments, keywords):
            inside: tuple[Node, ...] = (function, *arguments, *(value for _, value in keywords))
        case Display(_, items):
            inside = items
        case Pairs(pairs):
            inside = tuple(side for pair in pairs for side in pair)
        case _:
            return []
    return [ref for child in inside for ref in references(child)]


def _owner(node: Node, names: Names) -> str:
    whole = flat(node, names)
    return f"({whole})" if isinstance(node, Lambda) else whole


def _lambda_head(parameters: tuple[str, ...]) -> str:
    stars = ["*" * (len(one) - len(one.lstrip("*"))) + name(one.lstrip("*")) for one in parameters]
    return f"lambda {', '.join(stars)}: " if stars else "lambda: "


def _flat_arguments(call: Call, names: Names) -> list[str]:
    positional = [flat(argument, names) for argument in call.arguments]
    return positional + [f"{name(key)}={flat(value, names)}" for key, value in call.keywords]


@dataclass(frozen=True, slots=True)
class _Layout:
    names: Names

    def broken(self, node: Node, indent: int, column: int, after: int) -> list[str]:
        """The lines of `node` starting at `column`; later lines carry their own indentation.

        `indent` is that of the line it starts on, `after` the columns that must stay free at its end.
        """
        whole = flat(node, self.names)
        if column + width(whole) + after <= COLUMNS:
            return [whole]
        match node:
            case Text(value):
                parts = pieces(value, COLUMNS - column - after, COLUMNS - indent - after)
                return [parts[0], *(" " * indent + part for part in parts[1:])]
            case Display(bracket, items) if items:
                return self._one_per_line(bracket, [("", item) for item in items], _CLOSING[bracket], indent)
            case Pairs(items) if items:
                if not all(self._pair_fits(key, value, indent + 4) for key, value in items):
                    return self.broken(_as_call(node), indent, column, after)
                pairs = [(flat(key, self.names) + ": ", value) for key, value in items]
                return self._one_per_line("{", pairs, "}", indent)
            case Lambda(parameters, body):
                head = _lambda_head(parameters)
                first, *rest = self.broken(body, indent, column + width(head), after)
                return [head + first, *rest]
            case Call(Call() as function, (), ()):
                lines = self.broken(function, indent, column, after + 2)
                return [*lines[:-1], lines[-1] + "()"]
            case Call(function) if node.arguments or node.keywords:
                return self._broken_call(node, flat(function, self.names) + "(", indent)
            case _:
                return [whole]

    def _broken_call(self, call: Call, head: str, indent: int) -> list[str]:
        together = ", ".join(_flat_arguments(call, self.names))
        if indent + 4 + width(together) <= COLUMNS:
            return [head, " " * (indent + 4) + together, " " * indent + ")"]
        arguments: list[tuple[str, Node]] = [("", argument) for argument in call.arguments]
        arguments += [(f"{name(key)}=", value) for key, value in call.keywords]
        return self._one_per_line(head, arguments, ")", indent, comma=len(arguments) > 1)

    def _one_per_line(
        self, head: str, items: list[tuple[str, Node]], tail: str, indent: int, comma: bool = True
    ) -> list[str]:
        lines = [head]
        for prefix, item in items:
            inner = indent + 4
            first, *rest = self.broken(item, inner, inner + width(prefix), int(comma))
            lines += [" " * inner + prefix + first, *rest]
            lines[-1] += "," if comma else ""
        return [*lines, " " * indent + tail]

    def _pair_fits(self, key: Node, value: Node, indent: int) -> bool:
        """Whether `key: value,` can be laid out as a dict entry without an overlong line."""
        column = indent + width(flat(key, self.names)) + len(": ")
        if column + width(flat(value, self.names)) + len(",") <= COLUMNS:
            return True
        match value:
            case Call(function) if value.arguments or value.keywords:
                return column + width(flat(function, self.names)) + len("(") <= COLUMNS
            case Display(_, items) | Pairs(items) if items:
                return column + len("dict(") <= COLUMNS
            case Lambda():
                return True
            case _:
                return False


def _parenthesised(node: Atom | Text | Ref | Member, names: Names, indent: int) -> list[str]:
    """`node` on lines of its own, or nothing when that would not make it fit either."""
    inner = indent + 4
    first, *rest = _Layout(names).broken(node, inner, inner, 0)
    if inner + width(first) > COLUMNS:
        return []
    return ["(", " " * inner + first, *rest, " " * indent + ")"]


def _as_call(pairs: Pairs) -> Call:
    return Call(Atom("dict"), (Display("[", tuple(Display("(", pair) for pair in pairs.items)),))
