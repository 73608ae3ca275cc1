"""What code does with a value, read from its source."""

from __future__ import annotations

from typing import Any, cast

from untrod.engines.cover.values.uses import Use, uses_of, uses_of_self


def served(request, on_done, rows, options, stream, odd):
    if request.method == "GET" and request.headers.get("host"):
        for row in rows:
            row.label.upper()
    with stream as opened:
        try:
            opened.fetch(1)
        except (ValueError, KeyError):
            pass
    on_done(request, 2)
    if hasattr(odd, "size"):
        return odd.size
    other = cast(Any, odd)
    return options["size"] + 1, options.get("name"), inner(other)


def inner(thing):
    thing.close()
    return isinstance(thing, Use)


def test_members_keys_items_calls_and_what_is_entered() -> None:
    uses = uses_of(served)
    assert set(uses["request"].attributes) == {"method", "headers"}
    assert uses["request"].attributes["method"].constants == ["GET"]
    assert "host" in uses["request"].attributes["headers"].keys
    assert uses["on_done"].arities == {2}
    item = uses["rows"].item
    assert item is not None
    assert set(item.attributes) == {"label"}
    assert set(uses["options"].keys) == {"size", "name"}
    assert uses["options"].optional == {"name"}
    entered = uses["stream"].entered
    assert entered is not None
    assert entered.attributes["fetch"].errors == [ValueError, KeyError]


def test_what_a_value_is_handed_to_says_more() -> None:
    use = uses_of(served)["odd"]
    assert set(use.attributes) == {"size", "close"}
    assert use.optional == {"size"}
    assert use.types == [Use]


class Kept:
    def __init__(self, source, size):
        self.source = source
        self._size = size

    def first(self):
        return self.source.read(self._size)

    async def later(self):
        return await self.source.wait()


def test_what_methods_do_with_what_the_constructor_keeps_counts() -> None:
    use = uses_of(Kept.__init__, Kept)["source"]
    assert set(use.attributes) == {"read", "wait"}
    waited = use.attributes["wait"].result
    assert waited is not None
    assert waited.awaited


class Mixin:
    def render(self):
        self.count = 1
        return self.helper(self.title) + super().render()

    def helper(self, title):
        return title.strip()


def test_what_a_class_asks_of_the_object_and_of_what_is_behind() -> None:
    use, above = uses_of_self(Mixin)
    assert set(use.attributes) - use.stored - set(dir(Mixin)) == {"title"}
    assert set(use.attributes["title"].attributes) == {"strip"}
    assert set(above.attributes) == {"render"}


def test_without_source_nothing_is_known() -> None:
    assert uses_of(len) == {}


def rebound(text):
    text = len(text)
    return text.bit_length()


def test_a_name_that_stands_for_something_else_later_is_that() -> None:
    assert uses_of(rebound)["text"].attributes == {}
