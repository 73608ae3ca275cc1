"""What a real run came to, and what of it a person should hear."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

from untrod.core.vocabulary import Json
from untrod.core.vocabulary import Outcome as Ending
from untrod.engines.cover.native.stage import Ran
from untrod.runtime.deadline import EpisodeTimeout

SANITIZED = 86
"""The exit status that the launcher asks sanitizers for."""
_SUMMARY = re.compile(rb"SUMMARY: (\w+): (\S+) (?:\S*/)?([\w.-]+:\d+)?")
_RUNTIME = re.compile(rb"(?:\S*/)?([\w.-]+:\d+):\d+: runtime error: ([^\n]*)")
_TITLE = 160


class Crashed(Exception):
    """The program died of a signal, or a sanitizer has stopped it. `what` and `place` tell crashes apart."""

    def __init__(self, what: str, place: str, report: str, by_sanitizer: bool) -> None:
        super().__init__(f"{what} in {place}" if place else what)
        self.what = what
        self.place = place
        self.report = report
        self.by_sanitizer = by_sanitizer


class Hung(EpisodeTimeout):
    """The program did not end in time."""


@dataclass(frozen=True, slots=True)
class Completed:
    """What a test asserts."""

    status: int
    stdout: bytes
    stderr: bytes


def crash_of(ran: Ran) -> Crashed | None:
    """Of a run of the program itself."""
    if ran.status >= 0 or ran.timed_out:
        return None
    try:
        name = signal.Signals(-ran.status).name
    except ValueError:
        name = f"signal {-ran.status}"
    return Crashed(name, "", ran.stderr.decode("utf-8", "replace"), by_sanitizer=False)


def report_of(ran: Ran) -> Crashed | None:
    """Of a run with sanitizers: what they complain of, or a plain crash."""
    text = ran.stderr
    found = _RUNTIME.search(text)
    if found:
        place, what = found[1].decode(), found[2].decode("utf-8", "replace")
        return Crashed(what, place, text.decode("utf-8", "replace"), by_sanitizer=True)
    summary = _SUMMARY.search(text)
    if summary and (ran.status == SANITIZED or ran.status < 0):
        place = summary[3].decode() if summary[3] else ""
        return Crashed(summary[2].decode(), place, text.decode("utf-8", "replace"), by_sanitizer=True)
    return crash_of(ran)


def told(error: BaseException, command: str) -> dict[str, Json]:
    """As a finding: `key` is the same for what is likely the same bug."""
    if isinstance(error, Crashed):
        ending, name = Ending.CRASHED, error.what
        where = f" ({error.place})" if error.place else ""
        title, report = f"{error.what}{where}: {command}", error.report
        key = f"{ending.value}:{re.sub(r'0x[0-9a-f]+|[0-9]+', 'N', error.what)}:{error.place}"
    else:
        ending, name = Ending.TIMED_OUT, "hang"
        title, report, key = f"does not end: {command}", "", f"{ending.value}:hang"
    return {
        "key": key,
        "kind": ending.value,
        "title": title[:_TITLE],
        "exception": {"module": "", "name": name},
        "message": str(error)[:2_000],
        "place": getattr(error, "place", ""),
        "traceback": report[-4_000:],
    }
