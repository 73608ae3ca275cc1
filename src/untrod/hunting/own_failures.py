"""Findings that are none: the project's own tests that fail without us as well, for the same reason.

Such a test tells its owners itself. The hunt says so in a line, and what stands in the store becomes a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.text import count, one_line
from untrod.core.vocabulary import Finding
from untrod.hunting.hunt import Record
from untrod.hunting.own_tests import PytestRun
from untrod.output.severity import NOTE
from untrod.store import Store

EVIDENCE = "the project's own test fails without untrod as well"
_SHOWN = 2


def asked_about(records: Iterable[Record], known: PytestRun) -> list[str]:
    """The tests with findings of which `known` says nothing."""
    told = known.failing.keys() | known.passed
    return sorted({test for _, _, body in _of_tests(records) if (test := _test(body)) not in told})


def set_apart(records: Iterable[Record], *runs: PytestRun) -> list[str]:
    """Take those findings away from their records, and say so in a line; no line when there were none."""
    failing = {node: said for run in runs for node, said in run.failing.items()}
    taken: dict[str, str] = {}
    for record, name, body in list(_of_tests(records)):
        test = _test(body)
        if _same(body, failing.get(test, "")):
            taken[test] = str(body.get("title", ""))
            record.own_failures[name] = record.findings.pop(name)
    if not taken:
        return []
    titles = dict.fromkeys(taken.values())
    shown = "; ".join(one_line(title) for title in list(titles)[:_SHOWN])
    more = ", ..." if len(titles) > _SHOWN else ""
    verb = "fails" if len(taken) == 1 else "fail"
    return [f"{count(len(taken), 'test')} of the project {verb} without untrod as well: {shown}{more}"]


def note_in(store: Store, records: Iterable[Record]) -> None:
    for record in records:
        if not record.own_failures:
            continue
        try:
            found = store.findings(record.campaign)
        except UntrodError:
            continue
        for finding in found:
            if finding.id in record.own_failures:
                detail = {**finding.detail, "level": NOTE, "evidence": EVIDENCE}
                noted = Finding(finding.key, finding.kind, finding.title, finding.trace, detail)
                store.set_finding(record.campaign, noted)


def _of_tests(records: Iterable[Record]) -> Iterable[tuple[Record, str, dict[str, Any]]]:
    return (
        (record, name, body) for record in records for name, body in record.findings.items() if _test(body)
    )


def _test(body: Mapping[str, Any]) -> str:
    return str((body.get("detail") or {}).get("test") or "")


def _same(body: Mapping[str, Any], said: str) -> bool:
    """Is it the same exception? A test that only was too slow on a busy machine says nothing."""
    error = (body["detail"].get("exception") or {}).get("name") or ""
    return bool(said) and str(error).rpartition(".")[2] in said
