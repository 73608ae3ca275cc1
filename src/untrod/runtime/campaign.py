"""A campaign: one engine on one target, over a pool of workers, within a budget.

    while the budget lasts:
        a shard that is idle runs a batch of episodes          (core.loop, inside the worker)
        its report becomes events                              (store, progress and report listen)
        every few seconds it hands over a snapshot             (what `kill -9` costs)
        a worker that dies is a finding, and is replaced       (up to a cap)

An episode budget is divided among the shards up front, and each shard draws from a seed of its own, so what
is found does not depend on which worker is faster.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from untrod.core.budget import Budget, Meter
from untrod.core.events import (
    CampaignFinished,
    CampaignStarted,
    Checkpoint,
    CorpusGrown,
    FindingFound,
    Listener,
    Notice,
    Progress,
    WorkerLost,
)
from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Finding, Json, Trace
from untrod.runtime.limits import Limits
from untrod.runtime.messages import Lost, Reply, WorkersGone, death_as_finding
from untrod.runtime.refusals import Refusal
from untrod.runtime.reports import NO_NEWS, counts_of
from untrod.runtime.shards import Shard, divide
from untrod.runtime.workers import workers_on

MOST_REFUSALS = 2
BATCH_SECONDS = 0.25
STOP_GRACE = 0.3
"""How long a running batch may take to end by itself once the campaign stops, before it is interrupted."""
KILL_GRACE = 0.5
"""How long it may take to end then, and a learner to be saved: what comes after must fit into two seconds."""
SAVE_GRACE = 1.0
"""The same where nobody waits: the budget is used up."""
CLOSE_GRACE = 0.1
"""For workers, once all has been said."""


class Engine(Protocol):
    """What a campaign needs to know of an engine."""

    name: str
    job: str  # 'module:factory' of the Job that runs in the workers

    def spec(self, shard: int) -> Json:
        """What the job of this shard is built from."""
        ...

    def absorb(self, report: Json) -> Iterable[CorpusGrown | Notice | tuple[Finding, int]]:
        """What a batch report holds: new corpus entries, notices, and findings with their episode.

        It was made beside hostile code: raises Malformed, and has taken in nothing, when it is not what the
        engine's job reports (see `reports.batch_report`). A report whose `exhausted` is true says that its
        shard has nothing left to do.
        """
        ...

    def extra(self, reports: list[Json]) -> dict[str, Json]:
        """What only this engine counts, from the newest report of each shard."""
        ...

    def check_replay(self, report: Json) -> None:
        """Raises Malformed unless this is how the engine's job answers `replay` (`reports.replay_report`)."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides what a campaign does; the same plan gives the same findings."""

    campaign: str
    target: str
    seed: int
    budget: Budget
    project: Path
    scratch: Path
    workers: int = 1
    limits: Limits = field(default_factory=Limits)
    allow: frozenset[str] = frozenset()
    checkpoint_seconds: float = 2.0
    on: str = ""  # where the workers are, as `--on` takes it: this machine when empty; decides nothing else


@dataclass(frozen=True, slots=True)
class Past:
    """What a resumed campaign starts from; empty for a new one."""

    checkpoints: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    corpus: frozenset[str] = frozenset()
    wall: float = 0.0
    cpu: float = 0.0


class Campaign:
    def __init__(self, plan: Plan, engine: Engine, emit: Listener, past: Past | None = None) -> None:
        past = past or Past()
        self._plan = plan
        self._engine = engine
        self._emit = emit
        self._shards = [
            Shard(number, quota, *past.checkpoints.get(number, (0, b"")))
            for number, quota in enumerate(divide(plan.budget.episodes, plan.workers))
        ]
        self._findings = {finding.key: finding for finding in past.findings}
        self._corpus = set(past.corpus)
        self._refused: dict[str, set[str]] = {}  # what the guard refused, by permission
        self._keys: set[str] = set()  # what any shard called new: two may have found the same
        self._told: set[str] = set()
        self._stop_reason = ""
        self._pool = workers_on(
            plan.on,
            engine.job,
            [engine.spec(shard.number) for shard in self._shards],
            limits=plan.limits,
            allow=plan.allow,
            project=plan.project,
            scratch=plan.scratch,
        )
        self._meter = Meter(plan.budget, spent_wall=past.wall, spent_cpu=past.cpu)
        self._cpu_before = past.cpu
        self.trouble: WorkersGone | None = None  # why it ended early although nobody asked it to

    def stop(self, reason: str = "interrupted") -> None:
        """End soon: safe to call from a signal handler."""
        self._stop_reason = self._stop_reason or reason

    def run(self) -> CampaignFinished:
        """Returns when the budget is used up, soon after `stop`, or when its workers are gone (`trouble`).

        No worker is left then.
        """
        plan = self._plan
        resumed_at = sum(shard.episodes for shard in self._shards)
        with self._pool as pool:
            opened = pool.start(lambda: bool(self._stop_reason))
            if plan.on:
                self._meter.begin()  # to start workers elsewhere takes as long as it takes
            self._emit(
                CampaignStarted(
                    plan.campaign,
                    self._engine.name,
                    plan.target,
                    plan.seed,
                    plan.budget.to_json(),
                    resumed_at,
                )
            )
            for notice in pool.notices:
                self._emit(Notice(notice))
            for reply in opened:
                self._tell_refusals(reply)
            try:
                for shard in self._shards:
                    self._resume(shard)
                while not (reason := self._reason_to_stop()):
                    self._step(0.2)
                self._wind_down()
            except WorkersGone as trouble:
                reason, self.trouble = f"cut short: {trouble.message}", trouble
            if self._stop_reason:
                pool.close(CLOSE_GRACE)
        return self._finish(reason)

    def _reason_to_stop(self) -> str:
        self._measure()
        if self._stop_reason:
            return self._stop_reason
        if all(shard.given_up for shard in self._shards):
            return "gave-up"
        if all(shard.finished for shard in self._shards):
            exhausted = any(shard.exhausted for shard in self._shards)
            return self._meter.exhausted() or ("exhausted" if exhausted else "gave-up")
        reason = self._meter.exhausted()
        return "" if reason == "episodes" else reason  # every shard decides for itself when its quota is run

    def _step(self, timeout: float) -> None:
        """Keep the idle shards busy, then take in whatever arrives."""
        for shard in self._shards:
            if not shard.finished and not shard.waiting and not self._pool.busy(shard.number):
                self._dispatch(shard)
        for message in self._pool.wait(timeout):
            shard = self._shards[message.shard]
            if isinstance(message, Lost):
                self._replace(shard, message)
            else:
                self._handle(shard, message)

    def _dispatch(self, shard: Shard) -> None:
        if shard.snapshot_due(time.monotonic(), self._plan.checkpoint_seconds):
            shard.snapshot_started = time.monotonic()
            self._pool.send(shard.number, "snapshot")
            return
        if shard.quota_left() == 0:
            shard.finished = True
            return
        left = self._meter.seconds_left()
        seconds = BATCH_SECONDS if left is None else min(BATCH_SECONDS, max(left, 0.01))
        self._pool.send(shard.number, "run", {"episodes": shard.next_batch(), "seconds": seconds})

    def _handle(self, shard: Shard, reply: Reply) -> None:
        """What is no answer is a worker lost."""
        try:
            self._accept(shard, reply)
        except Malformed as error:
            self._replace(shard, self._pool.condemn(shard.number, str(error)))

    def _accept(self, shard: Shard, reply: Reply) -> None:
        self._tell_refusals(reply)
        if reply.error is not None and reply.op == "open":
            shard.finished = shard.given_up = True
            self._tell(
                f"gave up on worker {shard.number}: the target cannot be imported any more:"
                f" {reply.error.message}"
            )
        elif reply.error is not None:
            raise reply.error.exception()
        elif reply.op == "open":
            self._resume(shard)
        elif reply.op == "restore":
            counts = counts_of(reply.body)
            list(self._engine.absorb({**NO_NEWS, **reply.body}))  # a report like any other, without news
            shard.restored(counts)
            self._keys.update(counts["keys"])
            self._send_skips(shard)
        elif reply.op == "skip":
            shard.waiting = False
        elif reply.op == "run":
            self._absorb(shard, reply.body)
        elif reply.op == "snapshot":
            shard.keep(reply.blob, time.monotonic())
            self._emit(Checkpoint(shard.number, shard.episodes, reply.blob))

    def _resume(self, shard: Shard) -> None:
        """Bring a fresh worker to where its shard was last seen."""
        if shard.snapshot:
            shard.waiting = True
            self._pool.send(shard.number, "restore", blob=shard.snapshot)
        else:
            self._send_skips(shard)

    def _send_skips(self, shard: Shard) -> None:
        if shard.deadly:
            shard.waiting = True
            self._pool.send(shard.number, "skip", {"episodes": sorted(shard.deadly.items())})
        else:
            shard.waiting = False

    def _absorb(self, shard: Shard, report: Json) -> None:
        """All of it, or nothing: raises Malformed."""
        counts = counts_of(report)
        shard.check(counts)
        news = list(self._engine.absorb(report))
        shard.report(counts)
        shard.finished = shard.finished or shard.exhausted
        if len(self._shards) > 1:
            self._keys.update(counts["keys"])
        for item in news:
            if isinstance(item, CorpusGrown):
                self._add_to_corpus(item)
            elif isinstance(item, Notice):
                self._tell(item.text)
            else:
                self._find(*item, shard.number)
        self._measure()
        self._emit(Progress(**self._totals()))

    def _add_to_corpus(self, entry: CorpusGrown) -> None:
        if entry.key in self._corpus:
            return
        self._corpus.add(entry.key)
        self._emit(entry)

    def _find(self, finding: Finding, episode: int, shard: int) -> None:
        """Tell of a finding when it is new, or simpler than the one we knew under this key."""
        known = self._findings.get(finding.key)
        if known is None or _simplicity(finding.trace) < _simplicity(known.trace):
            self._findings[finding.key] = finding
            self._emit(FindingFound(finding, episode, shard))

    def _replace(self, shard: Shard, lost: Lost) -> None:
        """A worker died: say so, remember what killed it, and put another one in its place."""
        restarts = self._pool.restarts(shard.number) + 1
        self._emit(WorkerLost(shard.number, lost.cause, restarts))
        if lost.episode is not None:
            made = lost.answers is not None
            self._find(death_as_finding(lost), lost.episode, shard.number)
            shard.deadly[lost.episode] = made
        shard.rewind()
        if restarts > self._plan.limits.restarts:
            shard.finished = shard.given_up = True
            self._tell(
                f"gave up on worker {shard.number} after {restarts} deaths, the last one: {lost.cause}"
            )
        elif self._stop_reason:
            shard.given_up = True  # nothing more is asked of it
        else:
            shard.waiting = True
            self._pool.restart(shard.number)

    def _wind_down(self) -> None:
        """Let running batches end, interrupt those that do not, and take a last snapshot of every shard."""
        started = time.monotonic()
        interrupted = False
        for shard in self._shards:
            shard.wants_snapshot = True
        while (elapsed := time.monotonic() - started) < STOP_GRACE + (
            KILL_GRACE if self._stop_reason else SAVE_GRACE
        ):
            busy = [shard for shard in self._shards if self._pool.busy(shard.number) not in ("", "open")]
            idle = [
                s
                for s in self._shards
                if s not in busy and s.wants_snapshot and not s.given_up and not s.waiting
            ]
            for shard in idle:
                shard.wants_snapshot = False
                if shard.has_news:
                    self._pool.send(shard.number, "snapshot")
            if not busy and not idle:
                return
            if elapsed > STOP_GRACE and not interrupted:
                interrupted = True
                for shard in busy:
                    self._pool.interrupt(shard.number)
            for message in self._pool.wait(0.05):
                shard = self._shards[message.shard]
                try:
                    if isinstance(message, Reply):
                        self._accept(shard, message)
                    else:
                        shard.given_up = True
                except Malformed as error:
                    self._pool.condemn(shard.number, str(error))
                    shard.given_up = True

    def _finish(self, reason: str) -> CampaignFinished:
        finished = CampaignFinished(campaign=self._plan.campaign, reason=reason, **self._totals())
        self._emit(finished)
        return finished

    def _totals(self) -> dict[str, Json]:
        return {
            "episodes": sum(shard.episodes for shard in self._shards),
            "valid": sum(shard.valid for shard in self._shards),
            "unique": len(self._keys) if len(self._shards) > 1 else self._shards[0].unique,
            "findings": len(self._findings),
            "wall": round(self._meter.wall, 3),
            "cpu": round(self._meter.cpu, 3),
            "extra": self._engine.extra([shard.last for shard in self._shards if shard.last]),
        }

    def _measure(self) -> None:
        self._meter.episodes = sum(shard.episodes for shard in self._shards)
        # A job that runs programs in processes of their own says what these have used.
        elsewhere = sum(shard.last.get("cpu_elsewhere", 0.0) for shard in self._shards if shard.last)
        used = sum(self._pool.cpu(shard.number) for shard in self._shards)
        self._meter.cpu = self._cpu_before + used + elsewhere

    def _tell_refusals(self, reply: Reply) -> None:
        for refusal in reply.refusals:
            self._tell_refusal(refusal)

    def _tell_refusal(self, refusal: Refusal) -> None:
        """A target that writes a file of another name each time is told of a few times."""
        known = self._refused.setdefault(refusal.permission, set())
        if len(known) == MOST_REFUSALS and refusal.attempt not in known:
            self._tell(
                f"untrod's guard refused more of that kind; allow it with --allow {refusal.permission}"
            )
        else:
            known.add(refusal.attempt)
            self._tell(refusal.message)

    def _tell(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._emit(Notice(text))


def _simplicity(trace: Trace) -> tuple[int, str]:
    return len(trace.answers), trace.dumps()
