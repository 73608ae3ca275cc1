"""What a `gui` campaign leaves behind, as test cases: for pytest-playwright, or for uiautomator2."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.text import count
from untrod.core.vocabulary import Finding, Json, Trace
from untrod.core.writing import write_atomically
from untrod.drivers.actions import SCREENSHOTS, dump_action, load_action
from untrod.drivers.graph_reader import decode
from untrod.drivers.known import table_key
from untrod.drivers.protocol import Action
from untrod.engines.gui.engine import GuiConfig
from untrod.engines.gui.uiautomator_cases import android_case
from untrod.output.cases import Do, Expectation, IsTrue, KnownFailure, Let, Passes, Returns, TestCase
from untrod.output.graph_picture import picture
from untrod.output.playwright_steps import (
    EVENTS,
    PAGE,
    SEEN,
    check,
    method,
    opening,
    settled,
    step,
    trouble,
    watching,
)
from untrod.output.summary import Section, Words
from untrod.runtime.replayer import Replayer
from untrod.source.nodes import Atom, Call, Text


class GuiRecipe:
    """`screens` is the folder for pictures, `known` what the store knows of the application by then."""

    def __init__(self, config: GuiConfig, screens: Path, known: Callable[[], Json]) -> None:
        self._config = config
        self._screens = screens
        self._known = known

    def slug(self) -> str:
        if self._config.driver == "android":
            return f"gui_{self._config.target}"
        try:
            parts = urlsplit(self._config.target)
            return f"gui_{parts.hostname or Path(self._config.target).stem}_{parts.port or ''}{parts.path}"
        except ValueError:
            return "gui_page"  # no browser goes there

    def folders(self, project: Path) -> tuple[Path, ...]:
        return ((project / self._config.setup).parent,) if self._config.setup else ()

    def sections(self, extra: dict[str, Json]) -> tuple[Section, ...]:
        path = self._picture
        return (Section("screen graph", (os.path.relpath(path),)),) if path.exists() else ()

    @property
    def _picture(self) -> Path:
        return self._screens / f"{table_key(self._config.driver, self._config.target)}.svg"

    def words(self, finished: CampaignFinished) -> Words:
        extra = finished.extra
        if not extra:
            return Words("nothing was run", samples=False)
        seen = f"{count(extra['screens'], 'screen')} in {count(extra['states'], 'state')}"
        counts = f"{count(finished.episodes, 'episode')}, {count(extra['steps'], 'step')}, {seen},"
        asked = count(extra["of"], "specification")
        return Words(f"{extra['found']} of {asked} {extra['verb']}", counts, samples=False)

    def cases(
        self, findings: Sequence[Finding], corpus: Iterable[CorpusGrown], replayer: Replayer
    ) -> list[TestCase]:
        """One for each finding that shows every time. A model is no application, and gets none."""
        known = self._known()
        if known:
            write_atomically(self._picture, picture(decode(known["graph"])))
        if self._config.driver == "model":
            return []
        cases = []
        for finding in findings:
            held, of = finding.detail.get("held", (1, 1))
            if held == of and finding.detail.get("session"):
                case = self._case(finding, replayer)
                cases += [case] if case is not None else []
        return cases

    def _case(self, finding: Finding, replayer: Replayer) -> TestCase | None:
        """Replayed once more, for the pictures, and for what was true when."""
        spec, *steps = map(str, finding.trace.answers)
        last = replayer.replay(Trace((spec, dump_action(Action(SCREENSHOTS)), *steps)))
        if last.key != finding.key:
            return None
        for number, png in last.report.get("pictures", ()):
            write_atomically(self._screens / finding.id / f"step-{number}.png", _decoded(png))
        return self._written(finding, [load_action(text) for text in steps], last.report)

    def _written(self, finding: Finding, actions: list[Action], report: Json) -> TestCase | None:
        if self._config.driver == "android":
            return android_case(self._config, finding, actions, report)
        broken = finding.kind == "counterexample"
        checks = _checks(report["reasons"], broken)
        given: list[Let | Do] = []
        if any(isinstance(each, str) for each, _ in checks.values()):
            given.append(watching())
        if any(kind == "dialog" for each in report["steps"] for kind, _ in each["events"]):
            accept = Atom("lambda dialog: dialog.accept()")
            given.append(Do(method(PAGE, "on", Text("dialog"), accept)))
        given += opening(self._config.target, self._config.setup, report.get("hooks", ()))
        given += _at(0, checks)
        for number, action in enumerate(actions, 1):
            call = step(action)
            if call is None:
                return None
            given += [Do(call), *_at(number, checks)]
        ending = _ending(checks, given)
        reason = KnownFailure(finding.title) if broken else None
        title = finding.title.rpartition(":")[0]
        return TestCase(
            name_hint=title,
            call=ending[0],
            expectation=ending[1],
            given=tuple(given),
            known_failure=reason,
            fixtures=("page",),
            finding=finding.id,
        )


def _decoded(png: str) -> bytes:
    try:
        return base64.b64decode(png, validate=True)
    except ValueError:
        return b""


Checks = dict[tuple[int, int], tuple[Call | str, bool]]
"""By step and number: what is looked for, an event by its kind, and whether it has to be there."""


def _checks(reasons: list[Json], broken: bool) -> Checks:
    """Of a witness, all that made it one. Of a counterexample, what should not have been at its last step."""
    found: Checks = {}
    last = max((at for at, *_ in reasons), default=0)
    for number, (at, name, operator, value, holds) in enumerate(reasons):
        wanted = holds is not broken
        if name.startswith("action") or (broken and at != last):
            continue
        if name == "event":
            if value in EVENTS:
                found[at, number] = value, wanted
        elif (call := check(name, operator, value, wanted)) is not None:
            found[at, number] = call, wanted
    return found


def _at(number: int, checks: Checks) -> list[Let | Do]:
    return [Do(each) for (at, _), (each, _) in checks.items() if at == number and not isinstance(each, str)]


def _ending(checks: Checks, given: list[Let | Do]) -> tuple[Call | Atom, Expectation]:
    """The last thing a test does: a check if there is one, else its last step."""
    events = [(kind, wanted) for kind, wanted in checks.values() if isinstance(kind, str)]
    if events:
        kind, wanted = events[-1]
        given.append(settled())
        return (Atom(f'"{kind}" in {SEEN}'), IsTrue()) if wanted else (trouble(kind), Returns(Atom("0")))
    last = given.pop()
    assert isinstance(last, Do)
    assert isinstance(last.call, Call)
    return last.call, Passes()
