"""`untrod hunt` as a person runs it, on a project with a planted bug for each engine."""

from __future__ import annotations

import json
import shutil
import signal

import pytest


@pytest.fixture
def shop(project, examples):
    shutil.copytree(examples / "shop", project.folder, dirs_exist_ok=True)
    return project


def test_the_plan_says_who_will_do_what(shop):
    (plan,) = shop.untrod("hunt", "--plan", "--json").events
    assert {"verb": "inputs", "target": "tests/test_stock.py", "why": "1 Hypothesis test"} in plan["lots"]
    assert {lot["verb"] for lot in plan["lots"]} == {"inputs", "cover", "worst"}


@pytest.mark.timeout(400)
def test_a_hunt_finds_writes_tests_and_ends_with_a_verdict(shop):
    """In episodes, one turn at a time: the same seed gives the same hunt."""
    for name in ("web.py", "search.py"):
        (shop.folder / "shop" / name).unlink()
    result = shop.untrod(
        *("hunt", "--only", "inputs", "--only", "cover", "--budget", 150, "--workers", 1, "--json"),
        *("--junit", "out/junit.xml", "--sarif", "out/sarif.json"),
        timeout=380,
    )
    assert result.status == 1, result.err
    verdict = result.events[-1]
    division = next(found for found in verdict["findings"] if "ZeroDivisionError" in found["title"])
    assert (division["severity"], division["target"]) == ("high", "shop/prices.py")
    assert {lot["turns"] >= 1 for lot in verdict["lots"]} == {True}
    assert {"tests/untrod/test_prices_cover.py", "tests/untrod/test_stock_cover.py"} <= set(verdict["tests"])
    before, after = verdict["coverage"]["before"], verdict["coverage"]["after"]
    assert before["covered"] < after["covered"] <= after["branches"]
    assert (shop.folder / "out/junit.xml").exists()
    assert (shop.folder / "out/sarif.json").exists()
    page = (shop.folder / verdict["report"]).read_text()
    assert "ZeroDivisionError" in page
    assert "shop/stock.py" in page
    assert shop.untrod("replay", division["id"], "--json").status == 1


def test_what_cannot_be_imported_costs_its_own_turn_only(project):
    project.write("broken.py", "import nowhere\n\ndef f(n: int) -> int:\n    return n\n")
    project.write("fine.py", "def f(n: int) -> int:\n    return 1 if n > 3 else 2\n")
    result = project.untrod("hunt", "--budget", 200, "--workers", 1, "--no-coverage", timeout=300)
    assert result.status == 0, result.err
    assert "no findings" in result.out
    assert "cover broken.py" in result.out.partition("what could not be done")[2]
    assert (project.folder / "tests/untrod/test_fine_cover.py").exists()


def test_ctrl_c_lets_the_running_turn_report(shop):
    process = shop.start(
        "hunt", "shop/search.py", "--only", "worst", "--no-coverage", "--json", "--workers", 1
    )
    events = []
    for line in process.stdout:
        events.append(json.loads(line)["event"])
        if events[-1] == "campaign-started":
            process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode in (0, 1)
    assert events.count("campaign-finished") == 1
    assert events[-1] == "hunt-finished"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("empty",), "there is nothing to test in empty"),
        (("nowhere",), "there is no"),
        ((".", "--budget", "30s,100"), "a hunt cannot have the budget"),
        ((".", "--only", "magic"), "is no engine"),
        ((".", "--fail-on", "rain"), "neither findings nor nothing"),
        ((".", "--start", "true"), "--start needs --app"),
        ((".", "--changed-since", "HEAD"), "git"),
        ((".", "--app", "http://127.0.0.1:9", "--only", "gui"), "nothing answers"),
        ((".", "--app", "http://127.0.0.1:9", "--only", "gui", "--start", "false"), "--start ended"),
    ],
)
def test_mistakes_are_one_line(shop, arguments, complaint):
    (shop.folder / "empty").mkdir()
    result = shop.untrod("hunt", *arguments)
    assert result.status == 2
    assert complaint in result.err
    assert "Traceback" not in result.err
