"""How promising an action is that nobody has tried: an estimate from what the screen says.

Two things count. A form leads on when it is filled in and sent: so the fields that it requires come first,
one after the other, each with the first word that is offered, and then the buttons that follow them. And
the formula has words for what is wanted: an action with the same words ("Add group",
for "the group was added") is likelier to lead there than one without. Words for a field that is filled
already, entries of long lists, hovering, reloading and going back come last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from untrod.drivers.protocol import Action, Locator, Screen, Widget
from untrod.ltl import Formula
from untrod.ltl.nodes import atoms

WidgetKey: TypeAlias = tuple[Locator | None, str]
"""A widget as an action names it."""

FORM, PLAIN, REST = 0, 3, 5
"""How long an action has to wait: one that leads through a form, any other, and the rest."""
MOST_WORDS = 2
"""Each word in common is worth one step up, up to so many."""
FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "combobox", "listbox"})
ENTER = Action("key", None, "Enter")
"""Offered while a field has the focus: some forms have no button."""
LAST = frozenset({"hover", "doubleclick", "key", "back", "reload"})

_PLACEHOLDER = re.compile(r"\s*-")
"""What a select shows as long as nothing is chosen: "------", "- column -"."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_ENDING = re.compile(r"(?<=\w{3})(ing|ed|es|s|d|e)$")


class NoveltyEstimate:
    """The rank of untried actions for one formula: smaller is tried sooner. Kept for each screen."""

    def __init__(self, formula: Formula) -> None:
        self._wanted = _stems(atom.value for atom in atoms(formula))
        self._known: dict[str, dict[Action, int]] = {}

    def of(self, screen: Screen, actions: Iterable[Action], action: Action) -> int:
        """`actions` are all that the screen offers."""
        known = self._known.get(screen.concrete_id)
        if known is None or action not in known:
            known = self._known[screen.concrete_id] = self._judge(screen, actions)
        return known[action]

    def _judge(self, screen: Screen, actions: Iterable[Action]) -> dict[Action, int]:
        ranks = _ranks(screen.widgets)
        filled = any(map(_has_value, screen.widgets))
        found: dict[Action, int] = {}
        begun: set[WidgetKey] = set()
        for action in actions:
            place = action.target, action.detail
            again = action.type in ("type", "select") and place in begun
            rank = REST if again or action.type in LAST else ranks.get(place, PLAIN)
            rank = FORM + 1 if filled and action == ENTER else rank
            begun.add(place)
            shared = len(self._wanted & _stems((action.detail, action.value)))
            found[action] = rank - min(shared, MOST_WORDS)
        return found


def _ranks(widgets: Sequence[Widget]) -> dict[WidgetKey, int]:
    """By the order of the page: a button belongs to the fields before it, an entry to the list before it.

    Only the first of the fields that are still required is to be filled in next. In any other order the same
    form would be another screen each time. A select that nothing is chosen in yet is worth a try, but holds
    nothing up.
    """
    ranks: dict[WidgetKey, int] = {}
    last = max((number for number, each in enumerate(widgets) if _has_value(each)), default=len(widgets))
    wanting = next((number for number, each in enumerate(widgets) if _is_open(each)), None)
    listed = wanting is not None and widgets[wanting].role == "listbox"
    for number, each in enumerate(widgets):
        rank = PLAIN
        if number == wanting and not listed:
            rank = FORM
        elif each.role == "option":
            rank = FORM if listed and number - 1 == wanting else REST
        elif each.role == "button":
            rank = FORM if wanting is None and number > last else PLAIN
        elif each.role == "combobox" and _PLACEHOLDER.match(each.attrs.get("value", "")):
            rank = FORM + 1
        elif each.role in FIELDS and _has_value(each):
            rank = REST
        ranks |= dict.fromkeys(_keys(each), rank)
    return ranks


def _keys(widget: Widget) -> set[WidgetKey]:
    return {(locator, widget.name) for locator in widget.locators}


def _has_value(widget: Widget) -> bool:
    value = widget.attrs.get("value", "").strip()
    return (
        widget.role in FIELDS
        and bool(value)
        and not (widget.role == "combobox" and _PLACEHOLDER.match(value))
    )


def _is_open(widget: Widget) -> bool:
    """Asked for, and not there yet."""
    return widget.role in FIELDS and "required" in widget.attrs and not _has_value(widget)


def _stems(texts: Iterable[str]) -> set[str]:
    """Words without their endings: added and Add, groups and group are the same."""
    return {_ENDING.sub("", word.casefold()) for text in texts for word in _WORD.findall(text)}
