"""The labels of actions and screens: what a formula can speak about.

A screen has its attributes, the name of each widget as a `text`, each attribute of each widget under its
own name, the kinds of events as `event` and what they say as `eventText`. An action has `actionType`,
`actionDetail`, `actionValue`, and its locator: an action on ("objectID", "0:1") has the label
`actionObjectID` with that value.
"""

from __future__ import annotations

from untrod.drivers.protocol import Action, Screen


def screen_labels(screen: Screen) -> dict[str, list[str]]:
    labels = {name: list(values) for name, values in screen.attrs.items()}
    for widget in screen.widgets:
        if widget.name:
            labels.setdefault("text", []).append(widget.name)
        for name, value in widget.attrs.items():
            labels.setdefault(name, []).append(value)
    for event in screen.events:
        labels.setdefault("event", []).append(event.kind)
        labels.setdefault("eventText", []).append(event.text)
    return labels


def action_labels(action: Action) -> dict[str, list[str]]:
    labels = {"actionType": [action.type], "actionDetail": [action.detail], "actionValue": [action.value]}
    if action.target:
        strategy, value = action.target
        labels.setdefault(f"action{strategy[:1].upper()}{strategy[1:]}", []).append(value)
    return labels
