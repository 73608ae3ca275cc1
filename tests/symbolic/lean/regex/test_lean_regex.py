"""Regular expressions on symbolic text do what `re` does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from untrod.symbolic.concrete import disagreement
from untrod.symbolic.lean import current
from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.lean.regex import calls
from untrod.symbolic.lean.strings import LeanStr, codes_of
from untrod.symbolic.shapes import Arguments, Text
from untrod.testing.executors import Always

REPEATABLE = settings(derandomize=True, deadline=None, database=None, max_examples=400)


class Known:
    """A run in which every character is constant, and so is every answer."""

    def branch(self, term: Any, kind: str = "user") -> bool:
        return bool(term.value)

    def stop(self, status: str, reason: str) -> None:
        reject()


@pytest.fixture(autouse=True)
def known_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current, "run", Known())


pieces = st.sampled_from(
    [
        *("a", "b", "ab", "abc", ".", r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", "[ab]", "[^a]", "[a-c]"),
        *(r"[\d_]", "^", "$", r"\b", r"\B", r"\A", r"\Z", "(?=a)", "(?!b)", "(?<=a)", "(?<!b)", "(a)|b"),
        *("(a|ab)", "(?:b|)", "(?P<x>a)?", r"(a)?\1", "(?>a*)", "a*+", "(?i:A)", "(?s:.)", "(b)?(?(1)a|c)"),
    ]
)
repeats = st.sampled_from(["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?"])


def repeated(piece: str, repeat: str) -> str:
    return f"(?:{piece}){repeat}" if repeat else piece


patterns = st.lists(st.builds(repeated, pieces, repeats), min_size=1, max_size=4).map("".join)
flags = st.sampled_from([0, 0, re.IGNORECASE, re.MULTILINE, re.DOTALL, re.ASCII])
texts = st.text("aabbcAB1 _\n", max_size=7)


def plain(value: Any) -> Any:
    """Proxies of constants, as what they stand for."""
    if isinstance(value, tuple | list):
        return type(value)(map(plain, value))
    return "".join(chr(code.value) for code in codes_of(value) or ()) if type(value) is LeanStr else value


def told(match: Any) -> Any:
    if match is None:
        return None
    spans = [match.span(number) for number in range(match.re.groups + 1)]
    named = {name: plain(text) for name, text in match.groupdict().items()}
    return spans, plain(match.groups()), named, match.lastindex, match.lastgroup, plain(match[0])


def compiled(pattern: str, flags: int) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern, flags)
    except (re.error, OverflowError):
        return None  # several groups of one name


@REPEATABLE
@given(patterns, flags, texts, st.integers(0, 3))
@example("(a|ab)(c|bcd)(d*)", 0, "abcd", 0)
@example("(?:a|ab)(?=c)", re.IGNORECASE, "ABc", 0)
@example("(?:(a)|b)*", 0, "aba", 0)
@example(r"x*", 0, "axbx", 0)
def test_methods_of_patterns_find_what_re_finds(pattern: str, flags: int, text: str, pos: int) -> None:
    found = compiled(pattern, flags)
    if found is None:
        return
    proxy = LeanStr(codes_of(text) or ())
    for name in ("match", "fullmatch", "search"):
        assert told(calls.call(found, name)(proxy, pos)) == told(getattr(found, name)(text, pos)), name
    each = [*map(told, calls.call(found, "finditer")(proxy))]
    assert each == [*map(told, found.finditer(text))]
    assert plain(calls.call(found, "findall")(proxy)) == found.findall(text)
    assert plain(calls.call(found, "split")(proxy, 2)) == found.split(text, 2)
    assert plain(calls.call(found, "sub")("-", proxy, 2)) == found.sub("-", text, 2)
    assert plain(calls.call(found, "sub")(lambda m: m[0] + "!", proxy)) == found.sub(
        lambda m: m[0] + "!", text
    )


def test_functions_of_re_take_flags_by_place_and_by_name() -> None:
    text = LeanStr(codes_of("A-b") or ())
    assert told(calls.call_of_module("match")("a", text, re.IGNORECASE)) == told(re.match("a", "A-b", re.I))
    assert calls.call_of_module("search")("B", text, flags=0) is None
    assert plain(calls.call_of_module("split")("-", text)) == ["A", "b"]
    assert plain(calls.call_of_module("sub")("a", "", text, 0, re.IGNORECASE)) == "-b"


VERSION = re.compile(r"v?(?P<major>0|[1-9]\d*)\.(?P<minor>\d+)(?:-(?P<tag>rc|beta)\d?)?")


def release(text: str) -> str:
    found = VERSION.fullmatch(text)
    if found is None:
        return "none"
    if found["tag"] == "beta":
        return "beta"
    return "large" if int(found.group("major")) > 50 else "small"


def test_paths_through_a_regular_expression_are_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a text that does not match at all to every ending of the function."""
    monkeypatch.undo()
    executor = LeanExecutor(release, Arguments((Text(9),)))
    frontier, endings = [executor.initial()], set()
    for number in range(400):
        if not frontier:
            break
        state = frontier.pop(0 if number % 3 else -1)
        result = executor.advance(state, Always(number % 2 == 0), max_branches=200)
        assert disagreement(release, result) == "", result.inputs
        assert result.status in ("done", "infeasible"), result.reason
        frontier.extend(result.pending)
        endings.add(result.value)
    assert endings >= {"none", "beta", "large", "small"}
