"""The findings of several campaigns in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from untrod.core.text import one_line
from untrod.core.vocabulary import Finding
from untrod.output.html.finding_cards import gravest_first
from untrod.output.html.markup import Html, code, table, tag
from untrod.store import CampaignRow

HEADS = ("kind", "what", "target", "replay")


def finding_table(
    found: Iterable[tuple[CampaignRow, Finding]], place: Callable[[CampaignRow, Finding], str], most: int
) -> Html | None:
    """The gravest first, each once, however many campaigns have it: the first counts.

    `place` is where a finding is told in full.
    """
    first: dict[tuple[str, str], tuple[CampaignRow, Finding]] = {}
    for row, finding in found:
        first.setdefault((row.target, finding.id), (row, finding))
    owners = {id(finding): row for row, finding in first.values()}
    ranked = [(owners[id(each)], each) for each in gravest_first(finding for _, finding in first.values())]
    lines = [
        (
            one_line(finding.kind, 40),
            tag("a", one_line(finding.title), href=place(row, finding)),
            code(one_line(row.target)),
            code(f"untrod replay {finding.id}"),
        )
        for row, finding in ranked[:most]
    ]
    return table(HEADS, lines) if lines else None
