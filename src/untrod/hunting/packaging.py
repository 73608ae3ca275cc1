"""The files that build a project, as far as they say what is installed.

pyproject.toml (setuptools, hatch, poetry, flit, pdm, uv, maturin), setup.cfg, and setup.py, whose source is
read and never run.
"""

from __future__ import annotations

import ast
import configparser
import fnmatch
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from untrod.core.reading import SOURCE, is_regular, read_bytes, read_text
from untrod.core.vocabulary import Json

ASIDE = {
    *("test", "tests", "unit_test", "unit_tests", "benchmark", "benchmarks", "bench"),
    *("example", "examples", "demo", "demos", "doc", "docs", "documentation"),
}
"""Folders that are nobody's product, wherever they stand."""
TOP_ASIDE = {
    *ASIDE,
    *("ci", "bin", "debian", "manpages", "news", "newsfragments", "changelog", "scripts", "script", "tools"),
    *("tool", "util", "utils", "python", "build", "exercise", "exercises", "htmlcov", "tasks", "profiling"),
    *("packaging", "contrib", "extras", "misc", "fuzz", "fuzzing", "perf", "performance"),
}
"""Of a project that does not say what it installs, at its top: as setuptools has it, and a few more."""
TOP_FILES = {
    *("setup", "conftest", "test", "tests", "example", "examples", "build", "toxfile", "noxfile", "pavement"),
    *("dodo", "tasks", "fabfile", "conanfile", "manage", "benchmark", "benchmarks", "exercise", "exercises"),
    *("bench", "runtests", "run_tests", "release", "make", "hatch_build"),
}


def packages_in(folder: Path) -> Iterator[PurePosixPath]:
    """Folders with an `__init__.py`, and in `src` also modules."""
    for path in sorted(folder.iterdir()):
        if is_regular(path / "__init__.py") or (
            folder.name == "src" and path.suffix == ".py" and path.stem not in TOP_FILES
        ):
            yield PurePosixPath(path.name)


class Packaging:
    """What the files that build a project say of it."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._pyproject = _toml(project / "pyproject.toml")
        self._config = _ini(project / "setup.cfg")
        self._setup = _setup_call(project / "setup.py")
        self._tool = _table(self._pyproject, "tool")

    @property
    def builds(self) -> bool:
        """Is there something to install?"""
        backends = {"poetry", "flit", "hatch", "pdm", "setuptools", "maturin"} & self._tool.keys()
        told = {"project", "build-system"} & self._pyproject.keys()
        has_options = any(self._config.has_section(name) for name in ("options", "metadata"))
        return bool(told or backends or has_options or is_regular(self._project / "setup.py"))

    @property
    def name(self) -> str:
        """As a module would be called."""
        named = [
            _table(self._pyproject, "project").get("name"),
            _table(self._tool, "poetry").get("name"),
            self._config.get("metadata", "name", fallback=None),
            self._setup.get("name"),
        ]
        found = next((each for each in named if isinstance(each, str) and each), "")
        return found.replace("-", "_").replace(".", "_")

    def roots(self) -> list[PurePosixPath]:
        """From the first file that names packages."""
        for told in (
            self._setuptools,
            self._hatch,
            self._poetry,
            self._flit,
            self._others,
            self._setup_cfg,
            self._setup_py,
            self._top_level,
        ):
            if found := [root for root in told() if ".." not in root.parts and not root.is_absolute()]:
                return found
        return []

    def _setuptools(self) -> Iterable[PurePosixPath]:
        told = _table(self._tool, "setuptools")
        folders = _strings_of(told.get("package-dir"))
        packages = told.get("packages")
        if isinstance(packages, dict):
            find = _table(packages, "find")
            yield from self._found(
                _texts(find.get("where")) or [folders.get("", ".")],
                _texts(find.get("include")),
                _texts(find.get("exclude")),
                namespaces=find.get("namespaces", True) is not False,
            )
        yield from _placed(_texts(packages), folders)
        yield from _modules(_texts(told.get("py-modules")), folders)

    def _hatch(self) -> Iterable[PurePosixPath]:
        build = _table(_table(self._tool, "hatch"), "build")
        wheel = _table(_table(build, "targets"), "wheel")
        for told in (wheel, build):
            named = [*_texts(told.get("packages")), *_texts(told.get("only-include"))]
            if not named:
                named = [
                    each.strip("/").removesuffix("/**").removesuffix("/*")
                    for each in _texts(told.get("include"))
                ]
            found = [PurePosixPath(each) for each in named if "*" not in each]
            if found:
                return [each for each in found if each.suffix in ("", ".py")]
        return []

    def _poetry(self) -> Iterable[PurePosixPath]:
        for each in _table(self._tool, "poetry").get("packages") or ():
            if isinstance(each, dict) and isinstance(each.get("include"), str):
                include = each["include"].split("*")[0].rstrip("/")
                formats = each.get("format", "wheel")
                if include and ("wheel" in formats):
                    yield PurePosixPath(str(each.get("from") or ".")) / include

    def _flit(self) -> Iterable[PurePosixPath]:
        named = _table(_table(self._tool, "flit"), "module").get("name")
        if isinstance(named, str):
            yield from self._called(named)

    def _others(self) -> Iterable[PurePosixPath]:
        uv = _table(_table(self._tool, "uv"), "build-backend")
        for named in _texts(uv.get("module-name")):
            yield PurePosixPath(str(uv.get("module-root", "src"))) / named.replace(".", "/")
        maturin = _table(self._tool, "maturin")
        if isinstance(maturin.get("python-source"), str):
            yield from (
                PurePosixPath(maturin["python-source"]) / each
                for each in _packages_below(self._project / maturin["python-source"])
            )
        pdm = _table(_table(self._tool, "pdm"), "build")
        if isinstance(pdm.get("package-dir"), str) and pdm["package-dir"]:
            folder = pdm["package-dir"]
            yield from (PurePosixPath(folder) / each for each in _packages_below(self._project / folder))

    def _setup_cfg(self) -> Iterable[PurePosixPath]:
        def listed(section: str, option: str) -> list[str]:
            text = self._config.get(section, option, fallback="")
            return [each.strip() for each in text.replace(",", "\n").splitlines() if each.strip()]

        pairs = (each.partition("=") for each in listed("options", "package_dir"))
        folders = {key.strip(): value.strip() for key, _, value in pairs}
        packages = listed("options", "packages")
        if packages and packages[0].startswith(("find:", "find_namespace:")):
            section = "options.packages.find"
            yield from self._found(
                listed(section, "where") or [folders.get("", ".")],
                listed(section, "include"),
                listed(section, "exclude"),
                namespaces=packages[0].startswith("find_namespace:"),
            )
        else:
            yield from _placed(packages, folders)
        yield from _modules(listed("options", "py_modules"), folders)

    def _setup_py(self) -> Iterable[PurePosixPath]:
        folders = _strings_of(self._setup.get("package_dir"))
        packages = self._setup.get("packages")
        if isinstance(packages, _Find):
            yield from self._found(
                [packages.where or folders.get("", ".")],
                packages.include,
                packages.exclude,
                namespaces=packages.namespaces,
            )
        else:
            yield from _placed(_texts(packages), folders)
        yield from _modules(_texts(self._setup.get("py_modules")), folders)

    def _top_level(self) -> Iterable[PurePosixPath]:
        """What a source distribution says of itself."""
        for folder in (Path("."), Path("src")):
            for path in sorted((self._project / folder).glob("*.egg-info/top_level.txt")):
                try:
                    names = read_text(path, SOURCE, "replace").split()
                except OSError:
                    continue
                yield from (root for name in names for root in self._called(name) if name not in TOP_ASIDE)

    def _called(self, name: str) -> Iterator[PurePosixPath]:
        """A package or a module, in `src` or beside it."""
        place = name.replace(".", "/")
        for root in ("src", "."):
            for path in (PurePosixPath(root) / place, PurePosixPath(root) / f"{place}.py"):
                if os.path.lexists(self._project / path):
                    yield path
                    return

    def _found(
        self, where: Iterable[str], include: Iterable[str], exclude: Iterable[str], *, namespaces: bool
    ) -> Iterator[PurePosixPath]:
        """The top packages that `find_packages` would find. Patterns are of dotted names."""
        include, exclude = tuple(include) or ("*",), tuple(exclude)
        for folder in where:
            top = self._project / folder
            for path in sorted(top.iterdir()) if top.is_dir() else ():
                is_package = is_regular(path / "__init__.py")
                if not path.is_dir() or not path.name.isidentifier() or not (is_package or namespaces):
                    continue
                if not is_package and path.name in TOP_ASIDE:
                    continue
                wanted = any(
                    fnmatch.fnmatchcase(path.name, pattern.removesuffix(".*")) for pattern in include
                )
                wanted = wanted and not any(fnmatch.fnmatchcase(path.name, pattern) for pattern in exclude)
                if wanted and (path.name not in TOP_ASIDE or path.name in include):
                    yield PurePosixPath(folder) / path.name


@dataclass(frozen=True, slots=True)
class _Find:
    """`find_packages(...)` in a setup.py."""

    where: str
    include: list[str]
    exclude: list[str]
    namespaces: bool


def _setup_call(path: Path) -> dict[str, Json]:
    """The keywords of the call of `setup`, as far as they are literals or names of literals."""
    try:
        tree = ast.parse(read_bytes(path, SOURCE))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    names = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found: dict[str, Json] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called_name(node) == "setup":
            given = {each.arg: each.value for each in node.keywords if each.arg}
            # setup(**options), where these are a literal:
            for each in (each.value for each in node.keywords if each.arg is None):
                literal = names.get(each.id) if isinstance(each, ast.Name) else each
                if isinstance(literal, ast.Dict):
                    pairs = zip(literal.keys, literal.values, strict=True)
                    given |= {str(key.value): each for key, each in pairs if isinstance(key, ast.Constant)}
            found |= {key: _read(value, names) for key, value in given.items()}
    return found


def _read(node: ast.expr, names: Mapping[str, ast.expr]) -> Json:
    if isinstance(node, ast.Name) and node.id in names:
        node = names[node.id]
    if isinstance(node, ast.Call) and _called_name(node) in ("find_packages", "find_namespace_packages"):
        given = {each.arg: _read(each.value, names) for each in node.keywords if each.arg}
        for key, value in zip(("where", "exclude", "include"), node.args, strict=False):
            given[key] = _read(value, names)
        where = given.get("where")
        return _Find(
            where if isinstance(where, str) else "",
            _texts(given.get("include")),
            _texts(given.get("exclude")),
            _called_name(node) == "find_namespace_packages",
        )
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _called_name(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _placed(packages: Iterable[str], folders: Mapping[str, str]) -> Iterator[PurePosixPath]:
    """Where packages stand, by `package_dir`."""
    for name in packages:
        if name in folders:
            yield PurePosixPath(folders[name])
            continue
        yield PurePosixPath(folders.get("", ".")) / name.replace(".", "/")


def _modules(names: Iterable[str], folders: Mapping[str, str]) -> Iterator[PurePosixPath]:
    return (PurePosixPath(folders.get("", ".")) / f"{name.replace('.', '/')}.py" for name in names)


def _packages_below(folder: Path) -> Iterator[PurePosixPath]:
    return packages_in(folder) if folder.is_dir() else iter(())


def _toml(path: Path) -> dict[str, Json]:
    try:
        return tomllib.loads(read_text(path, SOURCE))
    except (OSError, ValueError, RecursionError):
        return {}


def _ini(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(read_text(path, SOURCE))
    except (OSError, ValueError, configparser.Error):
        return configparser.ConfigParser(interpolation=None)
    return parser


def _table(body: Mapping[str, Json], key: str) -> dict[str, Json]:
    found = body.get(key)
    return found if isinstance(found, dict) else {}


def _texts(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple) else []


def _strings_of(value: Json) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {key: each for key, each in value.items() if isinstance(key, str) and isinstance(each, str)}
