import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.core.seeds import derive, stream
from untrod.core.vocabulary import Finding, Outcome, Trace, digest

answers = st.lists(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text())


@given(answers)
def test_a_trace_survives_its_text(given_answers):
    trace = Trace(tuple(given_answers))
    assert Trace.loads(trace.dumps()) == trace


@pytest.mark.parametrize("text", ["", "{}", "3", "[[1]]", '[{"a": 1}]', "[1"])
def test_what_is_not_a_trace_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        Trace.loads(text)


def test_only_valid_and_invalid_are_not_findings():
    assert [outcome.value for outcome in Outcome if not outcome.is_finding] == ["valid", "invalid"]


def test_a_finding_has_a_short_stable_id():
    assert Finding("a", "failed", "x", Trace(())).id == Finding("a", "crashed", "y", Trace((1,))).id
    assert Finding("a", "failed", "x", Trace(())).id != Finding("b", "failed", "x", Trace(())).id


def test_digests_are_the_same_in_every_process():
    code = "from untrod.core.vocabulary import digest; print(digest('ümlaut'))"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == digest("ümlaut")


def test_digest_takes_lone_surrogates():
    assert digest("\ud800") != digest("\ud801")


def test_streams_are_named_not_counted():
    assert derive(1, "a", 2) == derive(1, "a", 2)
    assert len({derive(1, "a"), derive(1, "b"), derive(2, "a"), derive(1, "a", 0)}) == 4
    assert stream(3, "x").random() == stream(3, "x").random()
