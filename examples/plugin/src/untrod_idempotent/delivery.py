"""How findings become tests: `assert slug(slug("é ")) == "..."`, a known failure until the bug is fixed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.vocabulary import Finding, Outcome
from untrod.output.cases import TAKES_PYTEST_DOWN, KnownFailure, Passes, Returns, TestCase
from untrod.output.summary import Section, Words
from untrod.runtime.replayer import Replayer
from untrod.source.nodes import Atom, Call, Ref
from untrod_idempotent.engine import IdempotentConfig


class IdempotentRecipe:
    def __init__(self, config: IdempotentConfig) -> None:
        self._config = config

    def slug(self) -> str:
        target = self._config.target
        return f"{target.module.rpartition('.')[2]}_{target.attribute}_idempotent"

    def folders(self, project: Path) -> tuple[Path, ...]:
        return (project / self._config.target.root,)

    def sections(self, extra: dict[str, Any]) -> tuple[Section, ...]:
        return ()

    def words(self, finished: CampaignFinished) -> Words:
        return Words(f"{finished.unique:,} different results", f"{finished.episodes:,} texts", samples=False)

    def cases(
        self, findings: Sequence[Finding], corpus: Iterable[CorpusGrown], replayer: Replayer
    ) -> list[TestCase]:
        return [self._case(finding) for finding in findings]

    def _case(self, finding: Finding) -> TestCase:
        target = self._config.target
        function = Ref(target.module, target.attribute)
        given = Atom(repr("".join(map(str, finding.trace.answers))))
        twice = Call(function, (Call(function, (given,)),))
        error = finding.detail.get("exception")
        if error:
            runs = Outcome(finding.kind) not in TAKES_PYTEST_DOWN
            known = KnownFailure(finding.title, Ref(error["module"], error["name"]), run=runs)
            return TestCase(
                f"{target.attribute} twice", twice, Passes(), known_failure=known, finding=finding.id
            )
        return TestCase(
            name_hint=f"{target.attribute} leaves alone what is clean",
            call=twice,
            expectation=Returns(Atom(finding.detail["once"])),
            known_failure=KnownFailure(finding.title),
            finding=finding.id,
        )
