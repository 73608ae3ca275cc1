"""What a `cover` campaign leaves behind: a small suite, and the branches that nobody took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.vocabulary import Finding, Json, Outcome
from untrod.engines.cover.case import Case, Input
from untrod.engines.cover.engine import CoverConfig
from untrod.output.cases import TestCase
from untrod.output.cover_suite import Try, bounded, build_suite, shrink, within
from untrod.output.cover_tests import as_test, fatal
from untrod.output.inputs_cases import TAKES_PYTEST_DOWN
from untrod.output.summary import Section, Words
from untrod.runtime.replayer import Replayer

MOST_LINES = 40


class CoverRecipe:
    def __init__(self, config: CoverConfig) -> None:
        self._config = config

    def slug(self) -> str:
        target = self._config.target
        name = f"{target.module.rpartition('.')[2]}_{target.attribute}".rstrip("_")
        return f"{name}_cover".replace(".", "_")

    def folders(self, project: Path) -> tuple[Path, ...]:
        names = [self._config.target, *self._config.also]
        return tuple(dict.fromkeys(project / name.root for name in names))

    def sections(self, extra: dict[str, Json]) -> tuple[Section, ...]:
        return untaken_section(extra)

    def words(self, finished: CampaignFinished) -> Words:
        extra = finished.extra
        if not extra:
            return Words("no input could be run", f"{finished.episodes:,} runs", samples=False)
        before = f" ({extra['imported']} by importing)" if extra["imported"] else ""
        result = f"{extra['covered']:,} of {extra['branches']:,} branches{before}"
        return Words(result, f"{finished.episodes:,} runs", samples=False)

    def cases(
        self, findings: Sequence[Finding], corpus: Iterable[CorpusGrown], replayer: Replayer
    ) -> list[TestCase]:
        """The suite, and a test for each finding that the suite does not show already."""
        shown: dict[Input, str] = {}  # keys of findings, by input

        def run(given: Input) -> Case | None:
            result = replayer.replay(given.trace())
            body = result.report.get("case")
            if body is None:
                return None
            case = Case.from_json(body)
            shown[case.given] = result.key
            return case

        found = [case for entry in corpus if (case := run(Input.from_trace(entry.trace.answers)))]
        suite = build_suite(found, run)
        ids = {finding.key: finding.id for finding in findings}
        tests = [as_test(case, ids.get(shown.get(case.given, ""), "")) for case in suite]
        told = {test.finding for test in tests}
        missing = [finding for finding in findings if finding.id not in told]
        taken = frozenset(arc for case in found for arc in case.arcs)
        more = (_test_for(finding, within(run, taken)) for finding in missing)
        return tests + [test for test in more if test is not None]


def untaken_section(extra: dict[str, Json]) -> tuple[Section, ...]:
    if not extra.get("untaken"):
        return ()
    lines = [
        f"{module}:{line}  {source}  ({words}; {why})"
        for module, line, _, source, words, why in extra["untaken"][:MOST_LINES]
    ]
    left = len(extra["untaken"]) - len(lines)
    if left:
        lines.append(f"... and {left} more")
    return (Section("branches that nobody took", tuple(lines), table=True),)


def _test_for(finding: Finding, run: Try) -> TestCase | None:
    held, of = finding.detail.get("held", (1, 1))
    if held < of or finding.kind == Outcome.REFUSED or finding.detail.get("complete") is False:
        return None  # flaky, forbidden by our own guard, or without a whole input
    try:
        given = Input.from_trace(finding.trace.answers)
    except ValueError:
        return None
    if finding.kind in TAKES_PYTEST_DOWN:
        return fatal(given, finding.title, finding.id)
    case = run(given)
    if case is None or not case.outcome.suspect:
        return None
    return as_test(shrink(case, frozenset(), bounded(run)), finding.id)
