"""From an accessibility tree to a screen: labels, widgets, the two identities, and what can be done there.

The concrete identity is all that the snapshot says, and the address, but for what a clock shows: "took 12 ms"
would make another screen of each visit. The abstract one leaves out what a list holds and what texts say: it
keeps the path of the address with its numbers blotted out, the headings, and the
roles and names of what can be operated. Inside the entries of a list or a table the names are data, so there
only the roles count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from untrod.core.vocabulary import digest
from untrod.drivers.protocol import Action, Event, Locator, Screen, Widget
from untrod.drivers.web.chromium import origin_of
from untrod.drivers.web.tree import Element
from untrod.drivers.words import LEAVES, Dictionary

_BUTTONS = ("button", "checkbox", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "radio", "switch")
_CHOICES = (
    "combobox",
    "listbox",
    "option",
    "searchbox",
    "slider",
    "spinbutton",
    "tab",
    "textbox",
    "treeitem",
)
OPERATED = frozenset({*_BUTTONS, *_CHOICES})
TYPED = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
ENTRIES = frozenset({"listitem", "row", "article", "treeitem", "gridcell", "cell"})
STATES = ("checked", "disabled", "expanded", "pressed", "selected")
MOST_WIDGETS = 400
MOST_ELEMENTS = 60_000
"""On a page that is read at all."""
MOST_TEXTS = 1000
LONGEST_TEXT = 500
MOST_HOVERS = 10
MOST_ACTIONS = 300
BACK, RELOAD = Action("back"), Action("reload")

_CLOCK = re.compile(r"\d+(?:[.,]\d+)? ?(?:[mµn]?s|sec|seconds?)\b|\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b")


@dataclass(frozen=True, slots=True)
class ElementHandle:
    """An element that can be named: how it is found again, and what a person calls it."""

    element: Element
    locator: Locator
    detail: str


@dataclass(slots=True)
class Snapshot:
    """A page at one moment. `hovers` and `doubles`: hovering and double-clicking may have an effect there."""

    url: str
    root: Element
    title: str = ""
    back: bool = False
    hovers: bool = False
    doubles: bool = False
    handles: list[ElementHandle] = field(default_factory=list)
    crowded: bool = False

    def __post_init__(self) -> None:
        named = [element for element in self.root.walk() if is_operated(element) or element.role in ENTRIES]
        self.crowded = self.crowded or len(named) > MOST_WIDGETS
        self.handles = _handles(named[:MOST_WIDGETS])


def kind_of_field(element: Element) -> str:
    """The type of an input, as HTML calls it."""
    return element.properties.get("kind", "text")


def is_operated(element: Element) -> bool:
    """Operated by itself: a role that is, or a pointer that says so, unless it is inside of such a thing."""
    if element.role in OPERATED:
        return element.role != "option" or element.parent is None or element.parent.role != "combobox"
    if element.role != "generic" or "cursor" not in element.marks or not words_of(element):
        return False
    return not any(above.role in OPERATED or "cursor" in above.marks for above in element.ancestors())


def words_of(element: Element, most: int = 60) -> str:
    """Its name, or else the first words in it."""
    if element.name:
        return element.name
    for each in element.walk():
        words = each.text or (each.name if each is not element and each.role not in OPERATED else "")
        if words and each.role not in TYPED:
            return words[:most].strip()
    return ""


def screen_of(snapshot: Snapshot, events: Iterable[Event] = ()) -> Screen:
    parts = urlsplit(snapshot.url)
    place = parts.path + (f"?{parts.query}" if parts.query else "")
    place += f"#{parts.fragment}" if parts.fragment else ""
    elements = list(snapshot.root.walk())
    attrs = {
        "activity": (parts.path,),
        "url": (place,),
        "title": (snapshot.title,),
        "text": _texts(elements),
    }
    for label, roles in (("heading", ("heading",)), ("alert", ("alert", "status")), ("dialog", ("dialog",))):
        found = tuple(words for each in elements if each.role in roles and (words := _all_words(each)))
        if found:
            attrs[label] = found
    widgets = tuple(_widget(handle) for handle in snapshot.handles if is_operated(handle.element))
    concrete = digest(_CLOCK.sub("#", "\n".join([place, snapshot.title, *map(_line, elements)])))
    abstract = _abstract(parts.path, parts.fragment, elements)
    return Screen(abstract, concrete, attrs, widgets, tuple(events))


def _texts(elements: list[Element]) -> tuple[str, ...]:
    """Each text once. Names of what is operated are added by the widgets."""
    found: dict[str, None] = {}
    for element in elements:
        for words in (element.text, "" if element.role in OPERATED else element.name):
            if words and element.role not in TYPED:
                found[words[:LONGEST_TEXT]] = None
    return tuple(found)[:MOST_TEXTS]


def _all_words(element: Element) -> str:
    parts = (words for each in element.walk() for words in (each.name, each.text) if words)
    return " ".join(dict.fromkeys(parts))[:LONGEST_TEXT]


def _widget(handle: ElementHandle) -> Widget:
    element = handle.element
    attrs = {state: element.marks[state] for state in (*STATES, "required") if state in element.marks}
    if element.role in ("checkbox", "radio", "switch"):
        attrs.setdefault("checked", "false")
    if element.role in TYPED and element.text:
        attrs["value"] = element.text[:LONGEST_TEXT]
    chosen = [each.name for each in element.children if each.role == "option" and "selected" in each.marks]
    if chosen:
        attrs["value"] = ", ".join(chosen)[:LONGEST_TEXT]
    return Widget(element.role, element.name, (handle.locator,), attrs)


def _line(element: Element) -> str:
    """Everything but where it is: that changes with fonts and windows."""
    marks = " ".join(f"{name}={mark}" for name, mark in element.marks.items() if name != "cursor")
    return f"{element.role} {element.name!r} {marks} {element.text!r} {element.properties.get('url', '')}"


def _abstract(path: str, fragment: str, elements: list[Element]) -> str:
    facts: set[str] = set()
    for element in elements:
        if element.role == "heading" and not _entry(element):
            facts.add(f"heading {_blotted(words_of(element))}")
        elif element.role in ("alert", "dialog"):
            facts.add(element.role)
        elif is_operated(element):
            facts.add(_fact(element))
    path = _blotted(path)
    return f"{path}{'#' + _blotted(fragment) if fragment else ''} {digest(' '.join(sorted(facts)))[:8]}"


def _fact(element: Element) -> str:
    entry = _entry(element)
    state = " ".join(f"{name}={element.marks[name]}" for name in STATES if name in element.marks)
    filled = "filled" if element.role in TYPED and element.text else ""
    if entry is not None:
        return f"{entry.role} {element.role} {state}"
    return f"{element.role} {_blotted(element.name or words_of(element))} {state} {filled}"


def _entry(element: Element) -> Element | None:
    return next((above for above in element.ancestors() if above.role in ENTRIES), None)


def is_outermost_entry(element: Element) -> bool:
    """Not one inside of another, and not the row above a table that says what is in its columns."""
    if element.role not in ENTRIES or is_operated(element) or _entry(element) is not None:
        return False
    return all(child.role != "columnheader" for child in element.children)


def _blotted(text: str) -> str:
    return re.sub(r"\d+", "#", text)


def _handles(named: list[Element]) -> list[ElementHandle]:
    """Role and name where they are enough; else with the entry it stands in; else with a number."""
    keys = [(*_kind(element), words_of(element)) for element in named]
    often = Counter(keys)
    keys = [
        (way, _with_entry(kind, each) if often[way, kind, words] > 1 else kind, words)
        for each, (way, kind, words) in zip(named, keys, strict=True)
    ]
    often, seen = Counter(keys), Counter[tuple[str, str, str]]()
    handles = []
    for element, key in zip(named, keys, strict=True):
        strategy, kind, words = key
        seen[key] += 1
        handles.append(
            ElementHandle(element, (strategy, f"{kind} #{seen[key]}" if often[key] > 1 else kind), words)
        )
    return handles


def _with_entry(kind: str, element: Element) -> str:
    entry = _entry(element)
    words = words_of(entry) if entry is not None else ""
    return f'{kind} in {entry.role} "{words}"' if entry is not None and words else kind


def _kind(element: Element) -> Locator:
    return ("text", "") if element.role == "generic" else ("role", element.role)


# ---- what can be done ----


def offers(
    snapshot: Snapshot, words: Dictionary, origins: frozenset[str], *, log_out: bool = False
) -> list[Action]:
    """In the order of the page; what belongs to the page as a whole comes last."""
    actions: list[Action] = []
    entries: list[Action] = []
    for handle in snapshot.handles:
        element = handle.element
        if "disabled" in element.marks:
            continue
        if element.role in ENTRIES and not is_operated(element):
            if len(entries) < 2 * MOST_HOVERS and handle.detail and is_outermost_entry(element):
                entries += [_action("hover", handle)] if snapshot.hovers else []
                entries += [_action("doubleclick", handle)] if snapshot.doubles else []
        elif not _leads_away(element, snapshot, origins) and (log_out or not _logs_out(handle.detail)):
            actions += _operations(handle, snapshot, words)
    page = [Action("key", None, key) for key in ("Enter", "Escape") if _focused(snapshot) is not None]
    page += [BACK] if snapshot.back else []
    kept = MOST_ACTIONS - len(entries)
    return list(dict.fromkeys([*actions[:kept], *entries, *page, RELOAD]))


def _operations(handle: ElementHandle, snapshot: Snapshot, words: Dictionary) -> list[Action]:
    element = handle.element
    match element.role:
        case "textbox" | "searchbox" | "spinbutton":
            return _typed(handle, snapshot, words)
        case "slider":
            return [_action("type", handle, word) for word in words.words("range", element.name)]
        case "combobox":
            options = [each.name for each in element.children if each.role == "option"]
            chosen = [each.name for each in element.children if "selected" in each.marks]
            picks = [_action("select", handle, name) for name in options if name and name not in chosen]
            return picks if options else [*_typed(handle, snapshot, words), _action("click", handle)]
    return [_action("click", handle)]


def _typed(handle: ElementHandle, snapshot: Snapshot, words: Dictionary) -> list[Action]:
    if "readonly" in handle.element.marks:
        return [_action("click", handle)]
    kind = kind_of_field(handle.element)
    return [_action("type", handle, word) for word in words.words(kind, handle.element.name)]


def _action(kind: str, handle: ElementHandle, value: str = "") -> Action:
    return Action(kind, handle.locator, value, handle.detail)


def _leads_away(element: Element, snapshot: Snapshot, origins: frozenset[str]) -> bool:
    address = element.properties.get("url", "")
    if not address or address.startswith(("#", "javascript:")):
        return False
    try:
        return origin_of(urljoin(snapshot.url, address)) not in origins
    except Exception:  # mailto:, tel: and what is no address at all
        return True


def _logs_out(words: str) -> bool:
    return words.strip().casefold() in LEAVES


def _focused(snapshot: Snapshot) -> Element | None:
    """Where keys go. The page itself counts as focused when nothing is."""
    return next((each for each in snapshot.root.walk() if "active" in each.marks and is_operated(each)), None)
