"""A tokenizer for a small language, for `untrod cover`."""

from __future__ import annotations

KEYWORDS = frozenset({"if", "else", "while", "return"})


def tokens(source: str) -> list[tuple[str, str]]:
    """(kind, text) of each token in `source`."""
    found: list[tuple[str, str]] = []
    place = 0
    while place < len(source):
        start, character = place, source[place]
        if character.isspace():
            place += 1
            continue
        if character == "#":
            while place < len(source) and source[place] != "\n":
                place += 1
            continue
        if character.isdigit():
            while place < len(source) and source[place].isdigit():
                place += 1
            if place < len(source) and source[place] == ".":
                place += 1
                while place < len(source) and source[place].isdigit():
                    place += 1
                found.append(("float", source[start:place]))
            else:
                found.append(("int", source[start:place]))
        elif character.isalpha() or character == "_":
            while place < len(source) and (source[place].isalnum() or source[place] == "_"):
                place += 1
            word = source[start:place]
            found.append(("keyword" if word in KEYWORDS else "name", word))
        elif character == '"':
            place += 1
            while place < len(source) and source[place] != '"':
                place += 2 if source[place] == "\\" else 1
            if place >= len(source):
                raise SyntaxError(f"a string that starts at {start} does not end")
            place += 1
            found.append(("string", source[start:place]))
        elif source[place : place + 2] in ("==", "!=", "<=", ">="):
            place += 2
            found.append(("operator", source[start:place]))
        elif character in "+-*/()<>=":
            place += 1
            found.append(("operator", character))
        else:
            raise SyntaxError(f"{character!r} at {start} means nothing")
    return found
