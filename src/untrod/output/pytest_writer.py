"""Writes tests a person would commit: plain pytest, literal values, nothing of untrod.

The same cases give the same bytes, and the bytes are as `ruff format` would leave them. A file that a person
has edited is theirs: it is never overwritten.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from untrod.core.reading import read_bytes
from untrod.core.text import one_line
from untrod.core.writing import alone_in, write_atomically
from untrod.output.cases import Raises, Returns, TestCase
from untrod.output.helpers import HELPERS
from untrod.output.imports import import_lines, local_names
from untrod.output.rendering import (
    case_refs,
    comment,
    local_variables,
    needed_modules,
    render_case,
    render_table,
)
from untrod.source.names import NoName

_SEAL = re.compile(r"^# untrod:seal ([0-9a-f]{16})$", re.MULTILINE)
_TEST = re.compile(r"^def (test_\w+)\(", re.MULTILINE)
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Origin:
    """Where tests come from: what the header says, and what the imports need.

    `root` is the project's folder, `folders` those that must be on `sys.path`.
    """

    engine: str
    target: str
    root: Path
    folders: tuple[Path, ...] = ()


def write_tests(folder: Path, module_slug: str, cases: Iterable[TestCase], origin: Origin) -> list[Path]:
    """Write all `cases` of one target to `test_<slug>.py` in `folder`; returns the file, or nothing to write.

    A file is replaced only if it is as untrod left it and each of its tests is also in the new one;
    otherwise the tests go to `test_<slug>_2.py`, and so on.
    """
    source = render_file(folder, cases, origin, in_tables=True)
    if not source:
        return []
    slug = _slug(module_slug)
    number = 1
    with alone_in(folder):
        while True:
            path = folder / (f"test_{slug}.py" if number == 1 else f"test_{slug}_{number}.py")
            if _may_replace(path, source):
                write_atomically(path, source)
                return [path]
            number += 1


def render_file(folder: Path, cases: Iterable[TestCase], origin: Origin, *, in_tables: bool = False) -> str:
    """The source of a test file to be put in `folder`; empty without cases. Independent of their order. With
    `in_tables`, cases of one form are one test with parameters.

    Raises NoName on a case that is not `writable`.
    """
    named = named_cases(cases)
    if not named:
        return ""
    refs = {ref: None for _, case in named for ref in case_refs(case)}
    used = {ref for ref in refs if ref in HELPERS}
    used |= {needed for ref in used for needed in HELPERS[ref].needs}
    helpers = [helper for ref, helper in HELPERS.items() if ref in used]
    taken = {"pytest", "re", "sys", "Path", "ROOT", "importlib", "expected", "result"}
    taken |= {name for helper in helpers for name in helper.names}
    taken |= {variable for _, case in named for variable in local_variables(case)}
    written = _in_tables(named) if in_tables else [(name, [case]) for name, case in named]
    taken |= {argument for _, several in written if len(several) > 1 for argument in several[0].form[1:]}
    names = local_names(refs, taken)
    modules = sorted(
        {module for _, case in named for module in needed_modules(case)}
        | {module for helper in helpers for module in helper.modules}
        | ({"pytest"} if any(len(several) > 1 for _, several in written) else set())
    )
    imports = import_lines(modules, names, origin.folders, folder, origin.root)
    blocks = [helper.source for helper in helpers]
    section = ""
    for name, several in written:
        if several[0].section != section:
            section = several[0].section
            blocks.append("\n".join(comment(section)))
        render = render_table(name, several, names.__getitem__) if len(several) > 1 else None
        blocks.append("\n".join(render or render_case(name, several[0], names.__getitem__)))
    body = "\n\n\n".join(["\n".join(imports), *blocks] if imports else blocks) + "\n"
    return _sealed(_header(origin, [case for _, case in named]), body)


def _in_tables(named: list[tuple[str, TestCase]]) -> list[tuple[str, list[TestCase]]]:
    """Cases of one form stand together, where the first of them would; the others stay as they are."""
    forms: dict[tuple[str, ...], list[TestCase]] = {}
    for _, case in named:
        if case.form:
            forms.setdefault((case.section, *case.form), []).append(case)
    taken = {name for name, _ in named}
    written: list[tuple[str, list[TestCase]]] = []
    done: set[tuple[str, ...]] = set()
    for name, case in named:
        form = (case.section, *case.form)
        several = forms.get(form, [case])
        if not case.form or len(several) == 1:
            written.append((name, [case]))
        elif form not in done:
            done.add(form)
            title, number = "test_" + _slug(case.form[0]), 2
            while title in taken:
                title, number = f"test_{_slug(case.form[0])}_{number}", number + 1
            taken.add(title)
            written.append((title, several))
    return written


def writable(cases: Iterable[TestCase]) -> tuple[list[TestCase], list[tuple[TestCase, str]]]:
    """Those that can be written, and the others with what is in the way: a name that is none in Python."""
    good, odd = [], []
    for case in cases:
        try:
            _try_to_render(case)
            good.append(case)
        except NoName as error:
            odd.append((case, str(error)))
    return good, odd


def _try_to_render(case: TestCase) -> None:
    """Raises NoName."""
    names = local_names(case_refs(case), local_variables(case))
    render_case("test_case", case, names.__getitem__)
    if case.weaker is not None:
        _try_to_render(case.weaker)


def named_cases(cases: Iterable[TestCase]) -> list[tuple[str, TestCase]]:
    """The distinct cases in an order of their own, each with a name of its own."""
    named: dict[str, TestCase] = {}
    for case in sorted(set(cases), key=lambda case: (case.section, case.name_hint, case.finding, repr(case))):
        name, number = "test_" + _slug(case.name_hint), 2
        while name in named:
            name = f"test_{_slug(case.name_hint)}_{number}"
            number += 1
        named[name] = case
    return list(named.items())


def _slug(hint: str) -> str:
    words = re.findall(r"[a-z0-9]+", hint[:1000].lower().replace("'", ""))
    slug = ""
    for word in words:
        longer = f"{slug}_{word}" if slug else word[:_LONGEST_NAME]
        if len(longer) > _LONGEST_NAME:
            break
        slug = longer
    return slug or "case"


def _header(origin: Origin, cases: list[TestCase]) -> list[str]:
    lines = [f"Found by untrod ({one_line(origin.engine, 40)}) in {one_line(origin.target, 200)}."]
    replays = sorted({case.finding for case in cases if case.finding})
    if replays:
        lines.append(f"Replay: untrod replay {one_line(replays[0], 40)}")
        lines += [f"        untrod replay {one_line(finding, 40)}" for finding in replays[1:]]
    if origin.target.lower().startswith(("http://", "https://")):
        lines.append("The application must be running at that address.")
    if any(case.known_failure for case in cases):
        lines.append(
            "Known failures are expected failures: the suite stays green until the bug is fixed; "
            "then the strict xfail turns red and its marker can go."
        )
    if any(isinstance(case.expectation, Returns | Raises) and not case.known_failure for case in cases):
        lines.append(
            "The tests pin what the code does today, right or wrong. Where that changes on purpose, "
            "change them."
        )
    if any(case.remark for case in cases):
        lines.append("Some of it looks like a bug. Those tests say so.")
    lines.append("Edit this file and it is yours: untrod will not write to it again.")
    return [wrapped for line in lines for wrapped in comment(line)]


def _sealed(header: list[str], body: str) -> str:
    opening, closing = "\n".join(header) + "\n", "\n" + body
    return f"{opening}# untrod:seal {_digest(opening + closing)}\n{closing}"


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _may_replace(path: Path, source: str) -> bool:
    try:
        old = read_bytes(path).decode().replace("\r\n", "\n")  # a checkout may have changed the line ends
    except FileNotFoundError:
        return True
    except (OSError, UnicodeDecodeError):
        return False
    seal = _SEAL.search(old)
    untouched = seal is not None and seal[1] == _digest(old[: seal.start()] + old[seal.end() + 1 :])
    return untouched and set(_TEST.findall(old)) <= set(_TEST.findall(source))
