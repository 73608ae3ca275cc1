"""Puts the notes of `changes/` together: `python tools/make_changes.py --draft`, or VERSION at a release.

A release writes them into CHANGES.md, in a section of that version, and removes the files. changes/README.md
says what a note is.
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KINDS = {"added": "Added", "changed": "Changed", "fixed": "Fixed", "removed": "Removed"}
NAME = re.compile(r"(?P<number>\d+)(-[a-z0-9-]+)?\.(?P<kind>[a-z]+)\.md")
VERSION = re.compile(r"\d+\.\d+\.\d+[a-z0-9]*")


class Mistake(Exception):
    """A file or an argument that a person has to mend, in one line."""


@dataclass(frozen=True)
class Note:
    """One change: what its file says, and what its name says about it."""

    path: Path
    number: int
    kind: str
    text: str

    @classmethod
    def read(cls, path: Path) -> Note:
        named = NAME.fullmatch(path.name)
        if named is None or named["kind"] not in KINDS:
            raise Mistake(f"{path.name} is no NUMBER.KIND.md (kinds: {', '.join(KINDS)})")
        text = path.read_text(encoding="utf-8").strip()
        if not text:
            raise Mistake(f"{path.name} is empty")
        if text.startswith(("-", "*", "#")):
            raise Mistake(f"{path.name} begins with a bullet or a heading: it is one note, in sentences")
        return cls(path, int(named["number"]), named["kind"], text)

    def bullet(self) -> str:
        return "- " + "\n".join(f"  {line}" if line else "" for line in self.text.splitlines()).strip()


def read_notes(folder: Path) -> list[Note]:
    """All notes of the folder, by their numbers, then by their names."""
    found = [Note.read(path) for path in sorted(folder.iterdir()) if path.name != "README.md"]
    return sorted(found, key=lambda note: (note.number, note.path.name))


def put_together(notes: list[Note]) -> str:
    """The notes as Markdown: a heading for each kind that there is, a bullet for each note."""
    parts = []
    for kind, heading in KINDS.items():
        bullets = [note.bullet() for note in notes if note.kind == kind]
        if bullets:
            parts.append(f"### {heading}\n\n" + "\n".join(bullets))
    return "\n\n".join(parts)


def with_release(changes: str, version: str, date: str, notes: str) -> str:
    """CHANGES.md with the notes in the section of the version, which may be there already; else it is new."""
    heading = f"## {version} ({date})\n\n{notes}\n\n"
    own = re.search(rf"^## {re.escape(version)}(?: .*)?\n+", changes, re.MULTILINE)
    if own:
        return changes[: own.start()] + heading + "### Before that\n\n" + changes[own.end() :]
    first = re.search(r"^## ", changes, re.MULTILINE)
    at = first.start() if first else len(changes)
    return changes[:at] + heading + changes[at:]


def main(arguments: list[str], root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("version", nargs="?", help="what is released, such as 0.1.0")
    parser.add_argument("--draft", action="store_true", help="print the notes, and change nothing")
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="of the release; today")
    options = parser.parse_args(arguments)
    try:
        notes = read_notes(root / "changes")
        if options.draft:
            print(put_together(notes) or "There is no note.")
        else:
            release(root, options.version, options.date, notes)
    except Mistake as mistake:
        print(f"make_changes: {mistake}", file=sys.stderr)
        return 2
    return 0


def release(root: Path, version: str | None, date: str, notes: list[Note]) -> None:
    if version is None or not VERSION.fullmatch(version):
        raise Mistake("which version is it? Give one such as 0.1.0, or --draft")
    if not notes:
        raise Mistake("there is no note in changes/")
    page = root / "CHANGES.md"
    before = page.read_text(encoding="utf-8")
    page.write_text(with_release(before, version, date, put_together(notes)), encoding="utf-8")
    for note in notes:
        note.path.unlink()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
