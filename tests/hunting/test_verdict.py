"""What a hunt came to: ranked, in words, as JUnit XML and as SARIF."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from untrod.core.vocabulary import Finding, Trace
from untrod.hunting.before_after import Coverage, Gain
from untrod.hunting.formats import junit, sarif
from untrod.hunting.hunt import Record
from untrod.hunting.verdict import in_words, judge, refresh
from untrod.plugins import Task


def finding(name: str, kind: str, title: str = "it broke", **detail):
    return {"id": name, "kind": kind, "title": title, "detail": detail}


def record(verb: str, target: str, *findings, **fields) -> Record:
    lot = Task(verb, target, "", target.partition(":")[0], (4, 9) if ":" in target else None)
    return Record(lot, turns=1, findings={body["id"]: body for body in findings}, **fields)


RECORDS = [
    record("worst", "a.py:f", finding("f1", "growth")),
    record("cover", "a.py", finding("f2", "failed", place="a.py:12"), finding("f3", "crashed")),
    record("inputs", "t.py", finding("f4", "failed", "<b>\x1b[31m & 'more'", held=[2, 5])),
    record("cover", "b.py", trouble="b.py cannot be imported"),
    Record(Task("cover", "c.py", "", "c.py")),
]
VERDICT = judge(RECORDS, 61.0, None)


def test_the_worst_first_and_flaky_ones_one_step_lower():
    assert [(found.id, found.level) for found in VERDICT.findings] == [
        ("f3", "critical"),
        ("f2", "high"),
        ("f1", "medium"),
        ("f4", "medium"),
    ]


def test_where_it_was_raised_and_else_where_the_target_stands():
    places = {found.id: (found.file, found.line) for found in VERDICT.findings}
    assert places == {"f1": ("a.py", 4), "f2": ("a.py", 12), "f3": ("a.py", None), "f4": ("t.py", None)}


def test_in_words():
    text = in_words(VERDICT)
    assert text.startswith("4 findings: 4 turns in 1m 01s")
    assert "untrod replay f3" in text
    assert "cover b.py: b.py cannot be imported" in text
    assert "no time for 1 task: cover c.py" in text
    assert "\x1b" not in text


def test_findings_are_told_as_they_are_after_they_were_made_small():
    class Kept:
        def findings(self, campaign: str) -> list[Finding]:
            return [small] if campaign == "gui-1" else []

    long = Finding("a key", "failed", "broken in 7 steps", Trace((1, 2, 3)), {})
    small = Finding(
        "a key", "failed", "broken in 1 step", Trace((3,)), {"held": [2, 5], "value": {"text": "click"}}
    )
    hunted = record("gui", "http://app", finding(long.id, long.kind, long.title), campaign="gui-1")
    refresh([hunted], Kept())
    (found,) = judge([hunted], 1.0, None).findings
    assert (found.title, found.level, found.shown_by) == ("broken in 1 step", "medium", "click")
    assert "    by: click\n" in in_words(judge([hunted], 1.0, None))


def test_coverage_that_was_not_measured_says_why():
    late = "they took longer than 12s"
    assert Gain(Coverage(0, 0), None, late).in_words() == [
        "by the project's own tests: none, no test imports them",
        f"with the tests of the hunt: not measured: {late}",
    ]
    assert Gain(None, None, late).in_words() == [f"by the project's own tests: not measured: {late}"]
    assert Gain(Coverage(1, 4), Coverage(3, 4)).in_words() == [
        "by the project's own tests: 1 of 4 branches (25%)",
        "with the tests of the hunt: 3 of 4 branches (75%)",
    ]


def test_as_junit():
    suite = ElementTree.fromstring(junit(VERDICT).partition("\n")[2])
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "3",
        "errors": "1",
        "skipped": "1",
    }
    failures = {case.get("name"): case.find("failure") for case in suite}
    assert "untrod replay f2" in failures["a.py"].text


def test_as_sarif():
    (run,) = json.loads(sarif(VERDICT))["runs"]
    levels = {result["partialFingerprints"]["untrodFinding/v1"]: result["level"] for result in run["results"]}
    assert levels == {"f3": "error", "f2": "error", "f1": "warning", "f4": "warning"}
    place = run["results"][1]["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("a.py", 12)
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {"crashed", "failed", "growth"}


def test_targets_of_any_name_make_plain_words_and_whole_files():
    name = "a\x1b[31m\n\udcff&.py"
    found = finding("f1", "fai\x1bled", place=f"{name}:3")
    verdict = judge([record("cover", name, found, tests=[f"tests/{name}"])], 1.0, None, [name])
    shown = r"a\x1b[31m\n\udcff&.py"
    words = in_words(verdict)
    assert words.count(shown) == 3
    assert all(char.isprintable() or char == "\n" for char in words)
    suite = ElementTree.fromstring(junit(verdict).encode().partition(b"\n")[2])
    assert suite[0].get("name") == shown
    (result,) = json.loads(sarif(verdict).encode())["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%1B%5B31m%0A%FF%26.py"
