"""A file of the user's that says how to get to the application: log in, put the database back, what to type.

    WORDS = {"email": ["ann@example.org"], "Title": ["milk"]}   # by the kind of a field, or by its name

    def login(page):            # once, in a fresh browser: cookies and storage are kept and reused
        page.get_by_label("User").fill("ann")
        ...

    def reset():                # before each hard reset: put the server's data back
        shutil.copy("clean.db", "app.db")

    def restore():              # the same before every reset, soft ones too: quickly, and no login may end
        shutil.copy("clean.db", "app.db")

All of them are optional. The file runs inside the worker, like a target: it may reach the application, start
a browser and read; what else it does, copying files as above for one, needs `--allow`.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from untrod.core.errors import UntrodError
from untrod.core.reading import is_regular

T = TypeVar("T")

HOOKS = ("login", "reset", "restore")
KNOWN = ("WORDS", *HOOKS)


@dataclass(frozen=True, slots=True)
class Setup:
    words: dict[str, list[str]] = field(default_factory=dict)
    login: Callable[[Any], None] | None = None
    reset: Callable[[], None] | None = None
    restore: Callable[[], None] | None = None

    @property
    def hooks(self) -> tuple[str, ...]:
        """The names of those that are there."""
        return tuple(name for name in HOOKS if getattr(self, name) is not None)


def load_setup(path: Path) -> Setup:
    """Raises UntrodError for a file that cannot be run or says nothing."""
    if not is_regular(path):
        raise UntrodError(f"there is no file {path}", "give a Python file to --setup")
    try:
        found = runpy.run_path(str(path))
    except Exception as error:
        raise UntrodError(f"{path} raises {type(error).__name__}: {error}", "mend it") from error
    if not any(name in found for name in KNOWN):
        raise UntrodError(f"{path} has neither {', '.join(KNOWN)}", "define one of them")
    words = found.get("WORDS", {})
    if not isinstance(words, dict) or not all(_is_texts(value) for value in words.values()):
        raise UntrodError(
            f"{path}: WORDS is not a dict of lists of texts", 'write {"email": ["ann@example.org"]}'
        )
    for name in HOOKS:
        if name in found and not callable(found[name]):
            raise UntrodError(f"{path}: {name} is not a function", f"write def {name}(...)")
    return Setup(words, *(found.get(name) for name in HOOKS))


def run_hook(hook: Callable[[], T], name: str) -> T:
    """Raises UntrodError for whatever the hook raises."""
    try:
        return hook()
    except UntrodError:
        raise
    except Exception as error:
        line = str(error).splitlines()[0] if str(error) else ""
        raise UntrodError(
            f"{name} of the setup script raises {type(error).__name__}: {line}", "mend it"
        ) from error


def _is_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(each, str) for each in value)
