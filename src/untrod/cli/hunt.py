"""`untrod hunt`: how a hunt is shown, and handed over to other programs."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.cli.verbs import command
from untrod.core.errors import UntrodError
from untrod.core.text import PATH, VALUE, one_line
from untrod.hunting.verb import hunt as verb
from untrod.output.terminal import say
from untrod.session.options import AsJson

if TYPE_CHECKING:
    from untrod.hunting.run import HuntRun, Told
    from untrod.hunting.verdict import Verdict
    from untrod.plugins import Task


def _show(
    hunting: HuntRun,
    plan: Annotated[bool, typer.Option("--plan", help="Show what would be done, and stop.")] = False,
    fail_on: Annotated[
        str, typer.Option("--fail-on", metavar="WHAT", help="Exit with 1 on: findings, nothing.")
    ] = "findings",
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")] = None,
    sarif: Annotated[Path | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF.")] = None,
    as_json: AsJson = False,
) -> int:
    if fail_on not in ("findings", "nothing"):
        raise UntrodError(f"--fail-on {fail_on!r} is neither findings nor nothing", "choose one")
    if not as_json or plan:
        _show_plan(hunting, as_json)
    if plan:
        return 0
    verdict = _run(hunting, as_json)
    _hand_over(verdict, junit, sarif, as_json)
    if verdict.failed:
        raise UntrodError(f"nothing could be run: {verdict.failed}", "mend that first")
    return 1 if verdict.told and fail_on == "findings" else 0


hunt = command(verb, _show)


def _show_plan(hunting: HuntRun, as_json: bool) -> None:
    tasks = hunting.tasks
    if as_json:
        rows = [{"verb": task.verb, "target": task.target, "why": task.why} for task in tasks]
        print(json.dumps({"event": "hunt-planned", "lots": rows, "notices": list(hunting.notices)}))
        return
    targets = [one_line(task.target, PATH) for task in tasks]
    for task, target in zip(tasks, targets, strict=True):
        say(f"{task.verb:7} {target:{max(map(len, targets))}}  {one_line(task.why)}", to=sys.stderr)
    for notice in hunting.notices:
        say(one_line(notice, VALUE), to=sys.stderr)


def _run(hunting: HuntRun, as_json: bool) -> Verdict:
    with _stopped_by_interrupts(hunting):
        if as_json:
            return hunting.drive(nullcontext(_as_lines))
        from untrod.hunting.screen import Screen

        screen: AbstractContextManager[Told] = Screen(hunting.tasks, hunting.setting.budget.wall)
        return hunting.drive(screen, lambda line: say(line, to=sys.stderr))


def _as_lines(task: Task, event: object) -> None:
    assert isinstance(event, dict)
    print(json.dumps({**event, "lot": task.name}), flush=True)


@contextmanager
def _stopped_by_interrupts(hunting: HuntRun) -> Iterator[None]:
    """The first Ctrl-C lets the running turns finish and report, the second ends everything at once."""

    def handle(number: int, frame: object) -> None:
        if hunting.stopped:
            os._exit(130)  # the warden sees to all that was started
        hunting.stop("interrupted")

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _hand_over(verdict: Verdict, junit: Path | None, sarif: Path | None, as_json: bool) -> None:
    from untrod.core.writing import write_atomically
    from untrod.hunting import formats
    from untrod.hunting.verdict import in_words

    page = None if verdict.report is None else str(verdict.report)
    if as_json:
        print(json.dumps({**verdict.to_json(), "report": page}))
    else:
        missing = "no report could be written" if verdict.records else "nothing was run"
        say(in_words(verdict) + (f"report: {one_line(page, PATH)}" if page else missing))
    for path, text in ((junit, formats.junit), (sarif, formats.sarif)):
        if path is not None:
            try:
                write_atomically(path, text(verdict))
            except OSError as error:
                raise UntrodError(
                    f"{path} cannot be written: {error.strerror}", "name another file"
                ) from None
