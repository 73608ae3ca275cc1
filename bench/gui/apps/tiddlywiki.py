"""TiddlyWiki."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from bench.gui.apps.base import App
from bench.gui.apps.task import Task

HOME = Path(sys.prefix) / "gui-apps" / "node_modules" / "tiddlywiki"
"""Where tools/provide_gui_apps.py puts it."""


def missing() -> str:
    if shutil.which("node") is None:
        return "TiddlyWiki needs Node.js"
    return "" if HOME.is_dir() else "TiddlyWiki is not installed: python tools/provide_gui_apps.py"


APP = App(
    name="TiddlyWiki",
    site="tiddlywiki",
    missing_too=missing,
    tasks=(
        Task(
            "a new tiddler is kept",
            '[heading ~ "New Tiddler"]',
            ('[text ~ "Draft of"]',),
            (("click", "new tiddler"), ("click", "Confirm changes")),
        ),
        Task(
            "a draft is thrown away",
            '[event = dialog] & [eventText ~ "discard changes"]',
            ('[text ~ "Draft of"]', "[actionType = type]"),
            (("click", "new tiddler"), ("type", "Type the text"), ("click", "Discard changes")),
        ),
        Task(
            "a search finds nothing",
            '[text ~ "0 matches"]',
            ("[actionType = type]",),
            (("type", ""),),
        ),
        Task(
            "the control panel after the story was closed",
            "![heading ~ GettingStarted] & [heading ~ ControlPanel]",
            ("![heading ~ GettingStarted]",),
            (("click", "close all"), ("click", "control panel")),
        ),
        Task(
            "a journal is begun from the tools",
            '[text ~ Journal] & [text ~ "Draft of"]',
            ('[text ~ "Create a new journal"]',),
            (("click", "Tools"), ("click", "new journal")),
        ),
    ),
)
