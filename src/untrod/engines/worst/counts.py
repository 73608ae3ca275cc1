"""What a `worst` campaign counts: its types, the decoder of what stands in events, and the same in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, cast

from untrod.core.shapes import MOST, listed, number, optional, record, text, whole
from untrod.core.vocabulary import Json


class SizeCounts(TypedDict):
    """One size, as a whole campaign knows it."""

    size: int
    worst: int | None
    """The cost of the costliest input; None: no input could be run."""
    average: float | None
    input: str
    """The costliest, as a call."""
    by: str
    """The policy that found it."""
    attempts: int
    raises: str
    closed: str
    """Why nothing more is tried at this size; empty: it is open."""


GrowthCounts = TypedDict(
    "GrowthCounts", {"class": str, "confidence": float, "rival": str, "formula": str, "reason": str}
)
"""`class` is empty where no class can be named, and `reason` says why."""


class WorstCounts(TypedDict, total=False):
    """All of it is there as soon as one input has been run."""

    cost: str
    """In what is counted: `steps`, `calls`, ..."""
    sizes: list[SizeCounts]
    """In ascending order."""
    worst: GrowthCounts
    average: GrowthCounts
    alarm: str
    """A line when the worst input grows by a higher class than the average one, else empty."""
    engine: str
    """What the symbolic executors had to say."""
    paths: int
    infeasible_share: float
    status: str


_GROWTH = record(
    {"class": text(), "confidence": number(0, 1), "rival": text(), "formula": text(), "reason": text()}
)
_SIZE = record(
    {
        "size": whole(),
        "worst": optional(whole(-MOST)),
        "average": optional(number()),
        "input": text(),
        "by": text(),
        "raises": text(),
        "closed": text(),
    },
    {"attempts": whole()},
)
# Optional is what campaigns of before may lack. Paths are those of all shards together.
_COUNTS = record(
    {"cost": text(), "sizes": listed(_SIZE), "worst": _GROWTH, "average": _GROWTH, "engine": text()},
    {"alarm": text(), "paths": whole(0, 1000 * MOST), "infeasible_share": number(), "status": text()},
)


def decode(extra: Mapping[str, Json]) -> WorstCounts | None:
    """What stands in an event or in the store; None: no input has been run. Raises Malformed for all else."""
    if not extra.get("sizes"):
        return None
    _COUNTS(extra, "counts")
    return cast(WorstCounts, extra)


# -- in words -------------------------------------------------------------------------------------

BAR = 40


def size_lines(counts: WorstCounts) -> tuple[str, ...]:
    """One line per size: worst, average, who found it, and both as a bar.

    size     worst   average  found by          = average, - up to the worst
       8       756     470.2  climb             ===--
    """
    rows = counts["sizes"]
    top = max((row["worst"] or 0 for row in rows), default=0) or 1
    width = max(8, *(len(str(row["by"])) for row in rows))
    lines = [f"{'size':>6} {'worst':>13} {'average':>13}  {'found by':<{width}}  = average, - worst"]
    for row in rows:
        worst, average = row["worst"], row["average"]
        told = f"{row['size']:>6} {_count(worst):>13} {_count(average):>13}  {row['by'] or '':<{width}}"
        notes = [text for text in (row["raises"] and f"raises {row['raises']}", _closed(row)) if text]
        lines.append(f"{told}  {_bar(worst or 0, average or 0, top)} {'; '.join(notes)}".rstrip())
    return tuple(lines)


def growth_lines(counts: WorstCounts) -> tuple[str, ...]:
    return f"worst    {_growth(counts['worst'])}", f"average  {_growth(counts['average'])}"


def result_line(counts: WorstCounts) -> str:
    """`12,443 steps at size 32, n^2`: what it all came to."""
    known = [row for row in counts.get("sizes", ()) if row["worst"] is not None]
    if not known:
        return "no input could be run"
    last = known[-1]
    grows = f", {counts['worst']['class']}" if counts["worst"]["class"] else ""
    return f"{last['worst']:,} {counts['cost']} at size {last['size']}{grows}"


def run_line(runs: int, counts: WorstCounts) -> str:
    """`1,090 runs, 212 of them along symbolic paths (3% of the wanted branches infeasible)`"""
    if not counts.get("paths"):
        return f"{runs:,} runs"
    share = f"{counts['infeasible_share']:.0%} of the wanted branches infeasible"
    return f"{runs:,} runs, {counts['paths']:,} of them along symbolic paths ({share}),"


def _growth(body: GrowthCounts) -> str:
    if not body["class"]:
        return body["reason"]
    sure = f"{int(body['confidence'] * 100)}% sure"
    doubt = f", else {body['rival']}" if body["confidence"] < 0.75 and body["rival"] else ""
    return f"{body['class']} ({sure}{doubt}): {body['formula']}"


def _bar(worst: float, average: float, top: float) -> str:
    whole = round(BAR * worst / top)
    mean = min(whole, round(BAR * average / top))
    return "=" * mean + "-" * (whole - mean)


def _count(value: float | None) -> str:
    if value is None:
        return "?"
    return f"{value:,}" if isinstance(value, int) or value < 1000 else f"{value:,.0f}"


def _closed(row: SizeCounts) -> str:
    return row["closed"] if row["closed"] and "nothing left" not in row["closed"] else ""
