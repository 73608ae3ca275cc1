"""What the rooms of the house promise one another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from untrod.core.vocabulary import Choice, Episode, Json, Trace


class Policy(Protocol):
    """Answers the target's questions."""

    def decide(self, choice: Choice) -> int:
        """The index of the chosen option, 0 <= index < choice.options. `choice` must not be kept."""
        ...


class Learner(Policy, Protocol):
    """A policy that improves: it remembers what it decided and is told how the episode ended."""

    name: str

    def learn(self, episode: Episode) -> None:
        """Called once after each episode, whatever happened; ends the learner's memory of that episode."""
        ...

    def state(self) -> Json:
        """Everything learned, random state included: `load(state())` continues bit for bit."""
        ...

    def load(self, state: Json) -> None:
        """Raises ValueError or KeyError when `state` is not one of its own."""
        ...


class Target(Protocol):
    """The software under test, wrapped so that it can be run once."""

    def run(self, number: int, policy: Policy) -> Episode:
        """Run episode `number`, asking `policy` at every choice. Raises nothing the target raised."""
        ...


class Beacon(Protocol):
    """Memory shared with the supervisor: readable even after this process has died."""

    def begin(self, episode: int) -> None:
        """Episode `episode` starts: also the sign of life the wall and CPU deadlines are measured by."""
        ...

    def trace(self, answers: list[int]) -> None:
        """The input is complete; should the process die now, these answers are to blame."""
        ...

    def end(self) -> None:
        """No episode is running: deadlines are off until the next `begin`."""
        ...


@dataclass(frozen=True, slots=True)
class Batch:
    """How far a job may run before it reports: whichever comes first."""

    episodes: int
    seconds: float


class Search(Protocol):
    """What differs between engines, inside a worker: how one shard of a campaign explores.

    The job around it (`runtime.job`) has the batches, the beacon, the snapshots and the shape of reports.
    """

    @property
    def episodes(self) -> int:
        """So many have been run since the campaign began."""
        ...

    @property
    def finished(self) -> bool:
        """Nothing is left to do."""
        ...

    def step(self, most: int) -> None:
        """One episode, or a little more: at most so many."""
        ...

    def counts(self) -> dict[str, Json]:
        """What is counted since the campaign began: `episodes`, `valid`, `unique`, and the engine's own."""
        ...

    def news(self) -> dict[str, Json]:
        """What happened since this was last asked: `keys`, `corpus`, `findings`, `notices`."""
        ...

    def keys(self) -> list[str]:
        """The digests of all that was new since the campaign began."""
        ...

    def replay(self, trace: Trace) -> Json:
        """Run one episode with the answers of `trace`, learning nothing; says how it ended."""
        ...

    def skip(self, number: int, made: bool) -> None:
        """Episode `number` killed a worker before (see `Job.skip`)."""
        ...

    def state(self) -> dict[str, Json]:
        """All of it: a new search that has `load`ed this continues bit for bit."""
        ...

    def load(self, state: dict[str, Json]) -> None:
        """Raises LookupError, TypeError, ValueError or AttributeError when that is none of its states."""
        ...


class Job(Protocol):
    """One shard of a campaign, living inside a guarded worker, reporting in JSON.

    Built by the worker as `factory(spec, beacon)` from the dotted name the engine gave, so everything a
    job needs is in `spec`, a JSON object.
    """

    def run(self, batch: Batch) -> Json:
        """Run episodes until `batch` is used up, and report on it.

        The report has `episodes`, `valid` and `unique`, each counted since the campaign began, and `keys`,
        the digests of what was new in this batch; the rest of it is between the job and its engine.
        """
        ...

    def replay(self, trace: Trace) -> Json:
        """Run one episode with the answers of `trace`, learning nothing; says how it ended."""
        ...

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        """These episodes killed a worker before: do not run the target on them again.

        The flag says that the input had been made by then: such an episode is still answered and learned
        from. Without it, making the input was what killed the worker, and the number is just passed over.
        """
        ...

    def snapshot(self) -> bytes:
        """The whole state of the shard: `restore(snapshot())` in a new process continues bit for bit."""
        ...

    def restore(self, blob: bytes) -> Json:
        """Go on from a snapshot. The answer is a report as of then, with all the `keys` so far.

        Raises ValueError when `blob` is not a snapshot of this job.
        """
        ...


class Tables(Protocol):
    """What earlier campaigns have learned, as the store keeps it."""

    def table(self, key: str) -> dict[str, Json] | None:
        """What lies under `key`; None if nothing does, or it cannot be read."""
        ...

    def tables(self) -> list[dict[str, Json]]:
        """The manifests of all."""
        ...


@dataclass(frozen=True, slots=True)
class Table:
    """What a campaign hands on: `manifest` says whose it is, `blob` is JSON."""

    key: str
    manifest: dict[str, Json]
    blob: bytes


@runtime_checkable
class Transfers(Protocol):
    """An engine whose campaigns start from what earlier ones have learned."""

    def adopt(self, tables: Tables) -> None:
        """Take on what is there. Called once, before `spec`."""
        ...

    def transfer(self, snapshot: bytes) -> Iterable[Table]:
        """What a shard has learned, for the next campaign. Raises Malformed when it is no snapshot."""
        ...
