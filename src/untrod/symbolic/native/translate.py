"""Triton's expressions as Python source, in the operations of `terms`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_BINARY = {
    "BVADD": "add",
    "BVSUB": "sub",
    "BVMUL": "mul",
    "BVAND": "and",
    "BVOR": "or",
    "BVXOR": "xor",
    "BVSHL": "shl",
    "BVLSHR": "lshr",
    "BVASHR": "ashr",
    "BVUDIV": "udiv",
    "BVUREM": "urem",
    "BVSDIV": "sdiv",
    "BVSREM": "srem",
    # Triton writes x86's remainder as smod, whose sign is the divisor's; the processor's is the dividend's.
    "BVSMOD": "srem",
    "BVROL": "rol",
    "BVROR": "ror",
}
_COMPARED = {
    "BVULT": ("ult", False),
    "BVULE": ("ule", False),
    "BVSLT": ("slt", False),
    "BVSLE": ("sle", False),
    "BVUGT": ("ult", True),
    "BVUGE": ("ule", True),
    "BVSGT": ("slt", True),
    "BVSGE": ("sle", True),
}
_NEGATED = {"BVNAND": "and", "BVNOR": "or", "BVXNOR": "xor"}
_LOGICAL = {"LAND": "both", "LOR": "either", "LXOR": "differ"}
LONGEST = 20_000


class NotKnown(Exception):
    """An expression that `terms` has no word for."""


class Translator:
    """`used` are Triton's variables by their numbers, in the order of a function's arguments."""

    def __init__(self, names: Mapping[int, str]) -> None:
        """`names` of the kinds of nodes."""
        self._names = names
        self.used: list[int] = []
        self._known: dict[int, tuple[str, int]] = {}

    def source(self, node: Any) -> tuple[str, int]:
        """And its size in bits, 0 for a truth value. Raises NotKnown."""
        name = self._names[node.getType()]
        if name == "REFERENCE":
            expression = node.getSymbolicExpression()
            number = expression.getId()
            if number not in self._known:
                self._known[number] = self.source(expression.getAst())
            return self._known[number]
        size = 0 if node.isLogical() else node.getBitvectorSize()
        text = self._text(name, node, size)
        if len(text) > LONGEST:
            raise NotKnown("an expression too long")
        return text, size

    def condition(self, target: Any) -> str | None:
        """Of `if condition: jump`, where that is what the next address says."""
        while self._names[target.getType()] == "REFERENCE":
            target = target.getSymbolicExpression().getAst()
        if self._names[target.getType()] != "ITE":
            return None
        return self.source(target.getChildren()[0])[0]

    def _text(self, name: str, node: Any, size: int) -> str:
        children = node.getChildren()
        if name == "VARIABLE":
            number = node.getSymbolicVariable().getId()
            if number not in self.used:
                self.used.append(number)
            return f"a[{self.used.index(number)}]"
        if name == "BV":
            return str(children[0].getInteger())
        if name in ("ZX", "SX"):
            inner, width = self.source(children[1])
            return (
                f"zero_extend({inner}, {size})" if name == "ZX" else f"sign_extend({inner}, {width}, {size})"
            )
        if name == "EXTRACT":
            low = children[1].getInteger()
            inner, width = self.source(children[2])
            return inner if width == size else f"extract({inner}, {low}, {size})"
        parts = [self.source(child) for child in children]
        return self._operation(name, size, parts)

    def _operation(self, name: str, size: int, parts: list[tuple[str, int]]) -> str:
        texts = [text for text, _ in parts]
        if name in _BINARY:
            return f"binary({_BINARY[name]!r}, {size}, {texts[0]}, {texts[1]})"
        if name in _COMPARED:
            op, swapped = _COMPARED[name]
            left, right = reversed(texts) if swapped else texts
            return f"compare({op!r}, {parts[0][1]}, {left}, {right})"
        if name in ("EQUAL", "DISTINCT", "IFF"):
            logical = not parts[0][1]
            text = f"differ({texts[0]}, {texts[1]})" if logical else None
            if text is None:
                text = f"compare('eq', {parts[0][1]}, {texts[0]}, {texts[1]})"
                return text if name == "EQUAL" else f"invert({text})"
            return text if name == "DISTINCT" else f"invert({text})"
        if name == "ITE":
            if not size:
                yes, no = f"both({texts[0]}, {texts[1]})", f"both(invert({texts[0]}), {texts[2]})"
                return f"either({yes}, {no})"
            return f"ite({texts[0]}, {size}, {texts[1]}, {texts[2]})"
        if name in _LOGICAL:
            text = texts[0]
            for other in texts[1:]:
                text = f"{_LOGICAL[name]}({text}, {other})"
            return text
        if name == "LNOT":
            return f"invert({texts[0]})"
        if name == "BVNOT":
            return f"complement({texts[0]}, {size})"
        if name == "BVNEG":
            return f"negate({texts[0]}, {size})"
        if name in _NEGATED:
            return f"complement(binary({_NEGATED[name]!r}, {size}, {texts[0]}, {texts[1]}), {size})"
        if name == "CONCAT":
            return _concatenated(parts)
        if name == "BSWAP":
            octets = [(f"extract({texts[0]}, {at}, 8)", 8) for at in range(0, size, 8)]
            return _concatenated(octets)
        raise NotKnown(name)


def _concatenated(parts: list[tuple[str, int]]) -> str:
    text, width = parts[-1]
    for high, size in reversed(parts[:-1]):
        text, width = f"concat({high}, {size}, {text}, {width})", width + size
    return text
