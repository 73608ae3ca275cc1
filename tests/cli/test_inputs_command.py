"""`untrod inputs` as a person meets it."""

import json
import subprocess
import sys

import pytest

SEARCH = ("inputs", "bst.py:tree", "--valid", "is_bst", "--test", "check_delete")


def test_finds_the_planted_bug_and_writes_a_test_and_a_report(bst):
    result = bst.untrod(*SEARCH, "--budget", "5000")
    assert result.status == 1, result.err
    assert "1 finding" in result.out
    assert "AssertionError" in result.out
    assert "tests/untrod/test_bst_check_delete.py" in result.out
    report = bst.folder / result.out.rpartition("report: ")[2].strip()
    assert report.is_file()
    assert f"page: {report.relative_to(bst.folder).with_suffix('.html')}\n" in result.out
    assert "Unique valid inputs" in report.with_suffix(".html").read_text()
    source = (bst.folder / "tests/untrod/test_bst_check_delete.py").read_text()
    assert "untrod" not in "".join(line for line in source.splitlines() if not line.startswith("#"))


def test_the_finding_is_minimal(bst):
    found = bst.untrod(*SEARCH, "--budget", "5000", "--json")
    campaign = found.of("campaign-started")[0]["campaign"]
    shown = json.loads(bst.untrod("campaigns", "show", campaign, "--json").out)
    (finding,) = shown["findings"]
    assert {each["site"].partition(":")[0] for each in shown["extra"]["convicted"]} == {"tree"}
    replayed = json.loads(bst.untrod("replay", finding["id"], "--json").out)
    text = replayed["report"]["value"]["text"]
    assert text.count("Node(") == 4, text  # a root with two children, the right one with a left child


def test_emitted_tests_pass_without_untrod(bst, tmp_path):
    """In a fresh virtual environment with only pytest, as in the user's own CI."""
    bst.untrod(*SEARCH, "--budget", "5000")
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    python = venv / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "pytest"],
        check=True,
        timeout=300,
    )
    missing = subprocess.run([python, "-c", "import untrod"], capture_output=True, check=False)
    assert missing.returncode == 1
    test = bst.folder / "tests/untrod/test_bst_check_delete.py"
    ran = subprocess.run(
        [python, "-m", "pytest", "-q", test], capture_output=True, text=True, cwd="/", check=False
    )
    assert ran.returncode == 0, ran.stdout
    assert "xfailed" in ran.stdout


def test_nothing_found_exits_0(bst):
    result = bst.untrod("inputs", "bst.py:tree", "--valid", "is_bst", "--budget", "300")
    assert result.status == 0, result.err
    assert "nothing found" in result.out


def test_json_is_one_object_a_line_and_nothing_else(bst):
    result = bst.untrod(*SEARCH, "--budget", "3000", "--json")
    names = [event["event"] for event in result.events]
    assert names[0] == "campaign-started"
    assert "finding" in names
    assert "corpus" in names
    assert "test-written" in names
    finished = result.of("campaign-finished")[0]
    assert finished["episodes"] == 3000
    assert finished["unique"] == len(result.of("corpus"))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("inputs", "bst.py:tree", "--budget", "5x"), "budget"),
        (("inputs", "bst.py:tre"), "tree"),
        (("inputs", "bts.py:tree"), "bst.py"),
        (("inputs", "no.such.module:tree"), "no module"),
        (("inputs", "bst.py:tree", "--valid", "is_bts"), "is_bst"),
        (("inputs", "bst.py:tree", "--learner", "montecarol"), "montecarlo"),
        (("inputs", "bst.py:tree", "--different", "vlaue"), "vlaue"),
        (("inputs", "bst.py:tree", "--learner", "montecarlo", "--set", "epsilom=1"), "epsilon"),
        (("inputs", "bst.py:tree", "--set", "epsilon"), "key=value"),
        (("inputs", "bst.py:tree", "--learner", "montecarlo", "--set", "epsilon=often"), "epsilon"),
        (("inputs", "bst.py:tree", "--allow", "everything"), "--allow"),
        (("inputs", "bst.py:__doc__"), "function"),
        (("inputs", "bst.py:delete"), "choose"),
        (("inputs", "bst.py:tree", "--workers", "0"), "workers"),
        (("inputs",), "TARGET"),
        (("inputs", "bst.py:tree", "--store", "bst.py"), "bst.py"),
        (("replay", "f0000"), "store"),
        (("campaigns", "show", "x"), "store"),
        (("harvest",), "harvest"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_mistakes_are_one_line_and_exit_2(bst, arguments, complaint):
    result = bst.untrod(*arguments)
    assert result.status == 2, result.out
    assert len(result.err.strip().splitlines()) == 1, result.err
    assert complaint in result.err
    assert "Traceback" not in result.err


def test_a_generator_that_does_not_import_is_one_line(project):
    project.write("broken.py", "import no_such_package\n")
    result = project.untrod("inputs", "broken.py:tree")
    assert result.status == 2
    assert "no_such_package" in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_replay_shows_the_finding_again_and_tells_when_it_is_gone(bst):
    bst.untrod(*SEARCH, "--budget", "5000")
    finding = (
        "f" + (bst.folder / "tests/untrod/test_bst_check_delete.py").read_text().partition("replay f")[2][:8]
    )
    again = bst.untrod("replay", finding)
    assert again.status == 1
    assert "AssertionError" in again.out
    fixed = (
        (bst.folder / "bst.py")
        .read_text()
        .replace(
            "    successor = node.right.value",
            "    least = node.right\n    while least.left: least = least.left\n    successor = least.value",
        )
    )
    (bst.folder / "bst.py").write_text(fixed)
    gone = bst.untrod("replay", finding)
    assert gone.status == 0
    assert "does not show any more" in gone.out


def test_replay_takes_the_emitted_test_too(bst):
    bst.untrod(*SEARCH, "--budget", "5000")
    result = bst.untrod("replay", "tests/untrod/test_bst_check_delete.py")
    assert result.status == 1
    assert "expected failure: test_check_delete_raises_assertion_error" in result.out


def test_values_without_a_literal_are_rebuilt_by_their_generator(project):
    project.write(
        "opaque.py",
        "class Box:\n"
        "    def __init__(self, number): self.number = number\n"
        "def box(choose): return Box(choose(range(100)))\n"
        "def small(box): assert box.number < 90\n",
    )
    result = project.untrod("inputs", "opaque.py:box", "--test", "small", "--budget", "2000")
    assert result.status == 1, result.err
    source = (project.folder / "tests/untrod/test_opaque_small.py").read_text()
    assert "small(box(replay(90)))" in source


@pytest.mark.parametrize("folder", ["bst.py", "/proc/no-such/folder"])
def test_a_folder_that_cannot_be_written_costs_the_tests_but_not_the_findings(bst, folder):
    result = bst.untrod(*SEARCH, "--budget", "5000", "--tests", folder)
    assert result.status == 1
    assert "Traceback" not in result.err
    assert "AssertionError" in result.out
    assert "no tests were written" in result.out
    assert "--tests" in result.out


def test_export_lists_corpus_and_findings(bst):
    started = bst.untrod(*SEARCH, "--budget", "2000", "--json").of("campaign-started")[0]
    lines = [
        json.loads(line) for line in bst.untrod("campaigns", "export", started["campaign"]).out.splitlines()
    ]
    assert lines[0]["id"] == started["campaign"]
    assert {line["event"] for line in lines} == {"campaign", "finding", "corpus"}


@pytest.mark.parametrize("different", ["choices", "shape", "trace"])
def test_the_corpus_shows_values_whatever_tells_them_apart(bst, different):
    started = bst.untrod(*SEARCH, "--budget", "300", "--different", different, "--json").of("corpus")
    assert started
    assert all(entry["text"].startswith("Node(") for entry in started)


def test_doctor_says_what_is_there(bst):
    facts = json.loads(bst.untrod("doctor", "--json").out)
    assert facts["extras"]
    assert any("--allow network" in line for line in facts["worker"])
    assert bst.untrod("doctor").status == 0


def test_version():
    result = subprocess.run(
        [sys.executable, "-m", "untrod", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith("untrod 0.")
