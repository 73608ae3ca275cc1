"""What a `cover` campaign leaves behind: a small suite, and the branches that nobody took."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.vocabulary import Finding, Json, Outcome
from untrod.engines.cover.branch_map import BranchMap
from untrod.engines.cover.case import Case, Input, read_arcs
from untrod.engines.cover.emit import as_test, asserts, fatal
from untrod.engines.cover.engine import CoverConfig
from untrod.engines.cover.rightness.levels import NOTE
from untrod.engines.cover.suite import Try, bounded, build_suite, shrink, within, worth_keeping
from untrod.output.cases import TAKES_PYTEST_DOWN, TestCase
from untrod.output.pytest_verify import Taken
from untrod.output.summary import Section, Words
from untrod.runtime.replayer import Replayer

MOST_LINES = 40
NOT_HELD = "taken, but by no test that holds"


class CoverRecipe:
    def __init__(self, config: CoverConfig) -> None:
        self._config = config
        self._about: dict[str, Json] = {"files": {}, "imported": []}
        self._taken: dict[object, Case] = {}  # by what a test does
        self._notes: list[str] = []

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
        expired = replayer.expired

        def pressed() -> bool:
            return replayer.hurry() or expired()

        def run(given: Input) -> Case | None:
            result = replayer.replay(given.trace())
            self._about = result.report.get("about", self._about)
            body = result.report.get("case")
            if body is None:
                return None
            try:
                case = Case.from_json(body)
            except ValueError:
                return None  # a worker in which the code under test has made up the answer
            if case.given != given:
                return run(case.given) if len(case.given.steps) <= len(given.steps) else None
            shown[case.given] = result.key
            return case

        entries = list(corpus)
        tried = itertools.takewhile(lambda entry: not expired(), entries)
        cases = [run(Input.from_trace(entry.trace.answers)) for entry in tried]
        if len(cases) < len(entries):
            left = len(entries) - len(cases)
            self._notes.append(f"no tests were made of {left:,} of {len(entries):,} inputs: no time was left")
        found = [case for case in cases if case is not None]
        suite = worth_keeping(build_suite(found, run, expired=pressed), asserts)
        if pressed():
            self._notes.append("the values in the tests are not as simple as they could be: no time was left")
        ids = {one.key: one.id for one in findings if one.detail.get("level") != NOTE}
        tests = [self._as_test(case, ids.get(shown.get(case.given, ""), "")) for case in suite]
        told = {test.finding for test in tests}
        missing = [finding for finding in findings if finding.id not in told]
        taken = frozenset(arc for case in found for arc in case.arcs)
        more = (_test_for(finding, within(run, taken), pressed) for finding in missing)
        return tests + [test for test in more if test is not None]

    @property
    def measured(self) -> Collection[str]:
        return list(self._about["files"].values())

    def notes(self) -> Iterable[str]:
        return self._notes

    def claims(
        self, extra: dict[str, Json], kept: Sequence[TestCase], taken: Taken | None
    ) -> dict[str, Json]:
        """Branches that only tests took which do not hold were not taken, whoever took them before."""
        if not extra or not self._about["files"]:
            return extra  # nothing was replayed
        branches = BranchMap(self._about["files"])
        cases = [self._taken[key] for test in kept if (key := (test.given, test.call)) in self._taken]
        firm = frozenset(arc for case in cases for arc in case.arcs)
        if taken is None:
            bits = branches.bits_of(firm | read_arcs(self._about["imported"]))
        else:
            loose = frozenset(arc for case in cases for arc in case.loose) - firm
            bits = branches.bits(taken) & ~branches.bits_of(loose)
        known = {tuple(row[:3]): row for row in extra["untaken"]}
        rows = [
            known.get(
                tuple(arc), [*arc, branches.line(arc.module, arc.start), branches.describe(arc), NOT_HELD]
            )
            for arc in branches.untaken(bits)
        ]
        covered = branches.covered(bits)
        status = f"{covered:,} of {extra['branches']:,} branches"
        return {**extra, "covered": covered, "untaken": rows, "status": status}

    def _as_test(self, case: Case, finding: str) -> TestCase:
        test = as_test(case, finding)
        for form in filter(None, (test, test.weaker)):
            self._taken[form.given, form.call] = case
        return test


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


def _test_for(finding: Finding, run: Try, expired: Callable[[], bool]) -> TestCase | None:
    held, of = finding.detail.get("held", (1, 1))
    if finding.detail.get("level") == NOTE:
        return None  # nobody would want to keep it
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
    return as_test(shrink(case, frozenset(), bounded(run, expired)), finding.id)
