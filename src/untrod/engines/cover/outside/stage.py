"""Settings in place for a run, and everything back as it was: what `monkeypatch` and `tmp_path` do in a test.

Attributes are replaced by values, or by `Mock`s that answer or raise, as the test has it. Files lie in a
folder of their own, which is then the working folder.
"""

from __future__ import annotations

import importlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import chdir, getcwd
from pathlib import Path
from types import TracebackType
from typing import Any

from untrod.engines.cover.outside.settings import ATTRIBUTES, FILES, NOTHING, Setting, World
from untrod.runtime.guard import unnoted
from untrod.runtime.removal import remove_tree
from untrod.source.evaluate import evaluate
from untrod.source.nodes import Text

_MISSING = object()


class NoStage(Exception):
    """A setting could not be put in place: this says nothing about the code under test."""


class Stage:
    """`with Stage(world):`, once. Raises NoStage on entering."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._undo: list[Callable[[], object]] = []

    def __enter__(self) -> Stage:
        try:
            if any(setting.kind in FILES for setting in self._world):
                self._make_folder()
            for setting in self._world:
                self._put(setting)
        except BaseException as error:
            self.__exit__(type(error), error, error.__traceback__)
            if isinstance(error, Exception):
                raise NoStage from error
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._undo:
            self._undo.pop()()

    def _put(self, setting: Setting) -> None:
        if setting.kind in ATTRIBUTES:
            self._attribute(setting)
        elif setting.kind == "env":
            self._variable(setting)
        elif setting.kind == "folder":
            os.mkdir(setting.name)
        else:
            content = setting.value.value if isinstance(setting.value, Text) else ""
            with open(setting.name, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)

    def _attribute(self, setting: Setting) -> None:
        module, _, path = setting.name.partition(":")
        owner: Any = importlib.import_module(module)
        *above, name = path.split(".")
        for part in above:
            owner = getattr(owner, part)
        before = getattr(owner, name)
        if isinstance(owner, type):
            before = vars(owner).get(name, _MISSING)  # not what it inherits
        setattr(owner, name, stand_in(setting))
        self._undo.append(lambda: _set_back(owner, name, before))

    def _variable(self, setting: Setting) -> None:
        name, before = setting.name, os.environ.get(setting.name)
        self._undo.append(lambda: _set_variable(name, before))
        value = None if setting.value == NOTHING else evaluate(setting.value)
        _set_variable(name, value)

    def _make_folder(self) -> None:
        folder = working_folder()
        folder.__enter__()
        self._undo.append(lambda: folder.__exit__(None, None, None))


@contextmanager
def working_folder() -> Iterator[None]:
    """An empty one, for as long."""
    with unnoted():
        before, folder = getcwd(), tempfile.mkdtemp()
        chdir(folder)
    try:
        yield
    finally:
        with unnoted():
            chdir(before)
            remove_tree(Path(folder))


def stand_in(setting: Setting) -> Any:
    """What the attribute is."""
    value = evaluate(setting.value)
    if setting.kind == "set":
        return value
    from unittest.mock import Mock  # takes a while to import

    return Mock(side_effect=value) if setting.kind == "raise" else Mock(return_value=value)


def _set_back(owner: Any, name: str, before: Any) -> None:
    if before is _MISSING:
        delattr(owner, name)
    else:
        setattr(owner, name, before)


def _set_variable(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value
    if name == "TZ":
        time.tzset()
