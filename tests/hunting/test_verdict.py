"""What a hunt came to: ranked, in words, as JUnit XML and as SARIF."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from untrod.core.vocabulary import Finding, Trace
from untrod.hunting.before_after import Coverage, Gain
from untrod.hunting.formats import junit, sarif
from untrod.hunting.hunt import Record
from untrod.hunting.verdict import Verdict, in_words, judge, refresh
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
    assert text.startswith("4 findings (1 critical, 1 high, 2 medium): 4 turns in 1m 01s")
    assert "untrod replay f3" in text
    assert "cover b.py: b.py cannot be imported" in text
    assert "no time for 1 task: cover c.py" in text
    assert "\x1b" not in text


def many(*levels: str) -> Verdict:
    found = [finding(f"f{n}", "failed", f"broken {n}", level=level) for n, level in enumerate(levels)]
    return judge([record("cover", "a.py", *found, notices={"a remark": None})], 1.0, None)


def test_the_first_screen_has_ten_findings_and_no_notes():
    verdict = many(*["note"] * 7, *["medium"] * 11, "high")
    text = in_words(verdict)
    assert text.startswith("12 findings (1 high, 11 medium), 7 notes: ")
    assert text.count("untrod replay") == 10
    assert text.index("  high: broken 18") < text.index("  medium: broken 7")
    assert text.endswith("and 2 more findings, 7 notes and 1 remark: untrod report\n")
    assert "a remark" not in text
    assert len(verdict.to_json()["findings"]) == 19


def test_only_notes_are_no_findings():
    verdict = many("note", "note")
    assert in_words(verdict).startswith("no findings, 2 notes: ")
    assert verdict.told == ()
    assert [each["severity"] for each in verdict.to_json()["findings"]] == ["note", "note"]


def test_each_finding_has_its_input_and_why_it_is_believed():
    told = finding("f1", "failed", value={"text": "fold(add, [], 0)"}, evidence="the docstring says so")
    verdict = judge([record("cover", "a.py", told)], 1.0, None)
    assert "    by: fold(add, [], 0)\n    believed: the docstring says so\n" in in_words(verdict)
    assert verdict.to_json()["findings"][0]["evidence"] == "the docstring says so"


def raised(name: str, key: str, target: str, text: str, **detail):
    error = {"module": "builtins", "name": "KeyError"}
    told = finding(name, "failed", exception=error, place="a.py:3", value={"text": text}, **detail)
    return record("cover", target, {**told, "key": key}, campaign=f"cover-{target[0]}")


def test_one_finding_a_cause_by_the_shortest_input_and_the_others_behind_it():
    records = [
        raised("f1", "failed:KeyError:a.py:3", "a.py", "walk([[1], [2]])"),
        raised("f2", "another", "b.py", "walk([])"),
        raised("f3", "a third", "c.py", "w()", level="medium"),
    ]
    (found,) = judge(records, 1.0, None).findings
    assert (found.id, found.target, [other.id for other in found.also]) == ("f2", "b.py", ["f1", "f3"])
    assert "(failed, 2 more of this cause)" in in_words(judge(records, 1.0, None))
    (told,) = judge(records, 1.0, None).to_json()["findings"]
    assert [other["replay"] for other in told["also"]] == ["untrod replay f1", "untrod replay f3"]


def test_an_id_that_two_targets_have_is_listed_once_and_replayed_by_its_campaign():
    records = [raised("f1", "failed:KeyError:a.py:3", target, "walk([])") for target in ("a.py", "b.py")]
    (found,) = judge(records, 1.0, None).findings
    assert found.replay == "untrod replay cover-a/f1"
    assert [other.replay for other in found.also] == ["untrod replay cover-b/f1"]


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


def test_sarif_is_rooted_at_the_repository_and_names_no_file_outside_of_it(tmp_path):
    project = tmp_path / "sub folder"
    (project / "pkg").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (project / "pkg" / "a.py").write_text("")
    inside = finding("f1", "failed", place="pkg/a.py:3", value={"text": "f(1)"}, evidence="it says so")
    places = ("case.py:687", "../other.py:3", "/usr/lib/x.py:1", ".venv/lib/site-packages/b.py:1")
    outside = [finding(f"g{n}", "failed", place=place) for n, place in enumerate(places)]
    verdict = judge([record("cover", "pkg/a.py", inside, *outside)], 1.0, None, project=project)
    (run,) = json.loads(sarif(verdict))["runs"]
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert {place["artifactLocation"]["uri"] for place in places} == {"sub%20folder/pkg/a.py"}
    assert {place["artifactLocation"]["uriBaseId"] for place in places} == set(run["originalUriBaseIds"])
    (base,) = run["originalUriBaseIds"].values()
    assert base["uri"] == f"{tmp_path.as_uri()}/"
    told = next(r for r in run["results"] if r["partialFingerprints"]["untrodFinding/v1"] == "f1")
    assert told["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    assert "by: f(1)\nbelieved: it says so\nuntrod replay f1" in told["message"]["text"]


def test_notes_are_no_failures_of_junit():
    suite = ElementTree.fromstring(junit(many("note", "note")).partition("\n")[2])
    assert suite.get("failures") == "0"


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
