"""What went wrong in the target, as JSON: which exception, where in the user's code, and how to say it.

Everything here handles hostile objects: a `__str__` that raises, a repr of a gigabyte, a traceback of a
thousand frames.
"""

from __future__ import annotations

import traceback
from functools import lru_cache
from pathlib import Path
from types import TracebackType

from untrod.core.vocabulary import Json, Outcome
from untrod.runtime.deadline import EpisodeTimeout
from untrod.runtime.guard import Refused

_TEXT = 2_000
_TITLE = 160
_FRAMES = 20


def describe_failure(error: BaseException, outcome: Outcome, project: Path) -> dict[str, Json]:
    """`key` tells two findings apart: how it ended, which exception, and the user's line that raised it."""
    place, function = _place(error.__traceback__, project)
    name = type(error).__name__
    message = first_line(text_of(error))
    where = f"{function}, {place}" if function else place
    title = f"{name}: {message} ({where})" if message else f"{name} ({where})"
    return {
        "key": f"{outcome.value}:{name}:{place}",
        "kind": outcome.value,
        "title": title[:_TITLE],
        "exception": {"module": type(error).__module__, "name": type(error).__qualname__},
        "message": text_of(error)[:_TEXT],
        "place": place,
        "traceback": _traceback(error),
    }


def outcome_of(error: BaseException) -> Outcome:
    if isinstance(error, EpisodeTimeout):
        return Outcome.TIMED_OUT
    if isinstance(error, Refused):
        return Outcome.REFUSED
    if isinstance(error, MemoryError):
        return Outcome.OUT_OF_MEMORY
    if isinstance(error, SystemExit):
        return Outcome.EXITED
    return Outcome.FAILED


def text_of(value: object, how: str = "str") -> str:
    """`str(value)` or `repr(value)`, bounded, whatever the object does."""
    try:
        text = str(value) if how == "str" else repr(value)
    except BaseException as error:
        return f"<{type(value).__name__} whose {how}() raised {type(error).__name__}>"
    return text if len(text) <= _TEXT else text[:_TEXT] + f"... ({len(text)} characters)"


def first_line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()


def _place(trace: TracebackType | None, project: Path) -> tuple[str, str]:
    """The innermost line of the user's own code, as `file.py:12`, and its function."""
    inside, innermost = None, None
    while trace is not None:
        code = trace.tb_frame.f_code
        innermost = (code.co_filename, trace.tb_lineno, code.co_name)
        if _is_users(code.co_filename, project):
            inside = innermost
        trace = trace.tb_next
    found = inside or innermost
    if found is None:
        return "unknown place", ""
    path, line, function = found
    try:
        path = Path(path).resolve().relative_to(project.resolve()).as_posix()
    except ValueError:
        path = Path(path).name
    return f"{path}:{line}", function


@lru_cache(maxsize=256)
def _is_users(filename: str, project: Path) -> bool:
    """Remembered: at the recursion limit a thousand frames ask the same."""
    path = Path(filename)
    return (
        not filename.startswith("<")
        and path.is_relative_to(project)
        and "site-packages" not in path.parts
        and _OURS not in path.parents
    )


_OURS = Path(__file__).resolve().parent.parent


def _traceback(error: BaseException) -> str:
    """The frames of the target, without ours."""
    try:
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if not frame.filename.startswith(str(_OURS))
        ]
        head = "" if len(frames) <= _FRAMES else f"  ... {len(frames) - _FRAMES} frames ...\n"
        return head + "".join(traceback.format_list(frames[-_FRAMES:]))[-4 * _TEXT :]
    except BaseException:
        return ""
