"""The imports of a written test: which, under which names, in which order, and from where.

Order and grouping are those of ruff's isort rules, so that the file passes `ruff check` where it is put.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.source.layout import COLUMNS, statement
from untrod.source.names import dotted, is_dotted, is_name
from untrod.source.nodes import Atom, Call, Ref, Text
from untrod.source.quoting import quoted, width

_HERE = "Path(__file__).resolve().parents"
_STANDARD, _INSTALLED, _OWN = range(3)
_NOQA = "  # noqa: E402"


def local_names(refs: Iterable[Ref], taken: Iterable[str]) -> dict[Ref, str]:
    """How each ref is spelled in the file: by its own name unless that is `taken` or means something else.

    pytest collects whatever is called test..., so an imported property of that name gets another one.
    """
    used = {*taken, *dir(builtins)}
    owners: dict[str, tuple[str, str]] = {}
    spelled: dict[Ref, str] = {}
    for ref in sorted(set(refs), key=lambda ref: (ref.module, ref.qualname)):
        head, dot, rest = dotted(ref.qualname).partition(".")
        if ref.module in ("builtins", ""):
            spelled[ref] = ref.qualname
            continue
        name = head
        while owners.get(name, (ref.module, head)) != (ref.module, head) or _unusable(name, used):
            name = f"target_{name}"
        owners[name] = (ref.module, head)
        spelled[ref] = name + dot + rest
    return spelled


def import_lines(
    modules: Iterable[str],
    names: Mapping[Ref, str],
    folders: Iterable[Path],
    test_folder: Path,
    root: Path,
) -> list[str]:
    """The import block of a file in `test_folder` of the project `root`.

    `modules` are imported whole, `names` by name. When `folders` must be on `sys.path`, what may come from
    them is imported after the entry that puts them there.
    """
    folders = list(dict.fromkeys(folders))
    wanted = sorted(
        {_Import.of(ref, name) for ref, name in names.items() if ref.module not in ("builtins", "")}
    )
    loaded = [one for one in wanted if not one.has_a_statement]
    late = [one for one in wanted if one.has_a_statement and folders and one.section(root) != _STANDARD]
    early = [one for one in wanted if one.has_a_statement and one not in late]
    early += [_Import(module) for module in modules]
    early += [_Import("importlib")] if loaded else []
    early += [_Import("sys"), _Import("pathlib", "Path", "Path")] if folders else []
    blocks = _sections(early, root, "")
    if folders:
        blocks.append(_path_entries(folders, test_folder))
        blocks += _sections(late, root, _NOQA)
    if loaded:
        blocks.append([line for one in loaded for line in one.loading()])
    return [line for block in blocks for line in (*block, "")][:-1]


def _unusable(name: str, used: set[str]) -> bool:
    return name in used or not is_name(name) or name.lower().startswith("test")


@dataclass(frozen=True, slots=True, order=True)
class _Import:
    module: str
    member: str = ""
    name: str = ""

    @classmethod
    def of(cls, ref: Ref, spelled: str) -> _Import:
        return cls(ref.module, ref.qualname.partition(".")[0], spelled.partition(".")[0])

    @property
    def has_a_statement(self) -> bool:
        """A file like my-script.py has no import statement, but can be loaded."""
        return is_dotted(self.module)

    def loading(self) -> list[str]:
        load = Call(Atom("importlib.import_module"), (Text(self.module),))
        return statement(load, before=f"{self.name} = ", after=f".{self.member}")

    def section(self, root: Path) -> int:
        """What ruff would find it to be."""
        top = self.module.split(".")[0]
        if top in sys.stdlib_module_names:
            return _STANDARD
        own = any(
            (folder / top).is_dir() or (folder / f"{top}.py").is_file() for folder in (root, root / "src")
        )
        return _OWN if own else _INSTALLED


def _sections(imports: list[_Import], root: Path, noqa: str) -> list[list[str]]:
    sections = [[one for one in imports if one.section(root) == section] for section in range(3)]
    return [_section(section, noqa) for section in sections if section]


def _section(imports: list[_Import], noqa: str) -> list[str]:
    plain = sorted({one.module for one in imports if not one.member}, key=_natural)
    lines = [f"import {module}{noqa}" for module in plain]
    together: dict[tuple[str, str], list[_Import]] = {}
    for one in imports:
        if one.member:
            # Ruff keeps each renamed import on a line of its own.
            alias = one.name if one.name != one.member else ""
            together.setdefault((one.module, alias), []).append(one)
    groups = [sorted(group, key=_member_order) for group in together.values()]
    for group in sorted(groups, key=lambda group: (_natural(group[0].module), _member_order(group[0]))):
        lines += _from_import(group, noqa)
    return lines


def _from_import(group: list[_Import], noqa: str) -> list[str]:
    module = group[0].module
    members = [one.member if one.name == one.member else f"{one.member} as {one.name}" for one in group]
    line = f"from {module} import {', '.join(members)}"
    if len(line) <= COLUMNS:
        return [line + noqa]
    return [f"from {module} import ({noqa}", *(f"    {member}," for member in members), ")"]


def _path_entries(folders: list[Path], test_folder: Path) -> list[str]:
    lines = []
    for folder in folders:
        up, down = _way(test_folder, folder)
        place = f"{_HERE}[{up}] / {quoted('/'.join(down))}" if down else f"{_HERE}[{up}]"
        line = f"sys.path.insert(0, str({place}))"
        if width(line) > COLUMNS:
            lines.append(f"ROOT = {_HERE}[{up}]")
            joined = Call(Atom("ROOT.joinpath"), tuple(map(Text, down)))
            lines += statement(Call(Atom("sys.path.insert"), (Atom("0"), Call(Atom("str"), (joined,)))))
        else:
            lines.append(line)
    return lines


def _way(test_folder: Path, folder: Path) -> tuple[int, tuple[str, ...]]:
    """How many parents of a file in `test_folder` to go up, and which folders to go down from there."""
    test_folder, folder = test_folder.resolve(), folder.resolve()
    for up, above in enumerate((test_folder, *test_folder.parents)):
        if folder.is_relative_to(above):
            return up, folder.relative_to(above).parts
    raise UntrodError(
        f"{folder} and {test_folder} lie on different drives", "write the tests beside the code"
    )


def _member_order(one: _Import) -> tuple[int, list[tuple[int, int]], str]:
    """Constants, then classes, then the rest, as isort does."""
    name = one.member
    kind = 0 if len(name) > 1 and name.isupper() else 1 if name[:1].isupper() else 2
    return kind, _natural(name), name


def _natural(name: str) -> list[tuple[int, int]]:
    """Compares digits as numbers: `a2` before `a10`."""
    key: list[tuple[int, int]] = []
    for char in name.lower():
        if char.isdecimal():
            before = key.pop()[1] if key and key[-1][0] == ord("0") else 0
            key.append((ord("0"), before * 10 + int(char)))
        else:
            key.append((ord(char), 0))
    return key
