"""Findings, the gravest first: a card for each, with its input and its test, or a row of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from untrod.core.text import count, one_line
from untrod.core.vocabulary import Finding
from untrod.output.html.markup import Child, Html, block, code, join, table, tag, unfold, value
from untrod.output.html.screenshots import film
from untrod.output.html.sources import test_of
from untrod.output.html.story import Story
from untrod.output.severity import cause_of, evidence_of, input_of, level_of, rank_of
from untrod.output.summary import details
from untrod.store import CampaignRow

GRAVITY = (
    "crashed",
    "out-of-memory",
    "exited",
    "timed-out",
    "failed",
    "counterexample",
    "growth",
    "refused",
    "witness",
)
"""Kinds of findings, the gravest first; one that is not listed comes after `failed`."""
WANTED = ("witness",)
"""What was asked for and found: good news."""
LONG = 90
SHORT_INPUT = 80
SHORT = 30
"""Lines of a test that is shown without being asked for."""
HEADS = ("severity", "kind", "what", "input", "target", "replay")


def gravest_first(findings: Iterable[Finding]) -> list[Finding]:
    """By how bad they are and how certain, then by how the run ended."""
    unknown = GRAVITY.index("failed") + 0.5

    def order(each: Finding) -> tuple[object, ...]:
        kind = GRAVITY.index(each.kind) if each.kind in GRAVITY else unknown
        return *rank_of(each.kind, each.detail)[:2], kind, each.title, each.id

    return sorted(findings, key=order)


def cards(story: Story) -> Html:
    found = gravest_first(story.findings)
    left = story.row.findings - len(found)
    more = tag("p", f"and {count(left, 'more finding')}: untrod campaigns show {story.row.id}")
    return join([[_card(each, story) for each in found], more if left > 0 else None])


def finding_table(
    found: Iterable[tuple[CampaignRow, Finding]], place: Callable[[CampaignRow, Finding], str], most: int
) -> Html | None:
    """The gravest first, each cause once, however many campaigns have it.

    `place` is where a finding is told in full.
    """
    pairs = list(found)
    owners = {id(finding): row for row, finding in pairs}
    first: dict[str, tuple[CampaignRow, Finding]] = {}
    for each in gravest_first(finding for _, finding in pairs):
        row = owners[id(each)]
        first.setdefault(cause_of(each.key, each.kind, each.detail, row.target), (row, each))
    ranked = list(first.values())
    lines = [
        (
            tag(
                "span",
                level_of(finding.kind, finding.detail),
                title=evidence_of(finding.kind, finding.detail),
            ),
            one_line(finding.kind, 40),
            tag("a", one_line(finding.title), href=place(row, finding)),
            code(one_line(input_of(finding.detail), SHORT_INPUT)),
            code(one_line(row.target)),
            code(f"untrod replay {finding.id}"),
        )
        for row, finding in ranked[:most]
    ]
    return table(HEADS, lines) if lines else None


def _severity(finding: Finding) -> Html:
    level, why = level_of(finding.kind, finding.detail), evidence_of(finding.kind, finding.detail)
    return tag("span", level, title=why)


def anchor(row: CampaignRow, finding: Finding) -> str:
    """Two campaigns may have found the same."""
    return f"{row.id}-{finding.id}"


def _card(finding: Finding, story: Story) -> Html:
    path, source = test_of(finding, story.tests, story.project)
    level, why = level_of(finding.kind, finding.detail), evidence_of(finding.kind, finding.detail)
    rows: list[tuple[str, Child]] = [("severity", f"{level}: {why}")]
    rows += [(key, _value(text)) for key, text in details(finding)]
    rows.append(("replay", code(f"untrod replay {finding.id}")))
    if path:
        rows.append(("test", code(path)))
    if (episode := story.found_at.get(finding.id, -1)) >= 0:
        rows.append(("first seen", f"episode {episode:,}"))
    trace = str(finding.detail.get("traceback") or "").strip("\n")
    return tag(
        "article",
        tag("h4", tag("span", one_line(finding.kind, 40), class_="kind"), one_line(finding.title, 400)),
        definitions(rows),
        film(story.screens, finding) if finding.detail.get("session") else None,
        unfold("the test", block(source), open=source.count("\n") < SHORT) if source else None,
        unfold("where it happened", block(trace)) if trace else None,
        class_=f"finding {'witness' if finding.kind in WANTED else ''}".strip(),
        id=anchor(story.row, finding),
    )


def definitions(rows: Sequence[tuple[str, Child]]) -> Html:
    return tag("dl", [(tag("dt", key), tag("dd", value)) for key, value in rows], class_="facts")


def _value(text: str) -> Html:
    return value(text) if len(text) > LONG or "\n" in text else code(text)
