"""Chromium's accessibility tree as a small tree of our own.

It is asked for over the browser's own protocol. Playwright's snapshot says nearly the same, but has to put a
large script into every new page first, which takes ten times as long as reading the tree. Roles and names are
those that `get_by_role` goes by, with few exceptions; a test is tried out before it is handed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

DROPPED = frozenset({"InlineTextBox", "ListMarker", "LineBreak"})
FLAT = frozenset({"none", "generic", "LabelText", "MenuListPopup", "Section", "LayoutTable"})
"""Roles that say nothing: what is in them counts as being in what is around them."""
RENAMED = {
    "Iframe": "iframe",
    "image": "img",
    "MenuListOption": "option",
    "ListBoxOption": "option",
    "ListBox": "listbox",
    "Date": "textbox",
    "DateTime": "textbox",
    "InputTime": "textbox",
    "ColorWell": "textbox",
    "ComboBoxSelect": "combobox",
}
KINDS = {"Date": "date", "DateTime": "datetime-local", "InputTime": "time", "ColorWell": "color"}
FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "slider"})
DISCLOSURES = frozenset({"DisclosureTriangle", "DisclosureTriangleGrouped"})
NAMED_BY_CONTENT = frozenset(
    {"button", "link", "heading", "option", "tab", "menuitem", "checkbox", "radio", "switch", "treeitem"}
)
MARKS = ("checked", "disabled", "expanded", "pressed", "selected", "readonly", "required")


@dataclass(slots=True, eq=False)
class Element:
    """`text` is what stands in it directly, or what a field holds. `marks` are checked, active and the like.

    `ref` is how the browser calls it: the number of a node, or `c` and a number for what only the pointer
    shows to be clickable. `frame` is the one that it is in, empty for the page's own.
    """

    role: str
    name: str = ""
    text: str = ""
    ref: str = ""
    frame: str = ""
    marks: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)  # url, kind
    children: list[Element] = field(default_factory=list)
    parent: Element | None = field(default=None, repr=False)

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

    def add(self, child: Element) -> Element:
        child.parent = self
        self.children.append(child)
        return child


def read_tree(nodes: Sequence[dict[str, Any]], root: Element | None = None, frame: str = "") -> Element:
    """The nodes of `Accessibility.getFullAXTree`, below `root`. Raises LookupError, TypeError or
    AttributeError when they are none."""
    root = Element("") if root is None else root
    by_id = {node["nodeId"]: node for node in nodes}
    waiting = [(nodes[0], root)] if nodes else []
    while waiting:
        node, parent = waiting.pop()
        inside = _place(node, parent, frame)
        if inside is not None:
            children = [by_id[each] for each in node.get("childIds", ()) if each in by_id]
            waiting.extend((child, inside) for child in reversed(children))
    return root


def _place(node: dict[str, Any], parent: Element, frame: str) -> Element | None:
    """Put the node where it belongs. What is below it goes into the answer; None: is left out."""
    role = str(node.get("role", {}).get("value", ""))
    name = " ".join(str(node.get("name", {}).get("value", "")).split())
    if role in DROPPED:
        return None
    if role == "StaticText":
        if name and not node.get("ignored") and not (parent.role in NAMED_BY_CONTENT and parent.name):
            parent.add(Element("text", text=name, ref=_number(node), frame=frame))
        return None
    if node.get("ignored") or role == "RootWebArea" or (role in FLAT and not name):
        return parent
    properties = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
    element = parent.add(Element(RENAMED.get(role, role), name, ref=_number(node), frame=frame))
    element.marks = {each: "true" for each in MARKS if str(properties.get(each)).lower() in ("true", "mixed")}
    if properties.get("focused") and role != "RootWebArea":
        element.marks["active"] = "true"
    if properties.get("url"):
        element.properties["url"] = str(properties["url"])
    if role in KINDS:
        element.properties["kind"] = KINDS[role]
    if role in DISCLOSURES:  # a summary has no role of its own to a test
        element.role, element.marks["cursor"] = "generic", "pointer"
    if element.role in FIELDS or (element.role == "combobox" and properties.get("editable")):
        value = node.get("value", {}).get("value")
        element.text = "" if value is None else " ".join(str(value).split())
        return None
    return element


def _number(node: dict[str, Any]) -> str:
    return str(node.get("backendDOMNodeId", ""))
