"""`untrod campaigns`: what has been run, what it left, and how to go on with it."""

from __future__ import annotations

import json
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.core.text import PATH, VALUE, one_line
from untrod.output.terminal import notices_said, say
from untrod.session.options import STORE, Allow, AsJson, StoreFolder, Trust

if TYPE_CHECKING:
    from untrod.core.vocabulary import Json
    from untrod.output.deliver import Recipe
    from untrod.store import Store
    from untrod.store.campaigns import CampaignRow

app = typer.Typer(
    help="List, show, resume and export campaigns.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
)
Id = Annotated[str, typer.Argument(metavar="ID", help="A campaign's id, or the start of one.")]


@app.command("list")
def list_campaigns(store: StoreFolder = STORE, as_json: AsJson = False) -> int:
    """All campaigns in the store, newest last."""
    from untrod.store import Store

    with (
        Store.open(Path.cwd() / store, create=False, read_only=True) as opened,
        notices_said(opened.notices),
    ):
        rows = [(row, _state(row, opened)) for row in opened.campaigns()]
    for row, state in rows:
        if as_json:
            print(json.dumps(_as_json(row)))
        else:
            found = "finding " if row.findings == 1 else "findings"
            counts = f"{row.episodes:>10,} episodes {row.findings:>4} {found}"
            say(f"{row.id:<16} {state:<12} {counts}  {one_line(row.target, PATH)}")
    if not rows and not as_json:
        say("no campaigns yet; start one: untrod inputs FILE.py:GENERATOR")
    return 0


@app.command()
def show(campaign: Id, store: StoreFolder = STORE, as_json: AsJson = False) -> int:
    """One campaign: its counts, its findings and how to replay each, the tests it wrote."""
    from untrod.session.engines import make_engine
    from untrod.store import Store

    with (
        Store.open(Path.cwd() / store, create=False, read_only=True) as opened,
        notices_said(opened.notices),
    ):
        row = opened.campaign(campaign)
        state = _state(row, opened)
        findings, tests = opened.findings(row.id), opened.tests(row.id)
        _, recipe = make_engine(row.engine, row.config, row.seed, Path.cwd(), 1, opened)
    if as_json:
        listed = [{"id": f.id, "kind": f.kind, "title": f.title, "trace": f.trace.answers} for f in findings]
        rest = {"findings": listed, "tests": [test.path for test in tests], "extra": row.extra}
        print(json.dumps({**_as_json(row), **rest}))
        return 0
    say(f"{row.id}: {row.engine} on {one_line(row.target, PATH)}, seed {row.seed}, budget {row.budget}")
    say(f"{state} {one_line(row.reason, VALUE)}".rstrip() + f", started {time.ctime(row.created_at)}")
    say(f"{row.episodes:,} episodes, {row.valid:,} valid, {row.unique:,} unique, {row.wall:.1f} s")
    for finding in findings:
        say(f"{finding.id}  {one_line(finding.kind)}: {one_line(finding.title, VALUE)}")
        say(f"    untrod replay {finding.id}")
    for title, lines in _sections(recipe, row):
        say("\n".join([f"{title}:", *(f"  {line}" for line in lines)]))
    for test in tests:
        say(f"test: {one_line(test.path, PATH)}")
    if row.status != "finished":
        say(f"go on: untrod campaigns resume {row.id}")
    return 0


@app.command()
def resume(
    campaign: Id,
    budget: Annotated[
        str | None,
        typer.Option("--budget", metavar="B", help="A new budget, counted from the campaign's beginning."),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option("--on", metavar="PLACE", help="here, ray, ray://HOST:PORT; else where it was started."),
    ] = None,
    trust: Trust = False,
    allow: Allow = None,
    store: StoreFolder = STORE,
    as_json: AsJson = False,
) -> int:
    """Go on where a campaign was interrupted, killed, or ran out of budget."""
    from untrod.cli.verbs import show_run
    from untrod.core.budget import Budget
    from untrod.runtime.workers import place
    from untrod.session.run import Run

    whole = Budget.parse(budget) if budget else None
    where = place(on) if on is not None else None
    project, given = Path.cwd(), allow or ()
    run: Run[Json] = Run.resumed(project, Path(store), campaign, whole, where, trust=trust, allow=given)
    return show_run(run, as_json)


@app.command()
def export(
    campaign: Id,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Instead of standard output.")
    ] = None,
    store: StoreFolder = STORE,
) -> int:
    """The campaign's corpus and findings as JSON lines."""
    from untrod.core.errors import UntrodError
    from untrod.core.events import FindingFound, to_json
    from untrod.store import Store

    with (
        Store.open(Path.cwd() / store, create=False, read_only=True) as opened,
        notices_said(opened.notices),
    ):
        row = opened.campaign(campaign)
        try:
            stream = sys.stdout if output is None else output.open("w", encoding="utf-8")
        except OSError as error:
            raise UntrodError(f"cannot write {output}: {error.strerror}", "choose another file") from error
        with stream if output is not None else _left_open():
            print(json.dumps({"event": "campaign", **_as_json(row)}), file=stream)
            for finding in opened.findings(row.id):
                print(json.dumps(to_json(FindingFound(finding, -1, -1))), file=stream)
            for entry in opened.corpus(row.id):
                print(json.dumps(to_json(entry)), file=stream)
    return 0


def _sections(recipe: Recipe, row: CampaignRow) -> list[tuple[str, list[str]]]:
    """What its engine has to say of what it has counted. A store may hold anything there."""
    try:
        said = recipe.sections(row.extra)
        told = [(each.title, [one_line(line, VALUE) for line in each.lines]) for each in said]
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        return [("what it has counted", [f"cannot be shown: {type(error).__name__}"])]
    return [(title, lines) for title, lines in told if lines]


def _left_open() -> AbstractContextManager[None]:
    return nullcontext()


def _as_json(row: CampaignRow) -> dict[str, Json]:
    return {
        "id": row.id,
        "engine": row.engine,
        "target": row.target,
        "seed": row.seed,
        "budget": row.budget.to_json(),
        "status": row.status,
        "reason": row.reason,
        "episodes": row.episodes,
        "valid": row.valid,
        "unique": row.unique,
        "findings": row.findings,
        "wall": row.wall,
        "cpu": row.cpu,
    }


def _state(row: CampaignRow, store: Store) -> str:
    """A campaign that ended without a word, killed or on a full disk, is not running."""
    return "broken off" if row.status == "running" and store.holder(row.id) is None else row.status
