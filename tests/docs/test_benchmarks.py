"""docs/benchmarks has a page for every bench, and the README's figures are those of bench/results."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "benchmarks"
RESULTS = ROOT / "bench" / "results"
ANCHOR = re.compile(r"\]\(([\w./-]*)#([\w-]+)\)")


@pytest.fixture
def benches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.syspath_prepend(str(ROOT))
    from bench.__main__ import engines

    return engines()


def test_every_bench_has_a_page_and_the_index_names_it(benches: list[str]) -> None:
    index = (PAGES / "README.md").read_text()

    assert {path.stem for path in PAGES.glob("*.md")} == {*benches, "README", "diary"}
    for name in benches:
        assert f"| [{name}]({name}.md) | `python -m bench {name}` |" in index


def test_a_page_has_results_then_the_method_then_the_lost_bars(benches: list[str]) -> None:
    for name in benches:
        parts = re.findall(r"^## (.*)$", (PAGES / f"{name}.md").read_text(), re.MULTILINE)
        assert parts[:3] == ["Results", "Method", "Lost bars"], name


def test_what_was_measured_is_told_somewhere() -> None:
    pages = "".join(path.read_text() for path in PAGES.glob("*.md"))
    named = {
        name for stem in re.findall(r"`(?:bench/results/)?([\w*-]+)\.json`", pages) for name in match(stem)
    }

    assert named == {path.stem for path in RESULTS.glob("*.json")}


def match(stem: str) -> list[str]:
    return [path.stem for path in RESULTS.glob(f"{stem}.json")]


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.name)
def test_anchors_are_headings(page: Path) -> None:
    for link, anchor in ANCHOR.findall(page.read_text()):
        target = page.parent / link if link else page
        headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
        assert anchor in {slug(heading) for heading in headings}, f"{link}#{anchor}"


def slug(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@cache
def result(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text())


def median(name: str, subject: str, contender: str, metric: str) -> float:
    key = {"subject": subject, "contender": contender, "metric": metric}
    (row,) = [row for row in result(name)["rows"] if key.items() <= row.items()]
    return float(row["median"])


def bar(name: str, words: str) -> Any:
    (found,) = [bar["value"] for bar in result(name)["bars"] if words in bar["name"]]
    return found


def unique(subject: str, contender: str) -> str:
    return f"{median('inputs-matrix', subject, contender, 'unique valid'):,.0f}"


def figures() -> list[str]:
    """The README's, line by line, as the results have them."""
    matrix = result("inputs-matrix")["bars"]
    trees = [
        median("inputs-native", "native-bst 100,000", who, "unique valid") for who in ("tree-lr", "random")
    ]
    known = [
        each
        for each in result("worst")["bars"]
        if re.search(r" \d+: branches, auto, worst seed", each["name"])
    ]
    true = [
        each for each in known if not each["name"].startswith(("insertion-sort 30", "insertion-sort 100"))
    ]
    steps = [
        each["value"]
        for app in ("django-admin", "datasette", "flask-admin")
        for each in result(f"gui-real-{app}")["bars"]
        if "planner's steps" in each["name"]
    ]
    mazes = [
        median("explore-walks", *each, "coverage")
        for each in (
            ("maze", "trained"),
            ("maze", "frontier"),
            ("braided", "trained"),
            ("braided", "frontier"),
        )
    ]
    return [
        ", ".join(
            f"{unique(each, 'auto')} to {unique(each, 'hypothesis')}" for each in ("bst", "sql", "pom")
        ),
        f"{sum(each['holds'] for each in matrix)} of {len(matrix)}",
        f"{trees[0]:,.0f} to {trees[1]:,.0f}",
        f"{sum(each['holds'] for each in true)} of {len(true)}",
        "; ".join(
            f"{bar('cover', than)} of 18" for than in ("more branches than pynguin", "no fewer branches than")
        ),
        ", ".join(
            f"{median('native', 'tr', who, 'branches'):.0f}"
            for who in ("portfolio+homi", "portfolio+random", "afl++")
        ),
        f"{min(steps):.2f} to {max(steps):.2f}",
        "{:.3f} to {:.3f}, {:.3f} to {:.3f}".format(*mazes),
        ", ".join(
            f"{median('hunt', 'humanize', who, 'branches'):.0f}" for who in ("hunt", "cover alone", "pynguin")
        ),
        f"{bar('safety', 'at the start of a worker'):.2f}",
    ]


def test_the_figures_of_the_readme_are_those_of_the_results() -> None:
    text = (ROOT / "README.md").read_text().partition("| measured | figure | made by |\n|---|---|---|\n")[2]
    told = [line.split(" | ")[1] for line in text.partition("\n\n")[0].splitlines()]

    assert told == figures()
