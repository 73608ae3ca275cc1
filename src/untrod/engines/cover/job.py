"""One shard of a `cover` campaign, inside a worker: many runs per message, nothing but JSON out.

A trace is an input (`case.Input.trace`). Replaying it says what the input does today, as a case.
"""

from __future__ import annotations

import time
from functools import cached_property

from untrod.core.protocols import Batch, Beacon
from untrod.core.vocabulary import Json, Outcome, Trace, digest
from untrod.engines.cover.arms.catalogue import make_arms
from untrod.engines.cover.arms.paths import Shared
from untrod.engines.cover.case import Case, Input
from untrod.engines.cover.exploration import Exploration
from untrod.engines.cover.loading import load_subject, load_words
from untrod.engines.cover.snapshots import read_snapshot, write_snapshot
from untrod.engines.cover.steady import steady_case
from untrod.engines.cover.subject import Run, Subject
from untrod.engines.cover.under_test import UnderTest
from untrod.runtime.deadline import EpisodeStopped

_CORPUS_TEXT = 500
MOST_FINDINGS = 100
HOPELESS = 20
"""Inputs of an entry whose arguments could not be made, before a person is told."""
PATH_SECONDS = 1.0
"""How long one symbolic path may take: there are always others."""


class CoverJob:
    """Built from the JSON that `engine.CoverEngine.spec` makes."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self._spec = spec
        self._beacon = beacon
        self._subject = self._load(spec, beacon)
        self._known: set[str] = set()
        self._kept: list[str] = []
        self._report = _empty()
        self._hopeless: set[str] = set()
        self._told_of_outages = False
        self._shared: list[Shared] = []
        self._untaken: tuple[int, list[Json]] = (-1, [])

    @cached_property
    def _exploration(self) -> Exploration:
        """Made when the first batch runs: a worker that only replays needs no arms, and no solver."""
        exploration = self._explore()
        if self._spec["lesson"]:
            self._recall(exploration, self._spec["lesson"])
        return exploration

    def _load(self, spec: Json, beacon: Beacon) -> UnderTest:
        return load_subject(spec, beacon)

    def _explore(self) -> Exploration:
        spec, subject = self._spec, self._subject
        assert isinstance(subject, Subject)
        arms, self._shared, notices = make_arms(
            spec["searcher"], spec["pruning"], spec["seed"], self._path_seconds, spec["chance"]
        )
        for notice in [*notices, *map(str, subject.survey.refused), *_guesses(subject)]:
            self._report["notices"].append(notice)
        words = load_words(subject)
        return Exploration(subject, arms, words, spec["seed"], self._heard, timed=spec["timed"])

    @property
    def _path_seconds(self) -> float:
        """Where episodes are what counts, the solver's own limits end a path: clocks differ."""
        limit = float(self._spec["timeout"]) / 2
        return min(PATH_SECONDS, limit) if self._spec["timed"] else limit

    def run(self, batch: Batch) -> Json:
        deadline = time.monotonic() + batch.seconds
        exploration, subject = self._exploration, self._subject
        last = subject.runs + batch.episodes
        try:
            while subject.runs < last and time.monotonic() < deadline and not exploration.finished:
                exploration.step()
        except EpisodeStopped:
            pass  # the campaign is ending; what was counted stays counted
        self._beacon.end()
        self._name_what_cannot_be_called()
        self._tell_of_outages()
        report, self._report = self._report, _empty()
        return {**self._counts(), **report, "exhausted": exploration.finished}

    def _heard(self, run: Run, by: str, new: bool) -> int:
        """The exploration tells of a run, and wants to know what its test takes."""
        arcs = run.arcs
        if new:
            case, arcs = self._subject.case(run, by)
            key = digest(run.given.trace().dumps())
            self._kept.append(key)
            self._report["keys"].append(key)
            self._report["corpus"].append([key, list(run.given.trace().answers), str(case)[:_CORPUS_TEXT]])
        told = self._subject.trouble(run)
        if told is not None and told["key"] not in self._known and len(self._known) < MOST_FINDINGS:
            self._known.add(told["key"])
            answers = list(run.given.trace().answers)
            finding = {**told, "answers": answers, "shrunk": True, "episode": run.number}
            self._report["findings"].append(finding)
        return arcs

    def replay(self, trace: Trace) -> Json:
        answers = list(trace.answers)
        nothing: dict[str, Json] = {
            "outcome": Outcome.INVALID.value,
            "answers": answers,
            "finding": None,
            "value": {},
        }
        try:
            given = Input.from_trace(answers)
        except ValueError:
            return {**nothing, "case": None}
        run = self._run_again(given)
        if not run.valid:
            return {**nothing, "case": None}
        told = self._subject.trouble(run)
        case = self._case(run) if run.testable else None
        return {
            "outcome": self._subject.ending(run).value,
            "answers": answers,
            "finding": told and {**told, "answers": answers},
            "value": {"text": str(run.given)},
            "case": case and case.to_json(),
            "about": self._about,
        }

    def _run_again(self, given: Input) -> Run:
        if isinstance(self._subject, Subject):
            self._subject.watching = True  # whoever replays makes a test of it
        return self._subject.run(given)

    def _case(self, run: Run) -> Case | None:
        if isinstance(self._subject, Subject):
            return steady_case(self._subject, run, "replay")
        return self._subject.case(run, "replay")[0]

    @cached_property
    def _about(self) -> Json:
        """What is needed to name the branches from outside: the source files, and what importing takes."""
        subject = self._subject
        if not isinstance(subject, Subject):
            return None
        imported = [list(arc) for arc in sorted(subject.atlas.named(subject.imported))]
        return {"files": subject.atlas.files, "imported": imported}

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        for number, made in episodes:
            (self._subject.untested if made else self._subject.passed_over).add(number)

    def _name_what_cannot_be_called(self) -> None:
        if not isinstance(self._subject, Subject):
            return
        for name, unbuilt in self._subject.unbuilt.items():
            if not unbuilt.ever_built and unbuilt.times >= HOPELESS and name not in self._hopeless:
                self._hopeless.add(name)
                notice = f"{name} was never called: its arguments cannot be made ({unbuilt.reason})"
                self._report["notices"].append(f"{notice}; --shape may say how")

    def _tell_of_outages(self) -> None:
        if not self._told_of_outages and any(s.lab.outages for s in self._shared if s.lab):
            self._told_of_outages = True
            notice = "the solver ran out of memory: it was started again, and what it was asked is undecided"
            self._report["notices"].append(f"{notice}; --memory gives it more")

    def _recall(self, exploration: Exploration, lesson: Json) -> None:
        """The inputs of an earlier campaign are run again: code changes, and so does what they take."""
        try:
            inputs = [Input.from_json(body) for body in lesson["archive"]["kept"]]
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
            self._report["notices"].append(
                "what an earlier campaign has found could not be read: starting anew"
            )
            return
        exploration.recall(inputs, lesson)
        for shared, pruning in zip(self._shared, lesson.get("prunings", ()), strict=False):
            try:
                shared.pruning.load(pruning)
            except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
                pass  # of another pruning: the inputs are what counts

    def _counts(self) -> dict[str, Json]:
        subject, exploration = self._subject, self._exploration
        return {
            "episodes": subject.runs,
            "valid": subject.valid,
            "unique": len(self._kept),
            "branches": subject.atlas.total,
            "imported": subject.atlas.covered(subject.imported),
            "entries": len(subject.drawers),
            "gained": list(exploration.gained.items()),
            "untaken": self._describe_untaken(),
            "symbolic": self._symbolic(),
        }

    def _describe_untaken(self) -> list[Json]:
        covered, atlas = self._exploration.covered, self._subject.atlas
        if self._untaken[0] != covered:
            rows = [
                [*arc, atlas.line(arc.module, arc.start), atlas.describe(arc)]
                for arc in atlas.untaken(covered)
            ]
            self._untaken = (covered, rows)
        return [[*row, self._reason(row[1])] for row in self._untaken[1]]

    def _symbolic(self) -> dict[str, int]:
        labs = [shared.lab.counts() for shared in self._shared if shared.lab]
        return {name: sum(lab[name] for lab in labs) for name in (labs[0] if labs else {})}

    def _reason(self, line: int) -> str:
        """Why a branch of that line was not taken."""
        if self._exploration.is_exhausted:
            return "no input takes it: all paths were walked"
        if any(line == at for shared in self._shared if shared.lab for _, at in shared.lab.undecided):
            return "the solver could not decide it"
        return "not reached within the budget"

    def snapshot(self) -> bytes:
        subject = self._subject
        return write_snapshot(
            {
                "runs": subject.runs,
                "valid": subject.valid,
                "known": sorted(self._known),
                "kept": self._kept,
                "exploration": self._exploration.state(),
                "symbolic": [shared.state() for shared in self._shared],
            }
        )

    def restore(self, blob: bytes) -> Json:
        body = read_snapshot(blob)
        try:
            self._exploration.load(body["exploration"])
            for shared, state in zip(self._shared, body["symbolic"], strict=True):
                shared.load(state, self._exploration)
            self._subject.runs, self._subject.valid = int(body["runs"]), int(body["valid"])
            self._known, self._kept = set(body["known"]), list(body["kept"])
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            raise ValueError(f"not a snapshot of this campaign: {error}") from error
        return {**self._counts(), "keys": self._kept}


def _guesses(subject: Subject) -> list[str]:
    guessed = [name for entry in subject.survey.entries for name in entry.guessed]
    if not guessed:
        return []
    if len(guessed) == 1:
        return [f"the type of {guessed[0]} was guessed from its use: it has none"]
    named = ", ".join(guessed[:3]) + (", ..." if len(guessed) > 3 else "")
    return [f"the types of {len(guessed)} parameters were guessed from their use: {named}"]


def _empty() -> dict[str, list[Json]]:
    return {"keys": [], "corpus": [], "findings": [], "notices": []}
