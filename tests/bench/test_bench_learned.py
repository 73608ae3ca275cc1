"""What learned pruning has to go by: counted at every prune."""

from __future__ import annotations

import pytest
from bench.cover import learned
from bench.cover.learned import SEEN, Watched, summary, watch
from bench.cover.subjects import SUBJECTS

from untrod.learn.pruning import RoundTest, Settings


@pytest.fixture(autouse=True)
def nothing_seen():
    SEEN.clear()
    yield
    SEEN.clear()


def test_states_are_counted_by_what_a_weight_says_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "FEW", 3)
    homi = Watched(1, Settings(lengths=(5.0,), warm_up=0))
    homi.begin_round()
    homi.end_round([RoundTest(["1"], ["a", "b"])])
    homi.begin_round()
    homi.prune({1: ["a"], 2: ["a", "c"], 3: ["b"], 4: ["c"]})
    # a and a with c weigh the same; c alone weighs nothing, as would d.
    assert (SEEN["prunes"], SEEN["pruned"], SEEN["weighed"], SEEN["learned"]) == (1, 4, 3, 0)
    assert SEEN["tied"] == 2
    assert SEEN["rounds"] == 2


def test_percentages_are_of_all_states_at_all_prunes() -> None:
    counts = {"rounds": 5, "informed rounds": 2, "prunes": 4, "pruned": 80}
    found = summary({"covered": 7, "symbolic": counts | {"weighed": 80, "learned": 40, "tied": 8}})
    assert found["states at a prune"] == 20
    assert [found[f"% {name}"] for name in ("weighed", "learned", "tied")] == [100, 50, 10]
    without = summary({"covered": 7, "symbolic": counts | {"prunes": 0}})
    assert without == {"branches": 7, "rounds": 5, "informed rounds": 2, "prunes": 0}


def test_a_campaign_tells_what_its_worker_has_seen() -> None:
    pytest.importorskip("z3")
    found = watch(SUBJECTS["triangle"], 1, 3.0)
    assert found["branches"] == 10
    assert found["rounds"] >= 1
