"""Code as a value: functions, classes, modules, code objects, frames, syntax trees.

For what inspects, wraps or rewrites code. Functions are lambdas, or have source.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType, FrameType, FunctionType, LambdaType, MethodType, ModuleType
from typing import Any

from untrod.engines.cover.values.kinds import DrawContext, Fixed, Kind, OneOf
from untrod.source.literals import express
from untrod.source.nodes import Atom, Call, Display, Lambda, Member, Node, Ref, Text

ANY_ARGUMENTS = ("*_", "**__")
_LETTERS = "abcdefgh"


@dataclass(frozen=True, slots=True)
class Answering:
    """A function that answers with values of a kind, whatever it is given; with `errors`, now and then one
    that raises. `parameters` are those that it says to have."""

    answer: Kind
    parameters: tuple[str, ...] = ANY_ARGUMENTS
    errors: tuple[Node, ...] = ()
    awaited: bool = False

    def draw(self, context: DrawContext) -> Node:
        if self.errors and context.happens(0.25):
            mock = "AsyncMock" if self.awaited else "Mock"
            return Call(Ref("unittest.mock", mock), (), (("side_effect", context.rng.choice(self.errors)),))
        answer = self.answer.draw(context.inner)
        if self.awaited:
            return Call(Ref("unittest.mock", "AsyncMock"), (), (("return_value", answer),))
        return Lambda(self.parameters, answer)

    def mutate(self, node: Node, context: DrawContext) -> Node:
        if not isinstance(node, Lambda) or node.hands_back or context.happens(0.1):
            return self.draw(context)
        return Lambda(node.parameters, self.answer.mutate(node.body, context.inner))


def arity(count: int) -> tuple[str, ...]:
    return tuple(_LETTERS[:count]) if 0 <= count <= len(_LETTERS) else ANY_ARGUMENTS


_PLAIN = (
    Lambda((), Atom("1")),
    Lambda(("a",), Atom("a")),
    Lambda(("a", "b"), Atom("a")),
    Lambda(("*_", "**__"), Atom("None")),
)
_SOURCED = tuple(
    Ref(module, name)
    for module, name in (
        ("textwrap", "dedent"),
        ("string", "capwords"),
        ("posixpath", "join"),
        ("fnmatch", "translate"),
        ("colorsys", "rgb_to_hsv"),
        ("shlex", "split"),
        ("textwrap", "indent"),
    )
)
FUNCTIONS: Kind = OneOf((Fixed(_PLAIN), Fixed(_SOURCED)))
_MADE_CLASS = Call(
    Atom("type"), (Text("Sample"), Display("(", ()), Call(Atom("dict"), (), (("size", Atom("1")),)))
)
CLASSES: Kind = Fixed(
    (
        Ref("builtins", "int"),
        Ref("builtins", "str"),
        Ref("builtins", "dict"),
        Ref("builtins", "object"),
        Ref("builtins", "ValueError"),
        Ref("fractions", "Fraction"),
        Ref("string", "Template"),
        Ref("collections", "OrderedDict"),
        _MADE_CLASS,
    )
)
_INT, _STR = Ref("builtins", "int"), Ref("builtins", "str")


def _record(*fields: Node) -> Call:
    return Call(Ref("dataclasses", "make_dataclass"), (Text("Sample"), Display("[", fields)))


def _field(name: str, kind: Node, *default: Node) -> Node:
    return Display("(", (Text(name), kind, *default))


def _alias(outer: str, *inner: Node) -> Call:
    return Call(Ref("types", "GenericAlias"), (Ref("builtins", outer), Display("(", inner)))


def _typing(name: str, *inner: Node) -> Call:
    given = inner[0] if len(inner) == 1 else Display("(", inner)
    return Call(Member(Ref("typing", name), "__getitem__"), (given,))


TYPES: Kind = Fixed(
    (
        _INT,
        _STR,
        Ref("builtins", "list"),
        Ref("typing", "Any"),
        _alias("list", _INT),
        _alias("dict", _STR, _INT),
        _alias("tuple", _INT, _STR),
        _typing("Optional", _INT),
        _typing("Union", _INT, _STR),
        _typing("List", _STR),
        _typing("Dict", _STR, _INT),
        Call(Ref("typing", "NewType"), (Text("Sample"), _INT)),
        Call(Ref("typing", "TypeVar"), (Text("T"),)),
    )
)
_DEFAULT = Call(Ref("dataclasses", "field"), (), (("default", Atom("1")),))
_DATACLASSES = (
    _record(_field("size", _INT)),
    _record(_field("name", _STR), _field("size", _INT, _DEFAULT)),
    _record(_field("size", _typing("Optional", _INT)), _field("names", _alias("list", _STR))),
    _record(_field("inner", _record(_field("size", _INT)))),
    _record(),
)
DATACLASSES: Kind = Fixed(_DATACLASSES)
RECORDS: Kind = Fixed(
    (
        Call(_DATACLASSES[0], (Atom("1"),)),
        Call(_DATACLASSES[1], (Text("a"),)),
        Call(_DATACLASSES[2], (Atom("None"), Display("[", (Text("a"),)))),
        Call(_DATACLASSES[3], (Call(_DATACLASSES[0], (Atom("2"),)),)),
    )
)
MODULES: Kind = Fixed(
    (
        *(Call(Ref("importlib", "import_module"), (Text(name),)) for name in ("string", "textwrap", "math")),
        Call(Ref("types", "ModuleType"), (Text("sample"),)),
    )
)
SOURCES = (
    "x = 1",
    "x",
    "f(x, *a, k=1)",
    "a.b[0] = 'text'",
    "def f(a, b: int = 2, *c, d=3, **e) -> int:\n    '''Says it.'''\n    return a + b",
    "class C(B):\n    x: int = 1\n    def m(self):\n        pass",
    "import os.path as p\nfrom a.b import c as d, e",
    "for i in range(3):\n    if i:\n        continue\n    else:\n        break",
    "with open('f') as g:\n    yield g",
    "try:\n    raise E\nexcept (A, B) as e:\n    pass\nfinally:\n    x = 1",
    "[y for y in z if y]",
    "{'a': 1, **b}",
    "lambda q: -q",
    "x = f'{a}b'",
    "a < b and not c or d",
    "x += 1",
    "async def g():\n    await h()",
    "@d\ndef f(): ...",
    "__all__ = ['a', 'b']",
    "while True:\n    del x",
    "x: int",
)
_WITH_CODE: tuple[Node, ...] = (*_PLAIN, *_SOURCED[:4])
CODES: Kind = OneOf(
    (
        Fixed(
            tuple(Call(Ref("builtins", "compile"), (Text(s), Text("<s>"), Text("exec"))) for s in SOURCES[:7])
        ),
        Fixed(tuple(Member(one, "__code__") for one in _WITH_CODE)),
    )
)
FRAMES: Kind = Fixed((Call(Ref("inspect", "currentframe")), Call(Ref("sys", "_getframe"))))


@dataclass(eq=False)
class Trees:
    """Syntax trees: whole modules, or nodes of a class. `home` is the module of such classes: `ast`, or one
    that is like it."""

    wanted: type = ast.AST
    home: ModuleType = ast
    _nodes: list[Node] = field(default_factory=list)
    _parsed: list[Node] = field(default_factory=list)

    def draw(self, context: DrawContext) -> Node:
        if not self._nodes:
            self._fill()
        whole = self.wanted in (self.home.AST, self.home.mod, self.home.Module)
        return context.rng.choice(self._parsed if whole and context.happens(0.6) else self._nodes)

    def mutate(self, node: Node, context: DrawContext) -> Node:
        return self.draw(context)

    def _fill(self) -> None:
        found: dict[Node, None] = {}
        for source in SOURCES:
            try:
                tree = self.home.parse(source)
            except SyntaxError:
                continue  # of an older grammar
            self._parsed.append(Call(Ref(self.home.__name__, "parse"), (Text(source),)))
            for node in self.home.walk(tree):
                if isinstance(node, self.wanted) and not isinstance(node, self.home.mod):
                    made = self._tree(node)
                    placed = isinstance(node, self.home.stmt | self.home.expr)
                    mended = Call(Ref(self.home.__name__, "fix_missing_locations"), (made,))
                    found[mended if placed else made] = None
        self._nodes = list(found) or self._parsed

    def _tree(self, node: Any) -> Node:
        named = [(name, getattr(node, name, None)) for name in node._fields]
        given = tuple((name, self._part(value)) for name, value in named if value is not None and value != [])
        return Call(Ref(self.home.__name__, type(node).__name__), (), given)

    def _part(self, value: Any) -> Node:
        if isinstance(value, self.home.AST):
            return self._tree(value)
        if isinstance(value, list):
            return Display("[", tuple(map(self._part, value)))
        return express(value) or Atom("None")


def _home_of(kind: type) -> ModuleType | None:
    """Of a class of syntax trees: the module that has them, and can parse."""
    root = next((base for base in kind.__mro__ if base.__name__ == "AST"), None)
    if root is None or root is ast.AST:
        return None if root is None else ast
    wanted = ("parse", "walk", "fix_missing_locations", "stmt", "expr", "mod", "Module")
    for module in list(sys.modules.values()):
        if getattr(module, "AST", None) is root and all(hasattr(module, name) for name in wanted):
            return module
    return None


TREES: Kind = Trees()
SOURCE: Kind = Fixed(tuple(map(Text, SOURCES)))
OF_TYPES: Mapping[Any, Kind] = {
    FunctionType: FUNCTIONS,
    LambdaType: FUNCTIONS,
    MethodType: Fixed((Member(Text("a b"), "split"), Member(Ref("string", "Formatter"), "format"))),
    ModuleType: MODULES,
    CodeType: CODES,
    FrameType: FRAMES,
    ast.AST: TREES,
}


def kind_of_code(hint: Any) -> Kind | None:
    """Of a type that code has; None for any other."""
    if not isinstance(hint, type):
        return None
    if hint is ast.AST:
        return TREES
    home = _home_of(hint)
    return Trees(hint, home) if home is not None else OF_TYPES.get(hint)


_BY_NAME = {
    "functions": "func fn function callback cb callable_ decorated wrapped f method handler hook predicate",
    "classes": "cls klass class_ kls clazz",
    "types": "type_ tp typ hint annotation field_type",
    "modules": "module mod",
    "frames": "frame",
    "codes": "code co code_object",
    "trees": "node tree ast_node ast_tree",
}
_KINDS = {
    "functions": FUNCTIONS,
    "classes": CLASSES,
    "types": TYPES,
    "dataclasses": DATACLASSES,
    "records": OneOf((RECORDS, DATACLASSES)),
    "modules": MODULES,
    "frames": FRAMES,
    "codes": CODES,
    "trees": TREES,
}
_NAMED = {name: kind for kind, names in _BY_NAME.items() for name in names.split()}
_SIGNS = {
    "frames": {"f_code", "f_locals", "f_globals", "f_lineno", "f_back", "f_builtins"},
    "codes": {"co_name", "co_code", "co_filename", "co_varnames", "co_firstlineno", "co_flags", "co_consts"},
    "functions": {"__code__", "__wrapped__", "__defaults__", "__kwdefaults__", "__globals__", "__closure__"},
    "types": {"__origin__", "__args__", "__supertype__", "__parameters__", "__metadata__"},
    "classes": {"__mro__", "__bases__", "__subclasses__", "mro"},
    "trees": {"lineno", "col_offset", "_fields"},
    "modules": {"__file__", "__spec__", "__path__", "__all__"},
}
_VOTES = {"function": "functions", "callable": "functions", "class": "classes", "ast": "trees"}


def kind_of_use(name: str, attributes: set[str], votes: set[str], knows_ast: bool) -> Kind | None:
    """By what is read of it, by what it is handed to, by its name."""
    for kind, signs in _SIGNS.items():
        if attributes & signs and (kind != "trees" or knows_ast):
            return _KINDS[kind]
    for vote, kind in _VOTES.items():
        if vote in votes and "record" not in votes:
            return _KINDS[kind]
    if "record" in votes:
        return _KINDS["dataclasses" if _NAMED.get(name) in ("classes", "types") else "records"]
    if "source" in votes:
        return SOURCE
    dunders = {one for one in attributes if one.startswith("__")}
    kind = _NAMED.get(name, "")
    if kind == "trees":
        return TREES if knows_ast else None
    if kind in ("codes", "frames", "modules") and not dunders:
        return None  # a code may as well be a number
    if kind and attributes <= dunders:
        return _KINDS[kind]
    return FUNCTIONS if dunders & {"__name__", "__doc__", "__module__", "__qualname__"} else None
