"""What a reader finds on the page, engine by engine, and what a hostile target cannot put there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from html_campaigns import ALL, EVIL, cover, gui, inputs, moment, run, worst
from html_page import page

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Finding, Trace
from untrod.output.html import write_html
from untrod.output.summary import Section
from untrod.store import Store


def test_cover_shows_branches_states_and_what_is_left(store: Store) -> None:
    found = page(store, cover(store))

    assert {"Branches over runs", "Branches over time", "Live states at the most"} <= set(found.captions)
    assert any("dropped by the pruning" in caption for caption in found.captions)
    assert "18 of 20 branches (90%)" in found.text
    assert {"shop:12", "if ok:", "never ok", "why ok"} <= set(found.words)
    assert "idle" not in found.words  # it gained nothing
    assert {"random ok", "covnew"} <= set(found.words)


def test_worst_shows_cost_against_size_with_the_fitted_classes(store: Store) -> None:
    found = page(store, worst(store))

    assert "Cost against size" in found.captions
    assert {"fit: n^2 (99% sure)", "fit: n (80% sure)", "worst: 9,216", "average: 640"} <= set(found.words)
    assert "The costliest input of size 32" in found.captions
    assert "14.4" in found.words  # worst / average at size 32


def test_gui_shows_each_specification_and_its_formula_step_by_step(store: Store) -> None:
    found = page(store, gui(store))

    assert {"Specifications shown", "Screens seen"} <= set(found.captions)
    assert "it saves ok" in found.words
    assert {"at the start: ", " does not hold", "after step 2: ", " holds"} <= set(found.words)
    assert "shown in 1 step" in found.words
    assert "not broken so far" in found.words


def test_gui_draws_the_screens_that_the_store_knows(store: Store) -> None:
    from untrod.drivers.graph import ScreenGraph
    from untrod.drivers.graph_writer import encode
    from untrod.drivers.known import table_key
    from untrod.drivers.protocol import Screen
    from untrod.engines.gui.engine import GuiConfig

    campaign = gui(store)
    graph = ScreenGraph("app")
    graph.start("soft", Screen(f"home {EVIL}", "home-1", {"title": ("Home",)}))
    config = GuiConfig.from_json(store.campaign(campaign).config)
    store.save_table(table_key(config.driver, config.target), {}, json_bytes({"graph": encode(graph)}))
    [finding] = store.findings(campaign)
    folder = store.folder / "screens" / finding.id
    folder.mkdir(parents=True)
    (folder / "step-1.png").write_bytes(b"\x89PNG\r\n\x1a\nrest")

    found = page(store, campaign)

    assert "Screens" in found.captions
    assert "Home" in found.words
    assert [dict(attributes)["href"][:22] for tag, attributes in found.tags if tag == "image"] == [
        "data:image/png;base64,"
    ]
    assert "script" not in [tag for tag, _ in found.tags]


def test_screenshots_of_a_session_are_inside_the_page(store: Store) -> None:
    campaign = gui(store)
    [finding] = store.findings(campaign)
    folder = store.folder / "screens" / finding.id
    folder.mkdir(parents=True)
    (folder / "step-0.png").write_bytes(b"\x89PNG\r\n\x1a\nrest")
    (folder / "step-1.png").write_bytes(b"<script>no picture</script>")

    found = page(store, campaign)

    assert found.all("src") == ["data:image/png;base64,iVBORw0KGgpyZXN0"]
    assert "0. the start" in found.words


def test_a_finding_comes_with_its_input_how_to_replay_it_and_its_test(store: Store) -> None:
    campaign = inputs(store)
    [finding] = store.findings(campaign)
    test = store.folder.parent / "tests" / "test_ok.py"
    test.parent.mkdir()
    test.write_text("def test_ok_raises():\n    ok()\n")

    found = page(store, campaign)

    assert {f"untrod replay {finding.id}", "tests/test_ok.py", "episode 5"} <= set(found.words)
    assert "def test_ok_raises():\n    ok()" in found.words
    assert f"{campaign}-{finding.id}" in found.all("id")


def test_several_campaigns_are_compared_and_told_one_by_one(store: Store) -> None:
    one, two, other = inputs(store, seed=1), inputs(store, seed=2, learner="random"), cover(store)

    found = page(store, one, two, other)

    assert "seed 1, learner auto" in found.words
    assert "seed 2, learner random" in found.words
    assert "Unique valid inputs: shop.py:ok" in found.captions
    assert not any("Branches covered" in caption for caption in found.captions)  # nothing to compare it with
    links = {link for link in found.all("href") if link.startswith("#")}
    assert {f"#{one}", f"#{two}", f"#{other}", "#comparison"} <= links
    assert {link[1:] for link in links} <= set(found.all("id"))


def test_campaigns_are_listed_by_what_they_ran_on_and_by_id_where_that_is_not_enough(store: Store) -> None:
    one, two, other = inputs(store), inputs(store), cover(store)

    found = page(store, one, two, other)

    assert {f"inputs shop.py:ok ({one})", f"inputs shop.py:ok ({two})", "cover shop.py ok"} <= set(
        found.words
    )
    assert "what is different" not in found.words  # nothing is


def test_the_gravest_findings_come_first(store: Store) -> None:
    found = page(store, gui(store), worst(store), inputs(store))
    kinds = re.findall(r"<td>(failed|growth|witness)</td>", found.source)

    assert kinds == ["failed", "growth", "witness"]


def test_the_table_says_how_bad_a_finding_is_and_shows_its_input(store: Store) -> None:
    found = page(store, inputs(store), worst(store))
    heads = re.findall(r"<th[^>]*>([a-z]+)</th>", found.source)
    assert {"severity", "input"} <= set(heads)
    assert re.search(r"<td><span title=[^>]*>high</span></td>\s*<td>failed</td>", found.source)
    assert "medium: measured: the cost grows by a higher class than on average inputs" in found.words


def test_findings_of_one_cause_are_one_row(store: Store) -> None:
    error = {"exception": {"module": "builtins", "name": "KeyError"}, "place": "a.py:3"}
    for target, text in (("a.py", "walk([1, 2])"), ("b.py", "walk([])")):
        found = Finding(
            f"{target} a.py:3", "failed", "KeyError", Trace(()), {**error, "value": {"text": text}}
        )
        run(store, "cover", target, {}, [moment(9)], (found,))
    shown = page(store, *(row.id for row in store.campaigns()))
    assert len(re.findall(r"<td>failed</td>", shown.source)) == 1


def test_whoever_ran_the_campaigns_has_the_first_word(store: Store) -> None:
    sections = (
        Section("The plan", (f"first {EVIL}", "then cover")),
        Section("Coverage", ("a  1", "b  2"), table=True),
    )
    found = page(store, inputs(store), title=f"hunt {EVIL}", sections=sections)

    assert found.text.index("The plan") < found.text.index("Progress")
    assert "a  1\nb  2" in found.words
    assert "script" not in [tag for tag, _ in found.tags]


@pytest.mark.parametrize("engine", ALL)
def test_nothing_hostile_becomes_markup(store: Store, engine: str) -> None:
    found = page(store, ALL[engine](store, EVIL), title=EVIL)
    tags = [tag for tag, _ in found.tags]

    assert "script" not in tags
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
    assert "<script>alert(1)</script>" in found.text  # it is told, as text
    assert "\u202e" not in found.source


@pytest.mark.parametrize("engine", ALL)
def test_the_page_needs_no_network_and_no_script(store: Store, engine: str) -> None:
    found = page(store, ALL[engine](store))

    assert "script" not in [tag for tag, _ in found.tags]
    assert not re.search(r"https?://|@import|url\(", found.source)
    assert all(link.startswith("#") for link in found.all("href"))
    assert all(link.startswith("data:") for link in found.all("src"))
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in found.all("content")


@pytest.mark.parametrize("engine", ALL)
@pytest.mark.parametrize(
    "extra", [{}, {"sizes": 3, "branches": "many", "rejections": [1], "of": {}, "verb": 1}]
)
def test_reports_that_make_no_sense_still_give_a_page(store: Store, engine: str, extra: dict) -> None:
    found = page(store, run(store, engine, "t", {}, [moment(1, extra), moment(9, extra)]))

    assert "9" in found.words


def test_an_engine_of_another_version_gets_the_common_parts(store: Store) -> None:
    found = page(store, run(store, "telepathy", "t", {}, [moment(1), moment(40)]))

    assert "untrod campaigns show telepathy" in found.text


def test_a_campaign_that_never_ran_still_gives_a_page(store: Store) -> None:
    from untrod.core.budget import Budget

    row = store.create_campaign("inputs", "t", {}, 1, Budget(episodes=1))

    found = page(store, row.id)

    assert "nothing was run" in found.words
    assert f"broken off; go on with: untrod campaigns resume {row.id}" in found.words


def test_one_that_is_not_there_is_named(store: Store, tmp_path: Path) -> None:
    inputs(store)
    with pytest.raises(UntrodError, match="there is no campaign 'nope'"):
        write_html(store, ["nope"], tmp_path / "x.html", "t")
    assert not (tmp_path / "x.html").exists()


def json_bytes(body: object) -> bytes:
    import json

    return json.dumps(body).encode()
