"""Which browser is started, and how it is kept at home."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from untrod.core.errors import MissingExtra, UntrodError

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
"""Most wanted first: the headless shell starts and resets three times as fast."""
ENVIRONMENT = "UNTROD_CHROMIUM"

ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-device-scale-factor=1",
)


def find_chromium() -> str:
    """The path of a browser, from $UNTROD_CHROMIUM, the PATH, or Playwright's own downloads.

    Raises MissingExtra without Playwright, and UntrodError without a browser.
    """
    try:
        from playwright.sync_api import sync_playwright  # noqa: F401
    except ImportError:
        raise MissingExtra("playwright", "web") from None
    named = os.environ.get(ENVIRONMENT)
    if named:
        found = shutil.which(named)
        if found is None:
            raise UntrodError(
                f"${ENVIRONMENT} names {named}, which cannot be run", "give the path of Chromium"
            )
        return found
    for name in NAMES:
        found = shutil.which(name)
        if found is not None:
            return found
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
    for pattern in ("chromium_headless_shell-*/*/headless_shell", "chromium-*/*/chrome"):
        downloads = sorted(cache.glob(pattern))
        if downloads:
            return str(downloads[-1])
    raise UntrodError(
        "no Chromium was found",
        "install one (Debian: apt-get install chromium), or: playwright install chromium",
    )


def origin_of(url: str) -> str:
    """Scheme, host and port. Raises UntrodError for what is not the address of a page."""
    hint = "give an address such as http://127.0.0.1:8000"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UntrodError(f"{url!r} is not the address of a page", hint) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UntrodError(f"{url!r} is not the address of a page", hint)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + (f":{port}" if port not in (None, usual) else "")


def launch_arguments(origins: Iterable[str]) -> list[str]:
    """No name and no address resolves but those of the allowed origins: a stray click goes nowhere."""
    hosts = dict.fromkeys(urlsplit(origin).hostname or "" for origin in origins)
    kept = ", ".join(f"EXCLUDE {host}" for host in hosts)
    arguments = [*ARGUMENTS, f"--host-resolver-rules=MAP * ~NOTFOUND, {kept}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses to start for root otherwise
    return arguments
