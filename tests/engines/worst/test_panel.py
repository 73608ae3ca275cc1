"""Which side of a branch a policy of `worst` has learned to take, in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from html_campaigns import EVIL, moment, run

from untrod.engines.worst.engine import WorstConfig
from untrod.engines.worst.panel import branch_preferences
from untrod.output.html.story import read_story
from untrod.runtime.loading import TargetName
from untrod.store import Store

SOURCE = "def sort(xs):\n    for x in xs:\n        if x < xs[0]:\n            pass\n"
CONFIG = WorstConfig(TargetName("shop", "sort", "."), (4, 8))
LORE = {
    "q": {
        "memory": [
            [[0, 1, 0, 2], True, 0.0, 9],
            [[0, 1, 0, 3], False, 0.0, 3],
            [[0, 1, 0, 3], True, -2.0, 50],
            [[1, 0, 0, 0], False, 0.0, 1],
        ]
    },
    "sites": [["sort", 3, 12], [f"elsewhere.{EVIL}", 3, 40]],
}


def told(store: Store, tmp_path: Path, table: object) -> str:
    campaign = run(store, "worst", "shop.py:sort", CONFIG.to_json(), [moment(10)])
    store.save_table(CONFIG.table, {}, json.dumps(table).encode())
    (tmp_path / "shop.py").write_text(SOURCE)
    return "".join(body for _, body in branch_preferences(read_story(store, campaign, tmp_path)))


@pytest.mark.parametrize("lore", [LORE, {"members": [["climb", None], ["pyse", LORE]]}])
def test_each_branch_with_its_better_side_the_busiest_first(store: Store, tmp_path: Path, lore: dict) -> None:
    html = told(store, tmp_path, {"lore": lore})

    assert "<code>sort:3</code>" in html
    assert "<code>if x &lt; xs[0]:</code>" in html
    assert "true, at 75%" in html
    assert "false, at 100%" in html
    assert html.index("true, at 75%") < html.index("false, at 100%")
    assert "<script" not in html


@pytest.mark.parametrize("table", [None, {}, {"lore": None}, {"lore": 3}, {"lore": {"q": {}, "sites": 1}}])
def test_nothing_where_nothing_was_learned(store: Store, tmp_path: Path, table: object) -> None:
    assert told(store, tmp_path, table) == ""
