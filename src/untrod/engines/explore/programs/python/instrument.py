"""A copy of a Python function that notes which branches it takes.

A probe, `__untrod__(number)`, goes to the head of every branch of the syntax tree:

- the two sides of an `if` and of `a if b else c`; a missing `else` gets one that only notes;
- the body of a loop, and its end without `break`;
- every handler of a `try`, and every case of a `match`.

No tracing is needed then, the copy is nearly as fast as the function, and branches that share a line are told
apart. The copy has the function's globals as they were when it was made. Decorators are left off: they would
hide the branches that are looked for.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from untrod.core.errors import UntrodError

PROBE = "__untrod__"


@dataclass(frozen=True, slots=True)
class PythonBranch:
    kind: str  # then, else, body, done, except, case
    line: int  # in the file
    text: str  # of the line that decides


@dataclass(frozen=True, slots=True)
class Instrumented:
    make: Callable[[Callable[[int], None]], Callable[..., Any]]
    """Given what a probe shall call, the copy."""
    branches: tuple[PythonBranch, ...]
    tree: ast.FunctionDef  # as it was written, without probes
    source: str
    first_line: int


def instrument(function: Callable[..., Any]) -> Instrumented:
    """Raises UntrodError where there is no source, or where the function depends on more than its globals."""
    name = getattr(function, "__name__", repr(function))
    if not inspect.isfunction(function):
        raise UntrodError(f"{name} is no Python function", "name one that is written with def")
    if function.__code__.co_freevars:
        outer = ", ".join(function.__code__.co_freevars)
        raise UntrodError(f"{name} uses {outer} of the function around it", "move it to the module's level")
    try:
        lines, first_line = inspect.getsourcelines(function)
        source = textwrap.dedent("".join(lines))
        tree = ast.parse(source).body[0]
        probed = ast.parse(source)
    except (OSError, TypeError, SyntaxError) as error:
        raise UntrodError(f"the source of {name} cannot be read: {error}", "is it in a file?") from None
    if not isinstance(tree, ast.FunctionDef):
        raise UntrodError(f"{name} is no plain function", "lambdas and async functions are not supported")
    prober = _Prober(source.splitlines(), first_line - 1)
    copy = probed.body[0]
    assert isinstance(copy, ast.FunctionDef)
    copy.decorator_list = []
    copy.returns = None
    copy.args = _bare(copy.args)
    copy.body = [prober.visit(each) for each in copy.body]
    ast.fix_missing_locations(probed)
    ast.increment_lineno(probed, first_line - 1)
    code = compile(probed, function.__code__.co_filename, "exec", dont_inherit=True)

    def make(probe: Callable[[int], None]) -> Callable[..., Any]:
        names = {**function.__globals__, PROBE: probe}
        exec(code, names)
        made: Any = names[tree.name]
        made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        return made  # type: ignore[no-any-return]

    return Instrumented(make, tuple(prober.branches), tree, source, first_line)


def _bare(arguments: ast.arguments) -> ast.arguments:
    """Without annotations and with harmless defaults: the real ones are put in from the function."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    for each in [*every, *filter(None, [arguments.vararg, arguments.kwarg])]:
        each.annotation = None
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
    arguments.kw_defaults = [each and ast.Constant(None) for each in arguments.kw_defaults]
    return arguments


class _Prober(ast.NodeTransformer):
    """Numbers the branches in the order of the text, as `graph.py` does."""

    def __init__(self, lines: list[str], offset: int) -> None:
        self.branches: list[PythonBranch] = []
        self._lines = lines
        self._offset = offset

    def visit_If(self, node: ast.If) -> ast.If:
        node.test = self.visit(node.test)
        node.body = self._block("then", node, node.body)
        node.orelse = self._block("else", node, node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        node.test = self.visit(node.test)
        self._loop(node)
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        node.iter = self.visit(node.iter)
        self._loop(node)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        node.test = self.visit(node.test)
        for side, kind in (("body", "then"), ("orelse", "else")):
            # A probe gives None, so that `probe or value` is the value, worked out after the probe.
            probe = self._probe(kind, node)
            setattr(node, side, ast.BoolOp(ast.Or(), [probe, self.visit(getattr(node, side))]))
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        node.body = self._block("except", node, node.body)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.body = self._block("case", node.pattern, node.body)
        return node

    def _loop(self, node: ast.For | ast.While) -> None:
        node.body = self._block("body", node, node.body)
        node.orelse = self._block("done", node, node.orelse)

    def _block(self, kind: str, at: Any, block: list[ast.stmt]) -> list[ast.stmt]:
        probe = ast.Expr(self._probe(kind, at))
        return [probe, *(self.visit(each) for each in block)]

    def _probe(self, kind: str, at: Any) -> ast.Call:
        number = len(self.branches)
        text = self._lines[at.lineno - 1].strip()
        self.branches.append(PythonBranch(kind, at.lineno + self._offset, text))
        return ast.Call(ast.Name(PROBE, ast.Load()), [ast.Constant(number)], [])
