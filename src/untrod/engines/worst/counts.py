"""What a `worst` campaign counts, for programs that read it."""

from __future__ import annotations

from typing import Any, TypedDict

from untrod.core.vocabulary import Json


class WorstCounts(TypedDict, total=False):
    cost: str
    """In what is counted: `steps`, `calls`, ..."""
    sizes: list[dict[str, Any]]
    """A row for each size: `size`, `worst`, `average`, ..."""
    engine: str
    """What the symbolic executors had to say."""
    paths: int
    infeasible_share: float
    status: str


BAR = 40


def size_lines(extra: dict[str, Json]) -> tuple[str, ...]:
    """One line per size: worst, average, who found it, and both as a bar.

    size     worst   average  found by          = average, - up to the worst
       8       756     470.2  climb             ===--
    """
    rows = extra["sizes"]
    top = max((row["worst"] or 0 for row in rows), default=0) or 1
    width = max(8, *(len(str(row["by"])) for row in rows))
    lines = [f"{'size':>6} {'worst':>13} {'average':>13}  {'found by':<{width}}  = average, - worst"]
    for row in rows:
        worst, average = row["worst"], row["average"]
        told = f"{row['size']:>6} {_count(worst):>13} {_count(average):>13}  {row['by'] or '':<{width}}"
        notes = [text for text in (row["raises"] and f"raises {row['raises']}", _closed(row)) if text]
        lines.append(f"{told}  {_bar(worst or 0, average or 0, top)} {'; '.join(notes)}".rstrip())
    return tuple(lines)


def growth_lines(extra: dict[str, Json]) -> tuple[str, ...]:
    return tuple(f"{name:<8} {_growth(extra[name])}" for name in ("worst", "average"))


def result_line(extra: dict[str, Json]) -> str:
    """`12,443 steps at size 32, n^2`: what it all came to."""
    known = [row for row in extra.get("sizes", ()) if row["worst"] is not None]
    if not known:
        return "no input could be run"
    last = known[-1]
    grows = f", {extra['worst']['class']}" if extra["worst"]["class"] else ""
    return f"{last['worst']:,} {extra['cost']} at size {last['size']}{grows}"


def run_line(runs: int, extra: dict[str, Json]) -> str:
    """`1,090 runs, 212 of them along symbolic paths (3% of the wanted branches infeasible)`"""
    if not extra.get("paths"):
        return f"{runs:,} runs"
    share = f"{extra['infeasible_share']:.0%} of the wanted branches infeasible"
    return f"{runs:,} runs, {extra['paths']:,} of them along symbolic paths ({share}),"


def _growth(body: Json) -> str:
    if not body["class"]:
        return str(body["reason"])
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


def _closed(row: Json) -> str:
    return str(row["closed"]) if row["closed"] and "nothing left" not in row["closed"] else ""
