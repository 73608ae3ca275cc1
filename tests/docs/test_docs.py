"""The documentation holds what it says: its commands run, its links and paths exist, its tables are right."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import fields
from pathlib import Path

import pytest

from untrod.core import events
from untrod.core.vocabulary import Outcome
from untrod.learn.catalogue import LEARNERS
from untrod.learn.rlcheck import Settings
from untrod.runtime.limits import PERMISSIONS, Limits

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
REFERENCE = sorted((ROOT / "docs" / "reference").glob("*.md"))
GUIDES = [README, *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path not in REFERENCE)]
NOTES = sorted((ROOT / "changes").glob("*.md"))
DOCUMENTS = [*GUIDES, *REFERENCE, ROOT / "CONTRIBUTING.md", ROOT / "CHANGES.md", *NOTES]
FOLLOWED_ELSEWHERE = {"tutorial.md"}  # by test_tutorial.py, which also reads what the commands print

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]+\]\(([^)#\s]+)(?:#[^)]*)?\)")
CODE_SPAN = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")
SOURCE_SUFFIXES = (".py", ".md", ".toml", ".txt", ".sh")
ROOMS = {path.name for path in (ROOT / "src" / "untrod").iterdir() if path.is_dir()}
TUTORED = ROOT / "examples" / "shop"
PLACEHOLDERS = {"NAME", "FILE.py", "file.py", "NUMBER.KIND.md"}


def name_of(document: Path) -> str:
    return str(document.relative_to(ROOT))


def folder_of(document: Path) -> Path:
    """What its links start from: notes end up in CHANGES.md."""
    return ROOT if document in NOTES and document.name != "README.md" else document.parent


def shown(document: Path) -> dict[str, list[str]]:
    """Each command of untrod, with the lines that it is said to print."""
    found: dict[str, list[str]] = {}
    for language, body in FENCE.findall(document.read_text()):
        for line in body.splitlines() if language == "console" else []:
            if line.startswith("$ "):
                lines = found.setdefault(line.removeprefix("$ "), [])
            elif line not in ("...", ""):
                lines.append(line)
    return found


def commands(document: Path, start: str) -> list[str]:
    """What a person is told to type, in order."""
    blocks = [
        body for language, body in FENCE.findall(document.read_text()) if language in ("console", "bash")
    ]
    lines = [line for block in blocks for line in block.splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.startswith(f"$ {start}")]


def prose(document: Path) -> str:
    return FENCE.sub("", document.read_text())


def table(document: Path, heading: str) -> list[list[str]]:
    """The cells of the rows below the table row that begins with `heading`."""
    lines = iter(document.read_text().splitlines())
    assert any(line.startswith(f"| {heading} |") for line in lines), f"no table {heading!r}"
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


def spans(cell: str) -> list[str]:
    return CODE_SPAN.findall(cell)


@pytest.mark.parametrize(
    "document",
    [path for path in GUIDES if commands(path, "untrod ") and path.name not in FOLLOWED_ELSEWHERE],
    ids=name_of,
)
def test_commands_run_as_written(document, project):
    shutil.copytree(ROOT / "examples", project.folder / "examples")
    for command in commands(document, "untrod "):
        result = project.untrod(*shlex.split(command)[1:])
        assert result.status in (0, 1), f"{command}: {result.err}"
        assert "Traceback" not in result.out + result.err, command
        if document == README:
            missing = [line for line in shown(README)[command] if line not in result.out.splitlines()]
            assert missing == [], f"{command} printed:\n{result.out}"


def test_the_readme_has_an_example_for_every_engine():
    verbs = [command.split()[1] for command, lines in shown(README).items() if lines]

    assert [verb for verb in verbs if verb != "replay"] == ["inputs", "cover", "worst", "gui", "explore"]


def test_the_readme_and_the_architecture_are_short():
    assert len(README.read_text().splitlines()) <= 160
    assert len((ROOT / "docs" / "ARCHITECTURE.md").read_text().splitlines()) < 200


def test_there_are_commands_to_run():
    assert sum(len(commands(document, "untrod ")) for document in GUIDES) >= 10


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_make_targets_exist(document):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {word for line in commands(document, "make ") for word in shlex.split(line)[1:]}
    named |= {text.removeprefix("make ") for text in spans(prose(document)) if text.startswith("make ")}
    assert named <= targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_benches_are_called_as_they_can_be(document, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from bench.__main__ import _parser, engines

    named = commands(document, "python -m bench ")
    named += [text for text in spans(prose(document)) if text.startswith("python -m bench ")]
    for command in named:
        assert _parser().parse_args(shlex.split(command)[3:]).engine in engines(), command


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document):
    links = [link for link in LINK.findall(prose(document)) if "://" not in link]
    assert [link for link in links if not (folder_of(document) / link).exists()] == []


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if path not in REFERENCE], ids=name_of)
def test_paths_in_the_text_exist(document):
    named = [text.partition(":")[0] for text in spans(prose(document))]
    assert [path for path in named if looks_like_ours(path) and not exists(path)] == []


def looks_like_ours(text: str) -> bool:
    """A path of this repository, whole or from `src/untrod` on; not one of the reader's own project."""
    if not PATH.fullmatch(text) or text.startswith((".untrod", "tests/untrod")):
        return False
    if PLACEHOLDERS & set(text.split("/")):
        return False
    first, slash, _ = text.partition("/")
    if not slash:
        return text.endswith(SOURCE_SUFFIXES) and not text.startswith("test_")
    return first in ROOMS or (ROOT / first).exists() or text.endswith(SOURCE_SUFFIXES)


def exists(path: str) -> bool:
    return any((folder / path).exists() for folder in (ROOT, ROOT / "src" / "untrod", TUTORED))


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("src/untrod/core/loop.py", True),
        ("core/lop.py", True),
        ("exmaples/bst.py", True),
        ("README.md", True),
        ("docs/", True),
        ("tests/untrod/test_bst_tree.py", False),
        (".untrod/scratch", False),
        ("test_bst_check_delete.py", False),
        ("src/untrod/engines/NAME/", False),
        ("untrod replay f30fca2dc", False),
        ("tree-lr", False),
    ],
)
def test_what_counts_as_a_path_of_ours(text, ours):
    assert looks_like_ours(text) is ours


def test_the_table_of_events_is_complete():
    rows = table(ROOT / "docs" / "inputs.md", "event")
    told = {spans(row[0])[0]: spans(row[1]) for row in rows}
    known = {
        name: [field.name for field in fields(kind) if field.name != "blob"]
        for name, kind in events.KINDS.items()
    }
    assert told == known


def test_the_table_of_learners_is_complete():
    rows = table(ROOT / "docs" / "inputs.md", "learner")
    assert {spans(row[0])[0] for row in rows} == set(LEARNERS)


def test_the_table_of_settings_is_complete():
    rows = table(ROOT / "docs" / "inputs.md", "setting")
    told = {spans(row[0])[0]: spans(row[1])[0] for row in rows}
    assert told == {field.name: str(field.default) for field in fields(Settings)}


def test_the_table_of_findings_is_complete():
    rows = table(ROOT / "docs" / "inputs.md", "kind")
    assert {spans(row[0])[0] for row in rows} == {outcome.value for outcome in Outcome if outcome.is_finding}


def test_the_tables_of_limits_and_permissions_are_complete():
    safety = ROOT / "docs" / "safety.md"
    limits = {spans(row[0])[0]: row[1] for row in table(safety, "limit")}
    assert limits == {field.name: str(field.default) for field in fields(Limits)}
    assert {spans(row[0])[0]: row[1] for row in table(safety, "`--allow`")} == PERMISSIONS
