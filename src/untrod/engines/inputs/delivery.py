"""What an `inputs` campaign leaves behind, as test cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from untrod.core.events import CampaignFinished, CorpusGrown
from untrod.core.vocabulary import Finding, Json, Outcome, Trace
from untrod.engines.inputs.engine import InputsConfig
from untrod.output.cases import (
    TAKES_PYTEST_DOWN,
    Each,
    IsTrue,
    KnownFailure,
    Passes,
    TestCase,
    failure_words,
    replayed,
)
from untrod.output.summary import Section, Words
from untrod.runtime.loading import TargetName
from untrod.runtime.replayer import Replayer
from untrod.source.codec import decode
from untrod.source.nodes import Atom, Call, Node, Ref

DIVERSE = 5
"""How many of the different valid inputs become a test."""

CONFIRMATIONS = 3
"""How often each of them must pass first: a flaky input does not belong into a test that must hold."""


class InputsRecipe:
    def __init__(self, config: InputsConfig) -> None:
        self._config = config

    def slug(self) -> str:
        function = self._config.test or self._config.generator
        return f"{function.module.rpartition('.')[2]}_{function.attribute}".replace(".", "_")

    def folders(self, project: Path) -> tuple[Path, ...]:
        config = self._config
        names = [name for name in (config.generator, config.valid, config.test) if name is not None]
        return tuple(dict.fromkeys(project / name.root for name in names))

    def sections(self, extra: dict[str, Json]) -> tuple[Section, ...]:
        return ()

    def words(self, finished: CampaignFinished) -> Words:
        return Words()

    def cases(
        self, findings: Sequence[Finding], corpus: Iterable[CorpusGrown], replayer: Replayer
    ) -> list[TestCase]:
        """One known failure for each finding, and one test that holds on the most elaborate valid inputs."""
        cases = [case for finding in findings if (case := _failure(self._config, finding)) is not None]
        diverse = _diverse(self._config, corpus, replayer)
        return cases + ([diverse] if diverse is not None else [])


def _failure(config: InputsConfig, finding: Finding) -> TestCase | None:
    held, of = finding.detail.get("held", (1, 1))
    if held < of or finding.kind == Outcome.REFUSED or finding.detail.get("complete") is False:
        return None  # flaky, forbidden by our own guard, or without a whole input
    call = _call(config, finding)
    error = finding.detail.get("exception")
    ref = Ref(error["module"], error["name"]) if error else Ref("builtins", "BaseException")
    what = ref.qualname.rpartition(".")[2] if error else finding.kind
    return TestCase(
        name_hint=f"{_stage_function(config, finding).attribute} {failure_words(what)}",
        call=call,
        known_failure=KnownFailure(finding.title, ref, run=Outcome(finding.kind) not in TAKES_PYTEST_DOWN),
        finding=finding.id,
    )


def _call(config: InputsConfig, finding: Finding) -> Call:
    """The plain call that shows it: `check_delete(Node(value=3))`."""
    answers = [answer for answer in finding.trace.answers if isinstance(answer, int)]
    made = replayed(_ref(config.generator), answers)
    if finding.detail.get("stage") == "generator":
        return made
    value = _node(finding.detail.get("value"))
    return Call(_ref(_stage_function(config, finding)), (made if value is None else value,))


def _stage_function(config: InputsConfig, finding: Finding) -> TargetName:
    stage = finding.detail.get("stage", "test")
    chosen = {"generator": config.generator, "valid": config.valid, "test": config.test}.get(stage)
    return chosen or config.test or config.valid or config.generator


def _diverse(config: InputsConfig, corpus: Iterable[CorpusGrown], replayer: Replayer) -> TestCase | None:
    """A few inputs that are valid, as different as they come, and on which the property holds."""
    function = config.test or config.valid
    if function is None:
        return None
    nodes: list[Node] = []
    traces: list[Trace] = []
    for entry in sorted(corpus, key=lambda entry: (-len(entry.trace.answers), entry.key))[: 3 * DIVERSE]:
        results = [replayer.replay(entry.trace) for _ in range(CONFIRMATIONS)]
        node = _node(results[0].report.get("value"))
        if (
            all(result.outcome is Outcome.VALID for result in results)
            and node is not None
            and node not in nodes
        ):
            nodes.append(node)
            traces.append(entry.trace)
        if len(nodes) == DIVERSE:
            break
    if not nodes:
        return None
    return TestCase(
        name_hint=f"{function.attribute} holds on diverse inputs",
        call=Call(_ref(function), (Atom("value"),)),
        expectation=Passes() if config.test else IsTrue(),
        each=Each("value", tuple(nodes)),
        repeats=tuple(traces),
    )


def _node(value: Json) -> Node | None:
    try:
        return decode(value["node"]) if value and value.get("node") else None
    except ValueError:
        return None  # what the code under test has made up


def _ref(name: TargetName) -> Ref:
    return Ref(name.module, name.attribute)
