"""What a real run came to, and what of it a person should hear."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from pathlib import Path

from untrod.core.vocabulary import Json, Outcome
from untrod.engines.cover.native.launcher import LARGEST_FILE
from untrod.engines.cover.native.stage import Ran
from untrod.runtime.deadline import EpisodeTimeout

SANITIZED = 86
"""The exit status that the launcher asks sanitizers for."""
HANG, SWARM = "hang", "hang of several processes"
TOO_MUCH = f"writes a file of more than {LARGEST_FILE >> 20} MB"
_SUMMARY = re.compile(rb"SUMMARY: \w+Sanitizer: (\S+)")
_FRAME = re.compile(rb"^ *#\d+ 0x[0-9a-f]+ in \S+ (/.*?):(\d+)(?::\d+)?$", re.MULTILINE)
_RUNTIME = re.compile(rb"^(.*?):(\d+:\d+): runtime error: (.*)$", re.MULTILINE)
_ASSERTION = re.compile(rb"^(?:.*?: )?(.*?):(\d+): .*Assertion .* failed\.", re.MULTILINE)
_SIGNALS = ("SEGV", "ABRT", "FPE", "ILL", "BUS", "TRAP")
"""As AddressSanitizer calls them."""
_TITLE = 160


class Crashed(Exception):
    """The program died of a signal, or a sanitizer has stopped it. `what` and `place` tell crashes apart."""

    def __init__(self, what: str, place: str, report: str, by_sanitizer: bool) -> None:
        super().__init__(f"{what} in {place}" if place else what)
        self.what = what
        self.place = place
        self.report = report
        self.by_sanitizer = by_sanitizer

    @property
    def kind(self) -> str:
        """`what`, without the numbers of a sanitizer's complaint, which change with the input."""
        return re.sub(r"0x[0-9a-f]+|[0-9]+", "N", self.what) if self.by_sanitizer else self.what


class Hung(EpisodeTimeout):
    """The program did not end in time, alone or with processes that it had started."""

    def __init__(self, seconds: float, alone: bool) -> None:
        super().__init__(f"the program did not end within {seconds:g} s")
        self.what = HANG if alone else SWARM


@dataclass(frozen=True, slots=True)
class Completed:
    """What a test asserts, if it can be `repeated` under pytest: there are no limits, and what the program
    leaves running is not killed."""

    status: int
    stdout: bytes
    stderr: bytes
    repeated: bool = True


def crash_of(ran: Ran) -> Crashed | None:
    """Of a run of the program itself. Where it was, only an assertion tells."""
    if ran.status >= 0 or ran.timed_out:
        return None
    failed = _ASSERTION.search(ran.stderr)
    place = _place(failed[1], failed[2]) if failed else ""
    name = TOO_MUCH if ran.status == -signal.SIGXFSZ else signal_name(-ran.status)
    return Crashed(name, place, _text(ran.stderr), by_sanitizer=False)


def completed(ran: Ran) -> Completed:
    repeated = not ran.left and ran.status != -signal.SIGXFSZ
    return Completed(ran.status, ran.stdout, ran.stderr, repeated)


def report_of(ran: Ran) -> Crashed | None:
    """Of a run with sanitizers: what they complain of, or a plain crash."""
    if ran.status != SANITIZED and ran.status >= 0:
        return None  # whatever it says there: a program may speak of runtime errors itself
    found = _RUNTIME.search(ran.stderr)
    if found:
        return Crashed(_text(found[3]), _place(found[1], found[2]), _text(ran.stderr), by_sanitizer=True)
    summary = _SUMMARY.search(ran.stderr)
    if summary:
        what = _text(summary[1])
        what = f"SIG{what}" if what in _SIGNALS else what
        return Crashed(what, _own_place(ran.stderr), _text(ran.stderr), by_sanitizer=True)
    return crash_of(ran)


def signal_name(number: int) -> str:
    """Python has no names for most of the real-time signals."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _own_place(report: bytes) -> str:
    """Where the program's own code was. Crashes in two calls of strlen are two, although both are in libc,
    whose sources are not here."""
    for file, line in _FRAME.findall(report):
        if Path(_text(file)).is_file():
            return _place(file, line)
    return ""


def _place(file: bytes, line: bytes) -> str:
    return f"{Path(_text(file)).name}:{_text(line)}"


def _text(said: bytes) -> str:
    return said.decode("utf-8", "replace")


def as_finding(error: BaseException, command: str) -> dict[str, Json]:
    """As a finding: `key` is the same for what is likely the same bug."""
    if isinstance(error, Crashed):
        outcome, name = Outcome.CRASHED, error.what
        where = f" ({error.place})" if error.place else ""
        title, report = f"{error.what}{where}: {command}", error.report
        key = f"{outcome.value}:{error.kind}:{error.place}"
    else:
        outcome, name = Outcome.TIMED_OUT, error.what if isinstance(error, Hung) else HANG
        end = "does not end" if name == HANG else "does not end, nor do processes that it started"
        title, report, key = f"{end}: {command}", "", f"{outcome.value}:{name}"
    return {
        "key": key,
        "kind": outcome.value,
        "title": title[:_TITLE],
        "exception": {"module": "", "name": name},
        "message": str(error)[:2_000],
        "place": error.place if isinstance(error, Crashed) else "",
        "traceback": report[-4_000:],
    }
