"""Where the code under test lies, seen from a test that has to import it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from untrod.core.errors import UntrodError


@dataclass(frozen=True, slots=True)
class TargetModule:
    """A module by its name, and the folder that must be on `sys.path` if it is not importable anyway."""

    name: str
    folder: Path | None = None


def locate(target: str, root: Path, python: str = sys.executable) -> TargetModule:
    """The module that `target` names: `package.module`, importable from `root`, or the path of a file.

    Raises UntrodError when there is no such file, or when no test could import it.
    """
    path = root / target
    if target.endswith(".py") or path.is_file():
        if not path.is_file():
            raise UntrodError(
                f"there is no file {target}", "give the path of a Python file, or package.module"
            )
        folder, parts = path.resolve().parent, [path.stem]
        while (folder / "__init__.py").is_file() and folder.name.isidentifier():
            parts.insert(0, folder.name)
            folder = folder.parent
        if parts[0] in sys.stdlib_module_names:
            raise UntrodError(
                f"{target} has the name of a standard module, so no test can import it", "rename the file"
            )
        return _unless_installed(".".join(parts), folder, python)
    for folder in (root, root / "src"):
        place = folder.joinpath(*target.split("."))
        if place.with_suffix(".py").is_file() or place.is_dir():
            return _unless_installed(target, folder.resolve(), python)
    return TargetModule(target)


def _unless_installed(name: str, folder: Path, python: str) -> TargetModule:
    """Asks an isolated interpreter, which sees what is installed (also in editable mode) and nothing else."""
    code = "import importlib.util as u, sys; s = u.find_spec(sys.argv[1]); print((s and s.origin) or '')"
    top = name.split(".")[0]
    found = subprocess.run(
        [python, "-I", "-c", code, top], capture_output=True, text=True, check=False, cwd=Path(python).anchor
    )
    origin = found.stdout.strip()
    installed = bool(origin) and Path(origin).resolve().is_relative_to(folder)
    return TargetModule(name, None if installed else folder)
