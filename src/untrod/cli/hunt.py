"""`untrod hunt`: every engine that fits, on everything in a project."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.cli.options import (
    STORE,
    TESTS,
    Allow,
    AsJson,
    BudgetText,
    Memory,
    On,
    Seed,
    StoreFolder,
    TestsFolder,
)
from untrod.cli.places import to_write
from untrod.core.text import PATH, one_line
from untrod.output.terminal import notices_said, say

if TYPE_CHECKING:
    from untrod.hunt.hunt import Record, Setting
    from untrod.hunt.lot import Lot
    from untrod.hunt.verdict import Verdict

_COVERAGE_SHARE = 0.2  # of the hunt's time, at most, for each look at what the tests cover


def hunt(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file or folder of the project.")] = Path(
        "."
    ),
    changed_since: Annotated[
        str | None,
        typer.Option("--changed-since", metavar="REV", help="Only what differs from this git revision."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="VERB", help="Only this engine: cover, worst, inputs, gui, explore. Repeatable."
        ),
    ] = None,
    app: Annotated[
        str | None,
        typer.Option("--app", metavar="URL", help="A web application of the project, by its address."),
    ] = None,
    start: Annotated[
        str | None, typer.Option("--start", metavar="CMD", help="Starts the application of --app.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Show what would be done, and stop.")] = False,
    coverage: Annotated[
        bool, typer.Option(help="Run the project's tests for coverage before and after.")
    ] = True,
    fail_on: Annotated[
        str, typer.Option("--fail-on", metavar="WHAT", help="Exit with 1 on: findings, nothing.")
    ] = "findings",
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")] = None,
    sarif: Annotated[Path | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF.")] = None,
    budget: BudgetText = "5m",
    seed: Seed = 0,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=64, help="Turns that run side by side.")
    ] = max(1, min(4, os.cpu_count() or 1)),
    on: On = "here",
    memory: Memory = 2048,
    allow: Allow = None,
    tests: TestsFolder = TESTS,
    store: StoreFolder = STORE,
    as_json: AsJson = False,
) -> int:
    """Find what can be tested, share the time by what pays, and end with tests, ranked findings and coverage.

    Typed functions and modules go to `cover`, functions over inputs of a size to `worst`, Hypothesis tests to
    `inputs`, an application given by --app to `explore` and `gui`. Exits with 1 when there are findings.
    """
    from untrod.core.budget import Budget
    from untrod.core.errors import UntrodError
    from untrod.hunt.hunt import Setting
    from untrod.runtime.limits import permissions
    from untrod.runtime.workers import place
    from untrod.store import Store

    where = place(on)
    if fail_on not in ("findings", "nothing"):
        raise UntrodError(f"--fail-on {fail_on!r} is neither findings nor nothing", "choose one")
    if start and not app:
        raise UntrodError("--start needs --app", "say at which address the application will answer")
    limits = Budget.parse(budget)
    if [limits.wall, limits.cpu, limits.episodes].count(None) != 2:
        raise UntrodError(f"a hunt cannot have the budget {budget!r}", "give a time like 5m, or episodes")
    permissions(allow or ())  # complains now, not in every turn
    flags = ["--memory", str(memory), *(word for what in allow or () for word in ("--allow", what))]
    setting = Setting(
        Path.cwd(), store, tests, limits, seed, workers, tuple(flags), where, tuple(allow or ()), memory
    )
    to_write(setting.project, tests, "--tests")
    own = to_write(setting.project, store, "--store")
    lots, notices = _lots(path, setting, changed_since, only or [], app)
    if not as_json or plan:
        _show_plan(lots, as_json)
    if plan:
        return 0
    with Store.open(own) as opened, notices_said(opened.notices):
        pass  # what cannot be written to is said now, not by every turn
    verdict = _run(lots, notices, setting, app, start, coverage, as_json)
    _hand_over(verdict, setting, junit, sarif, as_json)
    if verdict.failed:
        raise UntrodError(f"nothing could be run: {verdict.failed}", "mend that first")
    return 1 if verdict.findings and fail_on == "findings" else 0


def _lots(
    path: Path, setting: Setting, revision: str | None, only: list[str], app: str | None
) -> tuple[tuple[Lot, ...], tuple[str, ...]]:
    from untrod.core.errors import UntrodError
    from untrod.hunt.changes import changed_since, touched
    from untrod.hunt.lot import Lot
    from untrod.hunt.scout import scout

    found = scout(path, setting.project, setting.tests)
    lots = found.lots
    if revision is not None:
        lots = touched(lots, changed_since(revision, setting.project))
    if app is not None:
        lots = (*lots, Lot("explore", app, "screens, for gui to start from"), Lot("gui", app, "a web app"))
    order = ("inputs", "cover", "explore", "gui", "worst")
    unknown = set(only) - set(order)
    if unknown:
        raise UntrodError(f"--only {min(unknown)!r} is no engine", f"choose from {', '.join(order)}")
    if only:
        lots = tuple(lot for lot in lots if lot.verb in only)
    if not lots:
        what = f"nothing that differs from {revision}" if revision else "nothing"
        hint = "point it at a folder with Python modules or Hypothesis tests, or give --app URL"
        raise UntrodError(f"there is {what} to test in {path}", "; ".join([hint, *found.notices[:3]]))
    return tuple(sorted(lots, key=lambda lot: order.index(lot.verb))), found.notices


def _show_plan(lots: tuple[Lot, ...], as_json: bool) -> None:
    import json

    if as_json:
        rows = [{"verb": lot.verb, "target": lot.target, "why": lot.why} for lot in lots]
        print(json.dumps({"event": "hunt-planned", "lots": rows}))
        return
    targets = [one_line(lot.target, PATH) for lot in lots]
    for lot, target in zip(lots, targets, strict=True):
        say(f"{lot.verb:7} {target:{max(map(len, targets))}}  {one_line(lot.why)}", to=sys.stderr)


def _run(
    lots: tuple[Lot, ...],
    notices: tuple[str, ...],
    setting: Setting,
    app: str | None,
    start: str | None,
    coverage: bool,
    as_json: bool,
) -> Verdict:
    from untrod.hunt.before_after import Measuring
    from untrod.hunt.hunt import Hunt
    from untrod.hunt.screen import Screen
    from untrod.hunt.served import Served
    from untrod.hunt.verdict import judge

    started = time.monotonic()
    files = [lot.file for lot in lots if lot.verb == "cover"]
    with ExitStack() as stack:
        interrupts = stack.enter_context(_hearing_interrupts())
        if setting.on:
            stack.enter_context(_joined(setting.on, as_json))
        if app is not None:
            stack.enter_context(Served(app, start, setting.project, stop=interrupts.heard))
        gain = measuring = before = None
        if coverage and files:
            if not as_json:
                say("running the project's own tests for their coverage ...", to=sys.stderr)
            share = max(10.0, _COVERAGE_SHARE * (setting.budget.wall or 300.0))
            measuring = stack.enter_context(
                Measuring(
                    setting.project,
                    files,
                    setting.tests,
                    share,
                    allow=setting.allow,
                    memory_mb=setting.memory_mb,
                    stop=interrupts.heard,
                )
            )
            before = measuring.before()
        if interrupts.heard():
            raise KeyboardInterrupt  # nothing was run: there is nothing to report
        told = _as_lines if as_json else stack.enter_context(Screen(lots, setting.budget.wall))
        chase = Hunt(lots, setting, told)
        interrupts.stop = chase.stop
        records = chase.run()
        _look_up(records.values(), setting)
        if measuring is not None and not interrupts.heard():
            gain = measuring.gain(before, measuring.after())
    if start and any(record.tests for record in records.values() if record.lot.target == app):
        notices = (*notices, f"the tests of {app} need it to run: {start}")
    return judge(records.values(), time.monotonic() - started, gain, notices)


def _look_up(records: Iterable[Record], setting: Setting) -> None:
    """A store that cannot be read any more has said so in the turns; what they told will do then."""
    from untrod.core.errors import UntrodError
    from untrod.hunt.verdict import refresh
    from untrod.store import Store

    try:
        with Store.open(setting.project / setting.store, create=False, read_only=True) as store:
            refresh(records, store)
    except (OSError, UntrodError):
        pass


@contextmanager
def _joined(on: str, as_json: bool) -> Iterator[None]:
    """Ray is there before the first turn, and one that is started for the hunt serves all turns."""
    from untrod.runtime.ray.link import Link

    if not as_json:
        say("joining Ray ...", to=sys.stderr)
    link = Link(on)
    before = dict(os.environ)
    try:
        os.environ.update(link.for_others)
        yield
    finally:
        for name in link.for_others:
            os.environ.pop(name, None)
        os.environ.update(before)
        link.close()


def _as_lines(lot: Lot, event: object) -> None:
    import json

    assert isinstance(event, dict)
    print(json.dumps({**event, "lot": lot.name}), flush=True)


class _Interrupts:
    """The first Ctrl-C lets the running turns finish and report, the second ends everything at once."""

    def __init__(self) -> None:
        self._count = 0
        self.stop: Callable[[], None] = lambda: None

    def heard(self) -> bool:
        return self._count > 0

    def handle(self, number: int, frame: object) -> None:
        self._count += 1
        if self._count > 1:
            os._exit(130)  # the warden sees to all that was started
        self.stop()


@contextmanager
def _hearing_interrupts() -> Iterator[_Interrupts]:
    interrupts = _Interrupts()
    before = {n: signal.signal(n, interrupts.handle) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupts
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _hand_over(
    verdict: Verdict, setting: Setting, junit: Path | None, sarif: Path | None, as_json: bool
) -> None:
    import json

    from untrod.core.errors import UntrodError
    from untrod.core.writing import write_atomically
    from untrod.hunt import formats
    from untrod.hunt.verdict import in_words

    page = _page(verdict, setting)
    if as_json:
        print(json.dumps({**verdict.to_json(), "report": page}))
    else:
        say(in_words(verdict) + (f"report: {one_line(page, PATH)}" if page else "no report could be written"))
    for path, text in ((junit, formats.junit), (sarif, formats.sarif)):
        if path is not None:
            try:
                write_atomically(path, text(verdict))
            except OSError as error:
                raise UntrodError(
                    f"{path} cannot be written: {error.strerror}", "name another file"
                ) from None


def _page(verdict: Verdict, setting: Setting) -> str | None:
    """All campaigns of the hunt on one HTML page; its path, None when there was nothing or no room."""
    from untrod.hunt.verdict import sections
    from untrod.output.html import write_html
    from untrod.store import Store

    campaigns = [record.campaign for record in verdict.records if record.campaign]
    if not campaigns:
        return None
    path = setting.store / "reports" / "hunt.html"
    try:
        with Store.open(setting.project / setting.store, create=False, read_only=True) as store:
            write_html(store, campaigns, setting.project / path, "untrod hunt", sections=sections(verdict))
    except OSError:
        return None
    return str(path)
