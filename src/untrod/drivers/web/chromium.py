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
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0

FEATURES = (
    "AimEnabled",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "RenderDocument",
    "ThirdPartyStoragePartitioning",
)
"""Switched off, as Playwright does it: what calls home, and what makes a page not what it is on the server.
And RenderDocument, which gives every document a new frame, for a fifth of the time a navigation takes."""
ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-back-forward-cache",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-infobars",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--allow-pre-commit-input",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    f"--disable-features={','.join(FEATURES)}",
)
HEADLESS = (
    "--headless",
    "--hide-scrollbars",
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
)
"""A machine without a screen has a mouse all the same."""


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


def launch_arguments(origins: Iterable[str], *, headless: bool = True) -> list[str]:
    """No name and no address resolves but those of the allowed origins: a stray click goes nowhere."""
    hosts = dict.fromkeys(urlsplit(origin).hostname or "" for origin in origins)
    kept = ", ".join(f"EXCLUDE {host}" for host in hosts)
    arguments = [
        *ARGUMENTS,
        *(HEADLESS if headless else ()),
        f"--host-resolver-rules=MAP * ~NOTFOUND, {kept}",
    ]
    if ROOT:
        arguments.append("--no-sandbox")  # Chromium refuses to start for root otherwise
    return arguments
