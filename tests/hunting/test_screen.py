"""What a hunt shows while it goes on."""

from __future__ import annotations

import io

from rich.console import Console
from rich.live import Live

from untrod.hunting.screen import Screen
from untrod.plugins import Task


def test_a_turn_that_could_not_be_run_does_not_look_like_one_that_found_nothing():
    lot = Task("cover", "broken.py", "", "broken.py")
    screen = Screen([lot], 60.0)
    counts = {"unique": 0, "episodes": 0}
    screen(lot, {"event": "campaign-finished", "reason": "error: importing broken failed", **counts})
    assert screen._status[lot.name] == "could not be run"
    screen(lot, {"event": "campaign-finished", "reason": "wall", **counts})
    assert screen._status[lot.name] == "0 different valid inputs of 0"


def test_what_targets_and_findings_are_called_is_shown_as_it_is_and_moves_nothing(capsys):
    """On a terminal, too: Rich would take brackets for its markup."""
    lot = Task("cover", "[/bold]\x1b[2J\n:smile:[link=x].py", "", "a.py")
    finding = {"id": "f1", "title": "\x1b[31m[/red] :smile:\n\ud800"}
    events = [
        {"event": "campaign-started"},
        {"event": "finding", "finding": finding},
        {"event": "progress", "extra": {"status": "\x1b[31m[/red]\n"}, "unique": 0, "episodes": 0},
    ]
    drawn = io.StringIO()
    for live in (None, Live(console=Console(file=drawn, width=200), auto_refresh=False)):
        screen = Screen([lot], 60.0)
        screen._live = live
        for event in events:
            screen._next = 0.0
            screen(lot, event)
    for said in (capsys.readouterr().err, drawn.getvalue()):
        assert "[/bold]\\x1b[2J\\n:smile:[link=x].py" in said
        assert "[/red] :smile:\\n\\ud800" in said
        assert all(char.isprintable() or char == "\n" for char in said)
