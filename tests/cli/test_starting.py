"""What is imported before anything was asked for. The time it takes depends on the machine; this does not."""

from __future__ import annotations

import re
import subprocess
import sys

HELP = """
import sys
from untrod.cli.app import run
try:
    run(["--help"])
except SystemExit:
    print("modules:", *sys.modules)
"""
BACKEND = """
import os, sys
os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"
import hypothesis, pytest
before = set(sys.modules)
from untrod.engines.inputs.backend.entry import register
import untrod.engines.inputs.backend.pytest_plugin
register()
print("modules:", *set(sys.modules) - before)
"""
HEAVY = {
    "asyncio",
    "coverage",
    "crosshair",
    "hypothesis",
    "importlib.metadata",
    "lark",
    "multiprocessing",
    "numpy",
    "playwright",
    "pytest",
    "ray",
    "rich",
    "sqlite3",
    "starlette",
    "tomllib",
    "torch",
    "uvicorn",
    "z3",
}


ENGINES = ("cover", "cover.native", "explore", "gui", "inputs", "inputs.backend", "worst")
VERBS = {f"untrod.engines.{name}.plugin" for name in ENGINES} | {
    f"untrod.engines.{name}.verb" for name in ENGINES if "." not in name
}
PACKAGES = {f"untrod.engines.{name}" for name in (*ENGINES, "explore.verbs")}


def imported(program: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("modules:")[2].split())


def test_help_imports_the_verbs_and_nothing_that_they_need() -> None:
    modules = imported(HELP)

    ours = {name for name in modules if name.startswith("untrod.") and not name.startswith("untrod.cli")}
    assert "untrod.cli.hunt" in modules
    assert modules & HEAVY == set()
    rooms = {name for name in ours if name.count(".") == 1}
    assert {name for name in ours if re.match(r"untrod\.engines\..*(plugin|verb)$", name)} == VERBS
    assert ours - rooms - VERBS - PACKAGES == {
        "untrod.core.budget",
        "untrod.core.catalogue",
        "untrod.core.errors",
        "untrod.core.event_shapes",
        "untrod.core.events",
        "untrod.core.reading",
        "untrod.core.shapes",
        "untrod.core.text",
        "untrod.core.vocabulary",
        "untrod.engines.explore.verbs.train",
        "untrod.engines.explore.verbs.train_course",
        "untrod.engines.explore.verbs.train_programs",
        "untrod.engines.inputs.backend.config",
        "untrod.hunting.verb",
        "untrod.output.terminal",
        "untrod.runtime.limits",
        "untrod.session.interrupts",
        "untrod.session.options",
        "untrod.session.places",
        "untrod.session.verbs",
    }


def test_a_pytest_run_that_does_not_ask_for_untrod_pays_for_a_handful_of_modules() -> None:
    added = imported(BACKEND)

    assert added & HEAVY == set()
    assert {name.partition(".")[0] for name in added} == {"untrod"}
    assert len(added) < 20
