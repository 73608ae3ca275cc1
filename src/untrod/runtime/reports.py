"""The shapes of what jobs answer: a batch report, and how a replay ended.

Both are made beside the target, so they are checked as a whole before anything of them is used. An engine
says what its own job adds; `Malformed` ends the worker that sent something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NotRequired, TypedDict

from untrod.core.events import CorpusGrown, Notice
from untrod.core.shapes import (
    Malformed,
    Shape,
    answers,
    dotted_name,
    flag,
    listed,
    number,
    one_of,
    optional,
    record,
    row,
    text,
    texts,
    whole,
)
from untrod.core.vocabulary import Finding, Json, Outcome, Trace
from untrod.source.codec import decode

LONGEST_KEY = 10_000
MOST_NOTICES = 10_000
LONGEST_NOTICE = 20_000
_DIGEST = re.compile(r"[0-9a-f]{8,64}")
_OUTCOMES = tuple(outcome.value for outcome in Outcome)
_NONE: Mapping[str, Shape] = MappingProxyType({})


def hex_digest(value: Json, name: str) -> None:
    """The name of something by its content: nothing but letters and digits, since files are called so."""
    if type(value) is not str or not _DIGEST.fullmatch(value):
        raise Malformed(f"{name} is no digest")


def node(value: Json, name: str) -> None:
    """A value as source (`source.codec`)."""
    try:
        decode(value)
    except Malformed as error:
        raise Malformed(f"{name}: {error}") from None


VALUE = record({}, {"text": text(), "node": optional(node), "nodes": optional(listed(node))})
EXCEPTION = record({"module": dotted_name, "name": dotted_name})
_DETAIL: dict[str, Shape] = {
    "exception": optional(EXCEPTION),
    "message": text(),
    "place": text(),
    "traceback": text(),
    "stage": text(),
    "value": optional(VALUE),
    "shrunk": flag,
    "complete": flag,
    "session": flag,
    "title": text(LONGEST_KEY),
}

COUNTS: dict[str, Shape] = {
    "episodes": whole(),
    "valid": whole(),
    "unique": whole(),
    "keys": texts(LONGEST_KEY),
}
"""Of every report on a batch, and of the one that `restore` answers with."""
_ELSEWHERE: dict[str, Shape] = {"exhausted": flag, "cpu_elsewhere": number(0.0, 1e12)}
_COUNTED = record(COUNTS, _ELSEWHERE)


class Counts(TypedDict):
    """What every report counts since the campaign began. `keys` are the digests of what was new in it."""

    episodes: int
    valid: int
    unique: int
    keys: list[str]
    exhausted: NotRequired[bool]
    cpu_elsewhere: NotRequired[float]


def counts_of(report: Json) -> Counts:
    """The part of a report that all jobs have. Raises Malformed."""
    _COUNTED(report, "report")
    return report  # type: ignore[no-any-return]


NO_NEWS: Mapping[str, Json] = MappingProxyType(
    {"notices": [], "corpus": [], "findings": [], "observed": [], "exhausted": False}
)
"""What the report that `restore` answers with does not have."""


def batch_report(
    fields: Mapping[str, Shape],
    more: Mapping[str, Shape] = _NONE,
    *,
    detail: Mapping[str, Shape] = _NONE,
    finding: Mapping[str, Shape] = _NONE,
    kinds: Collection[str] = (),
    key: Shape | None = None,
    trace: Shape = answers,
) -> Shape:
    """What `run` answers: the common part, and an engine's own `fields`.

    `finding` is what its findings must have besides, `detail` what they may, and `kinds` its own words for
    what they are. `key` is what names an entry of the corpus, `trace` what a list of answers has to be.
    """
    each = record(
        {
            "key": text(LONGEST_KEY),
            "kind": one_of((*_OUTCOMES, *kinds)),
            "title": text(LONGEST_KEY),
            "answers": trace,
            "episode": whole(),
            **finding,
        },
        {**_DETAIL, **detail},
    )
    common = {
        **COUNTS,
        "notices": texts(LONGEST_NOTICE, MOST_NOTICES),
        "findings": listed(each),
    }
    corpus = {"corpus": listed(row(key or text(LONGEST_KEY), trace, text()))}
    return record({**common, **fields}, {**_ELSEWHERE, **corpus, **more})


def replay_report(more: Mapping[str, Shape] = _NONE, *, detail: Mapping[str, Shape] = _NONE) -> Shape:
    """What `replay` answers."""
    finding = record({"key": text(LONGEST_KEY)}, {**_DETAIL, **detail})
    return record(
        {"outcome": one_of(_OUTCOMES), "answers": answers, "finding": optional(finding)},
        {"value": optional(VALUE), "error": text(), "hint": text(), **more},
    )


def news_of(report: Json, detail: Iterable[str]) -> Iterable[CorpusGrown | Notice | tuple[Finding, int]]:
    """What a checked report holds for everybody. `detail` names what is kept of a finding."""
    for told in report["notices"]:
        yield Notice(told)
    for key, given, shown in report.get("corpus", ()):
        yield CorpusGrown(key, Trace(tuple(given)), shown)
    for body in report["findings"]:
        kept = {name: body[name] for name in detail if name in body}
        trace = Trace(tuple(body["answers"]))
        yield Finding(body["key"], body["kind"], body["title"], trace, kept), body["episode"]
