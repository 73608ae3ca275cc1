"""From a typed function to a command: the verbs that engines bring are one function for Python and for here.

What such a function takes is what the command takes, except for what is `PythonOnly`; the command takes
`--json` besides, and shows the run that the function returns.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperGroup

from untrod.core.catalogue import load
from untrod.core.events import Event, Listener
from untrod.output.terminal import say
from untrod.plugins import EnginePlugin
from untrod.session.options import AsJson, PythonOnly
from untrod.session.verbs import VerbGroup

if TYPE_CHECKING:
    from untrod.core.budget import Budget
    from untrod.session.run import Run


def add_verbs(app: typer.Typer, engine: EnginePlugin) -> None:
    for name, place in engine.verbs.items():
        found = load(place)
        if isinstance(found, VerbGroup):
            app.add_typer(_group(found), name=name)
        else:
            app.command(name)(command(found))


def _group(verbs: VerbGroup) -> typer.Typer:
    class Group(TyperGroup):
        """An address in the place of a verb is for the default one: `explore URL`, `explore screens URL`."""

        def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
            if args and args[0] not in self.commands and any("://" in each for each in args):
                args = [verbs.default, *args]
            return super().parse_args(ctx, args)

    group = typer.Typer(help=verbs.about, no_args_is_help=True, rich_markup_mode=None, cls=Group)
    for name, verb in verbs.verbs.items():
        group.command(name)(command(verb))
    return group


def command(verb: Callable[..., Any], show: Callable[..., int] | None = None) -> Callable[..., int]:
    """`show` is given the run that `verb` returns, and may have options of its own.

    A function that returns a status already is a command.
    """
    if inspect.signature(verb).return_annotation in ("int", int):
        return verb
    shows = show or show_run
    asked, shown = _parameters(verb), _parameters(shows, skip=1)

    @functools.wraps(verb)
    def run(**given: Any) -> int:
        ours = {parameter.name: given.pop(parameter.name) for parameter in shown}
        return shows(verb(**given), **ours)

    del run.__wrapped__  # or its annotations would be read
    run.__signature__ = inspect.Signature([*asked, *shown])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*asked, *shown)}
    return run


def _parameters(function: Callable[..., Any], skip: int = 0) -> list[inspect.Parameter]:
    """Those of the command line, with their annotations as Typer reads them; `skip` are not."""
    parameters = dict(list(inspect.signature(function).parameters.items())[skip:])
    wanted = {name: each.annotation for name, each in parameters.items()}
    given = types.SimpleNamespace(__annotations__=wanted)
    hints = get_type_hints(given, vars(sys.modules[function.__module__]), include_extras=True)
    return [
        each.replace(annotation=_first(hints[name]), kind=inspect.Parameter.KEYWORD_ONLY)
        for name, each in parameters.items()
        if PythonOnly not in _kinds(hints[name])
    ]


def _kinds(hint: Any) -> tuple[type, ...]:
    return tuple(map(type, get_args(hint)[1:])) if get_origin(hint) is Annotated else ()


def _first(hint: Any) -> Any:
    """Of `A | B`, only A can be typed on a command line."""
    if get_origin(hint) is not Annotated:
        return hint
    kind, *about = get_args(hint)
    members = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else ()
    if not members or type(None) in members:
        return hint
    return Annotated[(members[0], *about)]


def show_run(run: Run[Any], as_json: AsJson = False) -> int:
    """Run it, tell of it while it runs, and say what it came to. Returns the exit status."""
    from untrod.session.interrupts import stop_on_interrupt

    audience = _Lines() if as_json else _Terminal(run.budget)
    try:
        result = run.drive(audience, stop_on_interrupt)
    finally:
        audience.close()
    if not as_json:
        say(str(result))
    if result.trouble is not None:
        raise result.trouble
    return 1 if any(finding.detail.get("level") != "note" for finding in result.findings) else 0


class _Terminal:
    def __init__(self, budget: Budget | None) -> None:
        from untrod.output.progress import ProgressListener

        self._progress = ProgressListener(budget, sys.stderr)
        self.close, self.show = self._progress.close, self._progress.show

    def __call__(self, event: Event) -> None:
        self._progress(event)

    def say(self, line: str) -> None:
        say(line, to=sys.stderr)


class _Lines:
    def __init__(self) -> None:
        from untrod.output.ndjson import NdjsonListener

        self._listener: Listener = NdjsonListener(sys.stdout)

    def __call__(self, event: Event) -> None:
        self._listener(event)

    def show(self, line: str) -> None:
        pass

    def say(self, line: str) -> None:
        pass

    def close(self) -> None:
        pass
