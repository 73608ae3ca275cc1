"""How one shard of an `inputs` campaign explores, inside a worker: the search, and its job."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from untrod.core.loop import play
from untrod.core.protocols import Beacon, Learner
from untrod.core.vocabulary import Choice, Context, Episode, Json, Outcome, Trace
from untrod.engines.inputs.follow import Following
from untrod.engines.inputs.functions import load_characteristic, refuse_other_signatures
from untrod.engines.inputs.guide import Replay
from untrod.engines.inputs.novelty import Novelty
from untrod.engines.inputs.opinion import Opinion
from untrod.engines.inputs.target import GeneratorTarget
from untrod.engines.inputs.watch import Watch
from untrod.learn.catalogue import make_learner
from untrod.runtime.describe import describe_failure, text_of
from untrod.runtime.job import SearchJob
from untrod.runtime.loading import TargetName, load_exception, load_function
from untrod.runtime.randomness import reseed
from untrod.source.codec import encode
from untrod.source.literals import express

FORMAT = 1
_CORPUS_TEXT = 500


class InputsSearch:
    """Built from the JSON that `engine.InputsEngine.spec` makes."""

    finished = False  # there is always another input

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        project = Path(spec["project"])
        self._project = project
        generator = load_function(TargetName(**spec["generator"]), project)
        refuse_other_signatures(generator, TargetName(**spec["generator"]))
        self._valid = spec["valid"] and load_function(TargetName(**spec["valid"]), project)
        self._test = spec["test"] and load_function(TargetName(**spec["test"]), project)
        self._learner: Learner = make_learner(spec["learner"], spec["seed"], spec["settings"])
        self._opinion = Opinion(self._learner)
        self._by_value = spec["characteristic"] == "value"
        self._watch = Watch(
            spec["project"],
            trace=spec["characteristic"] == "trace",
            greybox=spec["reward"] == "greybox" and getattr(self._learner, "needs_context", True),
        )
        self._target = GeneratorTarget(
            _reseeding(generator, spec["seed"]),
            self._valid or None,
            self._test or None,
            load_characteristic(spec["characteristic"], project),
            beacon,
            tuple(load_exception(TargetName(**name), project) for name in spec["invalid"]),
            self._watch,
        )
        self._following = Following(self._learner, spec["corpus"])
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
            "convicted": self._opinion(self.episodes),
            "keys": report.keys,
            "corpus": report.corpus,
            "findings": report.findings,
            "notices": self._complaints(),
        }

    def keys(self) -> list[str]:
        return list(self._novelty.state())

    def _complaints(self) -> list[str]:
        complaint = self._watch.complaint()
        if complaint is None or self._complained:
            return []
        self._complained = True
        return [complaint]

    def _player(self) -> Learner:
        """Whoever decides from here on: the corpus first, then the learner."""
        if self.episodes >= len(self._following):
            return self._learner
        self._following.follow(self.episodes)
        return self._following

    def counts(self) -> dict[str, Json]:
        return {
            "episodes": self.episodes,
            "valid": self._valid_count,
            "unique": len(self._novelty),
            "states": getattr(self._learner, "size", 0),
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
            "watch": self._watch.state(),
            "state": self._learner.state(),
        }

    def load(self, state: dict[str, Json]) -> None:
        if state["format"] != FORMAT or state["learner"] != self._learner.name:
            raise ValueError(f"a snapshot of {state['learner']} in format {state['format']}")
        self._learner.load(state["state"])
        self._novelty.load(state["novelty"])
        if "watch" in state:  # a snapshot from before there was one has nothing to go on from
            self._watch.load(state["watch"])
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


def _reseeding(generator: Callable[[Any], Any], seed: int) -> Callable[[Any], Any]:
    """The target's global randomness starts each episode from the same state, or it could not be replayed."""

    def seeded(choose: Any) -> Any:
        reseed(seed)
        return generator(choose)

    return seeded


class InputsJob(SearchJob):
    def __init__(self, spec: Json, beacon: Beacon) -> None:
        super().__init__(InputsSearch(spec, beacon), beacon)
