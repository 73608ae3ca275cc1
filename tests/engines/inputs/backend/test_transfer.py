"""`UNTROD_WARM=1 pytest`: the second run starts from what the first has learned."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from hypothesis.errors import FailedHealthCheck

from untrod.engines.inputs.backend import configure
from untrod.engines.inputs.backend.entry import register
from untrod.engines.inputs.backend.transfer import flush
from untrod.store import Store

register()


def first_valid(seed: int, unhealthy: tuple[HealthCheck, ...] = tuple(HealthCheck)) -> int:
    """How many inputs a run of one and the same test needs until one is valid."""
    verdicts: list[bool] = []

    @settings(
        backend="untrod",
        max_examples=40,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=unhealthy,
    )
    @given(st.lists(st.integers(0, 20), min_size=5, max_size=5))
    def test(xs: list[int]) -> None:
        verdicts.append(all(low < high for low, high in pairwise(xs)))
        assume(verdicts[-1])

    with configure(seed=seed):
        test()
    flush()
    return verdicts.index(True)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNTROD_WARM", "1")
    monkeypatch.setenv("UNTROD_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


def test_the_second_run_reaches_its_first_valid_input_sooner(store: Path) -> None:
    cold = first_valid(seed=3)
    assert cold > 40
    assert first_valid(seed=4) <= 5
    with Store.open(store, create=False, read_only=True) as opened:
        (manifest,) = opened.tables()
    assert manifest["engine"] == "hypothesis"


def test_a_warm_test_no_longer_filters_too_much(store: Path) -> None:
    with pytest.raises(FailedHealthCheck, match="filtering out a lot of inputs"):
        first_valid(3, (HealthCheck.too_slow,))
    first_valid(seed=3)
    first_valid(4, (HealthCheck.too_slow,))


def test_without_the_variable_nothing_is_kept(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNTROD_WARM", "0")
    first_valid(seed=3)
    assert not store.exists()


def test_a_table_from_another_version_is_a_warning_and_not_a_failure(store: Path) -> None:
    first_valid(seed=3)
    with Store.open(store) as opened:
        (manifest,) = opened.tables()
        opened.save_table(manifest["key"], manifest, json.dumps({"format": 99}).encode())
    with pytest.warns(UserWarning, match="UNTROD_WARM: these learned tables cannot be read"):
        first_valid(seed=3)


def test_a_store_that_cannot_be_used_is_a_warning_and_not_a_failure(store: Path) -> None:
    store.write_text("a file")
    with pytest.warns(UserWarning, match="UNTROD_WARM: .*store"):
        first_valid(seed=3)


TEST = """
from hypothesis import HealthCheck, assume, given, seed, settings, strategies as st

UNHEALTHY = list(HealthCheck)

@seed(1)
@settings(backend="untrod", max_examples=40, database=None, deadline=None, suppress_health_check=UNHEALTHY)
@given(st.lists(st.integers(0, 20), min_size=5, max_size=5))
def test_rising(xs):
    valid = all(low < high for low, high in zip(xs, xs[1:]))
    with open("verdicts", "a") as file:
        file.write(str(int(valid)))
    assume(valid)
"""


def test_under_pytest_itself(project: Any) -> None:
    project.write("test_rising.py", TEST)
    firsts = []
    for _ in range(2):
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_rising.py"],
            cwd=project.folder,
            env={**os.environ, "UNTROD_WARM": "1"},
            check=True,
            capture_output=True,
        )
        verdicts = project.folder / "verdicts"
        firsts.append(verdicts.read_text().index("1"))
        verdicts.unlink()
    assert firsts[1] < firsts[0]
    assert len(list((project.folder / ".untrod" / "tables").glob("hypothesis-*.bin"))) == 1


def test_a_second_campaign_is_warm_too(project: Any) -> None:
    project.write(
        "test_rising.py",
        TEST.replace('    with open("verdicts", "a") as file:\n        file.write(str(int(valid)))\n', ""),
    )
    firsts = []
    for number in range(2):
        records = project.folder / f"{number}.jsonl"
        arguments = ("test_rising.py", "--budget", 300, "--seed", number, "--observe", records.name)
        project.untrod("inputs", *arguments)
        cases = [json.loads(line) for line in records.read_text().splitlines()]
        statuses = [case["status"] for case in cases if case["type"] == "test_case"]
        firsts.append(statuses.index("passed"))
    assert firsts[1] < firsts[0]
