"""Logs in as the setup script says: with Playwright, since that is what people write such scripts for.

In a browser of its own, which ends with it. What is left is the state that Playwright can keep: cookies and
local storages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import launch_arguments
from untrod.drivers.web.eyes import PATIENCE, SCRIPT, SLOW
from untrod.drivers.web.process import mark

TURNS = 10


def log_in(
    executable: str,
    url: str,
    origins: Sequence[str],
    token: str,
    login: Callable[[Any], None],
    *,
    headless: bool,
) -> Any:
    """Raises UntrodError when the page cannot be had, and whatever `login` raises."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=[*launch_arguments(origins, headless=headless), mark(token)],
            headless=headless,
            handle_sigint=False,  # Ctrl-C is for untrod
            handle_sigterm=False,
            handle_sighup=False,
        )
        try:
            context = browser.new_context(service_workers="block", accept_downloads=False)
            context.add_init_script(path=SCRIPT)
            page = context.new_page()
            try:
                page.goto(url, wait_until="commit")
            except Error as error:
                why = next((word for word in error.message.split() if word.startswith("net::")), "no answer")
                raise UntrodError(f"{url} cannot be reached: {why}", "start the application first") from None
            _settle(page)
            login(page)
            _settle(page)
            return context.storage_state()
        finally:
            browser.close()


def _settle(page: Any) -> None:
    from playwright.sync_api import Error

    for _ in range(TURNS):
        try:
            if page.evaluate(f"window.__untrod && __untrod.settle({SLOW}, {PATIENCE}, false)"):
                return
        except Error:  # it went elsewhere
            page.wait_for_load_state("domcontentloaded")
