"""A screen graph as an application on a display: its screens get a layout, and touches find their edges.

Of the graph's actions, these can be taken: click, longclick, text, swipe, back, rotate, pauseresume and idle.
Others have no gesture, and nobody can take them here. A text may be any text: the edge is that of the field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from untrod.drivers.graph import ScreenGraph
from untrod.drivers.model import ModelDriver
from untrod.drivers.protocol import Action, Screen, Step

WIDTH, HEIGHT, ROW = 1080, 1920, 48
CLASSES = {"button": "Button", "checkbox": "CheckBox", "image": "ImageView", "switch": "Switch"}
LAUNCHER = "com.android.launcher"


@dataclass(eq=False)
class Node:
    kind: str
    text: str = ""
    resource_id: str = ""
    description: str = ""
    hint: str = ""
    checked: str = ""  # "": cannot be
    enabled: bool = True
    focused: bool = False
    actions: dict[str, Action] = field(default_factory=dict)
    bounds: tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def class_name(self) -> str:
        return f"android.widget.{self.kind}"

    def holds(self, x: int, y: int) -> bool:
        left, top, right, bottom = self.bounds
        return left <= x < right and top <= y < bottom


class GraphApp:
    """`package` is what the device calls it. It knows nothing of processes: see `FakeDevice`."""

    def __init__(self, graph: ScreenGraph, package: str, seed: int = 0) -> None:
        self.package = package
        self._model = ModelDriver(graph, seed=seed)
        self.typed: dict[str, str] = {}
        self.focus = ""  # the field that was touched last
        self.screen: Screen = self._model.reset()

    def restart(self) -> None:
        self.screen = self._model.reset()
        self.typed, self.focus = {}, ""

    @property
    def activity(self) -> str:
        (name,) = self.screen.attrs.get("activity", ("MainActivity",))
        return name

    @property
    def left(self) -> bool:
        return self.activity == LAUNCHER

    @property
    def asleep(self) -> bool:
        return self.screen.attrs.get("screen") == ("off",)

    def offers(self, kind: str) -> list[Action]:
        return [action for action in self._model.actions(self.screen) if action.type == kind]

    def take(self, action: Action) -> Step:
        step = self._model.step(action)
        if step.screen.concrete_id != self.screen.concrete_id:
            self.typed, self.focus = {}, ""
        self.screen = step.screen
        return step

    def nodes(self) -> list[Node]:
        """From top to bottom, each on a row of its own."""
        nodes = [
            Node(
                CLASSES.get(widget.role, "TextView"),
                widget.name,
                widget.attrs.get("resourceId", ""),
                widget.attrs.get("description", ""),
                checked=widget.attrs.get("checked", "false") if widget.role in ("checkbox", "switch") else "",
                enabled=widget.attrs.get("enabled", "true") == "true",
            )
            for widget in self.screen.widgets
        ]
        shown = {node.text for node in nodes}
        nodes += [Node("TextView", text) for text in self.screen.attrs.get("text", ()) if text not in shown]
        for action in self._model.actions(self.screen):
            if action.type in ("click", "longclick", "text", "swipe"):
                self._wire(action, nodes)
        for row, node in enumerate(nodes):
            node.bounds = (0, row * ROW, WIDTH, (row + 1) * ROW)
        return nodes

    def _wire(self, action: Action, nodes: list[Node]) -> None:
        """Give the action to the widget that it is about, and make one where there is none."""
        if action.type == "text":
            known = [node for node in nodes if node.hint == action.detail]
            made = Node("EditText", self.typed.get(action.detail, ""), self._id(action), hint=action.detail)
            made.focused = self.focus == action.detail
        else:
            known = [
                node
                for node in nodes
                if action.detail in (node.text, node.description) and action.type not in node.actions
            ]
            made = Node("ScrollView" if action.type == "swipe" else "Button")
            made.description = action.detail if action.type == "swipe" else ""
            made.text = "" if made.description else action.detail
        if not known:
            nodes.append(made)
        node = (known or [made])[0]
        if node.kind == "TextView":
            node.kind = "Button"
        node.actions[action.type] = action

    def _id(self, action: Action) -> str:
        return f"{self.package}:id/{action.detail.lower().replace(' ', '_')}"


def hierarchy(package: str, nodes: list[Node], rotation: int) -> str:
    """As uiautomator2's server dumps it."""
    size = (WIDTH, HEIGHT) if rotation % 2 == 0 else (HEIGHT, WIDTH)
    whole = f"[0,0][{size[0]},{size[1]}]"
    frame = _element(package, "android.widget.FrameLayout", whole)
    inner = "".join(_leaf(package, number, node) for number, node in enumerate(nodes))
    return (
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n"
        f'<hierarchy rotation="{rotation}">{frame}>{frame}>{inner}</node></node></hierarchy>'
    )


def _leaf(package: str, number: int, node: Node) -> str:
    left, top, right, bottom = node.bounds
    return (
        _element(
            package,
            node.class_name,
            f"[{left},{top}][{right},{bottom}]",
            index=str(number),
            text=node.text,
            hint=node.hint,
            checkable=_flag(bool(node.checked)),
            checked=node.checked or "false",
            clickable=_flag("click" in node.actions or node.kind in ("EditText", "CheckBox", "Switch")),
            enabled=_flag(node.enabled),
            focused=_flag(node.focused),
            scrollable=_flag("swipe" in node.actions),
            **{
                "resource-id": node.resource_id,
                "content-desc": node.description,
                "long-clickable": _flag("longclick" in node.actions),
            },
        )
        + "/>"
    )


def _element(package: str, class_name: str, bounds: str, **given: str) -> str:
    attributes = {
        "index": "0",
        "text": "",
        "resource-id": "",
        "class": class_name,
        "package": package,
        "content-desc": "",
        "hint": "",
        "checkable": "false",
        "checked": "false",
        "clickable": "false",
        "enabled": "true",
        "focusable": "true",
        "focused": "false",
        "scrollable": "false",
        "long-clickable": "false",
        "password": "false",
        "selected": "false",
        "visible-to-user": "true",
        "bounds": bounds,
        **given,
    }
    return "<node " + " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())


def _flag(value: bool) -> str:
    return "true" if value else "false"
