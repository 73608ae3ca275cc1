"""Actions and labels as Playwright's calls: what a person would write, by role and name."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from untrod.drivers.protocol import Action
from untrod.output.cases import Do, Let
from untrod.output.helpers import TROUBLES
from untrod.source.nodes import Atom, Call, Member, Node, Ref, Text

PAGE = Atom("page")
EXPECT = Ref("playwright.sync_api", "expect")
EVENTS = ("exception", "crash", "server-error", "client-error")
"""Kinds of events that a test can look out for."""
SEEN = "seen"

_PLACE = re.compile(
    r'(?P<role>[\w-]*)(?: in (?P<outer>[\w-]+) "(?P<words>.*)")?(?: #(?P<number>[0-9]{1,6}))?'
)
_UNNAMED = ("listitem", "row", "article", "gridcell", "cell", "treeitem")
"""Roles that are told apart by what is in them: they have no name of their own."""


def method(of: Node, called: str, /, *arguments: Node, **keywords: Node) -> Call:
    return Call(Member(of, called), arguments, tuple(keywords.items()))


def opening(target: str, setup: str, hooks: Collection[str]) -> list[Do]:
    """To the application, as a driver does it. `hooks`: what there is of them in the setup script."""
    go, module = Do(method(PAGE, "goto", Text(target))), Path(setup).stem
    before = [Do(Call(Ref(module, name))) for name in ("reset", "restore") if name in hooks]
    login = [go, Do(Call(Ref(module, "login"), (PAGE,)))] if "login" in hooks else []
    return [*before, *login, go]


def step(action: Action) -> Call | None:
    """None for what Playwright has no word for."""
    match action.type:
        case "back":
            return method(PAGE, "go_back")
        case "reload":
            return method(PAGE, "reload")
        case "key":
            return method(Atom("page.keyboard"), "press", Text(action.value))
    place = locator(action)
    if place is None:
        return None
    match action.type:
        case "click":
            return method(place, "click")
        case "doubleclick":
            return method(place, "dblclick")
        case "hover":
            return method(place, "hover")
        case "type":
            return method(place, "fill", Text(action.value))
        case "select":
            return method(place, "select_option", label=Text(action.value))
    return None


def locator(action: Action) -> Node | None:
    """The widget that an action is about, as the web driver names it."""
    if action.target is None or action.target[0] not in ("role", "text"):
        return None
    found = _PLACE.fullmatch(action.target[1])
    if found is None:
        return None
    around: Node = PAGE
    if found["outer"]:
        around = method(
            method(PAGE, "get_by_role", Text(found["outer"])), "filter", has_text=Text(found["words"])
        )
    exact = _exactly(action.detail)
    if action.target[0] == "text":
        place = method(around, "get_by_text", Text(action.detail), **exact)
    elif not action.detail:
        place = method(around, "get_by_role", Text(found["role"]))
    elif found["role"] in _UNNAMED:
        place = method(
            method(around, "get_by_role", Text(found["role"])), "filter", has_text=Text(action.detail)
        )
    else:
        place = method(around, "get_by_role", Text(found["role"]), name=Text(action.detail), **exact)
    return method(place, "nth", Atom(str(int(found["number"]) - 1))) if found["number"] else place


def _exactly(words: str) -> dict[str, Node]:
    """Capitals may come from a style sheet: Chromium names a widget as it is shown, Playwright as it is
    written. Without `exact`, Playwright takes both for the same."""
    return {} if words.isupper() and len(words) > 3 else {"exact": Atom("True")}


def check(name: str, operator: str, value: str, holds: bool) -> Call | None:
    """That a label is on the page, or is not. None where a test cannot look it up."""
    match name:
        case "text":
            exact = {"exact": Atom("True")} if operator == "=" else {}
            return _visible(Member(method(PAGE, "get_by_text", Text(value), **exact), "first"), holds)
        case "heading":
            return _visible(Member(method(PAGE, "get_by_role", Text(name), name=Text(value)), "first"), holds)
        case "alert" | "dialog":
            place = method(method(PAGE, "get_by_role", Text(name)), "filter", has_text=Text(value))
            return _visible(Member(place, "first"), holds)
        case "url" | "activity":
            negated = "" if holds else "not_"
            inside = Atom(f"lambda url: {flat_text(value)} in url")
            return method(Call(EXPECT, (PAGE,)), f"{negated}to_have_url", inside)
        case "title" if operator == "=":
            negated = "" if holds else "not_"
            return method(Call(EXPECT, (PAGE,)), f"{negated}to_have_title", Text(value))
    return None


def watching() -> Let:
    """`seen = troubles(page)`: the list that `trouble` looks into."""
    return Let(SEEN, Call(TROUBLES, (PAGE,)))


def settled() -> Do:
    """What is still to go wrong has had the time for it."""
    return Do(method(PAGE, "wait_for_load_state", Text("networkidle")))


def trouble(kind: str) -> Call:
    return method(Atom(SEEN), "count", Text(kind))


def flat_text(value: str) -> str:
    from untrod.source.layout import flat

    return flat(Text(value))


def _visible(place: Node, holds: bool) -> Call:
    return method(Call(EXPECT, (place,)), "to_be_visible" if holds else "not_to_be_visible")
