"""What a `cover` campaign leaves behind: a small suite, and the branches that nobody took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.vocabulary import Finding, Json
from untrod.engines.cover.case import Case, Input
from untrod.engines.cover.engine import CoverConfig
from untrod.output.cases import TestCase
from untrod.output.cover_suite import build_suite
from untrod.output.cover_tests import as_test
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
        def run(given: Input) -> Case | None:
            body = replayer.replay(given.trace()).report.get("case")
            return None if body is None else Case.from_json(body)

        found = [case for entry in corpus if (case := run(Input.from_trace(entry.trace.answers)))]
        return [as_test(case) for case in build_suite(found, run)]
