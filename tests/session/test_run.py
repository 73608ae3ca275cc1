"""The Python API: a run tells of itself while it runs, and is a result at the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import untrod

CODE = """
def price(text: str) -> int:
    if text == "free":
        return 0
    return int(text) // len(text.strip())


def numbers(choose):
    return [choose(range(10)) for _ in range(choose(range(5)))]


def check(values):
    assert sum(values) < 25
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "box.py").write_text(CODE)
    return tmp_path


def inputs(project: Path, budget: str | untrod.Budget = "600", **options):
    return untrod.inputs("box.py:numbers", test="check", budget=budget, project=project, **options)


def test_nothing_happens_before_it_is_asked_for(project: Path) -> None:
    inputs(project)
    assert not (project / ".untrod").exists()


def test_events_are_typed_and_end_with_the_end(project: Path) -> None:
    run = inputs(project)
    events = list(run)
    kinds = [type(event) for event in events]
    assert kinds[0] is untrod.CampaignStarted
    assert kinds[-1] is untrod.CampaignFinished
    assert untrod.FindingFound in kinds
    assert untrod.TestWritten in kinds
    assert events[-1].episodes == run.result().episodes == 600


def test_a_result_has_all_that_the_command_line_says(project: Path) -> None:
    result = inputs(project).result()
    assert result.engine == "inputs"
    assert result.target == "box.py:numbers"
    assert result.reason == "episodes"
    assert [finding.kind for finding in result.findings] == ["failed"]
    assert result.findings[0].text.startswith("[")
    assert [path.name for path in result.tests] == ["test_box_check.py"]
    assert all(path.is_file() for path in result.tests)
    assert len(list(result.corpus)) == result.unique
    assert result.report is not None
    assert result.report.is_file()
    assert str(result).startswith("untrod inputs box.py:numbers: 1 finding")
    assert result.counted["states"] >= 0


def test_a_finding_is_replayed(project: Path) -> None:
    (finding,) = inputs(project).result().findings
    again = finding.replay(times=2)
    assert (again.held, again.of) == (2, 2)
    assert "assert sum(values) < 25" in again.traceback
    (project / "box.py").write_text(CODE.replace("< 25", "< 2500"))
    assert not finding.replay()


def test_of_two_campaigns_that_found_the_same_each_replays_its_own(project: Path) -> None:
    first, second = inputs(project).result(), inputs(project, seed=1).result()
    assert first.findings[0].id == second.findings[0].id
    assert first.findings[0].replay()
    assert second.findings[0].replay()


def test_a_notebook_shows_the_campaigns_part_of_the_page(project: Path) -> None:
    html = inputs(project).result()._repr_html_()
    assert html.startswith('<div class="untrod">')
    assert "AssertionError" in html
    assert "<html" not in html
    assert ":root" not in html


def test_it_can_be_stopped(project: Path) -> None:
    run = inputs(project, "1h")
    for event in run:
        if isinstance(event, untrod.Progress):
            run.stop()
    assert run.result().reason == "stopped"


def test_leaving_the_loop_stops_it(project: Path) -> None:
    run = inputs(project, "1h")
    for event in run:
        if isinstance(event, untrod.Progress):
            break
    assert run.result().reason == "stopped"


def test_leaving_the_block_stops_it(project: Path) -> None:
    with inputs(project, "1h") as run:
        next(iter(run))
    assert run.result().reason == "stopped"


def test_what_is_wrong_is_said_at_once(project: Path) -> None:
    with pytest.raises(untrod.UntrodError, match="no learner 'autp'"):
        inputs(project, learner="autp")
    with pytest.raises(untrod.UntrodError, match="soon"):
        inputs(project, "soon")


def test_what_only_a_worker_notices_is_raised_to_whoever_waits(project: Path) -> None:
    run = untrod.cover("box.py:nothing", budget="10", project=project)
    with pytest.raises(untrod.UntrodError, match="nothing"):
        list(run)
    with pytest.raises(untrod.UntrodError, match="nothing"):
        run.result()


def test_a_budget_may_be_an_object(project: Path) -> None:
    assert inputs(project, untrod.Budget(episodes=50)).result().episodes == 50


def test_the_same_as_on_the_command_line(project: Path) -> None:
    result = untrod.cover("box.py:price", budget="200", project=project).result()
    words = [sys.executable, "-m", "untrod", "cover", "box.py:price", "--budget", "200", "--store", "other"]
    done = subprocess.run(words, cwd=project, capture_output=True, text=True)
    said = [line for line in done.stdout.splitlines() if "/s)" not in line and "report" not in line]
    assert [line for line in str(result).splitlines() if "/s)" not in line and "report" not in line] == said


def test_ctrl_c_ends_it_with_a_report(project: Path) -> None:
    program = """
import untrod
run = untrod.inputs("box.py:numbers", test="check", budget="1h")
for event in run:
    if isinstance(event, untrod.Progress):
        print("running", flush=True)
print(run.result().reason, len(run.result().findings))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=project,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    os.kill(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=120)
    assert rest.splitlines()[-1] == "interrupted 1"
    assert process.returncode == 0


def test_importing_the_package_imports_nothing_else() -> None:
    program = "import sys; before = set(sys.modules); import untrod; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['__future__', 'untrod']"


def test_every_name_is_there() -> None:
    for name in untrod.__all__:
        assert getattr(untrod, name) is not None
    assert dir(untrod) == sorted(untrod.__all__)
    with pytest.raises(AttributeError):
        untrod.nothing  # noqa: B018


def test_a_verb_stays_a_verb_whatever_was_imported_before() -> None:
    program = "import untrod.hunting.run, untrod.engines.cover.verb, untrod; print(callable(untrod.hunt))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
