"""`untrod replay`: show a finding once more, from the store or from its test."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from untrod.cli.options import STORE, Allow, AsJson, StoreFolder, Trust
from untrod.cli.places import to_write
from untrod.core.text import PATH, VALUE, one_line
from untrod.output.terminal import notices_said, say


def replay(
    what: Annotated[
        str, typer.Argument(metavar="FINDING|FILE", help="A finding's id, or a test file untrod wrote.")
    ],
    times: Annotated[int, typer.Option("--times", min=1, max=1000, help="How often.")] = 1,
    trust: Trust = False,
    allow: Allow = None,
    store: StoreFolder = STORE,
    as_json: AsJson = False,
) -> int:
    """Run a finding again in a guarded worker, and say whether it still shows.

    Exits with 1 when it does, as when it was found, and with 0 when it does not.
    """
    return (
        _replay_file(Path(what), as_json, allow or ())
        if what.endswith(".py")
        else _replay_finding(what, times, store, as_json, trust, allow or ())
    )


def _replay_finding(
    name: str, times: int, folder: Path, as_json: bool, trust: bool, allow: Iterable[str]
) -> int:
    from untrod.cli.engines import make_engine
    from untrod.cli.trust import admitted
    from untrod.core.errors import UntrodError
    from untrod.runtime.replayer import Replayer
    from untrod.store import Store

    project = Path.cwd()
    place = to_write(project, folder, "--store")
    with Store.open(place, create=False) as store, notices_said(store.notices):
        row, finding = store.finding(name)
        command = f"untrod replay {finding.id}"
        row, running = admitted(store, row, project, command, trust=trust, allow=allow)
        engine, _ = make_engine(row.engine, row.config, row.seed, project, 1, store)
        with Replayer(
            engine,
            project=project,
            scratch=store.scratch,
            limits=running.limits,
            allow=running.allow,
        ) as replayer:
            results = [replayer.replay(finding.trace) for _ in range(times)]
    held = sum(result.key == finding.key for result in results)
    last = results[-1]
    if last.report.get("error") and not held:  # the application was not there: that says nothing
        raise UntrodError(last.report["error"], last.report.get("hint", ""))
    if as_json:
        outcome = {
            "finding": finding.id,
            "held": held,
            "of": times,
            "outcome": last.outcome.value,
            "key": last.key,
        }
        print(json.dumps({**outcome, "report": last.report}))
    else:
        shown = last.report.get("finding") or {}
        say(f"{finding.id}: {one_line(finding.title, VALUE)}")
        value = last.report.get("value") or finding.detail.get("value") or {}
        given = value.get("text", "(unknown)")
        say(f"input: {one_line(str(given), PATH)}")
        say(shown.get("traceback") or last.log or "", end="")
        say(f"shows again in {held} of {times}" if held else f"does not show any more: {last.outcome.value}")
    return 1 if held else 0


def _replay_file(path: Path, as_json: bool, allow: Iterable[str]) -> int:
    from untrod.core.errors import UntrodError
    from untrod.output.pytest_verify import TestOutcome, verify
    from untrod.runtime.limits import permissions

    if not path.is_file():
        raise UntrodError(f"there is no file {path}", "give a test file, or a finding's id")
    result = verify(path, project=Path.cwd(), timeout=600.0, allow=permissions(allow))
    if result.error:
        raise UntrodError(f"{path} could not be run: {result.error}", f"try: pytest {path}")
    for test in result.tests:
        if as_json:
            print(json.dumps({"test": test.name, "outcome": test.outcome.value, "message": test.message}))
        else:
            message = f" ({one_line(test.message)})" if test.message else ""
            say(f"{test.outcome.value}: {one_line(test.name)}{message}")
    still = [t for t in result.tests if t.outcome in (TestOutcome.EXPECTED_FAILURE, TestOutcome.FAILED)]
    return 1 if still else 0
