"""From what a person types, `shop/cart.py:total` or `shop.cart:total`, to the object it names."""

from __future__ import annotations

import builtins
import importlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from untrod.core.catalogue import nearest
from untrod.core.errors import UntrodError
from untrod.core.reading import is_regular
from untrod.core.shapes import Malformed, dotted_name, record, text
from untrod.core.vocabulary import Json


@dataclass(frozen=True, slots=True)
class TargetName:
    """A module, where to import it from, and a dotted name inside it (empty for the module itself)."""

    module: str
    attribute: str
    root: str  # the folder to put on sys.path, relative to the project where possible

    @classmethod
    def parse(cls, text: str, project: Path) -> TargetName:
        """Reads `path/to/file.py:name`, `package.module:name` or either without a name.

        Nothing is imported here: the code under test only ever runs inside a worker.
        """
        place, attribute = _split(text, project)
        if not place or (attribute and not all(part.isidentifier() for part in attribute.split("."))):
            raise UntrodError(f"cannot read the target {text!r}", "write file.py:name or package.module:name")
        if place.endswith(".py") or "/" in place:
            module, root = _module_of_file(place, project)
            return cls(module, attribute, root)
        if not all(part.isidentifier() for part in place.split(".")):
            raise UntrodError(f"cannot read the target {text!r}", "write file.py:name or package.module:name")
        return cls(place, attribute, "src" if _lies_in_src(place, project) else ".")

    def __str__(self) -> str:
        return f"{self.module}:{self.attribute}" if self.attribute else self.module

    def sibling(self, attribute: str) -> TargetName:
        """Another name in the same module."""
        if not all(part.isidentifier() for part in attribute.split(".")):
            raise UntrodError(
                f"{attribute!r} is not a name", f"name something in {self.module}, or module:name"
            )
        return replace(self, attribute=attribute)

    def to_json(self) -> dict[str, Json]:
        return {"module": self.module, "attribute": self.attribute, "root": self.root}

    @classmethod
    def from_json(cls, body: Json) -> TargetName:
        """Raises Malformed."""
        TARGET(body, "a target")
        return cls(body["module"], body["attribute"], body["root"])


def _attribute(value: Json, name: str) -> None:
    """Names with dots between them, or nothing: the module itself."""
    text()(value, name)
    if value and not all(part.isidentifier() for part in value.split(".")):
        raise Malformed(f"{name} is no name")


TARGET = record({"module": dotted_name, "attribute": _attribute, "root": text()})
"""What `TargetName` is as JSON."""


def exception_name(text: str) -> TargetName | None:
    """The built-in exception called `text`, if there is one."""
    found = getattr(builtins, text, None)
    if isinstance(found, type) and issubclass(found, BaseException):
        return TargetName("builtins", text, ".")
    return None


def load(name: TargetName, project: Path) -> Any:
    """Import the module (inside the worker) and return what `name` names. Raises UntrodError."""
    _make_reachable(name, project)
    try:
        found: Any = importlib.import_module(name.module)
    except ModuleNotFoundError as error:
        if error.name and name.module.split(".")[0] == error.name.split(".")[0]:
            raise UntrodError(
                f"there is no module {name.module}", f"looked in {name.root} and on sys.path"
            ) from None
        raise UntrodError(f"importing {name.module} failed: {error}", "install what it needs") from error
    except BaseException as error:
        raise UntrodError(
            f"importing {name.module} failed: {type(error).__name__}: {error}",
            f"try: python -c 'import {name.module}'",
        ) from error
    for part in name.attribute.split(".") if name.attribute else ():
        try:
            found = getattr(found, part)
        except AttributeError:
            known = [each for each in dir(found) if not each.startswith("__")]
            hint = nearest(part, known, f"{name.module} defines no such name", most=3)
            raise UntrodError(f"{name.module} has no {part!r}", hint) from None
    return found


def find_source(name: TargetName, project: Path) -> str | None:
    """The file that importing the module would run; nothing is imported. None if that cannot be told."""
    _make_reachable(name, project)
    places: Any = None
    full, spec = "", None
    for part in name.module.split("."):
        full = f"{full}.{part}" if full else part
        found = (finder.find_spec(full, places) for finder in sys.meta_path if hasattr(finder, "find_spec"))
        try:
            spec = next((one for one in found if one is not None), None)
        except Exception:  # finders are anybody's code: the import itself will tell
            return None
        if spec is None:
            return None
        places = spec.submodule_search_locations
    return spec.origin if spec is not None else None


def _make_reachable(name: TargetName, project: Path) -> None:
    root = str((project / name.root).resolve())
    if root not in sys.path:
        sys.path.insert(0, root)


def load_function(name: TargetName, project: Path) -> Callable[..., Any]:
    """`load`, for what must be callable. Raises UntrodError."""
    if not name.attribute:
        raise UntrodError(f"{name} is a module", f"name a function in it: {name}:FUNCTION")
    found = load(name, project)
    if not callable(found):
        raise UntrodError(f"{name} is not a function but {type(found).__name__}", "name a function")
    return found  # type: ignore[no-any-return]


def load_exception(name: TargetName, project: Path) -> type[BaseException]:
    """`load`, for the exception class that `--invalid` names. Raises UntrodError."""
    found = load(name, project)
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        raise UntrodError(f"{name} is not an exception", "--invalid takes the name of an exception class")
    return found


def _split(text: str, project: Path) -> tuple[str, str]:
    """The place and the name behind it. Folders may have colons in their names, too."""
    if is_regular(project / text):
        return text, ""
    place, colon, attribute = text.rpartition(":")
    if colon and is_regular(project / place):
        return place, attribute
    place, _, attribute = text.partition(":")
    return place, attribute


def _module_of_file(place: str, project: Path) -> tuple[str, str]:
    path = project / place
    if os.path.lexists(path) and not is_regular(path):
        raise UntrodError(f"{place} is no ordinary file", "name a Python file")
    if not is_regular(path):
        siblings = [entry.name for entry in path.parent.glob("*.py")] if os.path.isdir(path.parent) else []
        raise UntrodError(f"there is no file {place}", nearest(path.name, siblings, "check the path"))
    parts = [path.stem] if path.stem != "__init__" else []
    folder = path.parent
    while is_regular(folder / "__init__.py"):
        parts.insert(0, folder.name)
        folder = folder.parent
    if parts and parts[0] in sys.stdlib_module_names:
        raise UntrodError(
            f"{place} has the name of a standard module and would not be found", "rename the file"
        )
    if not all(part.isidentifier() for part in parts):
        raise UntrodError(f"{place} is not importable: its name is not an identifier", "rename the file")
    try:
        root = folder.resolve().relative_to(project.resolve()).as_posix()
    except ValueError:
        root = str(folder.resolve())
    return ".".join(parts), root


def _lies_in_src(module: str, project: Path) -> bool:
    first = module.split(".")[0]
    return os.path.isdir(project / "src" / first) or is_regular(project / "src" / f"{first}.py")
