"""What can be done on a screen, by name."""

from __future__ import annotations

from untrod.drivers.android.reading import ORIENTATIONS, Sight, Spot
from untrod.drivers.protocol import Action
from untrod.drivers.words import LEAVES, Dictionary

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


def offers(sight: Sight, words: Dictionary, *, log_out: bool = False) -> list[Action]:
    """In the order of the dump; what belongs to the device comes last. Nothing outside of the application is
    touched: from there only ways back are offered."""
    if not sight.on:
        return [PAUSE, IDLE]
    if not sight.inside:
        return [BACK, PAUSE]
    found: dict[Action, None] = {}
    for spot in sight.spots:
        if spot.node.enabled and (log_out or spot.detail.strip().casefold() not in LEAVES):
            found |= dict.fromkeys(_operations(spot, words))
    turned = "left" if ORIENTATIONS[sight.rotation % 4] == "natural" else "natural"
    return [*list(found)[:MOST_ACTIONS], BACK, PAUSE, Action("rotate", None, turned), IDLE]


def _operations(spot: Spot, words: Dictionary) -> list[Action]:
    flags = spot.node.flags
    if spot.node.is_field:
        return [_action("text", spot, word) for word in words.words(_kind(spot), spot.detail)]
    actions = [_action("click", spot)] if flags & {"clickable", "checkable"} else []
    if "long-clickable" in flags:
        actions.append(_action("longclick", spot))
    if "scrollable" in flags:
        actions += [_action("swipe", spot, "up"), _action("swipe", spot, "down")]
    return actions


def _kind(spot: Spot) -> str:
    if "password" in spot.node.flags:
        return "password"
    name = f"{spot.detail} {spot.node.tail}".casefold()
    return next((kind for part, kind in KINDS.items() if part in name), "text")


def _action(kind: str, spot: Spot, value: str = "") -> Action:
    return Action(kind, spot.locator, value, spot.detail)
