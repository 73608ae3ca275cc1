"""What a policy of `worst` has learned of each branch, in words: which side made the path longer, how often.

It is read off what the policy keeps for the next campaign (`engines/worst/policies/lore.py`): experiences of
a state, an action and a target, where the target of the better side is 0 (`learn/pyse/branch_q.py`).
"""

from __future__ import annotations

import re
from collections import Counter

from untrod.core.text import one_line
from untrod.core.vocabulary import Json
from untrod.engines.worst.engine import WorstConfig
from untrod.output.html.markup import Html, code, join, table, tag
from untrod.output.html.sources import lines_of
from untrod.output.html.story import Story

MOST = 20


def branch_preferences(story: Story) -> list[tuple[str, Html]]:
    """A section; nothing where no policy has learned by symbolic paths."""
    try:
        known = story.known(WorstConfig.from_json(story.config).table) or {}
        lines = lines_of(story.config["target"], story.project)  # a branch may also stand elsewhere
        rows = [row for lore in _lores(known.get("lore")) for row in _rows(lore, lines)]
    except (LookupError, TypeError, ValueError, AttributeError):
        return []  # of another version
    if not rows:
        return []
    told = "Which side of a branch the longest known paths take, of all moments at which one side was longer."
    heads = ("branch", "source", "side", "moments")
    return [("What the policy has learned", join([tag("p", told), table(heads, rows[:MOST])]))]


def _lores(lore: Json) -> list[Json]:
    """Those that have values of branches: a portfolio has several members."""
    each = [body for _, body in lore["members"]] if lore and "members" in lore else [lore]
    return [body for body in each if body and "q" in body]


def _rows(lore: Json, lines: list[str]) -> list[tuple[Html, Html, str, str]]:
    better: dict[int, Counter[bool]] = {}
    for key, action, target, moments in lore["q"]["memory"]:
        if target == 0:
            better.setdefault(int(key[0]), Counter())[bool(action)] += int(moments)
    rows = []
    for site, sides in sorted(better.items(), key=lambda each: -each[1].total()):
        unit, line, _ = lore["sites"][site]
        (side, times), of = sides.most_common(1)[0], sides.total()
        words = f"{'true' if side else 'false'}, at {100 * times / of:.0f}%"
        rows.append((code(f"{unit}:{line}"), code(_source(lines, unit, int(line))), words, f"{of:,}"))
    return rows


def _source(lines: list[str], unit: str, line: int) -> str:
    """The line of the branch, if its function is one of that file."""
    own = re.compile(rf"(async def|def|class) {re.escape(unit.partition('.')[0])}\b")
    if line > len(lines) or not any(own.match(each) for each in lines):
        return ""
    return one_line(lines[line - 1].strip(), 90)
