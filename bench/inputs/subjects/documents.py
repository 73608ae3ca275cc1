"""JSON documents under a strict JSON Schema, drawn from arbitrary JSON over a small vocabulary of keys."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace

ITEM = {
    "type": "object",
    "required": ["n"],
    "additionalProperties": False,
    "properties": {
        "n": {"type": "integer"},
        "q": {"type": "boolean"},
        "tag": {"type": "string", "minLength": 1},
    },
}
ORDER = {
    "type": "object",
    "required": ["id", "kind", "items"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "kind": {"enum": ["a", "b"]},
        "tag": {"type": "string", "minLength": 1},
        "items": {"type": "array", "minItems": 1, "items": ITEM},
    },
}
SCHEMA = Draft202012Validator(ORDER)

KEYS = ("id", "kind", "items", "n", "q", "tag")
WORDS = ("", "a", "b", "x")
MAX_LEAVES = 14
MAX_DEPTH = 4  # what st.recursive makes of that many leaves

documents = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.sampled_from(WORDS),
    lambda child: st.lists(child, max_size=3) | st.dictionaries(st.sampled_from(KEYS), child, max_size=4),
    max_leaves=MAX_LEAVES,
)


def check(document: Any, assume: Assume) -> None:
    assume(isinstance(document, dict))
    assume("id" in document)
    assume("kind" in document)
    assume("items" in document)
    assume(isinstance(document["items"], list))
    assume(document["items"])
    assume(all(isinstance(item, dict) for item in document["items"]))
    assume(SCHEMA.is_valid(document))


def invoice(document: Any) -> int:
    """A consumer of valid documents: what the trace follows."""
    total = 0
    for item in document["items"]:
        amount = item["n"]
        if item.get("q"):
            amount *= 2
        elif "tag" in item:
            amount += 1
        if amount < 0:
            continue
        total += amount
    if document["kind"] == "b":
        total = -total
    if document.get("tag") == "x":
        total += document["id"]
    return total


def construct(random: Random) -> Any:
    document = {"id": random.randint(1, 5), "kind": random.choice("ab")}
    document["items"] = [_item(random) for _ in range(random.randint(1, 3))]
    if random.random() < 0.5:
        document["tag"] = random.choice(WORDS[1:])
    return document


def _item(random: Random) -> dict[str, Any]:
    item: dict[str, Any] = {"n": random.randint(-2, 5)}
    if random.random() < 0.5:
        item["q"] = random.random() < 0.5
    if random.random() < 0.5:
        item["tag"] = random.choice(WORDS[1:])
    return item


def admits(document: Any) -> bool:
    return _depth(document) <= MAX_DEPTH and _leaves(document) <= MAX_LEAVES


def _depth(document: Any) -> int:
    """How many containers deep; far too many when some part is not of the vocabulary."""
    if isinstance(document, dict):
        known = set(document) <= set(KEYS) and len(document) <= 4
        return 1 + max(map(_depth, document.values()), default=0) if known else 99
    if isinstance(document, list):
        return 1 + max(map(_depth, document), default=0) if len(document) <= 3 else 99
    if isinstance(document, str):
        return 0 if document in WORDS else 99
    return 0 if document is None or isinstance(document, bool) or -2 <= document <= 5 else 99


def _leaves(document: Any) -> int:
    if isinstance(document, dict):
        return sum(map(_leaves, document.values()))
    return sum(map(_leaves, document)) if isinstance(document, list) else 1


BUGS = (
    Bug("a negative amount", lambda document: any(item["n"] < 0 for item in document["items"])),
    Bug(
        "two items, the second tagged", lambda document: any("tag" in item for item in document["items"][1:])
    ),
    Bug(
        "a tagged order of kind b with a quick item",
        lambda document: (
            document["kind"] == "b"
            and document.get("tag") == "x"
            and any(item.get("q") for item in document["items"])
        ),
    ),
)


def canonical(document: Any) -> str:
    return json.dumps(document, sort_keys=True)


SUBJECT = Subject("json", documents, check, construct, admits, branch_trace(invoice), BUGS, canonical)
