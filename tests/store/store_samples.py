"""Findings, corpus entries and campaigns to fill a store with."""

from __future__ import annotations

from pathlib import Path

from untrod.core.budget import Budget
from untrod.core.events import Checkpoint, CorpusGrown, FindingFound, Progress
from untrod.core.vocabulary import Finding, Trace
from untrod.store import CampaignRow, Recorder, Store


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def new_campaign(store: Store, engine: str = "inputs") -> CampaignRow:
    return store.create_campaign(engine, "pkg.mod:target", {"learner": "exonerate"}, 7, Budget(wall=60.0))


def a_finding(number: int, *answers: int) -> Finding:
    trace = Trace(answers or (number, 1, 2))
    return Finding(f"key {number}", "failed", f"finding {number} «é\ud800»", trace, {"line": number})


def found(number: int, *answers: int) -> FindingFound:
    return FindingFound(a_finding(number, *answers), episode=number, shard=0)


def grown(number: int) -> CorpusGrown:
    return CorpusGrown(f"{number:024x}", Trace((number, None, "x", 1.5, True)), f"value({number!r}) ü")


def progressed(episodes: int) -> Progress:
    return Progress(
        episodes, episodes // 2, episodes // 3, 1, episodes / 10, episodes / 20, {"states": episodes}
    )


def fill(recorder: Recorder, findings: int, corpus: int) -> None:
    for number in range(corpus):
        recorder(grown(number))
    for number in range(findings):
        recorder(found(number))
    recorder(Checkpoint(0, 10, b"ten"))
    recorder(Checkpoint(0, 20, b"twenty"))
    recorder.flush()


def filled_store(folder: Path, findings: int = 12, corpus: int = 60) -> str:
    """A closed store of two campaigns; the id of the first, which holds the given rows."""
    with Store.open(folder) as store:
        campaign = new_campaign(store)
        fill(store.recorder(campaign.id), findings, corpus)
        other = new_campaign(store, "gui")
        fill(store.recorder(other.id), 2, 2)
    return campaign.id
