"""A store is data: what it asks for is checked against what the person at the keyboard gives now.

A campaign that this user has started in this folder goes on as it was started. Any other, from a clone, an
archive or another machine, is run when `--trust` is given, with the permissions that `--allow` gives now, on
this machine, and only if all that it names lies in the project. From then on it is this user's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.shapes import Malformed, number, record, text, texts, whole
from untrod.core.text import PATH, one_line
from untrod.core.vocabulary import Json
from untrod.output.terminal import say
from untrod.plugins import ENGINES
from untrod.runtime.limits import Limits, permissions
from untrod.store import CampaignRow, Store
from untrod.store.owner import Owner, is_marked

_SECONDS = number(0.01, 1e9)
_SESSION = record(
    {
        "workers": whole(1, 256),
        "limits": record(
            {},
            {
                "memory_mb": whole(64, 2**40),
                "restarts": whole(0, 10_000),
                **dict.fromkeys(("episode_wall", "episode_cpu", "idle_wall"), _SECONDS),
            },
        ),
        "allow": texts(100, 100),
        "tests": text(PATH),
    },
    {"on": text(PATH)},
)


@dataclass(frozen=True, slots=True)
class Running:
    """How a campaign is run: what `untrod` was told beside the target."""

    limits: Limits
    allow: frozenset[str]
    workers: int
    tests: Path
    on: str

    @classmethod
    def of(cls, row: CampaignRow) -> Running:
        """As it was started. Raises UntrodError."""
        try:
            session = row.config["session"]
            _SESSION(session, "session")
            return cls(
                Limits(**session["limits"]),
                permissions(session["allow"]),
                session["workers"],
                Path(session["tests"]),
                session.get("on", ""),
            )
        except (KeyError, TypeError, Malformed) as error:
            raise UntrodError(
                f"how campaign {row.id} was run cannot be read: {error}", "start a new one"
            ) from error

    def to_json(self) -> dict[str, Json]:
        return {
            "workers": self.workers,
            "limits": self.limits.to_json(),
            "allow": sorted(self.allow),
            "tests": str(self.tests),
            "on": self.on,
        }


def admitted(
    store: Store, row: CampaignRow, project: Path, command: str, *, trust: bool, allow: Iterable[str]
) -> tuple[CampaignRow, Running]:
    """How `row` may be run now, and the row as it is from then on. `command` is what was typed, for a hint.

    Raises UntrodError when it needs `--trust`, or cannot be run here at all.
    """
    stored, given = Running.of(row), permissions(allow)
    owner = Owner.here(project)
    if owner.started(row):
        return row, Running(stored.limits, stored.allow | given, stored.workers, stored.tests, stored.on)
    if not trust:
        raise UntrodError(
            f"{_whose(row, owner)}: it would run {_deed(row, stored)}",
            f"if you trust it: {command} --trust{_flags(stored.allow)}",
        )
    _check_places(row, stored, project)
    if less := stored.allow - given:
        say(f"untrod: {row.id} runs without{_flags(less)}, which it was started with", to=sys.stderr)
    running = Running(stored.limits, given, stored.workers, stored.tests, "")
    config = {**row.config, "session": running.to_json()}
    config = owner.marked(row.engine, row.target, config, row.seed)
    return store.set_config(row.id, config), running


def _whose(row: CampaignRow, owner: Owner) -> str:
    if owner.trouble:
        return f"whether you have started {row.id} cannot be told ({owner.trouble})"
    if is_marked(row):
        return f"you have not started {row.id} in this folder"
    return f"{row.id} was started by an older untrod, or by somebody else"


def _deed(row: CampaignRow, running: Running) -> str:
    """What would be run, and with what: on one line."""
    given = f"with{_flags(running.allow)}" if running.allow else "without permissions"
    said = [f"{row.engine} on {one_line(row.target)} {given}"]
    usual, limits = Limits(), running.limits
    if limits.memory_mb > usual.memory_mb:
        said.append(f"{limits.memory_mb:,} MB of memory")
    if max(limits.episode_wall, limits.idle_wall) > usual.idle_wall:
        said.append(f"up to {max(limits.episode_wall, limits.idle_wall):,.0f} s at once")
    if running.on:
        said.append(f"not on {one_line(running.on)} but here")
    return ", ".join(said)


def _flags(allow: Iterable[str]) -> str:
    return "".join(f" --allow {name}" for name in sorted(allow))


def _check_places(row: CampaignRow, running: Running, project: Path) -> None:
    """What it imports, builds, reads and writes has to lie in the project."""
    top = os.path.realpath(project)
    for named in (str(running.tests), *_places(row.engine, row.config)):
        try:
            inside = os.path.commonpath((top, os.path.realpath(os.path.join(top, named)))) == top
        except ValueError:
            inside = False  # nothing can be called so
        if not inside:
            hint = "start a campaign of your own"
            raise UntrodError(f"{row.id} names {one_line(named)}, which is not in this folder", hint)


def _places(engine: str, config: Json) -> Iterator[str]:
    """The paths among an engine's settings: every `root`, wherever it stands, and what it says itself."""
    if engine in ENGINES:
        yield from ENGINES.find(engine).places(config)
    waiting = [value for name, value in config.items() if name != "session"]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(root := value.get("root"), str):
                yield root
            waiting += value.values()
        elif isinstance(value, list):
            waiting += [each for each in value if isinstance(each, dict | list)]
