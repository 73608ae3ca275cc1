"""Mistakes that a person can mend: one line that says what is wrong, one that says what to do next."""

from __future__ import annotations


class UntrodError(Exception):
    """Shown as a single line, without a traceback; the command line then exits with `status`.

    `hint` completes the sentence "to go on, ...": a command to run or the nearest correct spelling.
    """

    status = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class MissingExtra(UntrodError):
    """A feature needs an optional dependency that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed", f"run: pip install 'untrod[{extra}]'")


class Interrupted(UntrodError):
    """Ctrl-C came before there was anything to report."""

    status = 130
