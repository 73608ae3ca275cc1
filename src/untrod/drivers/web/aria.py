"""Playwright's accessibility snapshot as a tree.

    - heading "Notes" [level=1] [ref=e2] [box=8,8,300,38]
    - list [ref=e3]:
      - listitem [ref=e4]:
        - text: milk
        - button "Delete" [ref=e5] [box=60,50,49,21]
      - link "About" [ref=e6] [cursor=pointer]:
        - /url: /about

Roles and names are those that `get_by_role` goes by, shadow trees and frames included, so what is read here
can be found again by a test. A line whose key needs quoting is in single quotes, a value in double ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Box = tuple[int, int, int, int]

_KEY = re.compile(r"(?P<role>[\w-]+)(?: (?P<name>\"(?:[^\"\\]|\\.)*\"))?(?P<marks>(?: \[[^\]]*\])*)")
_MARK = re.compile(r"\[([\w-]+)(?:=([^\]]*))?\]")


@dataclass(slots=True, eq=False)
class Element:
    """`text` is what stands in it directly. `marks` are checked, disabled, active and the like."""

    role: str
    name: str = ""
    text: str = ""
    marks: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)  # url, placeholder
    children: list[Element] = field(default_factory=list)
    parent: Element | None = field(default=None, repr=False)
    box: Box | None = None  # on the page, also for what is in a frame

    @property
    def ref(self) -> str:
        return self.marks.get("ref", "")

    def walk(self) -> Iterator[Element]:
        """This one and all below, in the order of the page. Without recursion: pages nest deeply."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))

    def ancestors(self) -> Iterator[Element]:
        above = self.parent
        while above is not None:
            yield above
            above = above.parent


def read_snapshot(snapshot: str) -> Element:
    """A root without a role, with the page's elements below it. Lines that are not understood are text."""
    root = Element("")
    path: list[tuple[int, Element]] = [(-1, root)]
    for line in snapshot.splitlines():
        words = line.lstrip(" ")
        if not words.startswith("- "):
            continue
        indent = len(line) - len(words)
        while path[-1][0] >= indent:
            path.pop()
        parent = path[-1][1]
        key, value = _split(words[2:])
        if key.startswith("/"):
            parent.properties[key[1:]] = value
            continue
        element = _element(key, value, parent)
        parent.children.append(element)
        path.append((indent, element))
    return root


def _split(words: str) -> tuple[str, str]:
    """Key and value of a line."""
    if words.startswith("'"):
        end = re.match(r"'((?:[^']|'')*)'", words)
        if end:
            return end[1].replace("''", "'"), _value(words[end.end() :].removeprefix(":"))
    if words.startswith(("/", "text:")):
        key, _, value = words.partition(":")
        return key, _value(value)
    found = _KEY.match(words)
    if not found:
        return "text", _value(words)
    return found[0], _value(words[found.end() :].removeprefix(":"))


def _value(words: str) -> str:
    words = words.strip()
    if words.startswith('"') and words.endswith('"') and len(words) > 1:
        return _unquoted(words)
    if words.startswith("'") and words.endswith("'") and len(words) > 1:
        return words[1:-1].replace("''", "'")
    return words


def _unquoted(words: str) -> str:
    try:
        return str(json.loads(words, strict=False))
    except ValueError:  # YAML knows escapes that JSON does not
        return words[1:-1]


def _element(key: str, value: str, parent: Element) -> Element:
    found = _KEY.fullmatch(key)
    if not found:
        return Element("text", text=value or key, parent=parent)
    marks = {name: mark or "true" for name, mark in _MARK.findall(found["marks"])}
    box = _box(marks.pop("box", ""), parent)
    name = _unquoted(found["name"]) if found["name"] else ""
    return Element(found["role"], name, value, marks, parent=parent, box=box)


def _box(mark: str, parent: Element) -> Box | None:
    """Inside a frame, Playwright counts from the frame's corner."""
    sides = mark.split(",")
    if len(sides) != 4:
        return None
    left, top, width, height = (round(float(side)) for side in sides)
    for above in (parent, *parent.ancestors()):
        if above.role == "iframe" and above.box is not None:
            left, top = left + above.box[0], top + above.box[1]
            break
    return left, top, width, height
