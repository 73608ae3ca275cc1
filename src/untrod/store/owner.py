"""Who started a campaign: this user, in this folder, or somebody else.

A store names what to run and with which permissions, and it may have come with a clone, an archive or a
download. So a campaign carries a mark that only its user can make: a digest of what was asked for and of the
project's real path, keyed with a secret. The secret is one small file for all projects of a user, outside of
all of them: `untrod/secret` in the folder for state (`$XDG_STATE_HOME`, else `~/.local/state`).

A copy of a store in another folder is somebody else's, and so is a campaign that was changed. Where no secret
can be kept, campaigns run and carry no mark, and nobody is known again.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

from untrod.core.reading import read_bytes
from untrod.core.vocabulary import Json
from untrod.store.campaigns import CampaignRow

_SIZE = 32
_LENT = "UNTROD_LENT_SECRET"
MARK = "mark"
"""The key of the mark among the settings of a campaign's session."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A user in a project. `trouble` says why there is no secret, in words."""

    project: Path
    secret: bytes
    trouble: str = ""

    @classmethod
    def here(cls, project: Path) -> Owner:
        """Makes the secret at the first time. Never raises."""
        try:
            path = _state_folder() / "secret"
            return cls(project, _secret(path))
        except (OSError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            place = getattr(error, "filename", None) or "a folder for state"
            lent = os.environ.get(_LENT, "")
            return cls(project, lent.encode("ascii", "replace")[:64], f"{place}: {reason}")

    def marked(self, engine: str, target: str, config: dict[str, Json], seed: int) -> dict[str, Json]:
        """`config` with the mark of this user, who starts the campaign now."""
        session = {**config["session"], MARK: self._mark(engine, target, config, seed)}
        return {**config, "session": session}

    def started(self, row: CampaignRow) -> bool:
        """Did this user start `row` in this project, as it is?"""
        session = row.config.get("session")
        known = session.get(MARK) if isinstance(session, dict) else None
        if not isinstance(known, str) or not known.isascii() or not self.secret:
            return False
        return hmac.compare_digest(known, self._mark(row.engine, row.target, row.config, row.seed))

    def _mark(self, engine: str, target: str, config: dict[str, Json], seed: int) -> str:
        if not self.secret:
            return ""
        session = {name: value for name, value in config["session"].items() if name != MARK}
        asked = [os.path.realpath(self.project), engine, target, {**config, "session": session}, str(seed)]
        body = json.dumps(asked, sort_keys=True, separators=(",", ":")).encode()
        return blake2b(body, key=self.secret, digest_size=24, person=b"untrod campaign").hexdigest()


@cache
def lent_secret() -> dict[str, str]:
    """For the environment of processes that we start and that are to know our campaigns, where no secret can
    be kept: one that is forgotten when we end."""
    return {_LENT: os.environ.get(_LENT) or secrets.token_hex(_SIZE)}


def is_marked(row: CampaignRow) -> bool:
    """Campaigns of older versions are not."""
    session = row.config.get("session")
    return isinstance(session, dict) and bool(session.get(MARK))


def _state_folder() -> Path:
    given = os.environ.get("XDG_STATE_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path.home() / ".local" / "state"
    return base / "untrod"


def _secret(path: Path) -> bytes:
    """The user's secret, made where there is none. Of several processes that make one, the first counts."""
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(secrets.token_bytes(_SIZE))
            file.flush()
            os.fsync(descriptor)
        try:
            os.link(temporary, path)
        except FileExistsError:
            pass
        except OSError:
            os.rename(temporary, path)  # a file system without links
    finally:
        temporary.unlink(missing_ok=True)
    return _read(path)


def _read(path: Path) -> bytes:
    body = read_bytes(path, _SIZE, follow=False)
    if len(body) != _SIZE:
        raise OSError(0, f"holds {len(body)} bytes instead of {_SIZE}: remove it", str(path))
    return body
