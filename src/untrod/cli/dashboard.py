"""`untrod dashboard`: the campaigns of a project, live in a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from untrod.output.terminal import say
from untrod.session.options import STORE, AsJson, StoreFolder


def dashboard(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Of this machine; a free one if it is 0.")
    ] = 0,
    store: StoreFolder = STORE,
    as_json: AsJson = False,
) -> int:
    """Show campaigns live in a browser on this machine, until Ctrl-C. Reads the store, never writes to it."""
    from untrod.output.dashboard import serve

    def ready(address: str) -> None:
        # A browser is not started here: other users of the machine could read the token off its command line.
        if as_json:
            print(json.dumps({"event": "dashboard", "address": address}), flush=True)
        else:
            say(f"{address}\nCtrl-C ends it.", flush=True)

    serve(Path.cwd() / store, Path.cwd(), port, ready)
    return 0
