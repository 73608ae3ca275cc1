"""Strategies that others have published, unchanged, under the backend.

Three packages from PyPI: JSON documents (hypothesis-jsonschema), Python source (hypothesmith, which builds
on Hypothesis's Lark support) and GraphQL operations (hypothesis-graphql). Each is judged by somebody who
does not know it: the jsonschema validator, Python's own parser, graphql-core.

The schemas hold no JSON objects: hypothesis-jsonschema 0.23.1 draws those through an internal of Hypothesis
that recent versions have changed, so they fail under every backend.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import graphql
import hypothesmith
import jsonschema
import pytest
from hypothesis import HealthCheck, Phase, assume, given, seed, settings
from hypothesis import strategies as st
from hypothesis_graphql import strategies as graphql_strategies
from hypothesis_jsonschema import from_schema

from untrod.engines.inputs.backend import configure
from untrod.engines.inputs.backend.entry import register
from untrod.engines.inputs.backend.provider import UntrodProvider

register()

ROWS = {
    "type": "array",
    "minItems": 2,
    "maxItems": 5,
    "items": {
        "anyOf": [
            {"type": "integer", "minimum": 0, "maximum": 500, "multipleOf": 5},
            {"type": "string", "pattern": "^[A-Z]{2}[0-9]$"},
            {"enum": [None, "void", True]},
            {"type": "array", "items": {"type": "number", "minimum": -1, "maximum": 1}, "maxItems": 3},
        ]
    },
}

LIBRARY = """
type Query { book(id: ID!, full: Boolean): Book  books(first: Int, by: Order): [Book!]! }
type Mutation { add(title: String!, year: Int): Book }
enum Order { TITLE YEAR }
type Book { title: String! year: Int author: Author! }
type Author { name: String! books(first: Int): [Book!]! }
"""

LIBRARY_SCHEMA = graphql.build_schema(LIBRARY)


def judge_rows(rows: Any) -> None:
    jsonschema.validate(json.loads(json.dumps(rows)), ROWS)


def judge_source(source: str) -> None:
    compile(ast.parse(source), "<generated>", "exec")


def judge_operation(operation: str) -> None:
    assert graphql.validate(LIBRARY_SCHEMA, graphql.parse(operation)) == []


def has_two_codes(rows: list[Any]) -> bool:
    return sum(isinstance(row, str) and row != "void" for row in rows) >= 2


def has_three_words(source: str) -> bool:
    return len(source.split()) >= 3


def asks_for_an_author(operation: str) -> bool:
    return "author" in operation


class Planted(Exception):
    """The bug that must be found."""


@dataclass(frozen=True)
class Published:
    """A strategy, its independent judge, an assumption that rejects a good share, and a planted bug."""

    strategy: Callable[[], st.SearchStrategy[Any]]
    judge: Callable[[Any], None]
    assumption: Callable[[Any], bool]
    holds: Callable[[Any], bool]
    words: int  # at most so many are left of the bug when it is shrunk
    examples: int = 100


PUBLISHED = {
    "jsonschema": Published(
        lambda: from_schema(ROWS),
        judge_rows,
        has_two_codes,
        lambda rows: None not in rows,
        3,
    ),
    "graphql-queries": Published(
        lambda: graphql_strategies.queries(LIBRARY),
        judge_operation,
        asks_for_an_author,
        lambda operation: "books" not in operation,
        20,
    ),
    "graphql-mutations": Published(
        lambda: graphql_strategies.mutations(LIBRARY),
        judge_operation,
        asks_for_an_author,
        lambda operation: "year:" not in operation,
        16,
    ),
    "python-source": Published(
        lambda: hypothesmith.from_grammar(auto_target=False),
        judge_source,
        has_three_words,
        lambda source: source.count("\n") < 2,
        3,
        examples=12,  # its grammar is slow to draw from
    ),
}


@pytest.fixture(params=PUBLISHED)
def published(request: pytest.FixtureRequest) -> Iterator[Published]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # generated Python is valid, not sensible
        yield PUBLISHED[request.param]


def settings_for(published: Published, *phases: Phase) -> settings:
    return settings(
        backend="untrod",
        max_examples=published.examples,
        database=None,
        deadline=None,
        phases=[Phase.generate, *phases],
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )


def run(test: Callable[[], None]) -> UntrodProvider:
    started: list[UntrodProvider] = []
    with configure(started=started.append):
        seed(20)(test)()
    return started[0]


def test_every_value_is_valid(published: Published) -> None:
    seen: list[str] = []

    @settings_for(published)
    @given(published.strategy())
    def test(value: Any) -> None:
        published.judge(value)
        seen.append(repr(value))

    run(test)
    assert len(seen) == published.examples
    assert len(set(seen)) > 0.3 * len(seen)


def test_the_learner_wakes_up_where_much_is_rejected(published: Published) -> None:
    accepted: list[str] = []
    rejected: list[str] = []

    @settings_for(published)
    @given(published.strategy())
    def test(value: Any) -> None:
        published.judge(value)
        held = published.assumption(value)
        (accepted if held else rejected).append(repr(value))
        assume(held)

    provider = run(test)
    assert provider.learner.awake
    assert len(accepted) == published.examples
    assert len(set(accepted)) > 0.3 * len(accepted)
    assert rejected


def test_a_planted_bug_is_found_and_shrunk(published: Published) -> None:
    @settings_for(published, Phase.shrink)
    @given(published.strategy())
    def test(value: Any) -> None:
        published.judge(value)
        assume(published.assumption(value))
        if not published.holds(value):
            raise Planted(value)

    with pytest.raises(Planted) as failure:
        run(test)
    (value,) = failure.value.args
    assert not published.holds(value)
    assert len(str(value).split()) <= published.words, value


TESTS = """
import graphql
import jsonschema
from hypothesis import assume, given
from hypothesis_graphql import strategies as graphql_strategies
from hypothesis_jsonschema import from_schema

LIBRARY = "type Query { book(id: Int!): Book } type Book { title: String! author: String! }"
SCHEMA = graphql.build_schema(LIBRARY)
CODES = {"type": "array", "items": {"enum": ["open", "paid", "void", 7]}, "minItems": 1, "maxItems": 5}

@given(codes=from_schema(CODES))
def test_codes(codes):
    jsonschema.validate(codes, CODES)
    assume("open" not in codes)
    assert codes.count("void") < 2

@given(query=graphql_strategies.queries(LIBRARY))
def test_queries(query):
    assert not graphql.validate(SCHEMA, graphql.parse(query))
    assume("title" in query)
    assert "author" not in query
"""


def test_the_command_runs_tests_that_use_them(project: Any) -> None:
    project.write("tests/test_published.py", TESTS)
    result = project.untrod("inputs", "tests/test_published.py", "--json", "--budget", 600)
    assert result.status == 1, result.err
    findings = [event["finding"] for event in result.of("finding")]
    shown = {finding["detail"]["test"].rpartition("::")[2]: finding for finding in findings}
    values = {name: finding["detail"]["value"]["text"] for name, finding in shown.items()}
    assert values["test_codes"] == "{'codes': ['void', 'void']}"
    assert values["test_queries"] == r"{'query': '{\n  book(id: 0) {\n    title\n    author\n  }\n}'}"
    written = "".join((project.folder / event["path"]).read_text() for event in result.of("test-written"))
    assert 'test_codes.hypothesis.inner_test(codes=["void", "void"])' in written
    again = project.untrod("replay", shown["test_queries"]["id"], "--json")
    assert json.loads(again.out)["held"] == 1
