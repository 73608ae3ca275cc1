"""uiautomator's dump as a small tree of our own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree

FLAGS = (
    "checkable",
    "checked",
    "clickable",
    "long-clickable",
    "scrollable",
    "selected",
    "focused",
    "password",
)
_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(slots=True, eq=False)
class Node:
    """`path` is the paper's objectID: the numbers of the children from the top."""

    kind: str = ""  # the class, such as android.widget.Button
    package: str = ""
    text: str = ""
    description: str = ""
    hint: str = ""
    resource_id: str = ""
    enabled: bool = True
    flags: frozenset[str] = frozenset()
    box: tuple[int, int, int, int] = (0, 0, 0, 0)  # left, top, right, bottom
    path: str = ""
    children: list[Node] = field(default_factory=list)
    parent: Node | None = field(default=None, repr=False)

    @property
    def role(self) -> str:
        """The class without its package."""
        return self.kind.rpartition(".")[2]

    @property
    def tail(self) -> str:
        """What the resource id says, without the package."""
        return self.resource_id.rpartition("/")[2]

    @property
    def is_field(self) -> bool:
        return self.role.endswith(("EditText", "AutoCompleteTextView"))

    @property
    def is_seen(self) -> bool:
        left, top, right, bottom = self.box
        return right > left and bottom > top

    @property
    def middle(self) -> tuple[int, int]:
        left, top, right, bottom = self.box
        return (left + right) // 2, (top + bottom) // 2

    def walk(self) -> Iterator[Node]:
        """This one and all below, in the order of the dump. Without recursion: layouts nest deeply."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def ancestors(self) -> Iterator[Node]:
        above = self.parent
        while above is not None:
            yield above
            above = above.parent


def read_hierarchy(xml: str) -> Node:
    """A root without a class, above the windows. Raises ValueError for what is no dump."""
    try:
        top = ElementTree.fromstring(_ILLEGAL.sub("", xml))
    except ElementTree.ParseError as error:
        raise ValueError(f"not a hierarchy: {error}") from error
    root = Node()
    waiting = [(top, root)]
    while waiting:
        element, node = waiting.pop()
        for number, child in enumerate(element):
            path = f"{node.path}:{number}" if node.path else str(number)
            made = _node(child, path, node)
            node.children.append(made)
            waiting.append((child, made))
    return root


def _node(element: ElementTree.Element, path: str, parent: Node) -> Node:
    get = element.attrib.get
    bounds = _BOUNDS.fullmatch(get("bounds", ""))
    left, top, right, bottom = map(int, bounds.groups()) if bounds else (0, 0, 0, 0)
    return Node(
        kind=get("class", ""),
        package=get("package", ""),
        text=" ".join(get("text", "").split()),
        description=" ".join(get("content-desc", "").split()),
        hint=" ".join(get("hint", "").split()),
        resource_id=get("resource-id", ""),
        enabled=get("enabled", "true") == "true",
        flags=frozenset(flag for flag in FLAGS if get(flag) == "true"),
        box=(left, top, right, bottom),
        path=path,
        parent=parent,
    )
