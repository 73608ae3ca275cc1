"""A small application for tests: one screen for each thing that a driver has to manage."""

from untrod.drivers.graph import ScreenGraph
from untrod.drivers.graph_reader import decode

EVERYWHERE = ("pauseresume", "rotate")


def _screen(activity, texts=(), actions=(), widgets=(), here=""):
    stay = [{"type": kind, "to": here} for kind in EVERYWHERE]
    return {
        "attrs": {"activity": activity, "screen": "on"},
        "widgets": [{"role": "text", "name": text} for text in texts] + list(widgets),
        "actions": [*actions, *stay],
    }


def _click(detail, to, **more):
    return {"type": "click", "detail": detail, "to": to, **more}


def _sound(on):
    return [
        {
            "role": "checkbox",
            "name": "Sound",
            "attrs": {"checked": on, "resourceId": "com.demo:id/sound"},
        },
        {"role": "button", "name": "Frozen", "attrs": {"enabled": "false"}},
    ]


BACK = {"type": "back", "to": "main"}
CRASH = [{"kind": "crash", "text": "java.lang.NullPointerException: no board"}]
DEMO = {
    "format": "untrod-screens",
    "version": 1,
    "name": "demo",
    "start": "main",
    "screens": {
        "main": _screen(
            "MainActivity",
            ["Demo"],
            [
                _click("About", "about"),
                _click("Settings", "settings"),
                _click("Notes", "notes"),
                _click("Break", "launcher", outcome="crashed", events=CRASH),
                _click("Hang", "main", events=[{"kind": "anr", "text": "Input dispatching timed out"}]),
                _click("Log out", "main"),
                {"type": "back", "to": "launcher"},
                {"type": "idle", "to": "asleep"},
            ],
            here="main",
        ),
        "asleep": {
            "attrs": {"activity": "MainActivity", "screen": "off"},
            "actions": [{"type": "pauseresume", "to": "main"}],
        },
        "about": _screen(
            "AboutActivity", ["Version 7"], [_click("Web page", "launcher"), BACK], here="about"
        ),
        "settings": _screen(
            "SettingsActivity",
            [],
            [_click("Sound", "muted"), BACK],
            _sound("true"),
            here="settings",
        ),
        "muted": _screen(
            "SettingsActivity",
            [],
            [_click("Sound", "settings"), BACK],
            _sound("false"),
            here="muted",
        ),
        "notes": _screen(
            "NotesActivity",
            ["Milk", "Milk"],
            [
                {"type": "longclick", "detail": "Milk", "to": "deleted"},
                {"type": "text", "detail": "Title", "value": "milk", "to": "notes"},
                {"type": "swipe", "detail": "List", "to": "below"},
                BACK,
            ],
            here="notes",
        ),
        "deleted": _screen("NotesActivity", ["Deleted"], [BACK], here="deleted"),
        "below": _screen("NotesActivity", ["The end"], [BACK], here="below"),
        "launcher": {
            "attrs": {"activity": "com.android.launcher", "screen": "on"},
            "actions": [{"type": "back", "to": "launcher"}],
        },
    },
}


def demo() -> ScreenGraph:
    return decode(DEMO)
