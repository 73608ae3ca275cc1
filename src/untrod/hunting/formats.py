"""A verdict as other programs read it: JUnit XML for test dashboards, SARIF for code scanning."""

from __future__ import annotations

import json
import os
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from untrod import __version__
from untrod.core.text import PATH, VALUE, one_line
from untrod.hunting.verdict import Ranked, Verdict

_LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "note": "note"}
_ROOT = "%SRCROOT%"
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def junit(verdict: Verdict) -> str:
    """A test case for each task; its findings are failures, and what could not be run is an error."""
    suite = ElementTree.Element(
        "testsuite",
        name="untrod hunt",
        tests=str(len(verdict.records)),
        failures=str(len({(found.verb, found.target) for found in verdict.told})),
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
        own = [found for found in verdict.told if (found.verb, found.target) == (task.verb, task.target)]
        if own:
            failure = ElementTree.SubElement(
                case, "failure", type=one_line(own[0].kind), message=one_line(own[0].title)
            )
            failure.text = "\n".join(
                "\n  ".join(filter(None, [f"{found.level}: {one_line(found.title)}", *_about(found)]))
                for found in own
            )
        if record.trouble:
            ElementTree.SubElement(case, "error", message=one_line(record.trouble))
        elif not record.turns:
            ElementTree.SubElement(case, "skipped", message="the budget was spent before its turn")
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def sarif(verdict: Verdict) -> str:
    kinds = sorted({found.kind for found in verdict.findings})
    top, prefix = _repository(verdict.project)
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "untrod",
                "version": __version__,
                "rules": [{"id": kind, "shortDescription": {"text": kind}} for kind in kinds],
            }
        },
        "results": [_result(found, prefix) for found in verdict.findings],
    }
    if top is not None:
        run["originalUriBaseIds"] = {_ROOT: {"uri": f"{top.as_uri()}/"}}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _about(found: Ranked) -> list[str]:
    """The input, why it is believed, and the command that shows it again."""
    by = f"by: {one_line(found.shown_by, VALUE)}" if found.shown_by else ""
    return [by, f"believed: {found.evidence}" if found.evidence else "", found.replay]


def _repository(project: Path | None) -> tuple[Path | None, PurePosixPath]:
    """The folder that places are told from, that of the repository, and where the project lies in it."""
    if project is None:
        return None, PurePosixPath()
    own = Path(os.path.realpath(project))
    top = next((folder for folder in (own, *own.parents) if os.path.lexists(folder / ".git")), own)
    return top, PurePosixPath(own.relative_to(top).as_posix())


def _result(found: Ranked, prefix: PurePosixPath) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.kind,
        "level": _LEVELS[found.level],
        "properties": {"severity": found.level},
        "message": {"text": "\n".join(filter(None, [one_line(found.title), *_about(found)]))},
        "partialFingerprints": {"untrodFinding/v1": found.id},
    }
    if found.file:
        uri = quote(os.fsencode(str(prefix / found.file.replace("\\", "/"))))
        place: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": _ROOT}}
        if found.line:
            place["region"] = {"startLine": found.line}
        result["locations"] = [{"physicalLocation": place}]
    return result
