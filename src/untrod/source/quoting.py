"""Strings and bytes as source: exact, double quoted like ruff's, and in pieces when they are long."""

from __future__ import annotations

_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_WIDE = ((0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3))  # kana, ideographs, Hangul


def quoted(value: str | bytes) -> str:
    """A literal that evaluates to `value`. Quotes are double unless single ones save escapes."""
    prefix, text = "b" if isinstance(value, bytes) else "", _as_text(value)
    quote = "'" if text.count('"') > text.count("'") else '"'
    escape = _escape_byte if prefix else _escape
    return prefix + quote + "".join("\\" + c if c == quote else escape(c) for c in text) + quote


def pieces(value: str | bytes, first: int, other: int) -> list[str]:
    """`value` as adjacent literals: the first at most `first` columns wide, the others `other`.

    A piece ends after a newline or a space where that does not make it short; none is empty.
    """
    parts: list[str] = []
    rest = value
    while True:
        room = other if parts else first
        taken = _longest(rest, room)
        if taken < len(rest):
            taken = _natural_end(rest, taken)
        parts.append(quoted(rest[:taken]))
        rest = rest[taken:]
        if not rest:
            return parts


def width(source: str) -> int:
    """Columns that `source` takes: every character we leave unescaped is one or two columns wide."""
    return len(source) if source.isascii() else sum(2 if _is_wide(ord(c)) else 1 for c in source)


def _longest(value: str | bytes, room: int) -> int:
    """How many characters fit into `room` columns, should every quote among them need an escape."""
    text, used = _as_text(value), len("b''" if isinstance(value, bytes) else "''")
    escape = _escape_byte if isinstance(value, bytes) else _escape
    for taken, char in enumerate(text):
        used += 2 if char in "'\"" else width(escape(char))
        if used > room:
            return max(taken, 1)
    return len(text)


def _natural_end(value: str | bytes, taken: int) -> int:
    text = _as_text(value[:taken])
    for end in ("\n", " "):
        place = text.rfind(end) + 1
        if place > taken // 2:
            return place
    return taken


def _as_text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _escape(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if char.isprintable() and (code < 0x300 or 0x370 <= code < 0x530 or _is_wide(code)):
        return char
    return _escape_byte(char) if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escape_byte(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    return char if " " <= char <= "~" else f"\\x{ord(char):02x}"


def _is_wide(code: int) -> bool:
    return any(low <= code <= high for low, high in _WIDE)
