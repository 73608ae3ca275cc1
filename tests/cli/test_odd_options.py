"""Whatever stands behind an option, of any verb: it is taken, or refused in one line with status 2."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest
import typer

from untrod.cli import app

DIGITS, MANY_DIGITS = "9" * 400, "9" * 5_000
LONG = "a" * 5_000
NUMBERS = ("0", "-1", "0x10", "1_0", "1e308", "1e400", "nan", "inf", "-inf", DIGITS, MANY_DIGITS)
NUMBERS += ("99999999999", "9007199254740993", "18446744073709551616", "٣", "²", f"1x{DIGITS}")
TEXTS = ("", " ", "\n", "\x1b[31m", "\udcff", "'", '"', "[", "[" * 4_000, "--", "-", "..", "1..2..3", "1/0")
TEXTS += ("=", "a=b", f"a={DIGITS}", ":", "x:y", "::", "b" + "/x" * 3_000, LONG, f"{LONG}.py", f"{LONG}.py:f")
ADDRESSES = ("http://[", "http://a:99999999/", "ray://[", "file://", "://")
ODD = (*NUMBERS, *TEXTS, *ADDRESSES)

BASE = {
    "hunt": ["."],
    "inputs": ["box.py:numbers"],
    "worst": ["box.py:price"],
    "cover": ["box.py"],
    "gui": ["graph.json"],
    "explore maze": ["--walker", "frontier"],
    "explore app-graph": ["graph.json", "--walker", "frontier"],
    "explore screens": ["graph.json", "--steps", "2"],
    "explore robustfill": ["Concat(ConstStr('a'))", "--explorer", "random"],
    "explore karel": ["def run(): move()", "--explorer", "random"],
    "train": ["maze"],
    "replay": ["inputs"],
    "campaigns show": ["inputs"],
    "campaigns resume": ["inputs"],
    "campaigns export": ["inputs"],
}


def commands() -> Iterator[tuple[str, click.Command]]:
    for verb, command in typer.main.get_command(app.app).commands.items():
        inner = getattr(command, "commands", None)
        yield from ((f"{verb} {name}", each) for name, each in inner.items()) if inner else [(verb, command)]


COMMANDS = dict(commands())
OPTIONS = [
    (verb, option.opts[0])
    for verb, command in COMMANDS.items()
    for option in command.params
    if not getattr(option, "is_flag", False)
]


def words(verb: str, option: str, value: str) -> list[str]:
    if not option.startswith("-"):
        return [*verb.split(), "--", value]
    return [*verb.split(), *BASE.get(verb, []), f"{option}={value}"]


@pytest.mark.parametrize(("verb", "option"), OPTIONS)
def test_no_value_of_an_option_is_a_bug_in_untrod(verb: str, option: str, told) -> None:
    for value in ODD:
        told(*words(verb, option, value))


EVERYWHERE = ("inputs", "worst", "cover")
REFUSED = [
    *(
        (verb, "--budget", value)
        for verb in (*EVERYWHERE, "hunt", "gui")
        for value in (*NUMBERS, "", "5 parsecs")
        if value not in ("1_0", "99999999999")
    ),
    *(
        (verb, "--memory", value)
        for verb in (*EVERYWHERE, "hunt")
        for value in (DIGITS, "63", "-1", "nan", "1e9")
    ),
    *(
        (verb, "--timeout", value)
        for verb in EVERYWHERE
        for value in (DIGITS, "1e400", "nan", "inf", "-1", "0")
    ),
    *(
        (verb, "--workers", value)
        for verb in (*EVERYWHERE, "hunt")
        for value in (DIGITS, "0", "-1", "257", "²")
    ),
    *(
        (verb, "--seed", value)
        for verb in (*EVERYWHERE, "hunt", "gui")
        for value in (DIGITS, "0.5", "", "nan")
    ),
    *(("worst", "--size", value) for value in (DIGITS, "0", "-1", "1000001", "nan")),
    *(("worst", "--sizes", value) for value in (DIGITS, "4..", "..4", "8..4", f"1..{DIGITS}", "1,²", "1,-2")),
    *(("inputs", "--keep", value) for value in (DIGITS, "-1", "nan")),
    *(
        ("inputs", "--set", value)
        for value in ("discount=nan", "bold=1e400", f"patience={DIGITS}", "doze=-1")
    ),
    ("campaigns resume", "--budget", DIGITS),
    ("explore maze", "--steps", DIGITS),
    ("train", "--minutes", "nan"),
    ("train", "--minutes", "inf"),
    ("dashboard", "--port", DIGITS),
]


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: " ".join(row)[:60].encode("unicode_escape").decode())
def test_a_number_without_sense_is_refused(row: tuple[str, str, str], told) -> None:
    status, _ = told(*words(*row))
    assert status == 2


@pytest.mark.parametrize("start", ["'", '"', "\\", "", " ", "nothing-of-this-name", LONG, "a\udcff"])
def test_a_start_that_is_no_command_is_refused(start: str, project) -> None:
    project.write("box.py", "def price(n: int) -> int:\n    return n\n")
    result = project.untrod("hunt", "--app", "http://127.0.0.1:9/", "--start", start, "--no-coverage")

    assert result.status == 2
    assert re.match(r"untrod: (--start .* cannot be run: |nothing answers)", result.err.splitlines()[-1])
    assert "a bug in untrod" not in result.err
