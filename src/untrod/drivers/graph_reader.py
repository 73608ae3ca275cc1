"""Screen graphs as JSON: written by a recording, or by hand.

    {
      "format": "untrod-screens", "version": 1, "name": "chess",
      "start": "main",
      "screens": {
        "main": {
          "attrs": {"activity": "MainActivity", "text": ["Play", "About"]},
          "actions": [
            {"type": "click", "detail": "About", "to": "about"},
            {"type": "click", "detail": "Play", "to": [{"screen": "game", "times": 3}, {"screen": "error"}]},
            {"type": "idle"}
          ]
        },
        "about": {"id": "text page", "actions": [{"type": "back", "to": "main"}]},
        ...

The keys of `screens` are concrete ids; `id` is the abstract one, the same if it is left out. `start` may
also be an object with `soft` and `hard`. An action without `to` is one that was never tried. A place in
`to` may say `outcome`, `ms`, `times` and `events`. What is wrong in a file is told by its place:
`screens.main.actions[1].to`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from untrod.core.errors import UntrodError
from untrod.core.reading import read_text
from untrod.core.vocabulary import Json
from untrod.drivers.checked import JsonField
from untrod.drivers.graph import Edge, ScreenGraph
from untrod.drivers.protocol import Action, Event, Locator, ResetLevel, Screen, StepOutcome, Widget

FORMAT, VERSION = "untrod-screens", 1
LEVELS: tuple[ResetLevel, ...] = get_args(ResetLevel)


def load_graph(path: Path) -> ScreenGraph:
    """Raises UntrodError with the file, the place and what is wrong there."""
    try:
        return read_graph(read_text(path))
    except OSError as error:
        raise UntrodError(f"cannot read {path}: {error.strerror}", "give the path of a graph") from None
    except UnicodeDecodeError:
        raise UntrodError(f"{path} is not text", "give the path of a graph") from None
    except UntrodError as error:
        raise UntrodError(f"{path}: {error.message}", error.hint) from None


def read_graph(text: str) -> ScreenGraph:
    try:
        body = json.loads(text, object_pairs_hook=_no_twins)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UntrodError(f"{where}: not JSON: {error.msg}", "mend the file, or record it again") from None
    except (RecursionError, ValueError) as error:
        why = "a number with thousands of digits" if isinstance(error, ValueError) else "nested too deeply"
        raise UntrodError(why, "give the path of a graph") from None
    return decode(body)


def decode(body: Json) -> ScreenGraph:
    whole = JsonField(body)
    whole.fields("format", "version", "name", "start", "screens")
    if whole.get("format").value != FORMAT:
        whole.get("format").refuse(f"this is not {FORMAT}", "give the path of a graph")
    if whole.get("version").value != VERSION:
        whole.get("version").refuse(f"only version {VERSION} is understood", "record it again")
    screens = whole.get("screens").members()
    graph = ScreenGraph(whole.get("name", "").text())
    for key, field in screens.items():
        graph.screens[key] = _screen(key, field)
    for key, field in screens.items():
        graph.edges[key] = _actions(field.get("actions", []), graph)
    graph.starts = _starts(whole.get("start"), graph)
    return graph


def _starts(field: JsonField, graph: ScreenGraph) -> dict[ResetLevel, str]:
    if isinstance(field.value, str):
        return dict.fromkeys(LEVELS, _known_screen(field, graph))
    field.fields(*LEVELS)
    starts = {level: _known_screen(field.get(level), graph) for level in LEVELS if level in field.members()}
    if not starts:
        field.refuse("a reset leads nowhere", 'write "start": and the key of a screen')
    return starts


def _screen(key: str, field: JsonField) -> Screen:
    field.fields("id", "attrs", "widgets", "actions")
    attrs = {name: values.texts() for name, values in field.get("attrs", {}).members().items()}
    widgets = tuple(_widget(each) for each in field.get("widgets", []).items())
    return Screen(field.get("id", key).text(), key, attrs, widgets)


def _widget(field: JsonField) -> Widget:
    field.fields("role", "name", "locators", "attrs", "box")
    box = field.get("box", None)
    sides = [side.number() for side in box.items()] if box.value is not None else None
    if sides is not None and len(sides) != 4:
        box.refuse("a box has four sides", "write [left, top, width, height]")
    return Widget(
        field.get("role").text(),
        field.get("name", "").text(),
        tuple(_locator(each) for each in field.get("locators", []).items()),
        {name: value.text() for name, value in field.get("attrs", {}).members().items()},
        (sides[0], sides[1], sides[2], sides[3]) if sides else None,
    )


def _actions(field: JsonField, graph: ScreenGraph) -> dict[Action, list[Edge]]:
    actions: dict[Action, list[Edge]] = {}
    for each in field.items():
        each.fields("type", "target", "value", "detail", "to", "ms", "outcome", "events")
        target = each.get("target", None)
        action = Action(
            each.get("type").text(),
            None if target.value is None else _locator(target),
            each.get("value", "").text(),
            each.get("detail", "").text(),
        )
        if action in actions:
            each.refuse(f"{action} is there twice", "join the two: an action may lead to several screens")
        actions[action] = _edges(each, graph)
    return actions


def _edges(action: JsonField, graph: ScreenGraph) -> list[Edge]:
    """`to` is one screen, with what happened on the way beside it, or a list of them, or not there."""
    to = action.get("to", None)
    if to.value is None:
        return []
    if isinstance(to.value, str):
        return [_edge(action, to, graph)]
    for each in to.items():
        each.fields("screen", "ms", "outcome", "events", "times")
    return [_edge(each, each.get("screen"), graph) for each in to.items()]


def _edge(field: JsonField, to: JsonField, graph: ScreenGraph) -> Edge:
    events = field.get("events", []).items()
    for event in events:
        event.fields("kind", "text")
    return Edge(
        _known_screen(to, graph),
        StepOutcome(field.get("outcome", "ok").one_of([each.value for each in StepOutcome])),
        tuple(Event(event.get("kind").text(), event.get("text", "").text()) for event in events),
        field.get("ms", 0).number(),
        field.get("times", 1).number(least=1),
    )


def _known_screen(field: JsonField, graph: ScreenGraph) -> str:
    return field.one_of(graph.screens, "there is no screen")


def _locator(field: JsonField) -> Locator:
    parts = field.texts()
    if len(parts) != 2:
        field.refuse("a locator has two parts", 'write ["text", "About"]')
    return parts[0], parts[1]


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON allows a key twice, and Python keeps the last: a screen would be lost without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in keys if keys.count(key) > 1)
        raise UntrodError(f'"{twin}" is there twice', "give one of them another name")
    return found
