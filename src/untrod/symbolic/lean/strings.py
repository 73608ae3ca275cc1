"""The proxy for str: a fixed number of characters, each a term for its code.

Questions with one answer (`==`, `<`, `in`, `startswith`, `isdigit`) become one condition. Methods whose
result has another length on another input (`strip`, `split`, `find`) walk the characters and take a branch
where they must, of kind `internal`. What is in neither group is unsupported, by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from untrod.symbolic.lean import bools, current, searching
from untrod.symbolic.lean.characters import (
    DIGIT,
    LOWER,
    PRINTABLE,
    SPACE,
    UPPER,
    all_within,
    lower,
    need_ascii,
    one_case,
    swap,
    upper,
)
from untrod.symbolic.lean.current import unsupported
from untrod.symbolic.lean.folding import all_of, any_of, equal, less, negate
from untrod.symbolic.lean.terms import CONST, FALSE, TRUE, Term, constant

Codes = tuple[Term, ...]


def make_text(codes: Codes) -> Any:
    """A proxy, or a plain str where every character is constant."""
    for code in codes:
        if code.op != CONST:
            return LeanStr(codes)
    return "".join([chr(code.value) for code in codes])


def join_characters(characters: Any) -> Any:
    """For `shapes.assemble`: one-character strings, symbolic or not, as one string."""
    return make_text(tuple(code for character in characters for code in codes_of(character) or ()))


def codes_of(value: Any) -> Codes | None:
    """The characters of anything that is a str, None for everything else."""
    if type(value) is LeanStr:
        return value.codes
    return tuple([constant(ord(character)) for character in value]) if isinstance(value, str) else None


def same(left: Codes, right: Codes) -> Term:
    return all_of(map(equal, left, right)) if len(left) == len(right) else FALSE


def before(left: Codes, right: Codes) -> Term:
    """Lexicographic `<`."""
    result = TRUE if len(left) < len(right) else FALSE
    for one, other in reversed(list(zip(left, right, strict=False))):
        result = any_of((less(one, other), all_of((equal(one, other), result))))
    return result


class LeanStr:
    __slots__ = ("codes",)

    def __init__(self, codes: Codes) -> None:
        self.codes = codes

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return str

    # Comparisons.

    def __eq__(self, other: Any) -> Any:
        codes = codes_of(other)
        return NotImplemented if codes is None else bools.make_bool(same(self.codes, codes))

    def __ne__(self, other: Any) -> Any:
        codes = codes_of(other)
        return NotImplemented if codes is None else bools.make_bool(negate(same(self.codes, codes)))

    def __lt__(self, other: Any) -> Any:
        codes = codes_of(other)
        return NotImplemented if codes is None else bools.make_bool(before(self.codes, codes))

    def __gt__(self, other: Any) -> Any:
        codes = codes_of(other)
        return NotImplemented if codes is None else bools.make_bool(before(codes, self.codes))

    def __le__(self, other: Any) -> Any:
        codes = codes_of(other)
        return NotImplemented if codes is None else bools.make_bool(negate(before(codes, self.codes)))

    def __ge__(self, other: Any) -> Any:
        codes = codes_of(other)
        return NotImplemented if codes is None else bools.make_bool(negate(before(self.codes, codes)))

    # A sequence.

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[Any]:
        for code in self.codes:
            yield make_text((code,))

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return make_text(self.codes[place])
        try:
            return make_text((self.codes[place],))
        except IndexError:
            raise IndexError("string index out of range") from None

    def __contains__(self, part: Any) -> bool:
        codes = codes_of(part)
        if codes is None:
            raise TypeError(f"'in <string>' requires string as left operand, not {type(part).__name__}")
        return bool(bools.make_bool(searching.inside(codes, self.codes)))

    def __add__(self, other: Any) -> Any:
        codes = codes_of(other)
        return NotImplemented if codes is None else make_text(self.codes + codes)

    def __radd__(self, other: Any) -> Any:
        codes = codes_of(other)
        return NotImplemented if codes is None else make_text(codes + self.codes)

    def __mul__(self, times: Any) -> Any:
        return make_text(self.codes * times.__index__())

    __rmul__ = __mul__

    # Methods with one condition for an answer, or none.

    def startswith(self, prefix: Any, start: Any = None, end: Any = None) -> Any:
        return searching.starts(self.codes, prefix, start, end)

    def endswith(self, suffix: Any, start: Any = None, end: Any = None) -> Any:
        return searching.ends(self.codes, suffix, start, end)

    def isdigit(self) -> Any:
        return bools.make_bool(all_within(self.codes, DIGIT, str.isdigit))

    def isdecimal(self) -> Any:
        return bools.make_bool(all_within(self.codes, DIGIT, str.isdecimal))

    def isnumeric(self) -> Any:
        return bools.make_bool(all_within(self.codes, DIGIT, str.isnumeric))

    def isalpha(self) -> Any:
        return bools.make_bool(all_within(self.codes, UPPER + LOWER, str.isalpha))

    def isalnum(self) -> Any:
        return bools.make_bool(all_within(self.codes, UPPER + LOWER + DIGIT, str.isalnum))

    def isspace(self) -> Any:
        return bools.make_bool(all_within(self.codes, SPACE, str.isspace))

    def isprintable(self) -> Any:
        return not self.codes or bools.make_bool(all_within(self.codes, PRINTABLE, str.isprintable))

    def isascii(self) -> Any:
        need_ascii(self.codes)
        return all(code.op != CONST or code.value < 128 for code in self.codes)

    def isupper(self) -> Any:
        return bools.make_bool(one_case(self.codes, UPPER, LOWER))

    def islower(self) -> Any:
        return bools.make_bool(one_case(self.codes, LOWER, UPPER))

    def upper(self) -> Any:
        need_ascii(self.codes)
        return make_text(tuple(map(upper, self.codes)))

    def lower(self) -> Any:
        need_ascii(self.codes)
        return make_text(tuple(map(lower, self.codes)))

    def swapcase(self) -> Any:
        need_ascii(self.codes)
        return make_text(tuple(map(swap, self.codes)))

    def capitalize(self) -> Any:
        need_ascii(self.codes)
        return make_text((*map(upper, self.codes[:1]), *map(lower, self.codes[1:])))

    def join(self, parts: Any) -> Any:
        return searching.join(self.codes, parts)

    # Methods that branch.

    def find(self, part: Any, start: Any = None, end: Any = None) -> int:
        return searching.find(self.codes, part, start, end)

    def rfind(self, part: Any, start: Any = None, end: Any = None) -> int:
        return searching.find(self.codes, part, start, end, backwards=True)

    def index(self, part: Any, start: Any = None, end: Any = None) -> int:
        return searching.found(searching.find(self.codes, part, start, end))

    def rindex(self, part: Any, start: Any = None, end: Any = None) -> int:
        return searching.found(searching.find(self.codes, part, start, end, backwards=True))

    def count(self, part: Any, start: Any = None, end: Any = None) -> int:
        return searching.count(self.codes, part, start, end)

    def replace(self, old: Any, new: Any, count: Any = -1) -> Any:
        return searching.replace(self.codes, old, new, count)

    def split(self, sep: Any = None, maxsplit: Any = -1) -> list[Any]:
        return searching.split(self.codes, sep, maxsplit)

    def partition(self, sep: Any) -> tuple[Any, Any, Any]:
        return searching.partition(self.codes, sep)

    def rpartition(self, sep: Any) -> tuple[Any, Any, Any]:
        return searching.partition(self.codes, sep, backwards=True)

    def strip(self, characters: Any = None) -> Any:
        return searching.strip(self.codes, characters, left=True, right=True)

    def lstrip(self, characters: Any = None) -> Any:
        return searching.strip(self.codes, characters, left=True, right=False)

    def rstrip(self, characters: Any = None) -> Any:
        return searching.strip(self.codes, characters, left=False, right=True)

    def removeprefix(self, prefix: Any) -> Any:
        return self[len(prefix) :] if self.startswith(prefix) else self

    def removesuffix(self, suffix: Any) -> Any:
        return self[: len(self) - len(suffix)] if self.endswith(suffix) else self

    # Where Python wants a real str.

    def concrete(self) -> str:
        return "".join(map(chr, current.run.concretise(self.codes)))

    def __str__(self) -> str:
        return self.concrete()

    def __hash__(self) -> int:
        return hash(self.concrete())

    def __repr__(self) -> str:
        return repr(self.concrete())

    def __format__(self, spec: str) -> str:
        return format(self.concrete(), spec)

    def __int__(self) -> int:
        return int(self.concrete())

    def __float__(self) -> float:
        unsupported("a symbolic str as a float")

    def __mod__(self, values: Any) -> Any:
        return self.concrete() % values

    def __copy__(self) -> LeanStr:
        return self

    def __deepcopy__(self, memo: Any) -> LeanStr:
        return self

    def __getattr__(self, name: str) -> Any:
        if hasattr(str, name):
            unsupported(f"str.{name} of a symbolic str")
        raise AttributeError(f"'str' object has no attribute {name!r}")
