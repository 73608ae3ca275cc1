"""What a hunt came to: findings ranked, tests, and what was left out with the reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from untrod.core.text import PATH, VALUE, count, duration, one_line
from untrod.hunt.before_after import Gain
from untrod.hunt.hunt import Record
from untrod.output.summary import Section
from untrod.store import Store

SEVERITY = {
    "crashed": 5,
    "out-of-memory": 5,
    "timed-out": 4,
    "exited": 4,
    "failed": 4,
    "counterexample": 4,
    "growth": 3,
    "refused": 2,
}
"""By kind: the process is gone, the result is wrong, the cost is, something was tried that was not allowed.
A witness is what was asked for, and the least."""
_WORDS = {5: "critical", 4: "high", 3: "medium", 2: "low", 1: "note"}
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Ranked:
    """A finding, whose it is, and how bad."""

    id: str
    severity: int
    kind: str
    title: str
    verb: str
    target: str
    file: str
    line: int | None
    shown_by: str = ""  # the input, or the steps

    @property
    def level(self) -> str:
        return _WORDS[self.severity]

    @property
    def replay(self) -> str:
        return f"untrod replay {self.id}"


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
                    "kind": found.kind,
                    "title": found.title,
                    "verb": found.verb,
                    "target": found.target,
                    "shown_by": found.shown_by,
                    "replay": found.replay,
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
            "notices": list(self.notices),
        }


def refresh(records: Iterable[Record], store: Store) -> None:
    """Findings as they are by now: after they were told they were made small, and tried again."""
    for record in records:
        for finding in store.findings(record.campaign) if record.findings else ():
            record.findings[finding.id] = {**asdict(finding), "id": finding.id}


def judge(
    records: Iterable[Record], seconds: float, gain: Gain | None, notices: Iterable[str] = ()
) -> Verdict:
    records = tuple(records)
    ranked = [_ranked(record, name, body) for record in records for name, body in record.findings.items()]
    ranked.sort(key=lambda found: (-found.severity, found.target, found.id))
    tests = dict.fromkeys(path for record in records for path in record.tests)
    said = [*notices, *(f"{r.task.target}: {text}" for r in records for text in r.notices)]
    return Verdict(tuple(ranked), tuple(tests), records, seconds, gain, tuple(dict.fromkeys(said)))


def _ranked(record: Record, name: str, body: dict[str, Any]) -> Ranked:
    """A finding that shows now and then is as bad, and harder to work with: it stands one step lower."""
    detail = body.get("detail", {})
    severity = SEVERITY.get(body["kind"], 1)
    held, of = detail.get("held") or (1, 1)
    file, line = _place(detail.get("place"), record)
    return Ranked(
        name,
        max(1, severity - (held < of)),
        body["kind"],
        body["title"],
        record.task.verb,
        record.task.target,
        file,
        line,
        str((detail.get("value") or {}).get("text") or ""),
    )


def _place(text: Any, record: Record) -> tuple[str, int | None]:
    """Where it was raised, and else where the task's target stands."""
    file, _, line = str(text or "").rpartition(":")
    if file.endswith(".py") and line.isdecimal() and not Path(file).is_absolute():
        return file, int(line)
    return record.task.file, record.task.lines[0] if record.task.lines else None


def in_words(verdict: Verdict) -> str:
    """For the terminal: what was found first, what to do next last."""
    lines = [_headline(verdict)]
    for found in verdict.findings[:SHOWN]:
        lines += ["", f"  {found.level}: {one_line(found.title)}"]
        if found.shown_by:
            lines.append(f"    by: {one_line(found.shown_by)}")
        lines.append(f"    {found.verb} {one_line(found.target)} ({one_line(found.kind)})")
        lines.append(f"    {found.replay}")
    if len(verdict.findings) > SHOWN:
        lines += ["", f"  and {len(verdict.findings) - SHOWN} more: untrod campaigns list"]
    if verdict.tests:
        lines += ["", "tests written", *(f"  {one_line(path, PATH)}" for path in verdict.tests)]
    for section in sections(verdict):
        lines += ["", section.title.lower(), *(f"  {one_line(line, PATH)}" for line in section.lines)]
    return "\n".join(lines) + "\n"


def sections(verdict: Verdict) -> list[Section]:
    """What a hunt has to say besides its findings and tests."""
    worked = [record for record in verdict.records if record.last]
    idle = [record for record in verdict.records if not record.turns]
    lost = [f"{r.task.name}: {one_line(r.trouble, VALUE)}" for r in verdict.records if r.trouble]
    if idle:
        names = ", ".join(record.task.name for record in idle[:5]) + (", ..." if len(idle) > 5 else "")
        lost.append(f"no time for {count(len(idle), 'task')}: {names} (a larger --budget)")
    told = {
        "Coverage of the modules hunted in": verdict.gain.in_words() if verdict.gain else [],
        "What was done": [_deed(record) for record in worked],
        "What could not be done": lost,
        "Notes of the hunt": [one_line(text, VALUE) for text in verdict.notices[:SHOWN]],
    }
    return [Section(title, tuple(lines)) for title, lines in told.items() if lines]


def _headline(verdict: Verdict) -> str:
    turns = sum(record.turns for record in verdict.records)
    done = f"{count(turns, 'turn')} in {duration(verdict.seconds)}"
    if not verdict.findings:
        return f"no findings: {done}"
    return f"{count(len(verdict.findings), 'finding')}: {done}"


def _deed(record: Record) -> str:
    status = record.last.get("extra", {}).get("status") or (
        f"{record.last.get('unique', 0):,} different valid inputs of {record.last.get('episodes', 0):,}"
    )
    return f"{record.task.name}: {one_line(str(status))}, {count(record.turns, 'turn')}"
