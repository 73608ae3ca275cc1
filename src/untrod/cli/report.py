"""`untrod report`: campaigns as one HTML page, to look at and to send to others."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from untrod.core.text import PATH, one_line
from untrod.output.terminal import notices_said, say
from untrod.session.options import STORE, AsJson, StoreFolder
from untrod.session.places import to_write


def report(
    campaigns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CAMPAIGN]...",
            help="Ids, or the starts of them; several are compared. The latest campaign if left out,"
            " all of them if that was a hunt's.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Instead of a file in the store's reports/."),
    ] = None,
    store: StoreFolder = STORE,
    as_json: AsJson = False,
) -> int:
    """Write campaigns as one HTML page that needs no network: curves, findings, their tests, comparisons."""
    from untrod.core.errors import UntrodError
    from untrod.hunting.kept import TITLE, last_hunt
    from untrod.output.html import write_html
    from untrod.store import Store

    with (
        Store.open(Path.cwd() / store, create=False, read_only=True) as opened,
        notices_said(opened.notices),
    ):
        hunt = None if campaigns else last_hunt(opened)
        named = hunt.campaigns if hunt else campaigns
        rows = [opened.campaign(name) for name in named] if named else opened.campaigns()[-1:]
        if not rows:
            raise UntrodError("there is no campaign to report on", "run one first: untrod inputs --help")
        ids = list(dict.fromkeys(row.id for row in rows))
        one = f"untrod {rows[0].engine}: {rows[0].target}"
        title = one if len(ids) == 1 else f"untrod: {len(ids)} campaigns"
        name = "hunt.html" if hunt else _name(ids)
        own = output or to_write(Path.cwd(), store, "--store") / "reports" / name
        path = Path.cwd() / own
        try:
            write_html(opened, ids, path, TITLE if hunt else title, sections=hunt.sections if hunt else ())
        except OSError as error:
            raise UntrodError(
                f"cannot write {path}: {error.strerror}", "choose another file with -o"
            ) from error
    if as_json:
        print(json.dumps({"event": "report", "path": str(path), "campaigns": ids}))
    else:
        say(one_line(os.path.relpath(path), PATH))
    return 0


def _name(ids: list[str]) -> str:
    """`inputs-7f3a.html`, `inputs-7f3a-cover-9b21.html`, `inputs-7f3a-and-5-more.html`"""
    return f"{'-'.join(ids) if len(ids) < 4 else f'{ids[0]}-and-{len(ids) - 1}-more'}.html"
