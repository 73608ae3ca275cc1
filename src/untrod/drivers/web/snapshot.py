"""Waits until a page has settled, and reads its accessibility tree."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import urldefrag

from untrod.core.shapes import Malformed, flag, record, text, texts, whole
from untrod.drivers.web.cdp import Gone, Refused, Session
from untrod.drivers.web.events import EventLog
from untrod.drivers.web.screen import MOST_ELEMENTS, Snapshot
from untrod.drivers.web.tree import FIELDS, Element, read_tree
from untrod.drivers.web.world import IsolatedWorld, present

QUIET = 6
"""Milliseconds without a change, and with nothing under way, after which a page has settled."""
SLOW = 250
PATIENCE = 3000
"""Milliseconds that a page may take to settle. One that never does is waited for less and less."""
LEAST_PATIENCE = 300
SLICE = 400
RETRIES = 1
POPUP_SECONDS = 1.0
MOST_FRAMES = 10
LONGEST = 4000
TOLD = record(
    {"url": text(LONGEST)},
    {
        "calm": flag,
        "title": text(LONGEST),
        "back": flag,
        "elements": whole(),
        "pointed": texts(100, 3000),
        "hovers": flag,
        "doubles": flag,
    },
)
"""The shape of page.js's answer. An error page has only its address."""


class Snapshotter:
    def __init__(self, session: Session, world: IsolatedWorld, events: EventLog) -> None:
        self.quiet = QUIET
        self._session = session
        self._world = world
        self._events = events
        self._url = ""
        self._restless: dict[str, int] = {}
        self._kinds: dict[tuple[str, str, str], str] = {}

    def look(self) -> tuple[Snapshot, bool]:
        """What the page shows once it has settled, and whether it has. Of one with too many elements to be
        read, only address and title. Raises CdpError."""
        told, calm = self._settle()
        root = self._tree(told)
        for _ in range(RETRIES):
            if root is not None:
                break
            told, calm = self._settle()  # it went elsewhere in between
            root = self._tree(told)
        self._close_popups()
        root, complete = root or Element(""), root is not None
        for number, words in enumerate(told.get("pointed", ())):
            root.add(Element("generic", words, ref=f"c{number}", marks={"cursor": "pointer"}))
        snapshot = Snapshot(
            self._url,
            root,
            title=told.get("title", ""),
            back=told.get("back", False),
            hovers=told.get("hovers", False),
            doubles=told.get("doubles", False),
            crowded=_is_crowded(told),
        )
        return snapshot, calm and complete

    def patience(self) -> int:
        """Milliseconds that this page may take to settle."""
        return max(LEAST_PATIENCE, PATIENCE >> self._restless.get(self._place, 0))

    def _settle(self) -> tuple[dict[str, Any], bool]:
        """A navigation aborts the evaluation: then it is repeated in the new document."""
        patience, begun, told = self.patience(), time.monotonic(), dict[str, Any]()
        while (left := patience - 1000 * (time.monotonic() - begun)) > 0:
            asked = f"{self.quiet}, {min(left, SLICE)}, {json.dumps(self._events.stayed)}, {MOST_ELEMENTS}"
            try:
                told = self._world.evaluate(
                    present(f"untrod.settle({asked})", f"{{ url: location.href.slice(0, {LONGEST}) }}"), TOLD
                )
            except Refused:
                continue
            except Malformed as error:
                raise Gone(f"the page cannot be read: {error}") from error
            self._url = told["url"]
            if told.get("calm", True):  # an error page has no script, and is calm
                self._restless.pop(self._place, None)
                return told, True
        self._restless[self._place] = min(self._restless.get(self._place, 0) + 1, 8)
        return told, False

    def _tree(self, told: dict[str, Any]) -> Element | None:
        """None when it cannot be had just now."""
        if _is_crowded(told):
            return Element("")
        try:
            root = read_tree(self._session.call("Accessibility.getFullAXTree")["nodes"])
            for frame in [each for each in root.walk() if each.role == "iframe"][:MOST_FRAMES]:
                self._read_frame(frame)
            self._name_kinds(root)
            return root
        except Refused:
            return None
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Gone(f"the page's tree cannot be read: {type(error).__name__}") from error

    def _read_frame(self, frame: Element) -> None:
        """A frame of another origin lives in another process, and is not looked into."""
        try:
            node = self._session.call("DOM.describeNode", {"backendNodeId": int(frame.ref)})["node"]
            inside = self._session.call("Accessibility.getFullAXTree", {"frameId": node["frameId"]})
            read_tree(inside["nodes"], frame, node["frameId"])
        except (Refused, LookupError):
            pass

    def _name_kinds(self, root: Element) -> None:
        """The type of each field, asked for once for each name on each page."""
        for element in root.walk():
            if element.role in FIELDS and "kind" not in element.properties:
                key = (self._place, element.role, element.name)
                if key not in self._kinds:
                    node = self._session.call("DOM.describeNode", {"backendNodeId": int(element.ref)})["node"]
                    given = node.get("attributes", [])
                    named = dict(zip(given[::2], given[1::2], strict=True))
                    plain = node["nodeName"] != "INPUT"
                    self._kinds[key] = "textarea" if plain else named.get("type", "text").lower()
                element.properties["kind"] = self._kinds[key]

    def _close_popups(self) -> None:
        """One that has been asked for takes a while to be there."""
        events = self._events
        if events.opening:
            self._session.connection.until(lambda: events.opened >= events.opening, POPUP_SECONDS)
        events.close_popups()

    @property
    def _place(self) -> str:
        return urldefrag(self._url).url


def _is_crowded(told: dict[str, Any]) -> bool:
    return bool(told.get("elements", 0) > MOST_ELEMENTS)
