"""`untrod doctor`: what is installed, what is missing and how to add it, and what a worker may do here."""

from __future__ import annotations

import json
import platform
import re
import shutil
import sys
from pathlib import Path

from untrod import __version__
from untrod.core.text import VALUE, one_line
from untrod.output.terminal import say
from untrod.session.options import AsJson

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def doctor(as_json: AsJson = False) -> int:
    """Say what untrod can use on this machine."""
    extras = {extra: {name: _version(name) for name in names} for extra, names in _extras().items()}
    pytest = _version("pytest")
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    worker = _try_worker()
    protection = _protection()
    if as_json:
        facts = {
            "untrod": __version__,
            "python": platform.python_version(),
            "system": platform.platform(terse=True),
        }
        print(
            json.dumps(
                {
                    **facts,
                    "extras": extras,
                    "pytest": pytest,
                    "browser": browser,
                    "worker": worker,
                    "protection": protection,
                }
            )
        )
        return 0
    say(f"untrod {__version__}, Python {platform.python_version()}, {platform.platform(terse=True)}")
    for extra, names in extras.items():
        installed = ", ".join(f"{name} {version}" for name, version in names.items() if version)
        complete = all(names.values())
        _line(extra, installed if complete else f"missing: pip install 'untrod[{extra}]'")
    _line("pytest", pytest or "missing: pip install pytest (tests are written, but not tried out)")
    _line("browser", browser or "none found")
    _line("protection", protection)
    for text in worker:
        _line("worker", text)
    return 0


def _line(what: str, text: str) -> None:
    say(f"  {what:<14} {one_line(text, VALUE)}")


def _extras() -> dict[str, list[str]]:
    """The packages that each extra installs, as the installed metadata tells it."""
    from importlib import metadata

    found: dict[str, list[str]] = {}
    for requirement in metadata.requires("untrod") or ():
        match = _REQUIREMENT.match(requirement)
        if match and match["extra"] not in _OTHER_EXTRAS:
            found.setdefault(match["extra"], []).append(match["name"])
    return found


_REQUIREMENT = re.compile(r"""(?P<name>[A-Za-z0-9._-]+).*;.*extra == ["'](?P<extra>[a-z]+)["']""")
_OTHER_EXTRAS = ("all", "dev")


def _version(package: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _protection() -> str:
    from untrod.runtime.landlock import in_words

    return in_words()


def _try_worker() -> list[str]:
    """Start a real worker and say what it can do: a limit that is not enforced here is named."""
    import tempfile

    from untrod.core.errors import UntrodError
    from untrod.runtime.limits import PERMISSIONS, Limits
    from untrod.runtime.pool import Pool

    lines = []
    with tempfile.TemporaryDirectory(prefix="untrod-doctor-") as scratch:
        pool = Pool(
            "untrod.runtime.idle:IdleJob",
            [None],
            limits=Limits(),
            allow=frozenset(),
            project=Path(sys.prefix),
            scratch=Path(scratch),
        )
        try:
            with pool:
                pool.start()
                lines.append(
                    "starts; memory, CPU and wall limits are enforced" if not pool.notices else "starts"
                )
                lines += pool.notices
        except UntrodError as error:
            return [f"does not start: {error}"]
    return lines + [f"may not {what}, unless --allow {name}" for name, what in PERMISSIONS.items()]
