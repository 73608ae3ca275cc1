"""A small application: a main page, an About page, a game that sometimes fails to start."""

CHESS = {
    "format": "untrod-screens",
    "version": 1,
    "name": "chess",
    "start": "main",
    "screens": {
        "main": {
            "attrs": {"activity": "MainActivity", "text": ["Play", "About"]},
            "widgets": [
                {
                    "role": "button",
                    "name": "Play",
                    "locators": [["objectID", "0:1"]],
                    "attrs": {"enabled": "true"},
                    "box": [0, 10, 80, 20],
                }
            ],
            "actions": [
                {"type": "click", "detail": "About", "target": ["text", "About"], "to": "about", "ms": 20},
                {
                    "type": "click",
                    "detail": "Play",
                    "to": [
                        {"screen": "game", "times": 3, "ms": 40},
                        {
                            "screen": "main",
                            "outcome": "timeout",
                            "events": [{"kind": "console-error", "text": "no opponent"}],
                        },
                    ],
                },
                {"type": "idle"},
            ],
        },
        "about": {
            "id": "text page",
            "attrs": {"activity": "AboutActivity"},
            "actions": [{"type": "back", "to": "main"}],
        },
        "game": {"attrs": {"activity": "Offline"}, "actions": [{"type": "back", "to": "main"}]},
    },
}
