"""`untrod worst` as a person meets it. The climber needs no solver, so these stay quick."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

EXAMPLES = "sorting.py", "matching.py"
CLIMB = ("--policy", "climb", "--cost", "branches")
SWEEP = ("worst", "sorting.py:quicksort", "--sizes", "4..32", *CLIMB)


@pytest.fixture
def sorting(project, examples):
    for name in EXAMPLES:
        project.write(name, (examples / name).read_text())
    return project


def test_a_sweep_tells_the_growth_raises_the_alarm_and_leaves_a_test(sorting):
    result = sorting.untrod(*SWEEP, "--budget", "1500")
    assert result.status == 1, result.err
    assert "sorting.py:quicksort: 496 branches at size 32, n^2, 1 finding" in result.out
    assert "growth: the worst input grows like n^2, the average one like n log n" in result.out
    assert "worst input at size 32:\n    quicksort([" in result.out
    assert "cost against size (branches):" in result.out
    assert "worst    n^2 (" in result.out
    report = (sorting.folder / result.out.rpartition("report: ")[2].strip()).read_text()
    assert "- result: `496 branches at size 32, n^2`" in report
    assert "Unique inputs" not in report
    assert "## cost against size (branches)\n\n```text\n  size" in report
    test = sorting.folder / "tests/untrod/test_sorting_quicksort_worst.py"
    assert "untrod" not in "".join(line for line in test.read_text().splitlines() if not line.startswith("#"))
    command = [sys.executable, "-I", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    ran = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_json_holds_the_curve_and_show_and_replay_work_on_it(sorting):
    result = sorting.untrod(*SWEEP, "--budget", "1500", "--json")
    (finished,) = result.of("campaign-finished")
    extra = finished["extra"]
    assert [(row["size"], row["worst"]) for row in extra["sizes"]] == [(4, 6), (8, 28), (16, 120), (32, 496)]
    assert all(row["average"] < row["worst"] for row in extra["sizes"])
    assert (extra["worst"]["class"], extra["average"]["class"]) == ("n^2", "n log n")
    assert "size " in result.of("progress")[-1]["extra"]["status"]
    shown = sorting.untrod("campaigns", "show", finished["campaign"])
    assert "cost against size (branches):" in shown.out
    (finding,) = (event["finding"] for event in result.of("finding"))
    replayed = sorting.untrod("replay", finding["id"])
    assert replayed.status == 1
    assert "496 branches at size 32; 496 when it was found" in replayed.out
    assert "shows again in 1 of 1" in replayed.out


def test_a_resumed_campaign_ends_where_an_uninterrupted_one_does(sorting):
    def extra(result):
        found = dict(result.of("campaign-finished")[0]["extra"])
        found.pop("status")
        return found

    short = ("worst", "sorting.py:quicksort", "--sizes", "4..8", *CLIMB, "--json")
    whole = sorting.untrod(*short, "--budget", "150", "--store", "one")
    first = sorting.untrod(*short, "--budget", "50", "--store", "two")
    campaign = first.of("campaign-started")[0]["campaign"]
    resumed = sorting.untrod("campaigns", "resume", campaign, "--budget", "150", "--json", "--store", "two")
    assert resumed.of("campaign-started")[0]["resumed_at"] >= 50
    assert extra(resumed) == extra(whole)


def test_a_counter_of_ones_own_and_a_shape(sorting):
    counted = sorting.untrod(
        "worst", "sorting.py:quicksort", "--size", "6", "--policy", "climb",
        "--cost", "sorting.py:comparisons", "--budget", "300",
    )  # fmt: skip
    assert counted.status == 0, counted.err
    assert "15 sorting:comparisons at size 6" in counted.out
    source = (sorting.folder / "tests/untrod/test_sorting_quicksort_worst.py").read_text()
    assert 'counted("sorting", "comparisons", quicksort, [' in source
    assert "<= 15" in source


def test_the_next_campaign_starts_warm_and_says_so_unless_it_is_to_be_cold(sorting):
    short = ("worst", "sorting.py:quicksort", *CLIMB, "--budget", "40")
    assert "starts from" not in sorting.untrod(*short, "--size", "6").out
    warm = sorting.untrod(*short, "--size", "12")
    assert "climb starts from what it has learned at the sizes 6 (--cold: from nothing)" in warm.out
    assert "starts from" not in sorting.untrod(*short, "--size", "12", "--cold").out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("sorting.py:quicksort", "--size", "0"), "a size of 0 leaves nothing to choose"),
        (("sorting.py:quicksort", "--cost", "stepz"), "did you mean steps?"),
        (("sorting.py:quicksort", "--policy", "climp"), "did you mean climb?"),
        (("bare.py:bare", "--size", "3"), "give --shape FACTORY"),
    ],
)
def test_a_mistake_is_one_line_and_exit_status_2(sorting, arguments, complaint):
    sorting.write("bare.py", "def bare(values):\n    return values\n")
    result = sorting.untrod("worst", *arguments, "--budget", "10")
    assert result.status == 2, result.out
    assert complaint in result.err
    assert len(result.err.splitlines()) == 1


def test_it_can_be_interrupted_and_still_reports(sorting):
    """Ctrl-C once the first inputs are known."""
    process = sorting.start(*SWEEP, "--budget", "10m", "--json")
    for line in process.stdout:
        if json.loads(line)["event"] == "corpus":
            break
    process.send_signal(2)
    rest = process.stdout.read()
    assert process.wait(60) in (0, 1)
    events = [json.loads(line) for line in rest.splitlines()]
    (finished,) = (event for event in events if event["event"] == "campaign-finished")
    assert finished["extra"]["sizes"][0]["worst"] > 0
