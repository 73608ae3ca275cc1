"""What the page shows of a campaign: its inputs, and what was learned of those that were rejected."""

from __future__ import annotations

from html_campaigns import hypothesis, inputs
from html_page import page

from untrod.store import Store


def test_inputs_shows_unique_inputs_the_policys_progress_and_samples(store: Store) -> None:
    found = page(store, inputs(store))

    assert "Unique valid inputs" in found.captions
    assert "What the policy has learned: how many of the inputs are valid" in found.captions
    assert "100 unique valid inputs (50% valid)" in found.text
    assert "sample ok" in found.text
    assert "refused ok" in found.text


def test_inputs_tells_which_options_the_policy_avoids_and_what_was_asked_there(store: Store) -> None:
    (store.folder.parent / "shop.py").write_text(
        "def ok(choose):\n    return choose((True, False)) or None\n"
    )

    found = page(store, inputs(store))

    assert {"ok:2:11", "choose((True, False))", "option 0 of 2, after ok", "91"} <= set(found.words)


def test_hypothesis_tells_which_choices_are_blamed(store: Store) -> None:
    found = page(store, hypothesis(store))

    assert "What the policy has learned" in found.captions
    assert {"xs[i]=ok", "0 of 13", "ok: ok", "test_x.py::ok", "assume(ok)"} <= set(found.words)
