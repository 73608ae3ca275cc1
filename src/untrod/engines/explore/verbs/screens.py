"""`untrod explore URL`: the screens of a running app, and a picture of how they hang together."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from untrod.core.text import PATH, VALUE, one_line
from untrod.output.terminal import notices_said, say
from untrod.session.options import MOST, STORE, Allow, AsJson, Seed, StoreFolder
from untrod.session.places import to_write

if TYPE_CHECKING:
    from untrod.core.vocabulary import Json
    from untrod.engines.explore.live.job import Seen
    from untrod.engines.gui.engine import GuiConfig
    from untrod.store.store import Store


class UrlGroup(TyperGroup):
    """A URL in the place of a command is explored: `explore URL` is `explore screens URL`."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        if args and args[0] not in self.commands and any("://" in each for each in args):
            args = ["screens", *args]
        return super().parse_args(ctx, args)


def screens(
    target: Annotated[
        str, typer.Argument(metavar="URL|FILE", help="A page that is being served, or a screen graph.")
    ],
    steps: Annotated[
        int, typer.Option("--steps", min=1, max=MOST, metavar="T", help="Resets count, too.")
    ] = 100,
    walker: Annotated[str, typer.Option("--walker", help="labels, frontier or random.")] = "labels",
    setup: Annotated[
        Path | None, typer.Option("--setup", metavar="FILE", help="Python: how to log in, what to type.")
    ] = None,
    origin: Annotated[
        list[str] | None, typer.Option("--origin", metavar="URL", help="Also go here. Repeatable.")
    ] = None,
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser.")] = False,
    log_out: Annotated[bool, typer.Option("--log-out", help="Also click on what logs out.")] = False,
    allow: Allow = None,
    seed: Seed = 0,
    store: StoreFolder = STORE,
    as_json: AsJson = False,
) -> int:
    """Explore the screens of an app. Draws them with how often each was visited.

    What is recorded is kept in the store, and `untrod gui` on the same target starts from it.
    """
    from untrod.drivers.catalogue import driver_for
    from untrod.engines.explore.verbs.walk import walk
    from untrod.engines.gui.engine import GuiConfig
    from untrod.runtime.limits import permissions
    from untrod.store.store import Store

    config = GuiConfig(
        target,
        (),
        driver=driver_for(target),
        origins=tuple(origin or ()),
        setup=str(setup or ""),
        headed=headed,
        log_out=log_out,
    )
    allowed = permissions(allow or ())
    place = to_write(Path.cwd(), store, "--store")
    with Store.open(place) as opened, notices_said(opened.notices):
        known = _known(opened, config)
        asked = {"steps": steps, "walker": walker, "seed": seed, "graph": known.get("graph")}
        done = walk(config, asked, allowed, opened.scratch)
        files = _keep(opened, config, known, done.seen)
    for notice in done.notices:
        say(f"note: {one_line(notice, VALUE)}", to=sys.stderr)
    _tell(done.seen, files, steps, done.interrupted, as_json)
    return 0


def _known(store: Store, config: GuiConfig) -> dict[str, Json]:
    from untrod.engines.gui.engine import table_key

    return store.table(table_key(config)) or {}


def _keep(store: Store, config: GuiConfig, known: dict[str, Json], seen: Seen) -> dict[str, Path]:
    """The graph, for `gui` and for `explore app-graph`; and the picture."""
    from untrod.core.writing import write_atomically
    from untrod.drivers.graph_writer import encode, write_graph
    from untrod.engines.gui.engine import table_key
    from untrod.output.graph_picture import picture

    key = table_key(config)
    kept = {"lessons": {}, "explorer": "", **known, "graph": encode(seen.graph)}
    manifest: dict[str, Json] = {"engine": "gui", "target": config.target, "driver": config.driver}
    store.save_table(key, manifest, json.dumps(kept).encode())
    files = {name: store.folder / "screens" / f"{key}.{name}" for name in ("svg", "json")}
    write_atomically(files["svg"], picture(seen.graph, seen.visits))
    write_atomically(files["json"], write_graph(seen.graph))
    return files


def _tell(seen: Seen, files: dict[str, Path], steps: int, interrupted: bool, as_json: bool) -> None:
    if as_json:
        body: dict[str, Json] = {
            "screens": len(seen.visits),
            "steps": seen.steps,
            "resets": seen.resets,
            "interrupted": interrupted,
            "visits": seen.visits,
            "growth": seen.growth,
            "events": seen.events,
            "files": {name: str(path) for name, path in files.items()},
        }
        print(json.dumps(body))
        return
    names = {screen.id: screen for screen in seen.graph.screens.values()}
    for screen, times in seen.visits.items():
        titles = names[screen].attrs.get("heading") or names[screen].attrs.get("title") or ()
        told = [screen, titles[0]] if titles and titles[0] else [screen]
        say(f"{times:>5}  " + "  ".join(map(one_line, told)))
    say(
        f"{len(seen.visits):,} screens in {seen.steps:,} steps of {steps:,}, {seen.resets:,} resets; "
        f"{seen.untried:,} actions not tried" + ("; interrupted" if interrupted else "")
    )
    for event in seen.events:
        say(f"event: {one_line(event, VALUE)}")
    for path in files.values():
        say(one_line(str(path), PATH))
