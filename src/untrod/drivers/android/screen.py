"""From a hierarchy to a screen: labels, widgets, the two identities, and what can be done there.

The concrete identity is the activity and all that its nodes say, except where they are. The abstract one
leaves out what a list holds and what texts say: it keeps the activity, titles, and the names and states of
what can be operated. Inside the entries of a list the names are data, so there only the classes count.

Only what belongs to the application counts, and the system's own dialogs: not the status bar, not the
keyboard. When something else is in front, the application was left, and nothing of that is read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from untrod.core.vocabulary import digest
from untrod.drivers.android.nodes import Node
from untrod.drivers.protocol import Action, Event, Locator, Screen, Widget
from untrod.drivers.words import LEAVES, Dictionary

DIALOGS = frozenset(
    {
        "android",
        "com.android.packageinstaller",
        "com.android.permissioncontroller",
        "com.google.android.permissioncontroller",
    }
)
"""Packages whose windows stand in front of an application on its own behalf: permissions, "has stopped"."""
LISTS = ("ListView", "RecyclerView", "GridView")
ORIENTATIONS = ("natural", "left", "upsidedown", "right")
MOST_WIDGETS = 400
LONGEST_TEXT = 500
MOST_ACTIONS = 300
BACK, PAUSE, IDLE = Action("back"), Action("pauseresume"), Action("idle")
KINDS = {
    "mail": "email",
    "phone": "tel",
    "search": "search",
    "pass": "password",
    "url": "url",
    "amount": "number",
}
"""A dump does not say what a field is for. Its name often does."""
_OPERATED = frozenset({"clickable", "long-clickable", "checkable", "scrollable"})
_NUMBERED = re.compile(r".* #\d+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NodeHandle:
    """A node that can be operated. `place` is where to touch it: often a text inside."""

    node: Node
    place: Node
    locator: Locator
    detail: str


@dataclass(slots=True)
class Snapshot:
    """A device at one moment: what is in front, the window hierarchy, and the nodes that can be operated."""

    package: str  # the application's
    focus: str  # the package in front
    activity: str
    root: Node
    on: bool = True
    rotation: int = 0
    nodes: list[Node] = field(default_factory=list)
    handles: list[NodeHandle] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.inside:
            self.nodes = list(ours(self.root, self.package))
            self.handles = _handles(self.nodes)

    @property
    def inside(self) -> bool:
        return self.on and self.focus in (self.package, *DIALOGS)


def ours(root: Node, package: str) -> Iterator[Node]:
    """What counts: the application's own, and the system's dialogs."""
    return (node for node in root.walk() if node.is_seen and node.package in (package, *DIALOGS))


def drawing(root: Node, package: str) -> str:
    """Equal for two readings of the same screen; empty when nothing of the application is to be seen."""
    return "\n".join(map(_line, ours(root, package)))


def is_operated(node: Node) -> bool:
    return bool(node.flags & _OPERATED) or node.is_field


def screen_of(snapshot: Snapshot, events: Iterable[Event] = ()) -> Screen:
    attrs: dict[str, tuple[str, ...]] = {
        "package": (snapshot.focus,),
        "activity": (snapshot.activity,),
        "screen": ("on" if snapshot.on else "off",),
        "orientation": (ORIENTATIONS[snapshot.rotation % 4],),
        "text": _distinct(node.text for node in snapshot.nodes),
    }
    descriptions = _distinct(node.description for node in snapshot.nodes)
    if descriptions:
        attrs["description"] = descriptions
    widgets = tuple(map(_widget, snapshot.handles))
    state = [snapshot.focus, snapshot.activity, str(snapshot.on), str(snapshot.rotation)]
    concrete = digest("\n".join([*state, *map(_line, snapshot.nodes)]))
    return Screen(_abstract(snapshot), concrete, attrs, widgets, tuple(events))


def _widget(handle: NodeHandle) -> Widget:
    node = handle.node
    attrs = {"class": node.kind, "objectID": node.path, "enabled": _flag(node.enabled)}
    if node.resource_id:
        attrs["resourceId"] = node.resource_id
    if "checkable" in node.flags:
        attrs["checked"] = _flag("checked" in node.flags)
    if "selected" in node.flags:
        attrs["selected"] = "true"
    if node.is_field and node.text:
        attrs["value"] = node.text[:LONGEST_TEXT]
    left, top, right, bottom = node.box
    locators = tuple(dict.fromkeys([handle.locator, ("objectID", node.path)]))
    box = (max(0, left), max(0, top), right - left, bottom - top)
    return Widget(node.role, "", locators, attrs, box)


def _handles(nodes: list[Node]) -> list[NodeHandle]:
    """The resource id where there is only one of it; else the text, else the description, with a number
    where several say the same; else the place in the tree."""
    said = {
        "resourceId": [node.resource_id for node in nodes],
        "text": [node.text for node in nodes],
        "description": [node.description for node in nodes],
    }
    often = {strategy: Counter(values) for strategy, values in said.items()}
    order = {id(node): number for number, node in enumerate(nodes)}
    handles = []
    for node in [each for each in nodes if is_operated(each)][:MOST_WIDGETS]:
        place, strategy, value = _name(node, often)
        if strategy != "objectID" and (often[strategy][value] > 1 or _NUMBERED.fullmatch(value)):
            value = f"{value} #{said[strategy][: order[id(place)] + 1].count(value)}"
        handles.append(NodeHandle(node, place, (strategy, value), words_of(node)))
    return handles


def _name(node: Node, often: dict[str, Counter[str]]) -> tuple[Node, str, str]:
    """Where it is touched, and what it is found by there."""
    if node.resource_id and often["resourceId"][node.resource_id] == 1:
        return node, "resourceId", node.resource_id
    inside = [] if node.is_field else list(_own(node))
    for each in inside:
        if each.text:
            return each, "text", each.text
    for each in inside:
        if each.description:
            return each, "description", each.description
    if node.resource_id:
        return node, "resourceId", node.resource_id
    return node, "objectID", node.path


def words_of(node: Node) -> str:
    """What a person calls it. What stands in a field is not its name."""
    if node.is_field:
        return node.description or node.hint or node.tail
    inside = list(_own(node))
    texts = [each.text for each in inside if each.text] or [each.description for each in inside]
    return next(filter(None, texts), "")[:LONGEST_TEXT] or node.tail


def _own(node: Node) -> Iterator[Node]:
    """The node and what is in it, without what is operated by itself. What scrolls is not named by that."""
    yield node
    if "scrollable" in node.flags:
        return
    waiting = list(reversed(node.children))
    while waiting:
        each = waiting.pop()
        if each.is_seen and not is_operated(each):
            yield each
            waiting.extend(reversed(each.children))


def _line(node: Node) -> str:
    marks = " ".join(sorted(node.flags & {"checked", "selected", "checkable", "clickable"}))
    named = f"{node.kind} {node.resource_id} {node.text!r} {node.description!r}"
    return f"{named} {marks} {_flag(node.enabled)}"


def _abstract(snapshot: Snapshot) -> str:
    if not snapshot.on:
        return f"{snapshot.activity} off"
    if not snapshot.inside:
        return snapshot.activity
    facts = {_fact(handle) for handle in snapshot.handles}
    facts |= {f"title {_blotted(node.text)}" for node in snapshot.nodes if node.tail.endswith("Title")}
    return f"{snapshot.activity} {digest(' '.join(sorted(facts)))[:8]}"


def _fact(handle: NodeHandle) -> str:
    node = handle.node
    state = " ".join(sorted(node.flags & {"checked", "selected"})) + ("" if node.enabled else " disabled")
    entry = next((above.role for above in node.ancestors() if above.role.endswith(LISTS)), "")
    if entry:
        return f"{entry} {node.role} {state}"
    filled = "filled" if node.is_field and node.text else ""
    return f"{node.role} {node.tail or _blotted(handle.detail)} {state} {filled}"


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text[:LONGEST_TEXT] for text in texts if text))


def _blotted(text: str) -> str:
    return re.sub(r"\d+", "#", text)


def _flag(value: bool) -> str:
    return "true" if value else "false"


# ---- what can be done ----


def offers(snapshot: Snapshot, words: Dictionary, *, log_out: bool = False) -> list[Action]:
    """In the order of the dump; what belongs to the device comes last. Nothing outside of the application is
    touched: from there only ways back are offered."""
    if not snapshot.on:
        return [PAUSE, IDLE]
    if not snapshot.inside:
        return [BACK, PAUSE]
    found: dict[Action, None] = {}
    for handle in snapshot.handles:
        if handle.node.enabled and (log_out or handle.detail.strip().casefold() not in LEAVES):
            found |= dict.fromkeys(_operations(handle, words))
    turned = "left" if ORIENTATIONS[snapshot.rotation % 4] == "natural" else "natural"
    return [*list(found)[:MOST_ACTIONS], BACK, PAUSE, Action("rotate", None, turned), IDLE]


def _operations(handle: NodeHandle, words: Dictionary) -> list[Action]:
    flags = handle.node.flags
    if handle.node.is_field:
        return [_action("text", handle, word) for word in words.words(_kind(handle), handle.detail)]
    actions = [_action("click", handle)] if flags & {"clickable", "checkable"} else []
    if "long-clickable" in flags:
        actions.append(_action("longclick", handle))
    if "scrollable" in flags:
        actions += [_action("swipe", handle, "up"), _action("swipe", handle, "down")]
    return actions


def _kind(handle: NodeHandle) -> str:
    if "password" in handle.node.flags:
        return "password"
    name = f"{handle.detail} {handle.node.tail}".casefold()
    return next((kind for part, kind in KINDS.items() if part in name), "text")


def _action(kind: str, handle: NodeHandle, value: str = "") -> Action:
    return Action(kind, handle.locator, value, handle.detail)
