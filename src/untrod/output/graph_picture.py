"""A screen graph as a picture: one SVG file, without scripts, that any browser shows.

Screens that a person would call the same are one box. Boxes stand in rows by how many steps they are from the
start; a line is one or several actions, and pointing at it names them. With visits, a box is the darker the
more often its screen was visited, and says how often. With screenshots, a box shows its screen's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from untrod.core.text import count, one_line
from untrod.drivers.graph import ScreenGraph
from untrod.drivers.protocol import Action, Screen

WIDTH, HEIGHT, GAP, RISE, SHOT = 190, 46, 26, 74, 120
LONGEST, MOST_NAMED = 26, 12
STYLE = (  # every rule begins with the picture's class: it also stands inside pages
    ".graph text{font:12px sans-serif;fill:#222}.graph .small{font-size:10px;fill:#666}"
    ".graph rect{fill:#f6f8fa;stroke:#8b949e}.graph .start rect{fill:#ddf4ff;stroke:#0969da}"
    ".graph path{fill:none;stroke:#b0b8c0}.graph path:hover{stroke:#cf222e;stroke-width:3}"
    "@media (prefers-color-scheme:dark){.graph text{fill:#e6e8eb}.graph .small{fill:#a2abb6}"
    ".graph rect{fill:#262c33}.graph .start rect{fill:#123a5c;stroke:#7db8f5}.graph path{stroke:#5c6672}}"
)
ARROW = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto">'
    '<polygon points="0,0 8,4 0,8" fill="#8b949e"/></marker></defs>'
)

Arcs = dict[tuple[str, str], list[str]]


def picture(
    graph: ScreenGraph, visits: Mapping[str, int] | None = None, shots: Mapping[str, str] | None = None
) -> str:
    """The same graph gives the same bytes. `visits` and `shots` (addresses of pictures, such as `data:`) go
    by the screens' abstract ids."""
    tall = HEIGHT + (SHOT if shots else 0)
    names = {key: screen.id for key, screen in graph.screens.items()}
    start = names[next(iter(graph.starts.values()))] if graph.starts else ""
    arcs = _arcs(graph, names)
    rows = _rows(start, list(dict.fromkeys(names.values())), arcs)
    places = {
        screen: (GAP + column * (WIDTH + GAP), GAP + row * (tall + RISE))
        for row, screens in enumerate(rows)
        for column, screen in enumerate(screens)
    }
    width = GAP + max(map(len, rows), default=1) * (WIDTH + GAP)
    height = GAP + len(rows) * (tall + RISE)
    states = {each: [key for key, name in names.items() if name == each] for each in places}
    lines = [_line(places[a], places[b], actions, tall) for (a, b), actions in arcs.items() if a != b]
    boxes = [
        _box(places[each], graph.screens[keys[0]], len(keys), each == start, _shade(each, visits), tall)
        + _shot(places[each], (shots or {}).get(each, ""))
        for each, keys in states.items()
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" width="{width}" height="{height}">'
    return "\n".join([head, f"<style>{STYLE}</style>{ARROW}", *lines, *boxes, "</svg>"]) + "\n"


def _arcs(graph: ScreenGraph, names: dict[str, str]) -> Arcs:
    """From screen to screen, what was seen to lead there."""
    arcs: Arcs = {}
    for origin, actions in graph.edges.items():
        for action, edges in actions.items():
            for edge in edges:
                told = arcs.setdefault((names[origin], names[edge.to]), [])
                if _called(action) not in told:
                    told.append(_called(action))
    return arcs


def _called(action: Action) -> str:
    return one_line(str(action), 60)


def _rows(start: str, screens: list[str], arcs: Arcs) -> list[list[str]]:
    """Breadth first from the start. What was seen and cannot be reached by what is known comes last."""
    rows, seen = [[start]] if start else [], {start}
    while rows and rows[-1]:
        following = dict.fromkeys(b for a, b in arcs if a in rows[-1] and b not in seen)
        seen |= following.keys()
        rows.append(list(following))
    left = [each for each in screens if each not in seen]
    return [row for row in (*rows, left) if row]


def _shade(screen: str, visits: Mapping[str, int] | None) -> tuple[str, str]:
    """The words, and the style of the box."""
    if visits is None:
        return "", ""
    times = visits.get(screen, 0)
    dark = 100 - round(45 * times / max(visits.values(), default=1))
    return f", {count(times, 'visit')}", f' style="fill:hsl(210,60%,{dark}%)"'


def _box(
    place: tuple[int, int], screen: Screen, states: int, is_start: bool, shade: tuple[str, str], tall: int
) -> str:
    x, y = place
    heading = _first(screen, ("heading", "title", "activity", "url")) or screen.id
    where = _first(screen, ("activity", "url")) or screen.id
    small = (where if states == 1 else f"{where}, {count(states, 'state')}") + shade[0]
    return (
        f'<g class="{"start" if is_start else "screen"}"><title>{escape(one_line(screen.id, 80))}</title>'
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{tall}" rx="6"{shade[1]}/>'
        f'<text x="{x + 10}" y="{y + 19}">{escape(one_line(heading, LONGEST))}</text>'
        f'<text class="small" x="{x + 10}" y="{y + 36}">{escape(one_line(small, LONGEST + 6))}</text></g>'
    )


def _shot(place: tuple[int, int], address: str) -> str:
    """Below the words; what is longer than wide shows its upper part."""
    if not address:
        return ""
    x, y = place[0] + 8, place[1] + HEIGHT
    frame = f'x="{x}" y="{y}" width="{WIDTH - 16}" height="{SHOT - 8}"'
    return f'<image {frame} preserveAspectRatio="xMidYMin slice" href="{escape(address)}"/>'


def _line(a: tuple[int, int], b: tuple[int, int], actions: list[str], tall: int) -> str:
    """Leaves a box on the right half and comes in on the left one, so that there and back are two lines."""
    down = b[1] > a[1]
    x, y = a[0] + WIDTH * 3 // 5, a[1] + (tall if down else 0)
    to_x, to_y = b[0] + WIDTH * 2 // 5, b[1] + (0 if down or a[1] == b[1] else tall)
    rise = RISE // 2 if down else -RISE // 2
    to_rise = rise if a[1] != b[1] else RISE // 2  # beside each other: up, over and down
    named = actions[:MOST_NAMED] + ["..."] * (len(actions) > MOST_NAMED)
    bend = f"M{x} {y}C{x} {y + rise} {to_x} {to_y - to_rise} {to_x} {to_y}"
    return f'<path d="{bend}" marker-end="url(#tip)"><title>{escape(", ".join(named))}</title></path>'


def _first(screen: Screen, names: Iterable[str]) -> str:
    return next((values[0] for name in names if (values := screen.attrs.get(name)) and values[0]), "")
