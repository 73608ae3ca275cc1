"""What a docstring says about types, and the values that its examples are made of.

    :param int count: ...      :type count: int        Sphinx
    count (int, optional): ... Google
    count : int                NumPy
    >>> repeat("ab", 3)        an example, for doctest

Only what names a type is believed. Prose is not.
"""

from __future__ import annotations

import ast
import collections.abc
import doctest
import inspect
import re
import typing
from collections.abc import Callable, Iterator
from typing import Any

from untrod.engines.cover.type_expressions import NotAType, resolve

_NAME = r"(?P<name>\*{0,2}\w+)"
_STYLES = (
    re.compile(rf"^\s*:(?:param|parameter|arg|argument|key|keyword)\s+(?P<type>[^:]+?)\s+{_NAME}\s*:", re.M),
    re.compile(rf"^\s*:type\s+{_NAME}\s*:\s*(?P<type>.+?)\s*$", re.M),
    re.compile(rf"^\s+{_NAME}\s+\((?P<type>[^()]+(?:\([^()]*\))?[^()]*)\)\s*:", re.M),
    re.compile(rf"^\s*{_NAME}\s+:\s+(?P<type>[^\n]+?)\s*$", re.M),
)
_SPOKEN: dict[str, Any] = {
    "integer": int,
    "ints": int,
    "integers": int,
    "string": str,
    "strings": str,
    "strs": str,
    "text": str,
    "boolean": bool,
    "floats": float,
    "number": int | float,
    "numbers": int | float,
    "none": None,
    "callable": collections.abc.Callable,
    "function": collections.abc.Callable,
    "iterable": collections.abc.Iterable,
    "sequence": collections.abc.Sequence,
    "mapping": collections.abc.Mapping,
    "dictionary": dict,
    "any": Any,
}
_OF = re.compile(r"^(list|set|tuple|sequence|iterable|frozenset)s?(?: of |\[)(.+?)\]?$", re.I)
_LONGEST = 300


def documented_types(function: Callable[..., Any]) -> dict[str, Any]:
    """By parameter. Of a class, what it says itself counts as well as what its constructor says."""
    namespace = getattr(inspect.unwrap(function), "__globals__", {})
    texts = [inspect.getdoc(function)]
    if isinstance(function, type):
        made_by = vars(function).get("__init__")
        texts.append(inspect.getdoc(made_by) if made_by else None)
        namespace = getattr(made_by, "__globals__", namespace)
    found: dict[str, Any] = {}
    for text in filter(None, texts):
        for style in _STYLES:
            for said in style.finditer(text):
                hint = _type(said["type"], namespace)
                if hint is not None:
                    found.setdefault(said["name"].lstrip("*"), hint)
    return found


def documented_values(text: str) -> Iterator[Any]:
    """The literals in the examples of a docstring."""
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    for example in examples:
        try:
            tree = ast.parse(example.source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and len(str(node.value)) <= _LONGEST:
                yield node.value


def _type(text: str, namespace: dict[str, Any]) -> Any:
    """None where it names none."""
    text = re.sub(r"\b(optional|required)\b|\bdefaults?\b.*", "", text).strip(" ,.`~")
    parts = [part for part in re.split(r"\s+or\s+|\s*\|\s*|,\s+(?=\w+$)", text) if part.strip()]
    hints = [_alone(part.strip(" ,`"), namespace) for part in parts]
    if not hints or any(hint is None for hint in hints):
        return None
    return hints[0] if len(hints) == 1 else typing.Union[tuple(hints)]  # noqa: UP007


def _alone(word: str, namespace: dict[str, Any]) -> Any:
    spoken = _SPOKEN.get(word.lower(), word)
    if spoken is None or word == "None":
        return type(None)
    if not isinstance(spoken, str):
        return spoken
    inside = _OF.match(word)
    if inside is not None:
        outer, inner = _alone(inside[1].lower(), namespace), _type(inside[2], namespace)
        several = outer is tuple
        return None if outer is None or inner is None else outer[inner, ...] if several else outer[inner]
    if not re.fullmatch(r"[A-Za-z_][\w.]*(\[.*\])?", word):
        return None
    try:
        hint = resolve(word, namespace)
    except NotAType:
        return None
    return hint if isinstance(hint, type) or typing.get_origin(hint) is not None else None
