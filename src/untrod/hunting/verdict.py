"""What a hunt came to: findings ranked, tests, and what was left out with the reason."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from untrod.core.reading import is_regular
from untrod.core.text import PATH, VALUE, count, duration, one_line
from untrod.hunting.before_after import Gain
from untrod.hunting.hunt import Record
from untrod.output.severity import LEVELS, NOTE, cause_of, evidence_of, input_of, level_of, rank_of
from untrod.output.summary import Section
from untrod.store import Store

FIRST_SCREEN = 10
"""Findings that a person is told at once."""
SHOWN = 20
_LOST, _FEW = 5, 3


@dataclass(frozen=True, slots=True)
class Ranked:
    """A finding, whose it is, how bad, and why it is believed."""

    id: str
    level: str
    kind: str
    title: str
    verb: str
    target: str
    file: str
    line: int | None
    shown_by: str = ""  # the input, or the steps
    evidence: str = ""
    campaign: str = ""  # where another task has a finding of the same id
    also: tuple[Ranked, ...] = ()
    """Others of the same cause."""

    @property
    def is_note(self) -> bool:
        return self.level == NOTE

    @property
    def replay(self) -> str:
        return f"untrod replay {self.campaign}/{self.id}" if self.campaign else f"untrod replay {self.id}"


@dataclass(frozen=True, slots=True)
class Verdict:
    findings: tuple[Ranked, ...]
    tests: tuple[str, ...]
    records: tuple[Record, ...]
    seconds: float
    gain: Gain | None = None
    notices: tuple[str, ...] = ()
    report: Path | None = None
    """The page with all its campaigns."""
    project: Path | None = None
    remarks: tuple[str, ...] = ()
    """What single turns had to say; `notices` are the hunt's."""

    @property
    def told(self) -> tuple[Ranked, ...]:
        """Findings that a maintainer would want to hear of: all but notes."""
        return tuple(found for found in self.findings if not found.is_note)

    @property
    def failed(self) -> str:
        """Why nothing at all was done; empty when something was."""
        if any(record.last for record in self.records):
            return ""
        return next((record.trouble for record in self.records if record.trouble), "")

    def to_json(self) -> dict[str, Any]:
        return {
            "event": "hunt-finished",
            "seconds": round(self.seconds, 1),
            "findings": [
                {
                    "id": found.id,
                    "severity": found.level,
                    "evidence": found.evidence,
                    "kind": found.kind,
                    "title": found.title,
                    "verb": found.verb,
                    "target": found.target,
                    "shown_by": found.shown_by,
                    "replay": found.replay,
                    "also": [
                        {"id": other.id, "verb": other.verb, "target": other.target, "replay": other.replay}
                        for other in found.also
                    ],
                }
                for found in self.findings
            ],
            "tests": list(self.tests),
            "coverage": self.gain.to_json() if self.gain else None,
            "lots": [
                {
                    "verb": record.task.verb,
                    "target": record.task.target,
                    "campaign": record.campaign,
                    "turns": record.turns,
                    "spent": round(record.spent, 1),
                    "trouble": record.trouble,
                }
                for record in self.records
            ],
            "notices": [*self.notices, *self.remarks],
        }


def refresh(records: Iterable[Record], store: Store) -> None:
    """Findings as they are by now: after they were told they were made small, and tried again."""
    for record in records:
        for finding in store.findings(record.campaign) if record.findings else ():
            record.findings[finding.id] = {**asdict(finding), "id": finding.id}


def judge(
    records: Iterable[Record],
    seconds: float,
    gain: Gain | None,
    notices: Iterable[str] = (),
    *,
    project: Path | None = None,
) -> Verdict:
    """One finding a cause, the best first, the others of that cause behind it."""
    records = tuple(records)
    owners = Counter(name for record in records for name in record.findings)
    causes: dict[str, list[tuple[tuple[Any, ...], Ranked]]] = {}
    for record in records:
        for name, body in record.findings.items():
            detail = body.get("detail", {})
            found = _ranked(record, name, body, project, shared=owners[name] > 1)
            cause = cause_of(str(body.get("key", name)), found.kind, detail, found.target)
            order = (*rank_of(found.kind, detail), found.target, found.id)
            causes.setdefault(cause, []).append((order, found))
    folded = []
    for alike in causes.values():
        (order, best), *others = sorted(alike, key=lambda each: each[0])
        folded.append((order, replace(best, also=tuple(other for _, other in others))))
    ranked = tuple(found for _, found in sorted(folded, key=lambda each: each[0]))
    tests = dict.fromkeys(path for record in records for path in record.tests)
    remarks = dict.fromkeys(f"{r.task.target}: {text}" for r in records for text in r.notices)
    said = tuple(dict.fromkeys(notices))
    return Verdict(
        ranked, tuple(tests), records, seconds, gain, said, project=project, remarks=tuple(remarks)
    )


def _ranked(record: Record, name: str, body: dict[str, Any], project: Path | None, *, shared: bool) -> Ranked:
    detail, kind = body.get("detail", {}), body["kind"]
    file, line = _place(detail.get("place"), record, project)
    return Ranked(
        name,
        level_of(kind, detail),
        kind,
        body["title"],
        record.task.verb,
        record.task.target,
        file,
        line,
        input_of(detail),
        evidence_of(kind, detail),
        record.campaign if shared else "",
    )


def _place(text: Any, record: Record, project: Path | None) -> tuple[str, int | None]:
    """Where it was raised, if that is a file of the project, and else where the task's target stands."""
    file, _, line = str(text or "").rpartition(":")
    if file.endswith(".py") and line.isdecimal() and _is_inside(file, project):
        return file, int(line)
    return record.task.file, record.task.lines[0] if record.task.lines else None


def _is_inside(file: str, project: Path | None) -> bool:
    path = PurePosixPath(file)
    if path.is_absolute() or {"..", "site-packages"} & set(path.parts):
        return False
    return project is None or is_regular(project / path)


def in_words(verdict: Verdict) -> str:
    """For the terminal: what was found first, what to do next last."""
    told, lines = verdict.told, [_headline(verdict)]
    for found in told[:FIRST_SCREEN]:
        lines += ["", f"  {found.level}: {one_line(found.title)}"]
        if found.shown_by:
            lines.append(f"    by: {one_line(found.shown_by)}")
        if found.evidence:
            lines.append(f"    believed: {one_line(found.evidence)}")
        more = f", {len(found.also)} more of this cause" if found.also else ""
        lines.append(f"    {found.verb} {one_line(found.target)} ({one_line(found.kind)}{more})")
        lines.append(f"    {found.replay}")
    if verdict.gain:
        lines += ["", _COVERAGE.lower(), *(f"  {line}" for line in verdict.gain.in_words())]
    if verdict.tests:
        lines += ["", *_written(verdict.tests)]
    for title, those in ((_LOST_TITLE, _lost(verdict)), (_NOTES, _notes(verdict))):
        if those:
            lines += ["", title.lower(), *(f"  {one_line(line, PATH)}" for line in those[:_LOST])]
            lines += [f"  and {len(those) - _LOST} more"] * (len(those) > _LOST)
    if rest := _rest(verdict):
        lines += ["", f"and {rest}: untrod report"]
    return "\n".join(lines) + "\n"


def _written(tests: Sequence[str]) -> list[str]:
    if len(tests) <= _FEW:
        return ["tests written", *(f"  {one_line(path, PATH)}" for path in tests)]
    folders = Counter(os.path.dirname(path) or "." for path in tests)
    return [f"tests written: {count(n, 'file')} in {one_line(where, PATH)}" for where, n in folders.items()]


def _rest(verdict: Verdict) -> str:
    """What is not told at once, in a few words."""
    more, notes = len(verdict.told) - FIRST_SCREEN, len(verdict.findings) - len(verdict.told)
    said = [count(more, "more finding")] if more > 0 else []
    said += [count(notes, "note")] if notes else []
    said += [count(len(verdict.remarks), "remark")] if verdict.remarks else []
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


_COVERAGE = "Coverage of the modules hunted in"
_LOST_TITLE = "What could not be done"
_NOTES = "Notes of the hunt"


def sections(verdict: Verdict) -> list[Section]:
    """What a hunt has to say besides its findings and tests."""
    told = {
        _COVERAGE: verdict.gain.in_words() if verdict.gain else [],
        "What was done": [_deed(record) for record in verdict.records if record.last],
        _LOST_TITLE: _lost(verdict),
        _NOTES: [one_line(text, VALUE) for text in (*verdict.notices, *verdict.remarks)[:SHOWN]],
    }
    return [Section(title, tuple(lines)) for title, lines in told.items() if lines]


def _lost(verdict: Verdict) -> list[str]:
    idle = [record for record in verdict.records if not record.turns]
    lost = [f"{r.task.name}: {one_line(r.trouble, VALUE)}" for r in verdict.records if r.trouble]
    if idle:
        names = ", ".join(record.task.name for record in idle[:5]) + (", ..." if len(idle) > 5 else "")
        lost.insert(0, f"no time for {count(len(idle), 'task')}: {names} (a larger --budget)")
    return lost


def _notes(verdict: Verdict) -> list[str]:
    return [one_line(text, VALUE) for text in verdict.notices]


def _headline(verdict: Verdict) -> str:
    turns = sum(record.turns for record in verdict.records)
    done = f"{count(turns, 'turn')} in {duration(verdict.seconds)}"
    told, notes = verdict.told, len(verdict.findings) - len(verdict.told)
    noted = f", {count(notes, 'note')}" if notes else ""
    if not told:
        return f"no findings{noted}: {done}"
    levels = Counter(found.level for found in told)
    each = ", ".join(f"{levels[level]} {level}" for level in LEVELS if levels[level])
    return f"{count(len(told), 'finding')} ({each}){noted}: {done}"


def _deed(record: Record) -> str:
    status = record.last.get("extra", {}).get("status") or (
        f"{record.last.get('unique', 0):,} different valid inputs of {record.last.get('episodes', 0):,}"
    )
    return f"{record.task.name}: {one_line(str(status))}, {count(record.turns, 'turn')}"
