"""What a campaign left behind, as rows and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from untrod.core.errors import UntrodError
from untrod.core.events import CorpusGrown, Event, from_json, to_json
from untrod.core.shapes import MOST
from untrod.core.thinning import thinned
from untrod.core.vocabulary import Answer, Finding, Trace
from untrod.store.campaigns import CampaignRow, Campaigns
from untrod.store.database import Database
from untrod.store.quarantine import Quarantine
from untrod.store.row_shapes import CORPUS as CORPUS_BODY
from untrod.store.row_shapes import FINDING, MOMENT, TESTED, json_of, text_of
from untrod.store.sheets import CORPUS, EVENTS, FINDINGS, TESTS, Row, Sheet

T = TypeVar("T")

FEW = 2000


@dataclass(frozen=True, slots=True)
class WrittenTest:
    """A test file as it was when it was written; `sha256` is empty when it could not be read then."""

    path: str
    sha256: str
    findings: tuple[str, ...]


class Results:
    """Reads findings, corpus, events and tests, in the order they were first committed."""

    def __init__(self, database: Database, campaigns: Campaigns, quarantine: Quarantine) -> None:
        self._database = database
        self._campaigns = campaigns
        self._quarantine = quarantine

    def findings(self, campaign: str) -> Iterator[Finding]:
        return self._read(FINDINGS, campaign, decode_finding)

    def newest_findings(self, campaign: str, most: int) -> Iterator[Finding]:
        last = self._campaigns.expected(campaign, FINDINGS) or 0
        numbers = range(max(1, last - most + 1), last + 1)
        rows = FINDINGS.pick(self._database, self._quarantine, campaign, numbers)
        return self._decoded(rows, FINDINGS, campaign, decode_finding)

    def corpus(self, campaign: str) -> Iterator[CorpusGrown]:
        return self._read(CORPUS, campaign, decode_corpus)

    def tests(self, campaign: str) -> Iterator[WrittenTest]:
        return self._read(TESTS, campaign, decode_test)

    def events(self, campaign: str, after: int) -> Iterator[tuple[int, float, Event]]:
        return self._read(EVENTS, campaign, decode_event, after)

    def history(self, campaign: str, name: str, most: int) -> Iterator[tuple[float, Event]]:
        """Events of one name. Only those that are wanted are read: there may be a million large ones."""
        numbers = self._spread(campaign, name, most)
        rows = EVENTS.pick(self._database, self._quarantine, campaign, numbers)
        for _, at, event in self._decoded(rows, EVENTS, campaign, decode_event):
            yield at, event

    def longest(self, campaign: str, most: int) -> Iterator[CorpusGrown]:
        """The corpus entries with the most choices in them."""
        choices = "CASE json_valid(body) WHEN 1 THEN json_array_length(body, '$[0]') END"
        query = f"SELECT seq FROM corpus WHERE campaign = ? ORDER BY {choices} DESC, key LIMIT ?"
        numbers = [seq for (seq,) in self._database.rows(query, campaign, most)]
        rows = CORPUS.pick(self._database, self._quarantine, campaign, numbers)
        found = self._decoded(rows, CORPUS, campaign, decode_corpus)
        yield from sorted(found, key=lambda entry: (-len(entry.trace.answers), entry.key))

    def finding(self, wanted: str) -> tuple[CampaignRow, Finding]:
        """The finding of this id, start of one, or `campaign/id`; of several, that of the newest campaign."""
        campaign, _, start = wanted.rpartition("/")
        within = {self._campaigns.lookup(campaign).id} if campaign else None
        matches = [
            (row, finding)
            for row in self._campaigns.all()
            if within is None or row.id in within
            for finding in self._beginning_with(start, row.id)
        ]
        if not matches:
            raise UntrodError(f"there is no finding {wanted!r}", self._some_findings())
        if len({(row.target, finding.id) for row, finding in matches}) > 1:
            names = ", ".join(sorted(f"{row.id}/{finding.id}" for row, finding in matches)[:8])
            raise UntrodError(f"more than one finding is called {wanted!r}", f"say which: {names}")
        return matches[-1]

    def _spread(self, campaign: str, name: str, most: int) -> list[int]:
        """The numbers of at most `most` events of that name, the first and the last among them.

        A few are counted out evenly. Of many, those next to evenly spaced numbers are looked up, one by one:
        that takes as long for a million of them as for a thousand.
        """
        known = "FROM events WHERE campaign = ? AND name = ?"
        few = self._database.rows(f"SELECT seq {known} ORDER BY seq LIMIT ?", campaign, name, FEW + 1)
        numbers = [seq for (seq,) in few if isinstance(seq, int)]
        if len(numbers) <= FEW:
            return thinned(numbers, most)
        last = self._database.rows(f"SELECT max(seq) {known}", campaign, name)[0][0]
        if not isinstance(last, int) or not 0 < numbers[0] <= last <= MOST:
            return thinned(numbers, most)  # no row of ours is numbered so
        marks = thinned(range(numbers[0], last + 1), most)
        query = f"SELECT min(seq) {known} AND seq >= ?"
        return list(dict.fromkeys(self._database.rows(query, campaign, name, at)[0][0] for at in marks))

    def _beginning_with(self, start: str, campaign: str) -> Iterator[Finding]:
        rows = FINDINGS.scan(self._database, self._quarantine, campaign)
        likely = (row for row in rows if start and isinstance(row[3], str) and row[3].startswith(start))
        for finding in self._decoded(likely, FINDINGS, campaign, decode_finding):
            if finding.id.startswith(start):
                yield finding

    def _some_findings(self) -> str:
        names = self._database.rows("SELECT DISTINCT id FROM findings ORDER BY id LIMIT 5")
        return (
            f"there are: {', '.join(str(row[0])[:20] for row in names)}" if names else "nothing was found yet"
        )

    def _read(self, sheet: Sheet, campaign: str, decode: Callable[[Row], T], after: int = 0) -> Iterator[T]:
        expected = self._campaigns.expected(campaign, sheet)
        rows = sheet.scan(
            self._database, self._quarantine, campaign, after=after, expected=None if after else expected
        )
        return self._decoded(rows, sheet, campaign, decode)

    def _decoded(
        self, rows: Iterable[Row], sheet: Sheet, campaign: str, decode: Callable[[Row], T]
    ) -> Iterator[T]:
        for row in rows:
            try:
                yield decode(row)
            except ValueError as error:
                # Intact, so written by another version of untrod: it stays where that version finds it.
                self._quarantine.name(
                    f"row {row[1]} of the {sheet.name} of {campaign} is unreadable: {error}"
                )


def encode_finding(finding: Finding) -> tuple[str, str, str]:
    body = {
        "kind": finding.kind,
        "title": finding.title,
        "trace": finding.trace.answers,
        "detail": finding.detail,
    }
    return _as_ascii(finding.key), finding.id, _dumps(body)


def decode_finding(row: Row) -> Finding:
    """Raises Malformed, as all of these do."""
    body = json_of(row[4])
    FINDING(body, "it")
    return Finding(text_of(row[2]), body["kind"], body["title"], Trace(tuple(body["trace"])), body["detail"])


def encode_corpus(event: CorpusGrown) -> tuple[str, str]:
    return _as_ascii(event.key), _dumps([event.trace.answers, event.text])


def decode_corpus(row: Row) -> CorpusGrown:
    body = json_of(row[3])
    CORPUS_BODY(body, "it")
    answers, text = body
    return CorpusGrown(text_of(row[2]), Trace(tuple(answers)), text)


def encode_event(at: float, event: Event) -> tuple[float, str, str]:
    return at, event.name, _dumps(to_json(event))


def decode_event(row: Row) -> tuple[int, float, Event]:
    MOMENT(row[2], "its time")
    return row[1], row[2], from_json(json_of(row[4]))


def encode_test(test: WrittenTest) -> tuple[str, str, str]:
    return _as_ascii(test.path), test.sha256, _dumps(test.findings)


def decode_test(row: Row) -> WrittenTest:
    findings = json_of(row[4])
    TESTED(findings, "it")
    return WrittenTest(text_of(row[2]), str(row[3]), tuple(findings))


def is_smaller(new: Trace, old: Trace) -> bool:
    """Fewer answers, or as many and earlier in order."""
    if len(new.answers) != len(old.answers):
        return len(new.answers) < len(old.answers)
    return [_rank(answer) for answer in new.answers] < [_rank(answer) for answer in old.answers]


def _rank(answer: Answer) -> tuple[int, Any]:
    if answer is None:
        return (0, 0)
    return (2, answer) if isinstance(answer, str) else (1, answer)


def _as_ascii(text: str) -> str:
    """`text` as the inside of an ASCII JSON string: SQLite takes no lone surrogates. `text_of` reads it."""
    return json.dumps(text)[1:-1]


def _dumps(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
