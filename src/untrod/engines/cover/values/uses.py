"""What code does with a value: which attributes it reads, which methods it calls and with how many arguments,
what it iterates, enters, compares. That is the protocol that an argument has to keep, where no type names it.

`uses_of` reads a function, `uses_of_self` the methods of a class. The source is walked once, as if every
statement were run in turn; what is handed to other functions of the same package is followed there. Nothing
of it is executed.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import FunctionType, MethodType
from typing import Any

from untrod.engines.cover.type_expressions import NotAType, resolve

DEEPEST = 4
"""So many calls are followed."""
MOST_WRAPPED = 20
MOST_READ = 60
"""Functions that are read for one answer."""
_DRAINED = frozenset(
    one
    for names in (
        "list tuple set frozenset dict sorted reversed enumerate iter next",
        "sum any all zip map filter min max",
    )
    for one in names.split()
)
_SPOKEN = {"len": "len", "iter": "iter", "next": "next", "reversed": "iter", "hash": "", "bool": "bool"}
_NUMBERS = {"int": "int", "float": "float", "abs": "int", "round": "float", "ord": "str", "chr": "int"}
_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
}


@dataclass(eq=False)
class Use:
    """Of one value, wherever it goes."""

    attributes: dict[str, Use] = field(default_factory=dict)
    optional: set[str] = field(default_factory=set)
    """Attributes that it may lack: `hasattr`, `getattr` with a default."""
    stored: set[str] = field(default_factory=set)
    """Attributes that the code sets."""
    keys: dict[Any, Use] = field(default_factory=dict)
    """What stands under constants: `x["name"]`, `x.get("name")`."""
    arities: set[int] = field(default_factory=set)
    """So many arguments it is called with; -1 where some are by name, or are not counted."""
    result: Use | None = None
    item: Use | None = None
    entered: Use | None = None
    awaited: bool = False
    operators: set[str] = field(default_factory=set)
    types: list[Any] = field(default_factory=list)
    """Types that it is tested for, or that what it is handed to wants."""
    constants: list[Any] = field(default_factory=list)
    errors: list[type[BaseException]] = field(default_factory=list)
    """What is caught around a call of it."""
    tested: bool = False
    plain: Counter[str] = field(default_factory=Counter)
    """Votes for plain types."""

    def attribute(self, name: str) -> Use:
        return self.attributes.setdefault(name, Use())

    def key(self, constant: Any) -> Use:
        return self.keys.setdefault(constant, Use())

    def called(self) -> Use:
        self.result = self.result or Use()
        return self.result

    def iterated(self) -> Use:
        self.operators.add("iter")
        self.item = self.item or Use()
        return self.item

    def absorb(self, other: Use, depth: int = 6) -> None:
        """Both are one value."""
        if other is self or depth == 0:
            return
        for mine, theirs in ((self.attributes, other.attributes), (self.keys, other.keys)):
            for name, use in list(theirs.items()):
                if name in mine:
                    mine[name].absorb(use, depth - 1)
                else:
                    mine[name] = use
        for part in ("result", "item", "entered"):
            own, its = getattr(self, part), getattr(other, part)
            if own is not None and its is not None:
                own.absorb(its, depth - 1)
            elif its is not None:
                setattr(self, part, its)
        for part in ("optional", "stored", "arities", "operators"):
            getattr(self, part).update(getattr(other, part))
        for part in ("types", "constants", "errors"):
            getattr(self, part).extend(getattr(other, part))
        self.plain.update(other.plain)
        self.awaited |= other.awaited
        self.tested |= other.tested


def uses_of(function: Callable[..., Any], owner: type | None = None) -> dict[str, Use]:
    """By parameter. Of the constructor of `owner`, what methods do with what it keeps counts as well.

    Empty where there is no source.
    """
    reader = _Reader(owner)
    own = Use() if owner is not None else None
    found = reader.read(function, [own] if own is not None else [], {}, DEEPEST)
    if found is None:
        return {}
    if owner is not None and own is not None and function is getattr(owner, "__init__", None):
        for method in _methods(owner):
            if method is not function:
                reader.read(method, [own], {}, DEEPEST - 2)
    return found


def uses_of_self(kind: type) -> tuple[Use, Use]:
    """What the methods of a class ask of the object, and of `super()`."""
    own, reader = Use(), _Reader(kind)
    for method in _methods(kind):
        reader.fresh().read(method, [own], {}, 2)
    return own, reader.above


def _methods(kind: type) -> Iterator[FunctionType]:
    """Those written in Python, of the class and of bases in its own package; the constructor first."""
    package = kind.__module__.partition(".")[0]
    bases = [base for base in kind.__mro__ if base.__module__.partition(".")[0] == package]
    seen: set[str] = set()
    for name in ("__init__", *(name for base in bases for name in vars(base))):
        if name in seen:
            continue
        seen.add(name)
        found = next((vars(base)[name] for base in bases if name in vars(base)), None)
        parts = (found.fget, found.fset) if isinstance(found, property) else (found,)
        for part in parts:
            held: Any = part
            plain = plain_function(held.func if type(held).__name__ == "cached_property" else held)
            if plain is not None and not isinstance(found, staticmethod | classmethod):
                yield plain


def plain_function(found: Any) -> FunctionType | None:
    """What a method or a decorated function has inside. Other objects may have any attribute, without end."""
    for _ in range(MOST_WRAPPED):
        if isinstance(found, staticmethod | classmethod | MethodType):
            found = found.__func__
        elif isinstance(found, FunctionType) and "__wrapped__" not in vars(found):
            return found
        elif isinstance(found, FunctionType) or type(found).__module__ == "functools":
            found = getattr(found, "__wrapped__", None)
        else:
            return None
    return None


@lru_cache(maxsize=2048)
def tree_of(function: FunctionType) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function.__name__:
            return node
    return next((node for node in ast.walk(tree) if isinstance(node, ast.Lambda)), None)


class _Reader:
    """Of one question. `above` is what `super()` is asked for."""

    def __init__(self, owner: type | None) -> None:
        self.owner = owner
        self.above = Use()
        self._read = 0
        self._under: list[FunctionType] = []

    def fresh(self) -> _Reader:
        """For another method of the same class."""
        self._read = 0
        return self

    def read(
        self, function: Any, places: list[Use | None], named: Mapping[str, Use], depth: int
    ) -> dict[str, Use] | None:
        """With these values as arguments. Returns the use of each parameter."""
        plain = plain_function(function)
        if plain is None or depth == 0 or self._read >= MOST_READ:
            return None
        tree = tree_of(plain)
        if tree is None or plain in self._under:
            return None
        self._read += 1
        self._under.append(plain)
        scope = _Scope(self, plain.__globals__, depth, function)
        env = scope.bind(tree.args, places, named)
        found = dict(env)
        scope.annotated(plain, env)
        for statement in tree.body if isinstance(tree.body, list) else [ast.Expr(tree.body)]:
            scope.run(statement, env)
        self._under.pop()
        return found


Env = dict[str, Use]


class _Scope:
    def __init__(self, reader: _Reader, names: dict[str, Any], depth: int, function: Any) -> None:
        self._reader = reader
        self._names = names
        self._depth = depth
        self._function = function
        self._self = ""
        self._caught: list[list[type[BaseException]]] = []

    def bind(self, arguments: ast.arguments, places: list[Use | None], named: Mapping[str, Use]) -> Env:
        env: Env = {}
        parameters = [*arguments.posonlyargs, *arguments.args]
        for place, parameter in enumerate(parameters):
            given = places[place] if place < len(places) else named.get(parameter.arg)
            env[parameter.arg] = given or Use()
        for parameter in arguments.kwonlyargs:
            env[parameter.arg] = named.get(parameter.arg) or Use()
        for rest in (arguments.vararg, arguments.kwarg):
            if rest is not None:
                env[rest.arg] = Use()
        if parameters and self._reader.owner is not None:
            self._self = parameters[0].arg
        return env

    def annotated(self, function: FunctionType, env: Env) -> None:
        for name, hint in getattr(function, "__annotations__", {}).items():
            if name in env and isinstance(hint, type | str):
                found = self._type(hint)
                if isinstance(found, type) and found is not object:
                    env[name].types.append(found)

    def _type(self, hint: Any) -> Any:
        if not isinstance(hint, str):
            return hint
        try:
            return resolve(hint, self._names)
        except NotAType:
            return None

    # -- statements -------------------------------------------------------------------------------

    def run(self, node: ast.stmt, env: Env) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                inner = dict(env)
                for argument in ast.walk(node.args):
                    if isinstance(argument, ast.arg):
                        inner.pop(argument.arg, None)
                for statement in node.body:
                    self.run(statement, inner)
                for decorator in node.decorator_list:
                    self.value(decorator, env)
            case ast.ClassDef():
                pass
            case ast.Assign(targets, value):
                use = self.value(value, env)
                for target in targets:
                    self._assign(target, use, env, value)
            case ast.AnnAssign(target, _, value) if value is not None:
                self._assign(target, self.value(value, env), env, value)
            case ast.AugAssign(target, operator, value):
                self._operate(self.value(target, env) if isinstance(target, ast.Name) else None, operator)
                self.value(value, env)
            case ast.For(target, items, body, orelse) | ast.AsyncFor(target, items, body, orelse):
                self._loop(target, items, env)
                self._all([*body, *orelse], env)
            case ast.With(items, body) | ast.AsyncWith(items, body):
                for item in items:
                    manager = self.value(item.context_expr, env)
                    if manager is not None:
                        manager.entered = manager.entered or Use()
                        manager.operators.add("aenter" if isinstance(node, ast.AsyncWith) else "enter")
                    if item.optional_vars is not None:
                        self._assign(item.optional_vars, manager.entered if manager else None, env)
                self._all(body, env)
            case ast.Try(body, handlers, orelse, final):
                self._caught.append([kind for handler in handlers for kind in self._errors(handler)])
                self._all(body, env)
                self._caught.pop()
                for handler in handlers:
                    self._all(handler.body, env)
                self._all([*orelse, *final], env)
            case ast.If(test, body, orelse) | ast.While(test, body, orelse):
                self._test(test, env)
                self._all([*body, *orelse], env)
            case ast.Delete(targets):
                for target in targets:
                    self.value(target, env)
            case ast.Return(value) | ast.Expr(value) if value is not None:
                self.value(value, env)
            case ast.Assert(test, _):
                self._test(test, env)
            case ast.Match(subject, cases):
                use = self.value(subject, env)
                for case in cases:
                    self._pattern(case.pattern, use, env)
                    self._all(case.body, env)
            case ast.Raise(exc, _) if exc is not None:
                self.value(exc, env)

    def _all(self, body: list[ast.stmt], env: Env) -> None:
        for statement in body:
            self.run(statement, env)

    def _pattern(self, pattern: ast.pattern, use: Use | None, env: Env) -> None:
        for node in ast.walk(pattern):
            if isinstance(node, ast.MatchClass) and use is not None:
                found = self._resolved(node.cls)
                if isinstance(found, type):
                    use.types.append(found)

    def _errors(self, handler: ast.ExceptHandler) -> Iterator[type[BaseException]]:
        kinds = self._resolved(handler.type) if handler.type is not None else Exception
        for kind in kinds if isinstance(kinds, tuple) else (kinds,):
            if isinstance(kind, type) and issubclass(kind, BaseException):
                yield kind

    def _assign(self, target: ast.expr, use: Use | None, env: Env, value: ast.expr | None = None) -> None:
        match target:
            case ast.Name(name):
                if use is None:
                    env.pop(name, None)
                else:
                    env[name] = use
            case ast.Attribute(owner, name):
                holder = self.value(owner, env)
                if holder is None:
                    return
                holder.stored.add(name)
                if use is not None and holder.attributes.get(name) is not use:
                    if name in holder.attributes:
                        use.absorb(holder.attributes[name])
                    holder.attributes[name] = use
            case ast.Subscript(owner, key):
                holder = self.value(owner, env)
                self.value(key, env)
                if holder is not None:
                    holder.operators.add("setitem")
            case ast.Tuple(parts) | ast.List(parts):
                if use is not None and not (isinstance(value, ast.Tuple) and len(value.elts) == len(parts)):
                    use.iterated()
                    for number, part in enumerate(parts):
                        self._assign(part, use.key(number), env)
                    return
                for number, part in enumerate(parts):
                    inner = self.value(value.elts[number], env) if isinstance(value, ast.Tuple) else None
                    self._assign(part, inner, env)

    def _loop(self, target: ast.expr, items: ast.expr, env: Env) -> None:
        use = self.value(items, env)
        match items:  # pairs
            case ast.Call(ast.Attribute(owner, "items"), []):
                holder = self.value(owner, env)
                if holder is not None and isinstance(target, ast.Tuple) and len(target.elts) == 2:
                    holder.plain["dict"] += 1
                    self._assign(target.elts[0], Use(), env)
                    holder.item = holder.item or Use()
                    self._assign(target.elts[1], holder.item, env)
                    return
            case ast.Call(ast.Name("enumerate" | "sorted" | "reversed" | "list" | "set"), [first, *_]):
                holder = self.value(first, env)
                if holder is not None:
                    numbered = isinstance(items.func, ast.Name) and items.func.id == "enumerate"
                    inner: ast.expr = target
                    if numbered and isinstance(target, ast.Tuple) and len(target.elts) == 2:
                        inner = target.elts[1]
                    self._assign(inner, holder.iterated(), env)
                    return
        self._assign(target, use.iterated() if use is not None else None, env)

    # -- expressions ------------------------------------------------------------------------------

    def value(self, node: ast.expr | None, env: Env) -> Use | None:
        """What the expression stands for, where that came from outside."""
        match node:
            case None:
                return None
            case ast.Name(name):
                return env.get(name)
            case ast.Attribute(owner, name):
                holder = self.value(owner, env)
                return holder.attribute(name) if holder is not None else None
            case ast.Call():
                return self._call(node, env)
            case ast.Subscript(owner, key):
                return self._subscript(owner, key, env)
            case ast.Await(inner):
                use = self.value(inner, env)
                if use is not None:
                    use.awaited = True
                return use
            case ast.BoolOp(_, values):
                uses = [use for one in values if (use := self._test(one, env)) is not None]
                return uses[0] if uses else None
            case ast.IfExp(test, body, orelse):
                self._test(test, env)
                first, second = self.value(body, env), self.value(orelse, env)
                return first or second
            case ast.NamedExpr(target, inner):
                use = self.value(inner, env)
                self._assign(target, use, env)
                return use
            case ast.Compare(left, operators, comparators):
                self._compare(left, operators[0], comparators[0], env)
                for other in comparators[1:]:
                    self.value(other, env)
                return None
            case ast.BinOp(left, operator, right):
                for side, other in ((left, right), (right, left)):
                    use = self.value(side, env)
                    self._operate(use, operator, other)
                return None
            case ast.UnaryOp(ast.Not(), inner):
                self._test(inner, env)
                return None
            case ast.ListComp(_, generators) | ast.SetComp(_, generators) | ast.GeneratorExp(_, generators):
                inner_env = self._comprehended(generators, env)
                made = self.value(node.elt, inner_env)
                return Use(item=made, operators={"iter"}) if made is not None else None
            case ast.DictComp(key, val, generators):
                inner_env = self._comprehended(generators, env)
                self.value(key, inner_env)
                self.value(val, inner_env)
                return None
            case ast.Lambda(arguments, body):
                inner_env = dict(env)
                for argument in ast.walk(arguments):
                    if isinstance(argument, ast.arg):
                        inner_env.pop(argument.arg, None)
                self.value(body, inner_env)
                return None
            case ast.YieldFrom(inner):
                use = self.value(inner, env)
                if use is not None:
                    use.iterated()
                return None
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, env)
        return None

    def _comprehended(self, generators: list[ast.comprehension], env: Env) -> Env:
        inner = dict(env)
        for generator in generators:
            self._loop(generator.target, generator.iter, inner)
            for test in generator.ifs:
                self._test(test, inner)
        return inner

    def _test(self, node: ast.expr, env: Env) -> Use | None:
        use = self.value(node, env)
        if use is not None:
            use.tested = True
        return use

    def _operate(self, use: Use | None, operator: ast.operator, other: ast.expr | None = None) -> None:
        if use is None:
            return
        use.operators.add(_OPERATORS.get(type(operator), "and"))
        if isinstance(other, ast.Constant) and other.value is not None:
            use.plain[type(other.value).__name__] += 1
        elif isinstance(other, ast.JoinedStr):
            use.plain["str"] += 1
        elif not isinstance(operator, ast.Add | ast.Mod | ast.Mult):
            use.plain["int"] += 1

    def _compare(self, left: ast.expr, operator: ast.cmpop, right: ast.expr, env: Env) -> None:
        first, second = self.value(left, env), self.value(right, env)
        if isinstance(operator, ast.In | ast.NotIn):
            if second is not None:
                second.operators.add("contains")
                if isinstance(left, ast.Constant) and isinstance(left.value, str):
                    second.key(left.value)
                    second.optional.add(left.value)
            if first is not None and isinstance(right, ast.Tuple | ast.List | ast.Set):
                first.constants += [one.value for one in right.elts if isinstance(one, ast.Constant)]
            return
        for use, other in ((first, right), (second, left)):
            if use is None:
                continue
            if isinstance(other, ast.UnaryOp) and isinstance(other.operand, ast.Constant):
                use.plain[type(other.operand.value).__name__] += 1
            if isinstance(other, ast.Constant):
                use.constants.append(other.value)
                if other.value is not None and not isinstance(operator, ast.Is | ast.IsNot):
                    use.plain[type(other.value).__name__] += 1
            elif not isinstance(operator, ast.Is | ast.IsNot):
                found = self._resolved(other)
                if isinstance(found, str | int | float | bytes) and not isinstance(found, bool):
                    use.constants.append(found)

    def _subscript(self, owner: ast.expr, key: ast.expr, env: Env) -> Use | None:
        holder = self.value(owner, env)
        self.value(key, env)
        if holder is None:
            return None
        if isinstance(key, ast.Slice):
            holder.operators.add("slice")
            return None
        holder.operators.add("getitem")
        if isinstance(key, ast.Constant) and isinstance(key.value, str | int):
            return holder.key(key.value)
        if isinstance(key, ast.UnaryOp):
            return holder.iterated()
        holder.item = holder.item or Use()
        return holder.item

    # -- calls ------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, env: Env) -> Use | None:
        named = {one.arg: self.value(one.value, env) for one in node.keywords}
        match node.func, node.args:
            case ast.Name("super"), _:
                return self._reader.above
            case ast.Attribute(ast.Call(ast.Name("super")), name), arguments:
                for argument in arguments:
                    self.value(argument, env)
                if self._reader.owner is None or name.startswith("__"):
                    return None
                member = self._reader.above.attribute(name)
                member.arities.add(-1 if node.keywords else len(arguments))
                return member.called()
            case ast.Name("isinstance"), [first, kinds]:
                self._is_instance(self.value(first, env), kinds)
                return None
            case ast.Name("hasattr"), [first, ast.Constant(str(name))]:
                self._may_have(self.value(first, env), name)
                return None
            case ast.Name("getattr"), [first, ast.Constant(str(name)), *default]:
                holder = self.value(first, env)
                if default:
                    self._may_have(holder, name)
                    self.value(default[0], env)
                return holder.attribute(name) if holder is not None else None
            case ((ast.Name("cast") | ast.Attribute(_, "cast")), [_, second]):
                return self.value(second, env)
            case ast.Attribute(_, "copy" | "deepcopy"), [first] if self._resolved(node.func) is not None:
                return self.value(first, env)
            case ast.Name("callable"), [first]:
                use = self.value(first, env)
                if use is not None:
                    use.plain["callable"] += 1
                return None
        if isinstance(node.func, ast.Name) and node.func.id not in env:
            found = self._resolved(node.func)
            if getattr(builtins, node.func.id, None) is found and found is not None:
                return self._builtin(node.func.id, node.args, env)
        if isinstance(node.func, ast.Attribute):
            holder = self.value(node.func.value, env)
            if holder is not None:
                return self._method(holder, node.func, node, named, env)
        callee = self.value(node.func, env)
        places = self._arguments(node, env)
        if callee is not None:
            self._note_call(callee, node)
            return callee.called()
        self._follow(self._resolved(node.func), places, named)
        return None

    def _arguments(self, node: ast.Call, env: Env) -> list[Use | None]:
        places: list[Use | None] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                use = self.value(argument.value, env)
                if use is not None:
                    use.iterated()
                places.append(None)
            else:
                places.append(self.value(argument, env))
        return places

    def _note_call(self, callee: Use, node: ast.Call) -> None:
        starred = any(isinstance(one, ast.Starred) for one in node.args)
        callee.arities.add(-1 if node.keywords or starred else len(node.args))
        for caught in self._caught:
            callee.errors += [kind for kind in caught if kind not in callee.errors]

    def _method(
        self, holder: Use, function: ast.Attribute, node: ast.Call, named: Any, env: Env
    ) -> Use | None:
        name = function.attr
        if name in ("get", "pop", "setdefault") and node.args and isinstance(node.args[0], ast.Constant):
            for argument in node.args[1:]:
                self.value(argument, env)
            key = node.args[0].value
            if isinstance(key, str):
                holder.attribute(name).arities.add(len(node.args))
                holder.optional.add(key)
                return holder.key(key)
        places = self._arguments(node, env)
        owner = self._reader.owner
        is_self = isinstance(function.value, ast.Name) and function.value.id == self._self
        if owner is not None and is_self and hasattr(owner, name) and name not in holder.stored:
            found = inspect.getattr_static(owner, name)
            first = [] if isinstance(found, staticmethod) else [holder]
            self._reader.read(
                getattr(found, "__func__", found), [*first, *places], _known(named), self._depth - 1
            )
            holder.attribute(name)
            return None
        member = holder.attribute(name)
        self._note_call(member, node)
        return member.called()

    def _follow(self, function: Any, places: list[Use | None], named: dict[str | None, Use | None]) -> None:
        """What it is handed to says more, where that is code of the package; a type elsewhere."""
        if not any(places) and not any(named.values()):
            return
        home = getattr(function, "__module__", None) or ""
        package = str(self._names.get("__name__", "")).partition(".")[0]
        if isinstance(function, type):
            made = vars(function).get("__init__")
            if home.partition(".")[0] == package and made is not None:
                self._nested(function, made, [None, *places], named)
            return
        if home.partition(".")[0] == package:
            self._nested(None, function, places, named)
        elif home in ("re", "posixpath", "genericpath", "os", "shlex", "textwrap", "html"):
            for use in places[:2]:
                if use is not None:
                    use.plain["str"] += 1
        else:
            self._standard(function, places)

    def _nested(
        self, owner: type | None, function: Any, places: list[Use | None], named: dict[str | None, Use | None]
    ) -> None:
        before, self._reader.owner = self._reader.owner, owner
        self._reader.read(function, places, _known(named), self._depth - 1)
        self._reader.owner = before

    def _standard(self, function: Any, places: list[Use | None]) -> None:
        use = places[0] if places else None
        home, name = getattr(function, "__module__", "") or "", getattr(function, "__name__", "")
        if use is None:
            return
        if home == "inspect" or (home, name) in (("functools", "wraps"), ("functools", "update_wrapper")):
            use.plain["function"] += 1
        elif home == "dataclasses":
            use.plain["record"] += 1
        elif home == "typing" and name in ("get_origin", "get_args"):
            use.attribute("__origin__")
        elif home == "typing" and name == "get_type_hints":
            use.plain["record"] += 1
        elif home == "ast" and name not in ("parse", "literal_eval"):
            use.plain["ast"] += 1
        elif home == "ast":
            use.plain["source"] += 1

    def _builtin(self, name: str, arguments: list[ast.expr], env: Env) -> Use | None:
        uses = [self.value(one.value if isinstance(one, ast.Starred) else one, env) for one in arguments]
        use = uses[0] if uses else None
        if name in ("map", "filter") and use is not None:
            use.arities.add(1)
            use.called()
            uses = uses[1:]
        elif use is not None and name in _NUMBERS:
            use.plain[_NUMBERS[name]] += 1
        elif use is not None and _SPOKEN.get(name):
            use.operators.add(_SPOKEN[name])
        elif name in ("open", "compile", "eval", "exec") and use is not None:
            use.plain["str"] += 1
        elif name in ("issubclass",) and use is not None:
            use.plain["class"] += 1
        for one in uses if name in _DRAINED else ():
            if one is not None:
                one.iterated()
        if name in ("list", "tuple", "sorted", "reversed", "iter") and use is not None:
            return use
        if name in ("next", "min", "max") and len(uses) == 1 and use is not None:
            return use.iterated()
        return None

    def _is_instance(self, use: Use | None, kinds: ast.expr) -> None:
        found = self._resolved(kinds)
        for kind in found if isinstance(found, tuple) else (found,):
            if isinstance(kind, type) and kind is not object and use is not None:
                use.types.append(kind)

    def _may_have(self, use: Use | None, name: str) -> None:
        if use is not None:
            use.attribute(name)
            use.optional.add(name)

    def _resolved(self, node: ast.expr | None) -> Any:
        """What a name, or one with dots or commas, stands for in the module; None where that is not known."""
        match node:
            case ast.Name(name):
                return self._names.get(name, getattr(builtins, name, None))
            case ast.Attribute(owner, name):
                holder = self._resolved(owner)
                try:
                    return inspect.getattr_static(holder, name) if holder is not None else None
                except AttributeError:
                    return None
            case ast.Tuple(parts):
                return tuple(self._resolved(part) for part in parts)
        return None


def _known(named: Mapping[str | None, Use | None]) -> dict[str, Use]:
    return {name: use for name, use in named.items() if name is not None and use is not None}
