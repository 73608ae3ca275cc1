"""Maven-POM-like XML under an XML Schema, from a generator that only knows the names of the elements.

An element is (tag, text or None, children).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st
from lxml import etree

from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace

TAGS = (
    *("project", "modelVersion", "groupId", "artifactId", "version", "packaging"),
    *("dependencies", "dependency", "scope", "optional", "exclusions", "exclusion"),
    *("build", "plugins", "plugin", "configuration", "modules", "module", "parent", "properties"),
)
TEXTS = ("1", "true", "false", "test", "compile", "x")
MAX_DEPTH, MAX_CHILDREN = 5, 4

Element = tuple[str, str | None, tuple[Any, ...]]


@st.composite
def elements(draw: st.DrawFn, depth: int = 0) -> Element:
    tag = draw(st.sampled_from(TAGS))
    if depth < MAX_DEPTH and draw(st.booleans()):
        return (
            tag,
            None,
            tuple(draw(elements(depth + 1)) for _ in range(draw(st.integers(0, MAX_CHILDREN)))),
        )
    return (tag, draw(st.sampled_from(TEXTS)) if draw(st.booleans()) else None, ())


# A type is the texts it takes, or (its child elements, those required); a list is any number of one element.
_ANY, _FLAG, _SCOPE = TEXTS, ("true", "false"), ("test", "compile")
_EXCLUSION = ({"groupId": _ANY, "artifactId": _ANY}, {"groupId", "artifactId"})
_DEPENDENCY = (
    {
        "groupId": _ANY,
        "artifactId": _ANY,
        "version": _ANY,
        "scope": _SCOPE,
        "optional": _FLAG,
        "exclusions": ["exclusion", _EXCLUSION],
    },
    {"artifactId"},
)
_PLUGIN = ({"artifactId": _ANY, "version": _ANY}, {"artifactId"})
_BUILD = ({"plugins": ["plugin", _PLUGIN]}, set[str]())
_PROJECT = (
    {
        "modelVersion": _ANY,
        "groupId": _ANY,
        "artifactId": _ANY,
        "version": _ANY,
        "packaging": _ANY,
        "dependencies": ["dependency", _DEPENDENCY],
        "modules": ["module", _ANY],
        "build": _BUILD,
    },
    set[str](),
)


def _schema(name: str, kind: Any, occurs: str = "") -> str:
    """An XML Schema declaration of the element `name` of a type as above."""
    if isinstance(kind, list):
        child = _schema(kind[0], kind[1], 'minOccurs="0" maxOccurs="unbounded"')
        body = f"<xs:complexType><xs:sequence>{child}</xs:sequence></xs:complexType>"
    elif isinstance(kind[0], dict):
        parts = "".join(
            _schema(tag, inner, "" if tag in kind[1] else 'minOccurs="0"') for tag, inner in kind[0].items()
        )
        body = f"<xs:complexType><xs:all>{parts}</xs:all></xs:complexType>"
    else:
        values = "".join(f'<xs:enumeration value="{text}"/>' for text in kind)
        facets = '<xs:minLength value="1"/>' if kind == _ANY else values
        body = f'<xs:simpleType><xs:restriction base="xs:string">{facets}</xs:restriction></xs:simpleType>'
    return f'<xs:element name="{name}" {occurs}>{body}</xs:element>'


SCHEMA = etree.XMLSchema(
    etree.XML(
        f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">{_schema("project", _PROJECT)}</xs:schema>'
    )
)


def render(element: Element) -> str:
    tag, text, children = element
    return f"<{tag}>{text or ''}{''.join(map(render, children))}</{tag}>"


def check(element: Element, assume: Assume) -> None:
    assume(SCHEMA.validate(etree.fromstring(render(element))))


def construct(random: Random) -> Element:
    return _construct(random, "project", _PROJECT)


def _construct(random: Random, tag: str, kind: Any) -> Element:
    if isinstance(kind, list):
        return (tag, None, tuple(_construct(random, *kind) for _ in range(random.randint(0, MAX_CHILDREN))))
    if not isinstance(kind[0], dict):
        return (tag, random.choice(kind), ())
    types, required = kind
    optional = [child for child in types if child not in required]
    most = min(len(optional), MAX_CHILDREN - len(required))
    chosen = [*sorted(required), *random.sample(optional, random.randint(0, most))]
    random.shuffle(chosen)
    return (tag, None, tuple(_construct(random, child, types[child]) for child in chosen))


def admits(element: Element, depth: int = 0) -> bool:
    tag, text, children = element
    fits = depth < MAX_DEPTH and len(children) <= MAX_CHILDREN if children else True
    fits = fits and tag in TAGS and (text is None or (text in TEXTS and not children))
    return fits and all(admits(child, depth + 1) for child in children)


def coordinates(project: Element) -> list[str]:
    """A consumer of valid files, what the trace follows: the artifacts that a build would fetch."""
    found = []
    for tag, text, children in project[2]:
        if tag == "dependencies":
            found += [_dependency(dict(map(_entry, dependency[2]))) for dependency in children]
        elif tag == "build":
            for plugins in children:
                found += [f"plugin {len(plugin[2])}" for plugin in plugins[2]]
        elif tag == "modules":
            for module in children:
                found.append(f"module {module[1]}")
        elif tag == "packaging" and text != "x":
            found.append("packaging")
    return found


def _entry(element: Element) -> tuple[str, Any]:
    return element[0], element[1] or element[2]


def _dependency(fields: dict[str, Any]) -> str:
    name = str(fields["artifactId"])
    if "groupId" in fields:
        name = f"{fields['groupId']}:{name}"
    if fields.get("scope") == "test":
        name += " for tests"
    if fields.get("optional") == "true":
        return f"{name}?"
    for exclusion in fields.get("exclusions", ()):
        name += f" without {exclusion[2][0][1]}"
    return name


def _paths(element: Element, prefix: str = "") -> Iterator[str]:
    path = f"{prefix}/{element[0]}" + (f"={element[1]}" if element[1] else "")
    yield path
    for child in element[2]:
        yield from _paths(child, path)


def _dependencies(project: Element) -> list[dict[str, Any]]:
    return [
        dict(map(_entry, dependency[2]))
        for child in project[2]
        if child[0] == "dependencies"
        for dependency in child[2]
    ]


BUGS = (
    Bug("two modules", lambda project: sum(p.startswith("/project/modules/m") for p in _paths(project)) >= 2),
    Bug("a test dependency", lambda project: any(d.get("scope") == "test" for d in _dependencies(project))),
    Bug(
        "an optional dependency with an exclusion",
        lambda project: any(
            d.get("optional") == "true" and d.get("exclusions") for d in _dependencies(project)
        ),
    ),
)

SUBJECT = Subject("pom", elements(), check, construct, admits, branch_trace(coordinates), BUGS, render)
