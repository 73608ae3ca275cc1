"""What a campaign over Hypothesis tests leaves behind, as test cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.vocabulary import Finding, Json
from untrod.engines.inputs.backend.engine import HypothesisConfig, split_node
from untrod.engines.inputs.counts import inputs_counts
from untrod.output.cases import Do, KnownFailure, Let, TestCase, failure_words
from untrod.output.summary import Section, Words
from untrod.runtime.loading import TargetName
from untrod.runtime.replayer import Replayer
from untrod.source.codec import decode
from untrod.source.names import is_name
from untrod.source.nodes import Atom, Call, Member, Ref

_CASE = Atom("case")


class HypothesisRecipe:
    """A falsified test becomes a default call of the function under `@given`, with literal arguments."""

    def __init__(self, config: HypothesisConfig, project: Path) -> None:
        self._config = config
        self._project = project
        self._roots: dict[str, None] = {}  # where the falsified tests are imported from, in order

    def slug(self) -> str:
        stem = Path(split_node(self._config.paths[0], self._project)[0]).stem
        return f"{stem.removeprefix('test_')}_falsified"

    def folders(self, project: Path) -> tuple[Path, ...]:
        return tuple(project / root for root in self._roots)

    def sections(self, extra: dict[str, Json]) -> tuple[Section, ...]:
        lines = tuple(
            f"{test}: {each['text']}"
            for test, blamed in inputs_counts(extra).get("rejections", {}).items()
            for each in blamed
        )
        return (Section("most rejected choices", lines),) if lines else ()

    def words(self, finished: CampaignFinished) -> Words:
        return Words()

    def cases(
        self, findings: Sequence[Finding], corpus: Iterable[CorpusGrown], replayer: Replayer
    ) -> list[TestCase]:
        return [case for finding in findings if (case := self._case(finding)) is not None]

    def _case(self, finding: Finding) -> TestCase | None:
        held, of = finding.detail.get("held", (1, 1))
        arguments = finding.detail.get("arguments")
        path, behind = split_node(str(finding.detail.get("test", "")), self._project)
        names = behind.split("::")[1:]
        if held < of or arguments is None or not names or not all(map(is_name, names)):
            return None  # flaky, without a literal form, or one of several of its name
        try:
            target = TargetName.parse(path, self._project)
        except UntrodError:
            return None
        self._roots[target.root] = None
        error = finding.detail.get("exception") or {"module": "builtins", "name": "BaseException"}
        try:
            keywords = tuple((argument, decode(node)) for argument, node in arguments.items())
        except ValueError:
            return None  # what the code under test has made up
        function = Ref(target.module, ".".join([*names, "hypothesis", "inner_test"]))
        given = _instance(target.module, names, finding.detail.get("setup"))
        if given is None:
            return None
        return TestCase(
            name_hint=f"{names[-1].removeprefix('test_')} {failure_words(error['name'])}",
            call=Call(function, (_CASE,) if given else (), keywords),
            given=given,
            known_failure=KnownFailure(finding.title, Ref(error["module"], error["name"])),
            finding=finding.id,
        )


def _instance(module: str, names: list[str], setup: Json) -> tuple[Let | Do, ...] | None:
    """What a method needs before it: an object of its class, made ready. None: that takes more."""
    if len(names) == 1:
        return ()
    made = Let(_CASE.text, Call(Ref(module, ".".join(names[:-1]))))
    match setup:
        case "":
            return (made,)
        case "setup_method()":
            return (made, Do(Call(Member(_CASE, "setup_method"))))
        case "setup_method(method)":
            return (made, Do(Call(Member(_CASE, "setup_method"), (Member(_CASE, names[-1]),))))
    return None
