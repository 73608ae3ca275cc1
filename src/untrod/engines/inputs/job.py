"""One shard of an `inputs` campaign, inside a worker: the search, and its job.

`InputsSearch.step` is one episode. What else happens here: known traces are played first (`CorpusPlayer`),
new inputs and new failures are described as JSON, and the options that the learner blames are told
(`BlameReport`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.loop import play
from untrod.core.protocols import Beacon, HasStates, Learner, Sleeps, needs_context, observer
from untrod.core.vocabulary import Choice, Context, Episode, Json, Outcome, Trace
from untrod.engines.inputs.counts import BlamedOptionCount
from untrod.engines.inputs.judge import Novelty, load_characteristic
from untrod.engines.inputs.target import Feedback, GeneratorTarget, Replay
from untrod.learn.catalogue import make_learner
from untrod.learn.exonerate.learner import exonerate_of
from untrod.learn.exonerate.suspects import blamed_options
from untrod.runtime.describe import describe_failure, text_of
from untrod.runtime.job import SearchJob
from untrod.runtime.loading import TargetName, load_exception, load_function
from untrod.runtime.randomness import reseed
from untrod.source.codec import encode
from untrod.source.literals import express

FORMAT = 1
_CORPUS_TEXT = 500

BLAME_FIRST = 100
BLAME_GROWTH = 1.5
"""When the learner's table is read for people: after so many episodes, then after so many times as many."""


class InputsSearch:
    """Built from the JSON that `engine.InputsEngine.spec` makes."""

    finished = False  # there is always another input

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        project = Path(spec["project"])
        self._project = project
        generator = load_function(TargetName(**spec["generator"]), project)
        _refuse_other_signatures(generator, TargetName(**spec["generator"]))
        self._valid = spec["valid"] and load_function(TargetName(**spec["valid"]), project)
        self._test = spec["test"] and load_function(TargetName(**spec["test"]), project)
        self._learner: Learner = make_learner(spec["learner"], spec["seed"], spec["settings"])
        self._states = self._learner if isinstance(self._learner, HasStates) else None
        self._blamed = BlameReport(self._learner)
        self._by_value = spec["characteristic"] == "value"
        self._feedback = Feedback(
            spec["project"],
            trace=spec["characteristic"] == "trace",
            greybox=spec["reward"] == "greybox" and needs_context(self._learner),
        )
        self._target = GeneratorTarget(
            _reseeding(generator, spec["seed"]),
            self._valid or None,
            self._test or None,
            load_characteristic(spec["characteristic"], project),
            beacon,
            tuple(load_exception(TargetName(**name), project) for name in spec["invalid"]),
            self._feedback,
        )
        self._corpus = CorpusPlayer(self._learner, spec["corpus"])
        self._novelty = Novelty()
        self._keep: int = spec["keep"]
        self._passed_over: set[int] = set()
        self._known_findings: set[str] = set()
        self._complained = False
        self.episodes = 0
        self._report = _Report()
        self._valid_count = 0
        self._kept = 0

    def step(self, most: int) -> None:
        """One episode."""
        if self.episodes in self._passed_over:
            self._pass_over()
        else:
            self._count(play(self._target, self._player(), self._novelty, self.episodes))

    def news(self) -> dict[str, Json]:
        report, self._report = self._report, _Report()
        return {
            "convicted": self._blamed(self.episodes),
            "keys": report.keys,
            "corpus": report.corpus,
            "findings": report.findings,
            "notices": self._complaints(),
        }

    def keys(self) -> list[str]:
        return list(self._novelty.state())

    def _complaints(self) -> list[str]:
        complaint = self._feedback.complaint()
        if complaint is None or self._complained:
            return []
        self._complained = True
        return [complaint]

    def _player(self) -> Learner:
        """The corpus decides in the first episodes, the learner in all others."""
        if self.episodes >= len(self._corpus):
            return self._learner
        self._corpus.play(self.episodes)
        return self._corpus

    def counts(self) -> dict[str, Json]:
        return {
            "episodes": self.episodes,
            "valid": self._valid_count,
            "unique": len(self._novelty),
            "states": self._states.size if self._states is not None else 0,
        }

    def replay(self, trace: Trace) -> Json:
        policy = Replay(trace.answers)
        episode = self._target.run(0, policy)
        answers = list(episode.answers)
        return {
            "outcome": episode.outcome.value,
            "answers": answers,
            "finding": self._describe(episode) if episode.error is not None else None,
            "value": self._value_of(answers),
        }

    def skip(self, number: int, made: bool) -> None:
        (self._target.untested if made else self._passed_over).add(number)

    def state(self) -> dict[str, Json]:
        return {
            "format": FORMAT,
            "learner": self._learner.name,
            "episodes": self.episodes,
            "valid": self._valid_count,
            "kept": self._kept,
            "findings": sorted(self._known_findings),
            "novelty": self._novelty.state(),
            "watch": self._feedback.state(),
            "state": self._learner.state(),
        }

    def load(self, state: dict[str, Json]) -> None:
        if state["format"] != FORMAT or state["learner"] != self._learner.name:
            raise ValueError(f"a snapshot of {state['learner']} in format {state['format']}")
        self._learner.load(state["state"])
        self._novelty.load(state["novelty"])
        if "watch" in state:  # a snapshot from before there was one has nothing to go on from
            self._feedback.load(state["watch"])
        self._known_findings = set(state["findings"])
        self.episodes, self._valid_count, self._kept = state["episodes"], state["valid"], state["kept"]

    def _count(self, episode: Episode) -> None:
        report = self._report
        self.episodes = episode.number + 1
        if episode.outcome is Outcome.INVALID:
            return
        self._valid_count += 1
        if episode.new:
            report.keys.append(self._novelty.newest)
            if self._kept < self._keep:
                self._kept += 1
                report.corpus.append(
                    [self._novelty.newest, list(episode.answers), self._text_of(episode)[:_CORPUS_TEXT]]
                )
        if episode.error is not None:
            finding = self._describe(episode)
            if finding["key"] not in self._known_findings:
                self._known_findings.add(finding["key"])
                report.findings.append({**finding, "episode": episode.number})

    def _text_of(self, episode: Episode) -> str:
        """The input in words. The property may have changed the value, so it is made once more."""
        if not self._by_value:
            return str(self._value_of(list(episode.answers))["text"])
        return episode.key if isinstance(episode.key, str) else repr(episode.key)

    def _pass_over(self) -> None:
        """The input cannot even be made: move the learner on, or it would make the same one again."""
        answer = self._learner.decide(Choice(Context(), site="passed over", options=2))
        self._learner.learn(Episode(self.episodes, [answer], outcome=Outcome.CRASHED))
        self.episodes += 1

    def _describe(self, episode: Episode) -> Json:
        assert episode.error is not None
        answers, stage = list(episode.answers), self._target.stage
        return {
            **describe_failure(episode.error, episode.outcome, self._project),
            "answers": answers,
            "stage": stage,
            "value": self._value_of(answers),
        }

    def _value_of(self, answers: list[int]) -> Json:
        """The input as it was before the property could change it: made once more from its answers."""
        try:
            value = self._target.make(Replay(answers))
            node = express(value)
            return {"text": text_of(value, "repr"), "node": None if node is None else encode(node)}
        except BaseException as error:
            return {"text": f"(making it raises {type(error).__name__})"}


class _Report:
    def __init__(self) -> None:
        self.keys: list[str] = []
        self.corpus: list[Json] = []
        self.findings: list[Json] = []


class CorpusPlayer:
    """Plays known traces, one for each of the first episodes. `learner` observes, and learns from how they
    end.

    From an answer on that does not fit its choice, and where a trace is too short, `learner` decides.
    """

    needs_context = True

    def __init__(self, learner: Learner, traces: Sequence[Sequence[int]]) -> None:
        self.name = learner.name
        self._learner = learner
        self._traces = traces
        self._trace: Sequence[int] = ()
        self._observe = observer(learner)
        self._sleeper = learner if isinstance(learner, Sleeps) else None

    def __len__(self) -> int:
        return len(self._traces)

    def play(self, number: int) -> None:
        """The next episode plays the trace with this number."""
        self._trace = self._traces[number]
        if self._sleeper is not None:
            self._sleeper.wake()

    def decide(self, choice: Choice) -> int:
        at = len(choice.context.answers)
        if at >= len(self._trace) or not 0 <= self._trace[at] < choice.options:
            self._trace = ()
            return self._learner.decide(choice)
        self._observe(choice, self._trace[at])
        return self._trace[at]

    def learn(self, episode: Episode) -> None:
        self._learner.learn(episode)
        if episode.number + 1 == len(self._traces) and self._sleeper is not None:
            self._sleeper.rest()

    def state(self) -> Json:
        return self._learner.state()

    def load(self, state: Json) -> None:
        self._learner.load(state)


class BlameReport:
    """The options that a shard's learner blames, for people. Read from its table again after half as many
    episodes more: a large table takes time to read."""

    def __init__(self, learner: Learner) -> None:
        self._exonerate = exonerate_of(learner)
        self._due: float = BLAME_FIRST
        self._last: list[BlamedOptionCount] = []

    def __call__(self, episodes: int) -> list[BlamedOptionCount]:
        """The most often tried first; none from learners that blame none."""
        if self._exonerate is not None and episodes >= self._due:
            self._due = episodes * BLAME_GROWTH
            self._last = [
                {
                    "site": each.site,
                    "option": each.option,
                    "options": each.options,
                    "after": list(map(str, each.after)),
                    "within": list(map(str, each.within)),
                    "tried": each.tried,
                }
                for each in blamed_options(self._exonerate.cells)
            ]
        return self._last


def _reseeding(generator: Callable[[Any], Any], seed: int) -> Callable[[Any], Any]:
    """The target's global randomness starts each episode from the same state, or it could not be replayed."""

    def seeded(choose: Any) -> Any:
        reseed(seed)
        return generator(choose)

    return seeded


def _refuse_other_signatures(generator: Callable[..., Any], name: TargetName) -> None:
    try:
        inspect.signature(generator).bind(None)
    except ValueError:
        return  # a built-in without a signature: it may take one argument
    except TypeError as error:
        raise UntrodError(
            f"{name} cannot be called with `choose`: {error}", "a generator takes `choose`"
        ) from None


class InputsJob(SearchJob):
    def __init__(self, spec: Json, beacon: Beacon) -> None:
        super().__init__(InputsSearch(spec, beacon), beacon)
