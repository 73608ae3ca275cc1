"""A corpus of traces comes first, and the learner learns from it."""

from __future__ import annotations

from itertools import islice

import pytest

from untrod.core.loop import explore
from untrod.core.vocabulary import Episode
from untrod.engines.inputs.job import CorpusPlayer
from untrod.engines.inputs.judge import ByValue, Novelty
from untrod.engines.inputs.target import Choose, GeneratorTarget
from untrod.learn.catalogue import make_learner


class Dark:
    """A beacon that nobody looks at."""

    def begin(self, episode: int) -> None: ...

    def trace(self, answers: list[int]) -> None: ...

    def end(self) -> None: ...


def word(choose: Choose) -> str:
    return "".join(choose("abcdefghij") for _ in range(6))


def run(learner_name: str, traces: list[list[int]], episodes: int) -> list[Episode]:
    """Copies of what happened: an episode's answers belong to the guide."""
    target = GeneratorTarget(word, lambda text: text[0] == text[5], None, ByValue(), Dark())
    learner = make_learner(learner_name, 1)
    player = CorpusPlayer(learner, traces)
    seen = []
    for number in range(len(traces)):
        player.play(number)
        seen += list(islice(explore(target, player, Novelty(), number), 1))
    seen += list(islice(explore(target, learner, Novelty(), len(traces)), episodes))
    return seen


@pytest.mark.parametrize("name", ["montecarlo", "exonerate", "auto", "random"])
def test_traces_are_played_in_order_whoever_learns(name: str) -> None:
    seen = run(name, [[0, 1, 2, 3, 4, 0], [9, 9, 9, 9, 9, 9]], 3)
    assert [episode.value for episode in seen[:2]] == ["abcdea", "jjjjjj"]
    assert len(seen) == 5


def test_where_a_trace_does_not_fit_the_learner_goes_on() -> None:
    (episode,) = run("exonerate", [[1, 2, 99, 0, 0, 0]], 0)
    assert episode.value.startswith("bc")
    assert len(episode.value) == 6


def test_the_learner_learns_from_what_it_did_not_decide() -> None:
    learner = make_learner("exonerate", 1)
    player = CorpusPlayer(learner, [[4, 0, 0, 0, 0, 4]])
    player.play(0)
    target = GeneratorTarget(word, None, None, ByValue(), Dark())
    list(islice(explore(target, player, Novelty(), 0), 1))
    assert learner.seeds == [[4, 0, 0, 0, 0, 4]]  # type: ignore[attr-defined]
