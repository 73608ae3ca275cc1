"""What is seen of a generator's target while its validity check and its property run.

Two may want to know. The characteristic `trace` tells inputs apart by the path they take. And with the reward
`greybox`, a rejected input that came further than any before it earns credit, as long as valid ones are
rare; `blackbox` looks at nothing but valid and new.
"""

from __future__ import annotations

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Episode, Json, Outcome
from untrod.engines.inputs.footprint import Footprint
from untrod.engines.inputs.progress import COLD, Progress, place_of

REWARDS = ("greybox", "blackbox")
_ENOUGH = 10  # valid inputs without any path: there will be none


def check_reward(name: str) -> str:
    """Raises UntrodError when there is no such reward."""
    if name not in REWARDS:
        raise UntrodError(f"there is no reward {name!r}", f"choose from {', '.join(REWARDS)}")
    return name


class Watch:
    """`begin` before the validity check, `end` when the episode is over; `judge` if it counts."""

    def __init__(self, root: str, trace: bool, greybox: bool) -> None:
        self._footprint = Footprint(root)
        self._progress = Progress()
        self._trace = trace
        self._greybox = greybox
        self._valid = 0
        self._seen = False  # whether the running episode is watched
        self._prevented = False

    @property
    def tells(self) -> bool:
        """The path, and nothing else, will tell the running episode apart."""
        return self._trace and self._seen

    def begin(self) -> None:
        cold = self._greybox and self._valid < COLD
        if self._trace or cold:
            self._seen = self._footprint.start(wide=cold)
            self._prevented |= not self._seen

    def end(self) -> None:
        self._footprint.stop()

    def judge(self, episode: Episode, rejection: BaseException | None) -> None:
        """`rejection` is what the episode was rejected with, if it was an exception."""
        footprint = self._footprint
        if episode.outcome is not Outcome.INVALID:
            self._valid += 1
            if self.tells:
                episode.key = footprint.key()
        elif self._greybox and self._valid < COLD:
            lines, episode.place = footprint.lines(), place_of(rejection)
            episode.lines = frozenset(lines)
            episode.progress = self._progress.made(lines, episode.place)
        if self._seen:
            footprint.clear()
            self._seen = False

    def complaint(self) -> str | None:
        """Why traces do not tell inputs apart, if so."""
        if not self._trace:
            return None
        if self._prevented:
            return "a debugger or coverage tool traces already: --different trace falls back to value"
        if self._valid >= _ENOUGH and not self._footprint.ever:
            return "--different trace sees no path: the checks run no code of the project"
        return None

    def state(self) -> Json:
        return {"valid": self._valid, "progress": self._progress.state()}

    def load(self, state: Json) -> None:
        self._valid = int(state["valid"])
        self._progress.load(state["progress"])
