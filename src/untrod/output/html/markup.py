"""HTML that is put together by functions, so that nothing gets into it unescaped.

A plain `str` is text, whatever it holds: it is made printable and escaped. Only `Html` is markup, and only
this module and the files with fixed markup make any. So a finding's title cannot become a tag, however
hostile the code under test.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from untrod.core.text import escaped


class Html(str):
    """Markup. Never made from text that untrod did not write."""

    __slots__ = ()


Child: TypeAlias = "str | Html | Iterable[Child] | None"
_VOID = frozenset({"meta", "img", "br", "col", "input", "link"})


def tag(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Html:
    """`tag("p", "text", class_="note")`. An attribute that is None or False is left out, True stands bare,
    and `Html` is taken as it is."""
    head = name + "".join(_attribute(key, value) for key, value in attributes.items())
    return Html(f"<{head}>" if name in _VOID else f"<{head}>{join(children)}</{name}>")


def join(children: Child) -> Html:
    """One after the other, texts escaped."""
    if children is None:
        return Html("")
    if isinstance(children, Html):
        return children
    if isinstance(children, str):
        return Html(escaped(children))
    return Html("".join(map(join, children)))


def code(text: str) -> Html:
    return tag("code", text)


def block(text: str) -> Html:
    """Several lines as they are. It can be scrolled sideways by keyboard, so it takes the focus."""
    return tag("pre", tag("code", text), tabindex="0")


def value(text: str) -> Html:
    """A long value: its lines may be broken anywhere."""
    return tag("pre", tag("code", text), class_="value", tabindex="0")


def unfold(summary: Child, *children: Child, open: bool = False) -> Html:
    """What is there for those who want to know."""
    return tag("details", tag("summary", summary), children, open=open)


def table(heads: Iterable[Child], rows: Iterable[Iterable[Child]], caption: str = "") -> Html:
    """Columns whose cells are all numbers are set to the right."""
    body = [list(row) for row in rows]
    right = [all(map(_is_number, column)) for column in zip(*body, strict=True)]
    styles = ["number" if each else None for each in right]
    names = list(heads)
    head = [tag("th", name, scope="col", class_=style) for name, style in zip(names, styles, strict=False)]
    lines = [
        tag("tr", [tag("td", each, class_=style) for each, style in zip(row, styles, strict=True)])
        for row in body
    ]
    titled = tag("caption", caption) if caption else None
    inner = tag("table", titled, tag("thead", tag("tr", head)), tag("tbody", lines))
    return tag("div", inner, class_="wide", tabindex="0", role="group", aria_label=caption or "table")


def _attribute(key: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    return f' {name}="{value if isinstance(value, Html) else escaped(str(value))}"'


def _is_number(child: Child) -> bool:
    return isinstance(child, str) and not child.strip("0123456789,.%? msh")
