"""Records of test cases, as Hypothesis's observability schema has them and Tyche reads them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from hypothesis.internal import observability

from untrod.core.errors import UntrodError
from untrod.engines.inputs.backend import configure, observe
from untrod.engines.inputs.backend.entry import register
from untrod.engines.inputs.backend.observe import ObservationFile, Observer

register()

_ANY_OBJECT = {"type": "object"}
_BOTH = {"property": {"type": "string"}, "run_start": {"type": "number"}}
_TEST_CASE = {
    "type": {"const": "test_case"},
    "status": {"enum": ["passed", "failed", "gave_up"]},
    "status_reason": {"type": "string"},
    "representation": {"type": "string"},
    "arguments": _ANY_OBJECT,
    "how_generated": {"type": ["string", "null"]},
    "features": _ANY_OBJECT,
    "coverage": {"type": ["object", "null"]},
    "timing": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
    "metadata": _ANY_OBJECT,
    **_BOTH,
}
_MESSAGE = {
    "type": {"enum": ["info", "alert", "error"]},
    "title": {"type": "string"},
    "content": {"type": ["string", "object"]},
    **_BOTH,
}
SCHEMA = {
    "oneOf": [
        {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
        for fields in (_TEST_CASE, _MESSAGE)
    ]
}
"""What Hypothesis's documentation (schema_observations.json) demands of a line."""

SETTINGS = settings(
    backend="untrod",
    max_examples=120,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


def observed(test: Any, **config: Any) -> list[dict[str, Any]]:
    observer = Observer()
    with configure(seed=2, **config), observer.watching():
        try:
            test()
        except AssertionError:
            pass
    return [json.loads(line, parse_constant=pytest.fail) for line in observer.lines]


def system_is_rejected(limit: float) -> Any:
    @SETTINGS
    @given(scope=st.sampled_from(["test", "compile", "system"]), x=st.floats())
    def test(scope: str, x: float) -> None:
        assume(scope != "system")
        assert not x > limit

    return test


def test_every_record_is_as_the_schema_has_it() -> None:
    records = observed(system_is_rejected(5.0))
    for record in records:
        jsonschema.validate(record, SCHEMA)
    cases = [record for record in records if record["type"] == "test_case"]
    assert {case["status"] for case in cases} == {"passed", "failed", "gave_up"}
    assert next(iter(records[0])) == "type"


def test_a_rejection_names_its_line_and_its_suspect() -> None:
    records = observed(system_is_rejected(float("inf")), learner="exonerate")
    reasons = [record["status_reason"] for record in records if record.get("status") == "gave_up"]
    assert all(reason.startswith("failed to satisfy assume() in test (line ") for reason in reasons)
    assert "suspected: `scope='system'`: 0 of" in reasons[-1]
    (told,) = [record for record in records if record.get("title") == "untrod: most rejected choices"]
    assert told["type"] == "info"
    assert "`scope='system'`: 0 of" in told["content"]


def test_what_is_too_large_is_cut() -> None:
    @settings(SETTINGS, max_examples=3)
    @given(st.just("x" * 100_000))
    def test(text: str) -> None: ...

    records = observed(test)
    assert all(len(json.dumps(record)) < 30_000 for record in records)
    for record in records:
        jsonschema.validate(record, SCHEMA)


def test_a_batch_that_is_too_large_ends_in_an_alert(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observe, "_BATCH_BYTES", 3_000)
    records = observed(system_is_rejected(float("inf")))
    assert records[-1]["type"] == "alert"
    assert 1 < len(records) < 6
    jsonschema.validate(records[-1], SCHEMA)


def test_being_observed_changes_nothing_and_ends() -> None:
    seen: list[list[str]] = [[], []]

    def recording(into: list[str]) -> Any:
        @settings(SETTINGS, phases=[Phase.generate])
        @given(st.lists(st.integers(0, 9), min_size=4, max_size=4))
        def test(xs: list[int]) -> None:
            into.append(repr(xs))
            assume(xs == sorted(xs))

        return test

    collected = observability.OBSERVABILITY_COLLECT_COVERAGE
    observed(recording(seen[0]))
    with configure(seed=2):
        recording(seen[1])()
    assert seen[0] == seen[1]
    assert observability.OBSERVABILITY_COLLECT_COVERAGE is collected


def line(text: str = "") -> str:
    return json.dumps({"type": "info", "property": "p", "run_start": 0.5, "title": "t", "content": text})


def test_a_torn_last_line_is_cut_off_before_more_is_written(tmp_path: Path) -> None:
    path = tmp_path / "observed.jsonl"
    ObservationFile(path).write([line("one")])
    with path.open("a") as file:
        file.write(line("torn")[:-7])
    ObservationFile(path).write([line("two"), line("three")])
    assert [json.loads(text)["content"] for text in path.read_text().splitlines()] == ["one", "two", "three"]


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary")
    with pytest.raises(UntrodError, match="holds no observations"):
        ObservationFile(path).check()
    assert path.read_text() == "dear diary"
    with pytest.raises(UntrodError, match="cannot be written"):
        ObservationFile(tmp_path / "missing" / "x.jsonl").check()


def test_the_file_grows_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observe, "MOST_BYTES", 1_000)
    file = ObservationFile(tmp_path / "observed.jsonl")
    assert file.write([line("x" * 600)])
    assert not file.write([line("x" * 600)])
    assert not file.write([line()])  # full is full: a gap would look like a quiet spell
    assert (tmp_path / "observed.jsonl").stat().st_size <= 1_000


def test_killed_at_any_moment_all_lines_but_the_last_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "observed.jsonl"
    script = (
        "import sys; from pathlib import Path\n"
        "from untrod.engines.inputs.backend.observe import ObservationFile\n"
        "file = ObservationFile(Path(sys.argv[1]))\n"
        "while True: file.write([sys.argv[2]] * 50)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(path), line("x" * 1_000)])
    while not path.exists() or path.stat().st_size < 200_000:
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    for text in path.read_text().split("\n")[:-1]:
        json.loads(text)


def test_a_campaign_writes_them(project: Any) -> None:
    project.write(
        "test_it.py",
        "from hypothesis import assume, given, strategies as st\n\n"
        "@given(n=st.integers(0, 9))\n"
        "def test_it(n):\n"
        "    assume(n != 3)\n",
    )
    result = project.untrod("inputs", "test_it.py", "--budget", 60, "--observe", "seen.jsonl", "--json")
    records = [json.loads(text) for text in (project.folder / "seen.jsonl").read_text().splitlines()]
    for record in records:
        jsonschema.validate(record, SCHEMA)
    cases = [record for record in records if record["type"] == "test_case"]
    assert len(cases) == result.of("campaign-finished")[0]["episodes"]
    assert {case["property"] for case in cases} == {"test_it.py::test_it"}
