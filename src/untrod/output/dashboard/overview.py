"""The first page: what runs, what there is, and what was found."""

from __future__ import annotations

from collections.abc import Sequence

from untrod.core.text import count, duration, one_line
from untrod.core.vocabulary import Finding
from untrod.output.dashboard.page import Page, main, part
from untrod.output.html.finding_cards import anchor, finding_table
from untrod.output.html.markup import Child, Html, code, join, tag
from untrod.output.html.page import moment, tiles
from untrod.store import CampaignRow, Store

A_PAGE = 100
"""Campaigns on one page."""
MOST_FINDINGS = 50
FINDINGS_EACH = 10

HEADS = ("", "campaign", "target", "state", "findings", "episodes", "per second", "time", "started")
NUMBERS = frozenset({"findings", "episodes", "per second", "time"})


class Overview:
    """Keeps what it has read: of a thousand campaigns, those that changed are read again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: dict[str, CampaignRow] = {}
        self._findings: dict[str, tuple[float, list[Finding]]] = {}

    def page(self, number: int) -> Page:
        """`number` counts from 1, the newest campaigns first."""
        for row in self._store.campaigns_changed({row.id: row.updated_at for row in self._rows.values()}):
            self._rows[row.id] = row
        rows = sorted(self._rows.values(), key=lambda row: (row.created_at, row.id), reverse=True)
        shown = rows[(number - 1) * A_PAGE : number * A_PAGE]
        running = {row.id for row in rows if row.status == "running" and self._store.holder(row.id)}
        found = sum(row.findings for row in rows)
        lines = {f"row-{row.id}": _row(row, row.id in running) for row in shown}
        totals = part("div", "totals", _totals(rows, len(running), found))
        found_here = _findings(shown, [self._found(row) for row in shown])
        findings = part("div", "findings", found_here, id="findings")
        places, turn = (_places() if shown else None), _turn(number, len(rows))
        body = main(totals, places, _form(list(lines.values())), turn, findings)
        parts = {"totals": totals, **lines, "findings": findings}
        return Page(f"untrod: {count(found, 'finding')}", body, parts)

    def _found(self, row: CampaignRow) -> list[Finding]:
        known = self._findings.get(row.id)
        if known is None or known[0] != row.updated_at:
            read = self._store.newest_findings(row.id, FINDINGS_EACH) if row.findings else []
            known = self._findings[row.id] = (row.updated_at, read)
        return known[1]


def _totals(rows: Sequence[CampaignRow], running: int, found: int) -> Html:
    cpu = duration(sum(row.cpu for row in rows))
    return tiles(
        [
            ("campaigns", f"{len(rows):,}", f"{running:,} running"),
            ("findings", f"{found:,}", ""),
            ("episodes", f"{sum(row.episodes for row in rows):,}", ""),
            ("time", duration(sum(row.wall for row in rows)), f"{cpu} of CPU"),
        ]
    )


def _places() -> Html:
    links = [tag("a", name.capitalize(), href=f"#{name}") for name in ("campaigns", "findings")]
    return tag("nav", tag("ul", [tag("li", each) for each in links]), aria_label="on this page")


def _form(lines: Sequence[Html]) -> Html:
    if not lines:
        return tag("p", "No campaigns yet. Start one in a terminal: ", code("untrod hunt"))
    heads = [
        tag("th", name or tag("span", "compare", class_="unseen"), scope="col", class_=_style(name))
        for name in HEADS
    ]
    inner = tag("table", tag("thead", tag("tr", heads)), tag("tbody", lines))
    wide = tag("div", inner, class_="wide", tabindex="0", role="group", aria_label="campaigns")
    button = tag("p", tag("button", "Compare the marked ones"))
    return tag("form", tag("h2", "Campaigns", id="campaigns"), wide, button, action="/compare", method="get")


def _row(row: CampaignRow, running: bool) -> Html:
    rate = f"{row.episodes / row.wall:,.1f}" if row.wall > 0 else ""
    mark = tag("input", type="checkbox", name="c", value=row.id, aria_label=f"compare {row.id}")
    cells: list[Child] = [
        mark,
        tag("a", row.id, href=f"/campaign/{row.id}", class_="id"),
        code(one_line(row.target)),
        state(row, running),
        f"{row.findings:,}",
        f"{row.episodes:,}",
        rate,
        duration(row.wall),
        tag("span", moment(row.created_at), class_="id"),
    ]
    inner = [tag("td", cell, class_=_style(name)) for name, cell in zip(HEADS, cells, strict=True)]
    return part("tr", f"row-{row.id}", inner)


def state(row: CampaignRow, running: bool) -> Html:
    """A campaign that was killed still says that it runs."""
    word = row.status if row.status != "running" or running else "broken off"
    return tag("span", word, class_=f"state {'running' if running else ''}".strip())


def _style(head: str) -> str | None:
    return "number" if head in NUMBERS else None


def _turn(number: int, campaigns: int) -> Html | None:
    links = []
    if number > 1:
        links.append(tag("a", "newer campaigns", href=f"/?page={number - 1}"))
    if number * A_PAGE < campaigns:
        links.append(tag("a", "older campaigns", href=f"/?page={number + 1}"))
    return tag("nav", tag("ul", [tag("li", each) for each in links]), aria_label="pages") if links else None


def _findings(rows: Sequence[CampaignRow], found: Sequence[Sequence[Finding]]) -> Html | None:
    shown = finding_table(
        ((row, finding) for row, findings in zip(rows, found, strict=True) for finding in findings),
        lambda row, finding: f"/campaign/{row.id}#{anchor(row, finding)}",
        MOST_FINDINGS,
    )
    return join([tag("h2", "Findings, the gravest first"), shown]) if shown else None
