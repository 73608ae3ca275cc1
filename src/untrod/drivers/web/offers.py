"""What can be done on a page, by name."""

from __future__ import annotations

from urllib.parse import urljoin

from untrod.drivers.protocol import Action
from untrod.drivers.web.chromium import origin_of
from untrod.drivers.web.reading import (
    ENTRIES,
    Sight,
    Spot,
    is_operated,
    is_outermost_entry,
    kind_of_field,
)
from untrod.drivers.web.tree import Element
from untrod.drivers.words import LEAVES, Dictionary

MOST_HOVERS = 10
MOST_ACTIONS = 300

BACK, RELOAD = Action("back"), Action("reload")


def offers(
    sight: Sight, words: Dictionary, origins: frozenset[str], *, log_out: bool = False
) -> list[Action]:
    """In the order of the page; what belongs to the page as a whole comes last."""
    actions: list[Action] = []
    entries: list[Action] = []
    for spot in sight.spots:
        element = spot.element
        if "disabled" in element.marks:
            continue
        if element.role in ENTRIES and not is_operated(element):
            if len(entries) < 2 * MOST_HOVERS and spot.detail and is_outermost_entry(element):
                entries += [_action("hover", spot)] if sight.hovers else []
                entries += [_action("doubleclick", spot)] if sight.doubles else []
        elif not _leads_away(element, sight, origins) and (log_out or not _logs_out(spot.detail)):
            actions += _operations(spot, sight, words)
    page = [Action("key", None, key) for key in ("Enter", "Escape") if _focused(sight) is not None]
    page += [BACK] if sight.back else []
    kept = MOST_ACTIONS - len(entries)
    return list(dict.fromkeys([*actions[:kept], *entries, *page, RELOAD]))


def _operations(spot: Spot, sight: Sight, words: Dictionary) -> list[Action]:
    element = spot.element
    match element.role:
        case "textbox" | "searchbox" | "spinbutton":
            return _typed(spot, sight, words)
        case "slider":
            return [_action("type", spot, word) for word in words.words("range", element.name)]
        case "combobox":
            options = [each.name for each in element.children if each.role == "option"]
            chosen = [each.name for each in element.children if "selected" in each.marks]
            picks = [_action("select", spot, name) for name in options if name and name not in chosen]
            return picks if options else [*_typed(spot, sight, words), _action("click", spot)]
    return [_action("click", spot)]


def _typed(spot: Spot, sight: Sight, words: Dictionary) -> list[Action]:
    if "readonly" in spot.element.marks:
        return [_action("click", spot)]
    kind = kind_of_field(spot.element)
    return [_action("type", spot, word) for word in words.words(kind, spot.element.name)]


def _action(kind: str, spot: Spot, value: str = "") -> Action:
    return Action(kind, spot.locator, value, spot.detail)


def _leads_away(element: Element, sight: Sight, origins: frozenset[str]) -> bool:
    address = element.properties.get("url", "")
    if not address or address.startswith(("#", "javascript:")):
        return False
    try:
        return origin_of(urljoin(sight.url, address)) not in origins
    except Exception:  # mailto:, tel: and what is no address at all
        return True


def _logs_out(words: str) -> bool:
    return words.strip().casefold() in LEAVES


def _focused(sight: Sight) -> Element | None:
    """Where keys go. The page itself counts as focused when nothing is."""
    return next((each for each in sight.root.walk() if "active" in each.marks and is_operated(each)), None)
