"""`[tool.untrod]` in `pyproject.toml`: flags that a project always gives.

    [tool.untrod]
    workers = 2                # for every verb that has --workers

    [tool.untrod.worst]
    sizes = "4..128"           # for `untrod worst` alone

A setting has the name of its flag. It becomes that flag, in front of what was typed, so what was typed wins,
and a bad value is refused in the same words as a bad flag.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.reading import SOURCE, read_text

FILE = "pyproject.toml"
Flags = Mapping[str, Sequence[str]]
"""The names of its flags, without dashes, for each verb."""


def with_settings(arguments: list[str], project: Path, flags: Flags) -> list[str]:
    """`arguments` with the project's own flags put in after the verb.

    Raises UntrodError for settings that no verb has, also when another verb is run: a misspelled setting
    that is only noticed next week is worse than none.
    """
    at = next((place for place, word in enumerate(arguments) if not word.startswith("-")), None)
    settings = _read(project / FILE)
    _check(settings, flags)
    if at is None or arguments[at] not in flags:
        return arguments
    verb = arguments[at]
    known, own = flags[verb], settings.get(verb, {})
    shared = {name: value for name, value in settings.items() if name not in flags and name in known}
    chosen = {**shared, **own}
    typed = {word.partition("=")[0] for word in _before_dashes(arguments[at + 1 :])}
    words = [
        word
        for name, value in chosen.items()
        if f"--{name}" not in typed
        for word in _words(name, value, f"{FILE}: {name}")
    ]
    return [*arguments[: at + 1], *words, *arguments[at + 1 :]]


def _before_dashes(words: Sequence[str]) -> Iterator[str]:
    """What stands behind `--` is no flag."""
    return takewhile(lambda word: word != "--", words)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        text = read_text(path, SOURCE)
        if "tool.untrod" not in text:
            return {}
        import tomllib

        found = tomllib.loads(text).get("tool", {}).get("untrod", {})
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UntrodError(f"{FILE} cannot be read: {why}", "mend it") from None
    if not isinstance(found, dict):
        raise UntrodError(f"{FILE}: tool.untrod is not a table", "write [tool.untrod]")
    return found


def _check(settings: Mapping[str, Any], flags: Flags) -> None:
    anywhere = {name for names in flags.values() for name in names}
    for name, value in settings.items():
        if name in flags:
            if not isinstance(value, dict):
                raise UntrodError(f"{FILE}: {name} is a verb", f"write [tool.untrod.{name}]")
            for key in value:
                if key not in flags[name]:
                    raise _unknown(f"[tool.untrod.{name}] has no setting {key!r}", key, flags[name])
        elif name not in anywhere:
            raise _unknown(f"[tool.untrod] has no setting {name!r}", name, [*anywhere, *flags])


def _unknown(message: str, name: str, known: Sequence[str]) -> UntrodError:
    from untrod.core.catalogue import nearest  # only for a mistake: `untrod --help` imports this module, too

    return UntrodError(f"{FILE}: {message}", nearest(name, sorted(known)))


def _words(name: str, value: Any, where: str) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _words(name, item, where)
    elif isinstance(value, bool):
        if value:
            yield f"--{name}"
    elif isinstance(value, int | float | str):
        yield f"--{name}={value}"
    else:
        raise UntrodError(f"{where} is neither text nor a number", "write it as on the command line")
