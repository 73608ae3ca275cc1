"""The search: arms propose inputs, real runs judge them, bandits learn whom to ask.

    while arcs are left:
        a bandit gives one arm a turn
        during the turn: the arm proposes, `run` runs for real, notes what is new, and keeps those inputs
        the bandit is told what the turn has gained, and what it cost

`CoverSearch` is what a job drives: an `Exploration`, and what is to be reported of it. `Exploration` is the
loop above, as arms see it; whose turn it is, `arms.Turns` says. What an expensive arm runs in vain leaves no
trace, so that it changes nothing for those that draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from untrod.core.protocols import Beacon
from untrod.core.seeds import stream
from untrod.core.vocabulary import Json, Outcome, Trace, digest
from untrod.engines.cover.archive import Archive, EntryScheduler
from untrod.engines.cover.arms import SharedSession, Turns
from untrod.engines.cover.case import Arc, Input
from untrod.engines.cover.edges import edges_of, smaller
from untrod.engines.cover.loading import load_subject, load_words
from untrod.engines.cover.portfolio import make_arms
from untrod.engines.cover.rightness.levels import LEVELS, NOTE
from untrod.engines.cover.snapshots import FORMAT, check_format
from untrod.engines.cover.subject import Subject
from untrod.engines.cover.under_test import InputRun, UnderTest
from untrod.engines.cover.values.kinds import DrawContext
from untrod.engines.cover.values.words import Words
from untrod.learn.serialise import dump_random, load_random
from untrod.runtime.deadline import EpisodeTimeout

SLOW = 0.2
"""CPU seconds of a run: hundreds of others could have been made."""
MOST_SEEN = 200_000
EDGES = "edges"
"""Stands for an arm: what is run when everything is covered, see `edges`."""
MOST_AFTERWARDS, DRAWN = 1_000, 150
LEAST_SECONDS, SHARE = 0.5, 0.05
MOST_RETRIED = 20
EARLIER = "earlier"
"""Stands for an arm: what an earlier campaign had found already."""
MOST_FINDINGS = 100
FEW = 4
"""So many exceptions of one line are judged one by one."""
PATH_SECONDS = 1.0
"""How long one symbolic path may take: there are always others."""
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading a state may raise that is of another version, or no state at all."""
_CORPUS_TEXT = 500


class CoverSearch:
    """Built from the JSON that `engine.CoverEngine.spec` makes: one shard of a campaign.

    An episode is a real run, or the symbolic walk that leads to one. A trace is an input (`Input.trace`).
    """

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self._spec = spec
        self._shared: list[SharedSession] = []
        self._news = _nothing_new()
        self._findings: set[str] = set()
        self._ranks: dict[str, int] = {}  # of those that were told in this process
        self._raised: dict[object, int] = {}  # how often, by exception and line
        self._again: list[Input] = []  # to be run next: small variants of what looked like a bug
        self._retried: set[int] = set()
        self._afterwards = Afterwards(spec)
        self._kept: list[str] = []
        self._uncallable: set[str] = set()  # of which a person was told
        self._told_of_outages = False
        self._untaken: tuple[int, list[Json]] = (-1, [])
        self._begun: Exploration | None = None
        self.subject = self._load(spec, beacon)

    # -- the search, step by step -----------------------------------------------------------------

    @property
    def _exploration(self) -> Exploration:
        """Made when the first episode runs: a worker that only replays needs no arms, and no solver."""
        if self._begun is None:
            self._begun = self._explore()
            if self._spec["transfer"]:
                self._adopt(self._begun, self._spec["transfer"])
        return self._begun

    @property
    def episodes(self) -> int:
        """So far; those with which the search has begun, from an earlier campaign, among them."""
        return self._exploration.subject.runs

    @property
    def finished(self) -> bool:
        return self._exploration.finished and not self._again and self._afterwards.is_over(self._exploration)

    def step(self, most: int) -> None:
        """One episode; a round of symbolic execution may end with a few more."""
        if self._again:
            self._exploration.run(self._again.pop(0), by=EDGES)
        elif self._exploration.finished:
            self._afterwards.step(self._exploration)
        else:
            self._exploration.step()

    def skip(self, number: int, made: bool) -> None:
        (self.subject.untested if made else self.subject.passed_over).add(number)

    def replay(self, trace: Trace) -> Json:
        """What the input does today, as a case."""
        answers = list(trace.answers)
        invalid: dict[str, Json] = {"outcome": Outcome.INVALID.value, "answers": answers}
        invalid |= {"finding": None, "value": {}, "case": None}
        try:
            given = Input.from_trace(answers)
        except ValueError:
            return invalid
        subject = self.subject
        run = subject.rerun(given)
        if not run.valid:
            return invalid
        found = subject.finding(run)
        case = subject.stable_case(run) if run.testable else None
        return {
            "outcome": subject.outcome(run).value,
            "answers": answers,
            "finding": found and {**found, "answers": answers},
            "value": {"text": str(run.given)},
            "case": case and case.to_json(),
            "about": subject.about,
        }

    # -- what is reported -------------------------------------------------------------------------

    def news(self) -> dict[str, Json]:
        for name, reason in self.subject.uncallable().items():
            if name not in self._uncallable:
                self._uncallable.add(name)
                notice = f"{name} was never called: its arguments cannot be made ({reason})"
                self._news["notices"].append(f"{notice}; --shape may say how")
        if not self._told_of_outages and any(one.session.outages for one in self._shared if one.session):
            self._told_of_outages = True
            notice = "the solver ran out of memory: it was started again, and what it was asked is undecided"
            self._news["notices"].append(f"{notice}; --memory gives it more")
        news, self._news = self._news, _nothing_new()
        return news

    def counts(self) -> dict[str, Json]:
        subject, exploration = self.subject, self._exploration
        return {
            "episodes": subject.runs,
            "valid": subject.valid,
            "unique": len(self._kept),
            "branches": subject.branch_map.total,
            "imported": subject.branch_map.covered(subject.imported),
            "entries": len(subject.drawers),
            "gained": list(exploration.gained.items()),
            "untaken": self._describe_untaken(),
            "symbolic": self._symbolic(),
        }

    def keys(self) -> list[str]:
        return self._kept

    def _record(self, run: InputRun, by: str, new: bool) -> int:
        """For `Exploration`: a run took something new, or raised. Returns the arcs that its test takes."""
        arcs = run.arcs
        if new:
            case, arcs = self.subject.case(run, by)
            trace = run.given.trace()
            key = digest(trace.dumps())
            self._kept.append(key)
            self._news["keys"].append(key)
            self._news["corpus"].append([key, list(trace.answers), str(case)[:_CORPUS_TEXT]])
        if run.error is None or by == EDGES or self._is_worth_judging(run.error):
            self._tell(run)
        return arcs

    def _is_worth_judging(self, error: BaseException) -> bool:
        """Of what one line raises again and again, the first few, and then ever fewer: judging takes longer
        than a run, and the first input to raise it need not be the one that says most."""
        trace = error.__traceback__
        if trace is None:
            return True
        while trace.tb_next is not None:
            trace = trace.tb_next
        place = (type(error), trace.tb_frame.f_code, trace.tb_lineno)
        count = self._raised[place] = self._raised.get(place, 0) + 1
        return count <= FEW or not count & (count - 1)

    def _tell(self, run: InputRun) -> None:
        found = self.subject.finding(run)
        if found is None or len(self._findings) >= MOST_FINDINGS:
            return
        rank = LEVELS.index(found["level"]) if "level" in found else 0
        if found["key"] in self._findings and rank >= self._ranks.get(found["key"], 0):
            return
        is_note = found.get("level") == NOTE
        if is_note and found["key"].removeprefix(f"{NOTE}:") in self._findings:
            return  # the same, by arguments that say more
        if rank > 0 and run.number not in self._retried and len(self._retried) < MOST_RETRIED:
            self._retried.add(run.number)
            self._again += list(smaller(run.given))[:FEW]  # does a small number do it as well?
            if isinstance(self.subject, Subject):
                self._again += self.subject.repaired(run)
        self._findings.add(found["key"])
        self._ranks[found["key"]] = rank
        told = {"answers": list(run.given.trace().answers), "shrunk": True, "episode": run.number}
        self._news["findings"].append({**found, **told})

    def _describe_untaken(self) -> list[Json]:
        covered, branch_map = self._exploration.covered, self.subject.branch_map
        if self._untaken[0] != covered:
            rows = [
                [*arc, branch_map.line(arc.module, arc.start), branch_map.describe(arc)]
                for arc in branch_map.untaken(covered)
            ]
            self._untaken = (covered, rows)
        return [[*row, self._reason(row)] for row in self._untaken[1]]

    def _reason(self, row: Json) -> str:
        """Why that branch was not taken."""
        line = row[1]
        if self.subject.branch_map.bits_of([Arc(*row[:3])]) & self._exploration.refused:
            return "taken only where the guard refused something: no test may do that"
        if self._exploration.is_exhausted:
            return "no input takes it: all paths were walked"
        if any(line == at for one in self._shared if one.session for _, at in one.session.undecided):
            return "the solver could not decide it"
        return "not reached within the budget"

    def _symbolic(self) -> dict[str, int]:
        sessions = [one.session.counts() for one in self._shared if one.session]
        return {name: sum(counts[name] for counts in sessions) for name in (sessions[0] if sessions else {})}

    # -- how it begins ----------------------------------------------------------------------------

    def _load(self, spec: Json, beacon: Beacon) -> UnderTest:
        return load_subject(spec, beacon)

    def _explore(self) -> Exploration:
        spec, subject = self._spec, self.subject
        assert isinstance(subject, Subject)
        arms, self._shared, notices = make_arms(
            spec["searcher"], spec["pruning"], spec["seed"], self._path_seconds, spec["chance"]
        )
        self._news["notices"] += [*notices, *map(str, subject.survey.refused), *subject.survey.guesses()]
        turns = Turns(arms, spec["seed"], timed=spec["timed"])
        exploration = Exploration(subject, turns, load_words(subject), spec["seed"], self._record)
        if spec.get("private"):
            exploration.open(subject.unreached(0))
        return exploration

    @property
    def _path_seconds(self) -> float:
        """Where episodes are what counts, the solver's own limits end a path: clocks differ."""
        limit = float(self._spec["timeout"]) / 2
        return min(PATH_SECONDS, limit) if self._spec["timed"] else limit

    def _adopt(self, exploration: Exploration, transfer: Json) -> None:
        """Take on what an earlier campaign has handed on (`CoverEngine.transfer`). Its inputs are run again:
        code changes, and so does what they take."""
        try:
            inputs = [Input.from_json(body) for body in transfer["archive"]["kept"]]
        except UNREADABLE:
            notice = "what an earlier campaign has found could not be read: starting anew"
            self._news["notices"].append(notice)
            return
        exploration.adopt(inputs, transfer)
        for shared, pruning in zip(self._shared, transfer.get("prunings", ()), strict=False):
            try:
                shared.pruning.load(pruning)
            except UNREADABLE:
                pass  # of another pruning: the inputs are what counts

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> dict[str, Json]:
        subject = self.subject
        return {
            "format": FORMAT,
            "runs": subject.runs,
            "valid": subject.valid,
            "known": sorted(self._findings),
            "kept": self._kept,
            "exploration": self._exploration.state(),
            "symbolic": [shared.state() for shared in self._shared],
            "afterwards": self._afterwards.done,
        }

    def load(self, state: Json) -> None:
        """Raises one of `UNREADABLE` when `state` is not one of this campaign."""
        check_format(state)
        self._exploration.load(state["exploration"])
        for shared, body in zip(self._shared, state["symbolic"], strict=True):
            shared.load(body, self._exploration)
        self.subject.runs, self.subject.valid = int(state["runs"]), int(state["valid"])
        self._findings, self._kept = set(state["known"]), list(state["kept"])
        self._afterwards.done = int(state.get("afterwards", 0))


class Afterwards:
    """What is done when everything is covered: edges of the inputs that there are, and then, where something
    was only ever seen to raise, inputs that may return. A small share of the budget, and only where inputs
    may be drawn at all."""

    def __init__(self, spec: Json) -> None:
        self.done = 0
        self._rng = stream(spec["seed"], "afterwards")
        self._draws = bool(spec.get("chance", True))
        self._edges: Iterator[Input] | None = None
        self._started: float | None = None
        self._before = 0.0
        self._is_out = False

    def is_over(self, exploration: Exploration) -> bool:
        if not self._draws or not isinstance(exploration.subject, Subject) or self._is_out:
            return True
        if self.done >= MOST_AFTERWARDS or not exploration.subject.entries:
            return True
        if exploration.turns.timed and self._started is not None:
            spent = exploration.subject.cpu() - self._started
            return spent > max(LEAST_SECONDS, SHARE * self._started)
        return False

    def step(self, exploration: Exploration) -> None:
        if self._edges is None:
            self._started = exploration.subject.cpu()
            self._edges = self._inputs(exploration)
        given = next(self._edges, None)
        if given is None:
            self._is_out = True
            return
        self.done += 1
        if exploration.is_fresh(given):
            exploration.run(given, by=EDGES)

    def _inputs(self, exploration: Exploration) -> Iterator[Input]:
        for entry in exploration.drawers:
            kept = list(exploration.archive.of(entry))[:FEW] or [exploration.sample(entry, self._rng)]
            for given in kept:
                yield from edges_of(given)
        names = list(exploration.drawers)
        for number in range(DRAWN * len(names)):
            if not exploration.everything & ~exploration.returned:
                return
            yield exploration.sample(names[number % len(names)], self._rng)


Record = Callable[[InputRun, str, bool], int]
"""Hears of every run that took something new, or raised: the run, the arm that proposed it, whether it took
something new. Returns the arcs that a test of it takes: at least those of the run."""


class Exploration:
    """The loop, as arms see it."""

    def __init__(self, subject: UnderTest, turns: Turns, words: Words, seed: int, record: Record) -> None:
        self.subject = subject
        self.turns = turns
        self.words = words
        self.drawers = {name: one for name, one in subject.drawers.items() if not one.is_private}
        self.scheduler = EntryScheduler(list(self.drawers))
        self.is_open = False
        self.opened: list[str] = []
        """What is private, and called all the same: once nothing more is found without."""
        self.archive = Archive(subject.branch_map)
        self.covered = subject.imported
        self.returned = 0  # what runs took that returned, and were refused nothing on the way
        self.gained: dict[str, int] = dict.fromkeys(turns.arms, 0)  # arcs, by who found them
        self.refused = 0  # arcs of runs in which the guard refused something
        self.exhausted: set[str] = set()  # entries all of whose paths were walked
        self.nondeterministic: set[str] = set()  # entries of which walked paths prove nothing
        self._rng = stream(seed, "archive")
        self._record = record
        self._seen: set[int] = set()

    @property
    def finished(self) -> bool:
        """Everything is covered, or what is not cannot be."""
        return not self.everything & ~self.covered or self.is_exhausted

    @property
    def is_exhausted(self) -> bool:
        """Every path of every entry was walked, and the input alone decides which one it is. Private code
        that none of them reaches is still to be called."""
        if not self._is_walked:
            return False
        return self.is_open or not self.subject.unreached(self.covered)

    @property
    def _is_walked(self) -> bool:
        return bool(self.drawers) and (self.exhausted - self.nondeterministic).issuperset(self.drawers)

    @property
    def everything(self) -> int:
        return (1 << len(self.subject.branch_map.arcs)) - 1

    def step(self) -> None:
        """One episode, or a little more."""
        if not self.is_open and (not self.drawers or self.turns.is_quiet or self._is_walked):
            self.open(self.subject.unreached(self.covered))
        self.turns.step(self)

    def open(self, names: Sequence[str], entirely: bool = True) -> None:
        """Private code is called from now on: `names`, which is what nothing public was seen to reach; or,
        not `entirely`, what an earlier campaign has called."""
        self.is_open |= entirely
        if not self.drawers and not names:
            names = list(self.subject.drawers)  # there is nothing else
        self.opened += [name for name in names if name not in self.opened]
        for name, drawer in self.subject.drawers.items():
            drawer.open(self.opened)
            if name in self.opened and name not in self.drawers:
                self.drawers[name] = drawer
                self.scheduler.add(name)

    def run(self, given: Input, number: int | None = None, by: str = "") -> InputRun:
        """For arms: a real run, and everything that follows from it. `by` stands for an arm, where it is none
        that has the turn."""
        timed = self.turns.timed
        started = self.subject.cpu() if timed else 0.0
        run = self.subject.run(given, number)
        if run.drew or given.world:
            self.nondeterministic.add(given.entry)
        if timed and self.subject.cpu() - started > SLOW and given.entry in self.drawers:
            self.drawers[given.entry].slowed(run.given)
        by = by or (self.turns.current.arm.name if self.turns.current else EARLIER)
        in_vain = self.turns.is_expensive and not run.arcs & ~self.covered
        if not in_vain:
            self._seen.add(hash(given))
        if len(self._seen) > MOST_SEEN:
            self._seen.clear()
        if run.testable and in_vain:
            if run.error is not None:
                self._record(run, by, False)
        elif run.testable:
            self._learn(run, by)
        elif run.valid:  # what no test can show is not covered; but it may be something to tell
            if isinstance(run.error, EpisodeTimeout | MemoryError):
                self._avoid(run.given)
            if run.error is not None:
                self._record(run, by, False)
            if run.events:
                self._attempt_nothing(run)
        return run

    def _attempt_nothing(self, run: InputRun) -> None:
        """What the guard has refused is taken out of the run, until it can be a test."""
        self.refused |= run.arcs
        for given in self.subject.instead(run):
            if self.is_fresh(given):
                self.run(given)

    def _avoid(self, given: Input) -> None:
        """Where it had to be stopped, do not go so soon again."""
        drawer = self.drawers.get(given.entry)
        if drawer is None or not drawer.stopped(given):
            self.scheduler.avoid(given.entry)

    def _learn(self, run: InputRun, by: str) -> None:
        new = run.arcs & ~self.covered
        self.covered |= run.arcs
        self.archive.note(run.given, run.arcs, self.covered, self._rng)
        self.scheduler.learn(run.given.entry, new.bit_count())
        # A test of an input that returns says more: what was taken only by one that raised is taken again.
        returns = 0 if run.error is not None or run.raised else run.arcs & ~self.returned
        self.returned |= returns
        if new or returns:
            self.archive.keep(run.given)
        if new:
            self.gained[by] = self.gained.get(by, 0) + new.bit_count()
        if new or returns or run.error is not None:
            self.covered |= self._record(run, by, bool(new or returns))

    def is_fresh(self, given: Input) -> bool:
        """Has it not been run, as far as is remembered?"""
        return hash(given) not in self._seen

    def adopt(self, inputs: Sequence[Input], transfer: Json) -> None:
        """Start from an earlier campaign: its inputs are run again, what bandits and arms learned is kept."""
        known = [given for given in inputs if given.entry in self.subject.drawers]
        private = [given.entry for given in known if given.entry not in self.drawers]
        if private:
            self.open(private, entirely=False)
        for given in known:
            self.run(given)
        try:
            self.turns.adopt(transfer)
        except UNREADABLE:
            pass  # of another version: the inputs are what counts

    def sample(self, entry: str, rng: Random) -> Input:
        """For arms that need some input to begin with."""
        return self.drawers[entry].draw(DrawContext(rng, self.words))

    def like(self, given: Input, rng: Random) -> Input:
        """For the same arms: another one, a change away from `given`."""
        mates = self.archive.of(given.entry)
        return self.drawers[given.entry].mutate(given, mates, DrawContext(rng, self.words))

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        """The names are those of the stores that there are."""
        turns = self.turns.state()
        return {
            "covered": f"{self.covered:x}",
            "returned": f"{self.returned:x}",
            "archive": self.archive.state(),
            "roster": self.scheduler.state(),
            "bandits": turns["bandits"],
            "random": dump_random(self._rng),
            "gained": list(self.gained.items()),
            "exhausted": sorted(self.exhausted),
            "opened": [self.is_open, self.opened],
            "chancy": sorted(self.nondeterministic),
            "purse": turns["purse"],
            "dread": {
                name: drawer.avoidance for name, drawer in self.subject.drawers.items() if drawer.avoidance
            },
            "dry": turns["dry"],
            "arms": turns["arms"],
        }

    def load(self, state: Json) -> None:
        covered = int(state["covered"], 16)
        if covered & ~self.everything:
            raise ValueError("more arcs than there are")
        is_open, opened = state.get("opened", (False, ()))
        if is_open or opened:
            self.open(opened, bool(is_open))
        self.archive.load(state["archive"])
        self.scheduler.load(state["roster"])
        self.turns.load(state)
        load_random(self._rng, state["random"])
        self.gained |= {str(name): int(count) for name, count in state["gained"]}
        self.covered = covered | self.subject.imported
        self.returned = int(state.get("returned", "0"), 16) & self.everything
        self.exhausted = set(state["exhausted"])
        self.nondeterministic = set(state.get("chancy", ()))
        for name, drawer in self.subject.drawers.items():
            avoidance = state["dread"].get(name, {})
            drawer.avoidance = {str(step): float(share) for step, share in avoidance.items()}


def _nothing_new() -> dict[str, list[Json]]:
    return {"keys": [], "corpus": [], "findings": [], "notices": []}
