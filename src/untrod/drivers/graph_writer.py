"""Screen graphs as JSON, as `graph_reader.py` describes it. What says nothing is left out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from untrod.core.vocabulary import Json
from untrod.drivers.graph import Edge, ScreenGraph
from untrod.drivers.graph_reader import FORMAT, LEVELS, VERSION
from untrod.drivers.protocol import Action, StepOutcome, Widget

NEEDED = ("type", "role", "kind", "screen")


def write_graph(graph: ScreenGraph) -> str:
    """Readable as it is, except where an application shows half a character, which no file can hold."""
    body = encode(graph)
    text = json.dumps(body, indent=1, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(body, indent=1)
    return text + "\n"


def encode(graph: ScreenGraph) -> Json:
    start = set(graph.starts.values())
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": graph.name,
        "start": start.pop() if len(start) == 1 and len(graph.starts) == len(LEVELS) else dict(graph.starts),
        "screens": {key: _encode_screen(graph, key) for key in graph.screens},
    }


def _encode_screen(graph: ScreenGraph, key: str) -> Json:
    screen = graph.screens[key]
    body: dict[str, Json] = {} if screen.id == key else {"id": screen.id}
    if screen.attrs:
        body["attrs"] = {name: list(values) for name, values in screen.attrs.items()}
    if screen.widgets:
        body["widgets"] = [_encode_widget(widget) for widget in screen.widgets]
    body["actions"] = [_encode_action(action, edges) for action, edges in graph.edges.get(key, {}).items()]
    return body


def _encode_widget(widget: Widget) -> Json:
    return _filled(
        {
            "role": widget.role,
            "name": widget.name,
            "locators": [list(each) for each in widget.locators],
            "attrs": dict(widget.attrs),
            "box": list(widget.box) if widget.box else None,
        }
    )


def _encode_action(action: Action, edges: Iterable[Edge]) -> Json:
    target = list(action.target) if action.target else None
    body = {"type": action.type, "target": target, "value": action.value, "detail": action.detail}
    return _filled(body | {"to": [_encode_edge(edge) for edge in edges]})


def _encode_edge(edge: Edge) -> Json:
    events = [_filled({"kind": event.kind, "text": event.text}) for event in edge.events]
    outcome = None if edge.outcome is StepOutcome.OK else edge.outcome.value
    times = edge.times if edge.times > 1 else None
    return _filled({"screen": edge.to, "outcome": outcome, "events": events, "ms": edge.ms, "times": times})


def _filled(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value or name in NEEDED}
