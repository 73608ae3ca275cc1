"""Logs in as the setup script says: with Playwright, since that is what people write such scripts for.

In a browser of its own, which ends with it. What is left is the state that Playwright can keep: cookies and
local storages.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import ROOT, launch_arguments
from untrod.drivers.web.screen import MOST_ELEMENTS
from untrod.drivers.web.snapshot import PATIENCE, SLOW
from untrod.drivers.web.tmpdir import tmpdir
from untrod.drivers.web.world import NAME, present, scripts
from untrod.runtime import launch
from untrod.runtime.processes import TREE

TURNS = 10


def log_in(
    executable: str,
    url: str,
    origins: Sequence[str],
    mark: str,
    login: Callable[[Any], None],
    *,
    headless: bool,
) -> Any:
    """The browser carries `mark`. Raises UntrodError when the page cannot be had, and whatever `login`
    raises."""
    from playwright.sync_api import Error, sync_playwright

    launch.begin()
    with tmpdir() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=launch_arguments(origins, headless=headless),
            env={**os.environ, TREE: f"{os.environ.get(TREE, '')}:{mark}", "TMPDIR": str(folder)},
            headless=headless,
            chromium_sandbox=not ROOT,
            handle_sigint=False,  # Ctrl-C is for untrod
            handle_sigterm=False,
            handle_sighup=False,
        )
        try:
            context = browser.new_context(service_workers="block", accept_downloads=False)
            page = context.new_page()
            waiting = _Settling(page, context.new_cdp_session(page))
            try:
                page.goto(url, wait_until="commit")
            except Error as error:
                why = next((word for word in error.message.split() if word.startswith("net::")), "no answer")
                raise UntrodError(f"{url} cannot be reached: {why}", "start the application first") from None
            waiting.settle()
            login(page)
            waiting.settle()
            return context.storage_state()
        finally:
            browser.close()


class _Settling:
    """Waits for the page to settle as the driver does, by the same scripts."""

    def __init__(self, page: Any, session: Any) -> None:
        self._page, self._session = page, session
        for method in ("Page.enable", "Runtime.enable"):
            session.send(method)
        for script in scripts(secrets.token_hex(8)):
            session.send("Page.addScriptToEvaluateOnNewDocument", script)

    def settle(self) -> None:
        """A navigation takes the question with it: then it is asked again."""
        from playwright.sync_api import Error

        for _ in range(TURNS):
            try:
                self._ask()
                return
            except Error:
                self._page.wait_for_load_state("domcontentloaded")

    def _ask(self) -> None:
        frame = self._session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        ours = {"frameId": frame, "worldName": NAME}
        context = self._session.send("Page.createIsolatedWorld", ours)["executionContextId"]
        asked = f"untrod.settle({SLOW}, {PATIENCE}, false, {MOST_ELEMENTS})"
        question = {"expression": present(asked, "null"), "contextId": context, "awaitPromise": True}
        self._session.send("Runtime.evaluate", question)
