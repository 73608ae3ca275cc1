"""examples/plugin, installed into a fresh environment: an engine and a learner that untrod does not know."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SLUGS = '''
def clean(text: str) -> str:
    """Only underscores. (Planted: it is only the first that it replaces.)"""
    return text.replace("-", "_", 1)


def numbers(choose):
    return [choose(range(10)) for _ in range(choose(range(5)))]
'''


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the example in it. Libraries are those that the tests run with: nothing is
    fetched, and untrod itself is not changed."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    inside = next((folder / "lib").glob("python*")) / "site-packages"
    libraries = sysconfig.get_path("purelib")
    (inside / "libraries.pth").write_text(f"{libraries}\n{ROOT / 'src'}\n")
    interpreter = folder / "bin" / "python"
    words = ["--python", str(interpreter), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run(
        [sys.executable, "-m", "pip", *words, "--no-build-isolation", str(ROOT / "examples" / "plugin")],
        check=True,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )
    return interpreter


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "texts.py").write_text(SLUGS)
    return tmp_path


def untrod(python: Path, project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(python), "-m", "untrod", *words]
    return subprocess.run(command, cwd=project, capture_output=True, text=True)


def test_its_verb_stands_beside_ours(python: Path, project: Path) -> None:
    told = untrod(python, project, "--help").stdout
    assert "idempotent" in told
    assert "cover" in told
    assert "--longest" in untrod(python, project, "idempotent", "--help").stdout


def test_a_campaign_is_stored_tested_shown_resumed_and_replayed(python: Path, project: Path) -> None:
    done = untrod(python, project, "idempotent", "texts.py:clean", "--budget", "500")
    assert done.returncode == 1, done.stderr
    assert "tests/untrod/test_texts_clean_idempotent.py" in done.stdout

    (row,) = [
        json.loads(line)
        for line in untrod(python, project, "campaigns", "list", "--json").stdout.splitlines()
    ]
    assert (row["engine"], row["episodes"], row["findings"]) == ("idempotent", 500, 1)

    page = (project / ".untrod" / "reports" / f"{row['id']}.html").read_text()
    assert "different results, from texts of up to 6 characters" in page

    test = subprocess.run(
        [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=project,
        capture_output=True,
        text=True,
    )
    assert "1 xfailed" in test.stdout, test.stdout

    done = untrod(python, project, "campaigns", "resume", row["id"], "--budget", "700", "--json")
    last = json.loads(done.stdout.splitlines()[-1])
    assert (last["event"], last["episodes"]) == ("campaign-finished", 700)

    shown = json.loads(untrod(python, project, "campaigns", "show", row["id"], "--json").stdout)
    (finding,) = shown["findings"]
    again = untrod(python, project, "replay", finding["id"], "--json")
    assert json.loads(again.stdout)["held"] == 1


def test_the_same_seed_finds_the_same_however_often_it_is_interrupted(python: Path, project: Path) -> None:
    def corpus(store: str) -> list[str]:
        told = untrod(python, project, "campaigns", "export", "idempotent", "--store", store).stdout
        return [line for line in told.splitlines() if '"corpus"' in line]

    at_once = ("idempotent", "texts.py:clean", "--store", "one", "--budget", "400")
    untrod(python, project, *at_once)
    untrod(python, project, "idempotent", "texts.py:clean", "--store", "two", "--budget", "150")
    untrod(python, project, "campaigns", "resume", "idempotent", "--store", "two", "--budget", "400")
    assert corpus("one") == corpus("two") != []


def test_it_has_a_place_in_a_hunt(python: Path, project: Path) -> None:
    plan = untrod(python, project, "hunt", "--plan").stderr
    assert "idempotent texts.py:clean" in " ".join(plan.split())
    done = untrod(
        python, project, "hunt", "--only", "idempotent", "--budget", "200", "--no-coverage", "--json"
    )
    verdict = json.loads(done.stdout.splitlines()[-1])
    assert [found["verb"] for found in verdict["findings"]] == ["idempotent"]


def test_it_is_a_function_of_the_package(python: Path, project: Path) -> None:
    program = """
import untrod
result = untrod.idempotent("texts.py:clean", budget="300").result()
print(result.counted["longest"], bool(result.findings[0].replay()))
"""
    done = subprocess.run([str(python), "-c", program], cwd=project, capture_output=True, text=True)
    assert done.stdout.split() == ["6", "True"], done.stderr


def test_its_learner_can_be_asked_for(python: Path, project: Path) -> None:
    words = ("inputs", "texts.py:numbers", "--learner", "loyal", "--budget", "200")
    assert untrod(python, project, *words).returncode == 0
    done = untrod(python, project, "inputs", "texts.py:numbers", "--learner", "loyl", "--budget", "200")
    assert "did you mean loyal?" in done.stderr


def test_one_that_cannot_be_imported_takes_nothing_else_with_it(python: Path, project: Path) -> None:
    """Its own verb is gone; every other works as before."""
    broken = project / "site"
    (broken / "broken-1.dist-info").mkdir(parents=True)
    (broken / "broken-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: broken\nVersion: 1\n"
    )
    (broken / "broken-1.dist-info" / "entry_points.txt").write_text(
        "[untrod.engines]\nbroken = nowhere:PLUGIN\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(broken)}
    done = subprocess.run(
        [str(python), "-m", "untrod", "worst", "--help"], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
