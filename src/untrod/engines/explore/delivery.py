"""What an `explore` campaign leaves behind: pictures and texts; and for what went wrong in an app, tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.text import count
from untrod.core.vocabulary import Finding, Json
from untrod.core.writing import write_atomically
from untrod.drivers.actions import load_action
from untrod.drivers.graph_reader import decode
from untrod.drivers.graph_writer import write_graph
from untrod.engines.explore.counts import ExploreCounts
from untrod.engines.explore.engine import ExploreConfig
from untrod.output.cases import Do, KnownFailure, Returns, TestCase
from untrod.output.graph_picture import picture
from untrod.output.playwright_steps import EVENTS, opening, settled, step, trouble, watching
from untrod.output.summary import Section, Words
from untrod.runtime.replayer import Replayer
from untrod.source.nodes import Atom

MOST_SHOWN = 50
"""Screens, and inputs, on a terminal."""
WIDEST = 60
"""Cells of a maze that is drawn."""


class ExploreRecipe:
    """`store` is its folder, `known` what the store knows of the app by then."""

    def __init__(self, config: ExploreConfig, store: Path, known: Callable[[], Json]) -> None:
        self._config = config
        self._store = store
        self._known = known

    def slug(self) -> str:
        try:
            parts = urlsplit(self._config.target)
            return (
                f"explore_{parts.hostname or Path(self._config.target).stem}_{parts.port or ''}{parts.path}"
            )
        except ValueError:
            return "explore_page"  # no browser goes there

    def folders(self, project: Path) -> tuple[Path, ...]:
        return ((project / self._config.setup).parent,) if self._config.setup else ()

    def words(self, finished: CampaignFinished) -> Words:
        counted = cast(ExploreCounts, finished.extra)
        if not counted:
            return Words("nothing was run", samples=False)
        if self._config.kind == "screens":
            steps = f"{counted['steps']:,} steps of {self._config.steps:,}"
            result = f"{count(counted['screens'], 'screen')} in {steps}"
            more = f"{count(counted['resets'], 'reset')}, {counted['untried']:,} actions not tried,"
            return Words(result, more, samples=False)
        who = "walker" if "walker" in counted else "explorer"
        return Words(counted["status"], f"{who}: {self._config.line},", samples=False)

    def sections(self, extra: dict[str, Json]) -> tuple[Section, ...]:
        counted = cast(ExploreCounts, extra)
        if not counted:
            return ()
        if self._config.kind == "screens":
            return self._screens(counted)
        return walked(self._config, counted) if "path" in counted else tried(counted)

    def _screens(self, counted: ExploreCounts) -> tuple[Section, ...]:
        """The pictures are drawn here: also after a Ctrl-C."""
        titles = dict.fromkeys(counted["visits"], "")
        files = []
        known = self._known()
        if known and known.get("graph"):
            graph = decode(known["graph"])
            for screen in graph.screens.values():
                titles[screen.id] = titles.get(screen.id) or screen.title
            drawn = {"svg": picture(graph, counted["visits"]), "json": write_graph(graph)}
            for what, name in counted["files"].items():
                path = self._store / name
                write_atomically(path, drawn[path.suffix[1:]])
                files.append(f"{what}: {os.path.relpath(path)}")
        rows = list(counted["visits"].items())
        lines = [f"{seen:>5}  {screen}  {titles[screen]}".rstrip() for screen, seen in rows[:MOST_SHOWN]]
        lines += [f"and {len(rows) - MOST_SHOWN:,} more"] if len(rows) > MOST_SHOWN else []
        return (
            Section("visits", tuple(lines), table=True),
            Section("events", tuple(counted["events"][:MOST_SHOWN])),
            Section("files", tuple(files)),
        )

    def cases(
        self, findings: Sequence[Finding], corpus: Iterable[CorpusGrown], replayer: Replayer
    ) -> list[TestCase]:
        """One for each finding on a page that shows every time."""
        cases = []
        for finding in findings if self._config.driver == "web" else ():
            held, of = finding.detail.get("held", (1, 1))
            if held == of and (case := self._case(finding, replayer)) is not None:
                cases.append(case)
        return cases

    def _case(self, finding: Finding, replayer: Replayer) -> TestCase | None:
        """Replayed once more: what hooks there are."""
        kind = str(finding.detail.get("event", ""))
        last = replayer.replay(finding.trace)
        calls = [step(load_action(str(text))) for text in finding.trace.answers[1:]]
        steps = [Do(call) for call in calls if call is not None]
        if last.key != finding.key or kind not in EVENTS or len(steps) < len(calls):
            return None
        begin = opening(self._config.target, self._config.setup, last.report.get("hooks", ()))
        return TestCase(
            name_hint=finding.title.rpartition(" (")[0],
            call=trouble(kind),
            expectation=Returns(Atom("0")),
            given=(watching(), *begin, *steps, settled()),
            known_failure=KnownFailure(finding.title),
            fixtures=("page",),
            finding=finding.id,
        )


def walked(config: ExploreConfig, counted: ExploreCounts) -> tuple[Section, ...]:
    """A maze with how often each cell was visited, or the screens in the order of their first visits."""
    visits = counted["visits"]
    if config.kind != "maze":
        lines = [f"{seen:>5}  {screen}" for screen, seen in list(visits.items())[:MOST_SHOWN]]
        lines += [f"and {len(visits) - MOST_SHOWN:,} more"] if len(visits) > MOST_SHOWN else []
        return (Section("visits", tuple(lines), table=True),)
    side = config.side
    if side > WIDEST or counted["visited"] > len(visits):
        return ()
    rows = [
        " ".join(f"{visits.get(str(row * side + column), '.'):>2}" for column in range(side))
        for row in range(side)
    ]
    return (Section("visits", tuple(rows), table=True),)


def tried(counted: ExploreCounts) -> tuple[Section, ...]:
    """Input by input, what it covers; the program with marks; what is missing."""
    lines: list[str] = []
    for number, each in enumerate(counted["inputs"][:MOST_SHOWN], 1):
        lines.append(
            f"input {number}: covers {each['coverage']:.0%}, {each['new']} new, {each['joint']:.0%} so far"
        )
        lines += [f"    {line}" for line in each["shown"].splitlines()]
    return (
        Section("inputs", tuple(lines), table=True),
        Section("program", tuple(counted["program"].splitlines()), table=True),
        Section("not reached", tuple(counted["missing"])),
        Section("not counted, no input is known to reach it", tuple(counted["beyond"])),
    )
