"""A verdict as other programs read it: JUnit XML for test dashboards, SARIF for code scanning."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from untrod import __version__
from untrod.core.text import PATH, one_line
from untrod.hunt.verdict import Ranked, Verdict

_LEVELS = {5: "error", 4: "error", 3: "warning", 2: "note", 1: "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def junit(verdict: Verdict) -> str:
    """A test case for each task; its findings are failures, and what could not be run is an error."""
    suite = ElementTree.Element(
        "testsuite",
        name="untrod hunt",
        tests=str(len(verdict.records)),
        failures=str(len({(found.verb, found.target) for found in verdict.findings})),
        errors=str(sum(bool(record.trouble) for record in verdict.records)),
        skipped=str(sum(not record.turns for record in verdict.records)),
        time=f"{verdict.seconds:.1f}",
    )
    for record in verdict.records:
        task = record.task
        seconds = f"{record.last.get('wall', 0.0):.1f}"
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"untrod.{task.verb}", name=one_line(task.target, PATH), time=seconds
        )
        own = [found for found in verdict.findings if (found.verb, found.target) == (task.verb, task.target)]
        if own:
            failure = ElementTree.SubElement(
                case, "failure", type=one_line(own[0].kind), message=one_line(own[0].title)
            )
            failure.text = "\n".join(
                f"{found.level}: {one_line(found.title)}\n  {found.replay}" for found in own
            )
        if record.trouble:
            ElementTree.SubElement(case, "error", message=one_line(record.trouble))
        elif not record.turns:
            ElementTree.SubElement(case, "skipped", message="the budget was spent before its turn")
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def sarif(verdict: Verdict) -> str:
    kinds = sorted({found.kind for found in verdict.findings})
    run = {
        "tool": {
            "driver": {
                "name": "untrod",
                "version": __version__,
                "rules": [{"id": kind, "shortDescription": {"text": kind}} for kind in kinds],
            }
        },
        "results": [_result(found) for found in verdict.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(found: Ranked) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.kind,
        "level": _LEVELS[found.severity],
        "message": {"text": f"{one_line(found.title)} ({found.replay})"},
        "partialFingerprints": {"untrodFinding/v1": found.id},
    }
    if found.file:
        uri = quote(os.fsencode(found.file.replace("\\", "/")))
        place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
        if found.line:
            place["region"] = {"startLine": found.line}
        result["locations"] = [{"physicalLocation": place}]
    return result
