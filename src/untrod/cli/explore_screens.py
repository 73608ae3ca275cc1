"""`untrod explore URL`: the screens of a running app, and a picture of how they hang together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from untrod.cli.options import MOST, STORE, AsJson, Seed, StoreFolder
from untrod.cli.places import to_write
from untrod.core.text import PATH, VALUE, one_line
from untrod.output.terminal import say

if TYPE_CHECKING:
    from untrod.core.vocabulary import Json
    from untrod.drivers.graph import ScreenGraph
    from untrod.engines.explore.live.roam import Found
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
    seed: Seed = 0,
    store: StoreFolder = STORE,
    as_json: AsJson = False,
) -> int:
    """Explore the screens of an app. Draws them with how often each was visited.

    What is recorded is kept in the store, and `untrod gui` on the same target starts from it.
    """
    from untrod.core.seeds import derive
    from untrod.drivers.recording import RecordingDriver
    from untrod.engines.explore.live.roam import Roam
    from untrod.engines.gui.engine import GuiConfig
    from untrod.engines.gui.opening import open_driver
    from untrod.store.store import Store

    config = GuiConfig(
        target,
        (),
        driver="web" if "://" in target else "model",
        origins=tuple(origin or ()),
        setup=str(setup or ""),
        headed=headed,
        log_out=log_out,
    )
    spec = {**config.to_json(), "project": str(Path.cwd())}
    with Store.open(to_write(Path.cwd(), store, "--store")) as opened:
        known = _known(opened, config)
        driver = RecordingDriver(open_driver(spec, derive(seed, "screens")), _graph(known))
        try:
            roam = Roam(driver, steps, walker, seed)
            interrupted = False
            try:
                roam.run()
            except KeyboardInterrupt:
                interrupted = True  # what was seen is kept all the same
        finally:
            driver.close()
        files = _keep(opened, config, known, driver.graph, roam.found)
    _tell(roam.found, driver.graph, files, steps, interrupted, as_json)
    return 0


def _known(store: Store, config: GuiConfig) -> dict[str, Json]:
    from untrod.engines.gui.engine import table_key

    found = store.load_table(table_key(config))
    return {} if found is None else json.loads(found[1])


def _graph(known: dict[str, Json]) -> ScreenGraph | None:
    from untrod.drivers.graph_reader import decode

    return decode(known["graph"]) if known.get("graph") else None


def _keep(
    store: Store, config: GuiConfig, known: dict[str, Json], graph: ScreenGraph, found: Found
) -> dict[str, Path]:
    """The graph, for `gui` and for `explore app-graph`; and the picture."""
    from untrod.drivers.graph_writer import encode, write_graph
    from untrod.engines.gui.engine import table_key
    from untrod.output.files import write_atomically
    from untrod.output.graph_picture import picture

    if not found.atlas.visits:
        return {}
    key = table_key(config)
    kept = {"lessons": {}, "explorer": "", **known, "graph": encode(graph)}
    manifest: dict[str, Json] = {"engine": "gui", "target": config.target, "driver": config.driver}
    store.save_table(key, manifest, json.dumps(kept).encode())
    files = {name: store.folder / "screens" / f"{key}.{name}" for name in ("svg", "json")}
    write_atomically(files["svg"], picture(graph, found.atlas.visits))
    write_atomically(files["json"], write_graph(graph))
    return files


def _tell(
    found: Found, graph: ScreenGraph, files: dict[str, Path], steps: int, interrupted: bool, as_json: bool
) -> None:
    visits = found.atlas.visits
    if as_json:
        body: dict[str, Json] = {
            "screens": len(visits),
            "steps": found.steps,
            "resets": found.resets,
            "interrupted": interrupted,
            "visits": visits,
            "growth": found.growth,
            "events": found.events,
            "files": {name: str(path) for name, path in files.items()},
        }
        print(json.dumps(body))
        return
    names = {screen.id: screen for screen in graph.screens.values()}
    for screen, times in visits.items():
        titles = names[screen].attrs.get("heading") or names[screen].attrs.get("title") or ()
        told = [screen, titles[0]] if titles and titles[0] else [screen]
        say(f"{times:>5}  " + "  ".join(map(one_line, told)))
    untried = sum(map(len, found.atlas.untried.values()))
    say(
        f"{len(visits):,} screens in {found.steps:,} steps of {steps:,}, {found.resets:,} resets; "
        f"{untried:,} actions not tried" + ("; interrupted" if interrupted else "")
    )
    for event in dict.fromkeys(found.events):
        say(f"event: {one_line(event, VALUE)}")
    for path in files.values():
        say(one_line(str(path), PATH))
