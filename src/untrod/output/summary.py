"""How a campaign ended: a few lines on the terminal, and a Markdown report to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from untrod.core.budget import Budget
from untrod.core.text import TITLE, VALUE, code_span, count, duration, one_line
from untrod.core.vocabulary import Finding
from untrod.core.writing import write_atomically

SHOWN_FINDINGS = 20
SHOWN_SAMPLES = 5
_LEVELS = ("critical", "high", "medium", "low", "note")


@dataclass(frozen=True, slots=True)
class Section:
    """What only one engine has to say. Lines are plain text: they are shown as such, whatever they hold."""

    title: str
    lines: tuple[str, ...]
    table: bool = False  # the lines belong under each other, column by column


@dataclass(frozen=True, slots=True)
class Words:
    """An engine's own words, where those of `inputs` do not fit: what it all came to, and what was run.

    Without `samples`, the longest entries of the corpus are not worth a look.
    """

    result: str = ""
    counts: str = ""
    samples: bool = True


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a person is told at the end. All texts may come from the code under test."""

    campaign: str
    engine: str
    target: str
    seed: int
    budget: Budget
    reason: str
    episodes: int
    valid: int
    unique: int
    wall: float
    cpu: float
    findings: tuple[Finding, ...] = ()
    tests: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()  # the unique inputs most worth a look, best first
    sections: tuple[Section, ...] = ()
    words: Words = Words()

    @property
    def rate(self) -> float:
        return self.episodes / self.wall if self.wall > 0 else 0.0


def summarise(report: Report) -> str:
    """Plain text for the terminal, ending in a newline: what was found first, what to do next last."""
    lines = [_headline(report), *_counts(report)]
    for finding in _worth_telling(report)[:SHOWN_FINDINGS]:
        lines += ["", f"  {one_line(finding.kind, 40)}: {one_line(finding.title)}"]
        lines += [f"    {key}: {one_line(text)}" for key, text in details(finding)]
        lines.append(f"    {_replay(finding)}")
    lines += _left_out(report)
    lines += _listed("tests written", report.tests)
    for section in report.sections:
        lines += _listed(section.title, section.lines)
    lines += _listed("notes", report.notices)
    return "\n".join(lines) + "\n"


def write_report(path: Path, report: Report) -> None:
    """The report as Markdown. Apart from times, equal campaigns give equal files."""
    write_atomically(path, markdown(report))


def markdown(report: Report) -> str:
    """Texts that untrod did not write stand in code spans, so nothing in them is markup."""
    lines = [f"# untrod {_word(report.engine)}: {code_span(report.target, TITLE)}", ""]
    facts = {
        "result": code_span(report.words.result),
        "campaign": code_span(report.campaign),
        "seed": str(report.seed),
        "budget": str(report.budget),
        "stopped by": code_span(report.reason),
        "episodes": f"{report.episodes:,} ({report.rate:,.0f}/s)",
        "valid": f"{report.valid:,}",
        "unique": f"{report.unique:,}",
        "run": code_span(report.words.counts.rstrip(",")),
        "time": f"{duration(report.wall)} ({duration(report.cpu)} CPU)",
    }
    for name in ("valid", "unique") if report.words.counts else ("result", "run"):
        del facts[name]
    lines += [f"- {name}: {value}" for name, value in facts.items()]
    lines += ["", f"## {count(len(report.findings), 'finding').capitalize()}", ""]
    for number, finding in enumerate(_by_level(report.findings), 1):
        lines += [f"{number}. {code_span(finding.kind, 40)}: {code_span(finding.title, TITLE)}"]
        lines += [f"   - {key}: {code_span(text)}" for key, text in details(finding)]
        lines += [f"   - replay: {code_span(_replay(finding))}", ""]
    titled = [
        Section("Tests written", report.tests),
        Section("Unique inputs", report.samples[:SHOWN_SAMPLES] if report.words.samples else ()),
        *report.sections,
        Section("Notes", report.notices),
    ]
    for section in titled:
        if section.lines:
            lines += [f"## {_word(section.title)}", "", *_markdown_lines(section), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _markdown_lines(section: Section) -> list[str]:
    if not section.table:
        return [f"- {code_span(line)}" for line in section.lines]
    return ["```text", *(one_line(line, VALUE).replace("`", "'") for line in section.lines), "```"]


def _headline(report: Report) -> str:
    told = _worth_telling(report)
    found = count(len(told), "finding") if told else "nothing found"
    if not report.episodes and not report.findings and report.reason != "exhausted":
        found = "nothing was run before it was stopped (give it a larger --budget)"
    if report.words.result:
        found = one_line(report.words.result, VALUE) + (f", {found}" if told else "")
    return f"untrod {one_line(report.engine, 40)} {one_line(report.target)}: {found}"


def _counts(report: Report) -> list[str]:
    counts = report.words.counts or (
        f"{count(report.episodes, 'episode')}, {report.valid:,} valid, {report.unique:,} unique"
    )
    return [
        f"  {one_line(counts, VALUE)} in {duration(report.wall)} ({report.rate:,.0f}/s)",
        f"  seed {report.seed}, budget {report.budget}, {ending(report.reason)}",
    ]


def ending(reason: str) -> str:
    return "nothing was left to try" if reason == "exhausted" else f"stopped by {one_line(reason, 80)}"


def details(finding: Finding) -> list[tuple[str, str]]:
    """What a person wants to know next: the input, whether it always happens, what the worker said."""
    detail = finding.detail
    facts = []
    if text := (detail.get("value") or {}).get("text"):
        facts.append(("steps" if detail.get("session") else "input", str(text)))
    if evidence := detail.get("evidence"):
        facts.append((str(detail.get("level") or "because"), str(evidence)))
    if explanation := detail.get("explanation"):
        facts.append(("because", str(explanation)))
    if formula := detail.get("formula"):
        facts.append(("as a formula", str(formula)))
    held, of = detail.get("held", (1, 1))
    if detail.get("session") and held == of > 1:
        facts.append(("reliable", f"shows in {held} of {of} replays"))
    if held < of:
        facts.append(("flaky", f"shows in {held} of {of} replays"))
    if log := str(detail.get("log") or "").strip():
        facts.append(("log", log.splitlines()[-1]))
    return facts


def _replay(finding: Finding) -> str:
    return f"untrod replay {finding.id}"


def _left_out(report: Report) -> list[str]:
    told = _worth_telling(report)
    more, notes = len(told) - SHOWN_FINDINGS, len(report.findings) - len(told)
    lines = ["", f"  and {count(more, 'more finding')}: see the report"] if more > 0 else []
    if notes:
        lines += ["", f"  {count(notes, 'note')} on what is hardly meant to work: see the report"]
    return lines


def _worth_telling(report: Report) -> list[Finding]:
    return [finding for finding in _by_level(report.findings) if finding.detail.get("level") != _LEVELS[-1]]


def _by_level(findings: Sequence[Finding]) -> list[Finding]:
    """The gravest first; where an engine says nothing of that, as they came."""
    return sorted(
        findings, key=lambda one: _LEVELS.index(level) if (level := one.detail.get("level")) in _LEVELS else 1
    )


def _listed(title: str, lines: tuple[str, ...]) -> list[str]:
    if not lines:
        return []
    # As long as a value may be: a refusal ends with the flag that lifts it.
    return ["", f"  {one_line(title, 80)}:", *(f"    {one_line(line, VALUE)}" for line in lines)]


def _word(text: str) -> str:
    """A title or key, without what Markdown could read as markup."""
    return "".join(char if char.isalnum() or char in " -.,:()/" else " " for char in one_line(text, 80))
