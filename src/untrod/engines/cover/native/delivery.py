"""What a `cover` campaign on a C program leaves behind: a suite, a corpus, and the branches nobody took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.vocabulary import Finding, Json, Outcome
from untrod.engines.cover.case import Case, Input
from untrod.engines.cover.delivery import untaken_section
from untrod.engines.cover.native.emit import as_test, can_be_tested, ends_badly, flags_for
from untrod.engines.cover.native.engine import NativeConfig
from untrod.engines.cover.native.inputs import as_values
from untrod.engines.cover.native.target import NativeTarget
from untrod.engines.cover.native.verdict import SWARM
from untrod.engines.cover.suite import Try, bounded, build_suite, shrink, within
from untrod.output.cases import TestCase
from untrod.output.files import write_atomically
from untrod.output.summary import Section, Words
from untrod.runtime.replayer import Replayer
from untrod.runtime.reports import hex_digest

CHECKS = 800
"""How many simpler inputs may be run for the whole suite: each is a process."""


class NativeRecipe:
    """`corpus` is the folder in which inputs are kept as files."""

    def __init__(self, config: NativeConfig, corpus: Path) -> None:
        self._target = config.target
        self._corpus = corpus

    def slug(self) -> str:
        return f"{self._target.name.removesuffix('.c')}_cover"

    def folders(self, project: Path) -> tuple[Path, ...]:
        """Nothing is imported."""
        return ()

    def sections(self, extra: dict[str, Json]) -> tuple[Section, ...]:
        found = list(untaken_section(extra))
        asked = [
            f"{kind}: " + ", ".join(f"{name} ({count:,})" for name, count in counts.items())
            for kind, counts in extra.get("unknown", {}).items()
            if counts
        ]
        if extra.get("left_over"):
            asked.append(
                f"processes that the program left behind, and that were killed: {extra['left_over']:,}"
            )
        if asked:
            found.append(Section("what the emulation does not know, and how often it was met", tuple(asked)))
        return tuple(found)

    def words(self, finished: CampaignFinished) -> Words:
        extra = finished.extra
        if not extra:
            return Words("no input could be run", f"{finished.episodes:,} runs", samples=False)
        result = f"{extra['covered']:,} of {extra['branches']:,} branches"
        paths = extra["symbolic"].get("paths", 0)
        return Words(result, f"{finished.episodes:,} runs, {paths:,} symbolic paths", samples=False)

    def cases(
        self, findings: Sequence[Finding], corpus: Iterable[CorpusGrown], replayer: Replayer
    ) -> list[TestCase]:
        shown: dict[Input, str] = {}

        def run(given: Input) -> Case | None:
            if as_values(given, self._target.fields) is None:
                return None
            result = replayer.replay(given.trace())
            body = result.report.get("case")
            if body is None:
                return None
            shown[given] = result.key
            try:
                return Case.from_json(body)
            except ValueError:
                return None  # what a worker has made up

        entries = list(corpus)
        self._keep(entries)
        found = [case for entry in entries if (case := run(Input.from_trace(entry.trace.answers)))]
        made = build_suite(found, run, CHECKS, lambda: replayer.hurry() or replayer.expired())
        suite = [case for case in made if can_be_tested(case)]
        ids = {finding.key: finding.id for finding in findings}
        tests = [as_test(case, self._target, ids.get(shown.get(case.given, ""), "")) for case in suite]
        told = {test.finding for test in tests}
        taken = frozenset(arc for case in found for arc in case.arcs)
        more = (
            _test_for(finding, self._target, within(run, taken))
            for finding in findings
            if finding.id not in told
        )
        return tests + [test for test in more if test is not None]

    def _keep(self, corpus: Iterable[CorpusGrown]) -> None:
        """`KEY.args`, separated by zero bytes; `KEY.stdin`; `KEY.file.NAME`."""
        folder, fields = self._corpus / self.slug(), self._target.fields
        for entry in corpus:
            hex_digest(entry.key, "a key")  # files are called so
            values = as_values(Input.from_trace(entry.trace.answers), fields)
            if values is None:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            place = fields.stdin_place
            parts = {"args": b"\0".join(fields.argv(values)), "stdin": values[place]}
            parts |= {f"file.{name}": values[place + 1 + n] for n, (name, _) in enumerate(fields.files)}
            for suffix, data in parts.items():
                write_atomically(folder / f"{entry.key}.{suffix}", data)


def _test_for(finding: Finding, target: NativeTarget, run: Try) -> TestCase | None:
    held, of = finding.detail.get("held", (1, 1))
    if held < of:
        return None  # flaky
    try:
        given = Input.from_trace(finding.trace.answers)
    except ValueError:
        return None
    if finding.kind == Outcome.TIMED_OUT:
        alone = finding.detail.get("exception", {}).get("name") != SWARM
        return ends_badly(given, target, finding.title, finding.id, hangs=True) if alone else None
    case = run(given)
    if case is None or not case.outcome.suspect or not can_be_tested(case):
        return None
    given = shrink(case, frozenset(), bounded(run)).given
    return ends_badly(given, target, finding.title, finding.id, flags=flags_for(case))
