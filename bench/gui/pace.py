"""Steps a second: of the model driver, and of the web driver beside plain Playwright on the same page.

Plain Playwright is what a script does that knows nothing: click by role and name, then read the page. Both
take turns on the same browser binary, so that a busy machine slows both.
"""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from statistics import median

from bench.gui.apps.notes import notes
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.core.errors import UntrodError
from untrod.drivers.graph_reader import load_graph
from untrod.drivers.model import ModelDriver
from untrod.drivers.web.chromium import find_chromium, launch_arguments
from untrod.drivers.web.driver import WebDriver

MODEL = Path(__file__).resolve().parents[2] / "examples" / "simulations" / "notes.json"
EPISODE = 6
MODEL_BAR, WEB_BAR = 20_000.0, 25.0
LINKS = ("Settings", "About", "Notes")


def run(plan: Plan) -> Result:
    model = [_model(20_000) for _ in plan.seeds_or(quick=3, full=7)]
    rows = [Row.of("model", "model driver", "steps/s", model)]
    bars = [Bar.at_least("model driver, steps/s", median(model), MODEL_BAR)]
    try:
        find_chromium()
    except UntrodError as error:
        return Result(tuple(rows), tuple(bars), (f"pace: {error}",))
    web: list[float] = []
    plain: list[float] = []
    with notes() as url:
        for _ in plan.seeds_or(quick=2, full=7):
            web.append(_web(url, 60))
            plain.append(_plain(url, 60))
    rows += [
        Row.of("notes app", "web driver", "steps/s", web),
        Row.of("notes app", "plain", "steps/s", plain),
    ]
    bars.append(Bar.at_least("web driver with soft resets, steps/s", median(web), WEB_BAR))
    bars.append(Bar.at_least("web driver / plain Playwright", median(web) / median(plain), 3.0))
    return Result(tuple(rows), tuple(bars))


def _model(steps: int) -> float:
    """In CPU time: nothing is waited for."""
    driver, random = ModelDriver(load_graph(MODEL)), Random(0)
    started = time.process_time()
    for number in range(steps):
        if number % EPISODE == 0:
            screen = driver.reset()
        offered = driver.actions(screen)
        if offered:
            screen = driver.step(random.choice(offered)).screen
    return steps / (time.process_time() - started)


def _web(url: str, steps: int) -> float:
    driver = WebDriver(url)
    try:
        driver.reset()
        started = time.perf_counter()
        for number in range(steps):
            if number % EPISODE == 0:
                screen = driver.reset()
            wanted = LINKS[number % len(LINKS)]
            action = next(each for each in driver.actions(screen) if each.detail == wanted)
            screen = driver.step(action).screen
        return steps / (time.perf_counter() - started)
    finally:
        driver.close()


def _plain(url: str, steps: int) -> float:
    """With a new context for each episode, which is what pytest-playwright does."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = launch_arguments([url])
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=arguments)
        context = browser.new_context()
        started = time.perf_counter()
        for number in range(steps):
            if number % EPISODE == 0:
                context.close()
                context = browser.new_context()
                page = context.new_page()
                page.goto(url)
            page.get_by_role("link", name=LINKS[number % len(LINKS)], exact=True).click()
            page.locator("body").aria_snapshot()
        spent = time.perf_counter() - started
        browser.close()
    return steps / spent


STUDY = Study("pace of a step", ("pace",), run)
