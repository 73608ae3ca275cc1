"""What a person reads at the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from untrod.core.budget import Budget
from untrod.core.text import code_span, count, duration, one_line
from untrod.core.vocabulary import Finding, Trace
from untrod.output.summary import SHOWN_SAMPLES, Report, Section, Words, markdown, summarise, write_report

NASTY = "`a``\n# title <script> \x1b[31m \ud800 | [x](y)" + "z" * 10**6

REPORT = Report(
    campaign="2f81",
    engine="inputs",
    target="shop.cart:total",
    seed=7,
    budget=Budget(wall=60),
    reason="wall time",
    episodes=120_000,
    valid=80_000,
    unique=4_100,
    wall=60.02,
    cpu=58.0,
    findings=(
        Finding(
            "k1",
            "failed",
            "AssertionError: total is negative",
            Trace((1, 2)),
            {"value": {"text": "[-1]"}, "held": [3, 5]},
        ),
        Finding("k2", "timed-out", "no answer within 1s", Trace((9,)), {"nested": {"ignored": 1}}),
    ),
    tests=("tests/untrod/test_shop_cart.py",),
    notices=("worker 1 was restarted",),
    samples=("[]", "[1]", "[1, 2]"),
    sections=(Section("Growth", ("n = 10: 45 steps",)),),
)


def test_the_summary_as_a_whole() -> None:
    assert (
        summarise(REPORT)
        == f"""\
untrod inputs shop.cart:total: 2 findings
  120,000 episodes, 80,000 valid, 4,100 unique in 1m 00s (1,999/s)
  seed 7, budget 60s, stopped by wall time

  failed: AssertionError: total is negative
    input: [-1]
    flaky: shows in 3 of 5 replays
    untrod replay {REPORT.findings[0].id}

  timed-out: no answer within 1s
    untrod replay {REPORT.findings[1].id}

  tests written:
    tests/untrod/test_shop_cart.py

  Growth:
    n = 10: 45 steps

  notes:
    worker 1 was restarted
"""
    )


def test_the_report_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.md"
    write_report(path, REPORT)
    assert (
        path.read_text(encoding="utf-8")
        == f"""\
# untrod inputs: `shop.cart:total`

- campaign: `2f81`
- seed: 7
- budget: 60s
- stopped by: `wall time`
- episodes: 120,000 (1,999/s)
- valid: 80,000
- unique: 4,100
- time: 1m 00s (58s CPU)

## 2 findings

1. `failed`: `AssertionError: total is negative`
   - input: `[-1]`
   - flaky: `shows in 3 of 5 replays`
   - replay: `untrod replay {REPORT.findings[0].id}`

2. `timed-out`: `no answer within 1s`
   - replay: `untrod replay {REPORT.findings[1].id}`

## Tests written

- `tests/untrod/test_shop_cart.py`

## Unique inputs

- `[]`
- `[1]`
- `[1, 2]`

## Growth

- `n = 10: 45 steps`

## Notes

- `worker 1 was restarted`
"""
    )
    assert list(path.parent.iterdir()) == [path]


def test_nothing_found_says_so() -> None:
    quiet = replace(REPORT, findings=(), tests=(), notices=(), sections=(), wall=0.0)
    assert summarise(quiet).splitlines()[0] == "untrod inputs shop.cart:total: nothing found"
    assert "## 0 findings" in markdown(quiet)


def test_that_nothing_was_run_is_not_that_nothing_was_found() -> None:
    none = replace(REPORT, findings=(), episodes=0, valid=0, unique=0)
    assert summarise(none).startswith(
        "untrod inputs shop.cart:total: nothing was run before it was stopped (give it a larger --budget)\n"
    )
    assert "larger" not in summarise(replace(none, reason="exhausted"))


def test_many_findings_are_counted_not_all_shown() -> None:
    many = replace(REPORT, findings=tuple(Finding(str(n), "failed", "t", Trace(())) for n in range(50)))
    assert "and 30 more findings: see the report" in summarise(many)
    assert markdown(many).count("untrod replay") == 50
    assert markdown(replace(REPORT, samples=tuple("abcdefghij"))).count("- `") < 10 + SHOWN_SAMPLES


def test_hostile_texts_are_bounded_and_cannot_become_markup_or_escapes() -> None:
    finding = Finding("k", NASTY, NASTY, Trace(()), {NASTY: NASTY, "huge": 1 << 10**6})
    hostile = replace(
        REPORT,
        target=NASTY,
        engine=NASTY,
        reason=NASTY,
        campaign=NASTY,
        findings=(finding,),
        tests=(NASTY,),
        notices=(NASTY,),
        samples=(NASTY,),
        sections=(Section(NASTY, (NASTY,)),),
    )
    for text in (summarise(hostile), markdown(hostile)):
        assert len(text) < 8000
        assert all(char == "\n" or char.isprintable() for char in text)
    outside = "".join(part for line in markdown(hostile).splitlines() for part in line.split("```")[::2])
    assert "<script>" not in outside
    assert not [line for line in markdown(hostile).splitlines() if line.startswith("# title")]


@pytest.mark.parametrize(
    ("text", "span"),
    [("x", "`x`"), ("", "`  `"), (" ", "`   `"), ("`", "`` ` ``"), ("a``b", "```a``b```"), ("\n", r"`\n`")],
)
def test_a_code_span_holds_anything(text: str, span: str) -> None:
    assert code_span(text) == span


def test_one_line_says_how_much_it_left_out() -> None:
    assert one_line("x" * 1000, 40) == "x" * 20 + "… (1,000 characters)"
    assert one_line("a\tb\x00\u2028\ud800é") == r"a\tb\x00\u2028\ud800é"
    assert len(one_line("\x00" * 40, 40)) <= 40


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.0s"),
        (-1, "0.0s"),
        (9.9, "9.9s"),
        (10, "10s"),
        (59.9, "59s"),
        (60, "1m 00s"),
        (3599, "59m 59s"),
        (7384, "2h 03m"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_counts() -> None:
    assert (count(1, "finding"), count(2000, "finding")) == ("1 finding", "2,000 findings")


def test_an_engine_may_put_it_in_its_own_words() -> None:
    words = Words("1,225 steps at size 50, n^2", "300 runs", samples=False)
    section = Section("Cost against size", ("size  worst", "   4      6 `"), table=True)
    report = replace(REPORT, words=words, sections=(section,))
    shown = summarise(report)
    assert shown.startswith(
        "untrod inputs shop.cart:total: 1,225 steps at size 50, n^2, 2 findings\n  300 runs in"
    )
    assert summarise(replace(report, findings=())).startswith(
        "untrod inputs shop.cart:total: 1,225 steps at size"
    )
    written = markdown(report)
    assert "- result: `1,225 steps at size 50, n^2`" in written
    assert "- run: `300 runs`" in written
    assert "- valid" not in written
    assert "Unique inputs" not in written
    assert "```text\nsize  worst\n   4      6 '\n```" in written


def test_a_campaign_with_nothing_left_says_so() -> None:
    assert "nothing was left to try" in summarise(replace(REPORT, reason="exhausted"))


def test_findings_stand_by_their_level_and_notes_are_only_counted() -> None:
    judged = [("note", "beside the point"), ("low", "a little"), ("high", "plainly wrong")]
    findings = tuple(
        Finding(f"k{level}", "failed", f"it is {level}", Trace((1,)), {"level": level, "evidence": why})
        for level, why in judged
    )
    told = summarise(replace(REPORT, findings=findings))
    assert told.startswith("untrod inputs shop.cart:total: 2 findings\n")
    assert told.index("high: plainly wrong") < told.index("low: a little")
    assert "beside the point" not in told
    assert "1 note on what is hardly meant to work: see the report" in told
    assert "beside the point" in markdown(replace(REPORT, findings=findings))
