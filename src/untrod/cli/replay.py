"""`untrod replay`: show a finding once more, from the store or from its test."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from untrod.core.text import PATH, VALUE, one_line
from untrod.output.terminal import say
from untrod.session.options import STORE, Allow, AsJson, StoreFolder, Trust


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
    from untrod.session.replay import replay_finding

    done = replay_finding(Path.cwd(), folder, name, times, trust=trust, allow=allow)
    finding, held, last = done.finding, done.held, done.last
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
        say(f"{finding.id}: {one_line(finding.title, VALUE)}")
        value = last.report.get("value") or finding.detail.get("value") or {}
        given = value.get("text", "(unknown)")
        say(f"input: {one_line(str(given), PATH)}")
        say(done.traceback, end="")
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
