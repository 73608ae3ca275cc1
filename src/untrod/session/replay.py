"""One finding, run again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Finding, Json
from untrod.output.terminal import notices_said
from untrod.runtime.replayer import Replayed, Replayer
from untrod.session.engines import make_engine
from untrod.session.places import to_write
from untrod.session.trust import admitted
from untrod.store import Store


@dataclass(frozen=True, slots=True)
class Replays:
    """How often a finding showed again, and how the last replay ended."""

    finding: Finding
    held: int
    of: int
    last: Replayed

    @property
    def report(self) -> Json:
        """What the engine had to say of the last one."""
        return self.last.report

    @property
    def traceback(self) -> str:
        return str((self.last.report.get("finding") or {}).get("traceback") or self.last.log or "")

    def __bool__(self) -> bool:
        """Does it still show?"""
        return self.held > 0


def replay_finding(
    project: Path, folder: Path, name: str, times: int = 1, *, trust: bool = False, allow: Iterable[str] = ()
) -> Replays:
    """`name` is an id, or the start of one. Raises UntrodError when it cannot be run at all."""
    place = to_write(project, folder, "--store")
    with Store.open(place, create=False) as store, notices_said(store.notices):
        row, finding = store.finding(name)
        command = f"untrod replay {finding.id}"
        row, running = admitted(store, row, project, command, trust=trust, allow=allow)
        engine, _ = make_engine(row.engine, row.config, row.seed, project, 1, store)
        with Replayer(
            engine, project=project, scratch=store.scratch, limits=running.limits, allow=running.allow
        ) as replayer:
            results = [replayer.replay(finding.trace) for _ in range(times)]
    held, last = sum(result.key == finding.key for result in results), results[-1]
    if last.report.get("error") and not held:  # the application was not there: that says nothing
        raise UntrodError(last.report["error"], last.report.get("hint", ""))
    return Replays(finding, held, times, last)
