"""Projects and machines in which a hunt cannot do its work: one clear line, and what was done is kept."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.timeout(400)  # whole hunts, which take their time where others are at work
MODULE = "def sign(n: int) -> int:\n    if n > 0:\n        return 1\n    return 0 if n == 0 else -1\n"


def in_namespace(project, mount: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The command with the project's folder mounted as `mount` says, for itself alone."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-rm", "true"], check=False).returncode:
        pytest.skip("mounting needs user namespaces")
    folder, command = shlex.quote(str(project.folder)), shlex.join(project.command(*arguments))
    script = f"set -e; {mount.format(folder)}; cd {folder}; {command}"
    return subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, check=False)


READ_ONLY = "mount --bind {0} {0}; mount -o remount,ro,bind {0}"


def test_an_empty_project(project):
    result = project.untrod("hunt")
    assert result.status == 2
    (line,) = result.err.splitlines()
    assert line.startswith("untrod: there is nothing to test in .")
    assert list(project.folder.iterdir()) == []


def test_a_project_that_does_not_parse(project):
    project.write("broken.py", "\ndef f(:\n")
    result = project.untrod("hunt")
    assert result.status == 2
    (line,) = result.err.splitlines()
    assert line.endswith("; broken.py is left out: invalid syntax, line 2)")


def test_a_project_that_does_not_import(project):
    project.write("broken.py", f"import nowhere\n\n\n{MODULE}")
    result = project.untrod("hunt", "--budget", 50, "--workers", 1, "--no-coverage")
    assert result.status == 2
    assert "cover broken.py: importing broken failed: No module named 'nowhere'" in result.out
    assert result.err.splitlines()[-1].startswith("untrod: nothing could be run: importing broken failed")


def test_a_project_without_tests(project):
    project.write("numbers_.py", MODULE)
    result = project.untrod("hunt", "--budget", 50, "--workers", 1, "--json", timeout=380)
    assert result.status == 0, result.err
    coverage = result.events[-1]["coverage"]
    assert coverage["before"]["covered"] == 0
    assert coverage["after"]["covered"] == coverage["after"]["branches"] == 2


def test_a_checkout_that_cannot_be_written_to(project, tmp_path):
    project.write("numbers_.py", MODULE)
    hunt = ("hunt", "--budget", 50, "--workers", 1, "--no-coverage")
    refused = in_namespace(project, READ_ONLY, *hunt)
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1].startswith("untrod: cannot use ")
    assert "Read-only file system" in refused.stderr
    assert "--store" in refused.stderr
    elsewhere = in_namespace(
        project, READ_ONLY, *hunt, "--store", tmp_path / "store", "--tests", tmp_path / "tests"
    )
    assert elsewhere.returncode == 0, elsewhere.stderr
    assert list((tmp_path / "tests").glob("test_*.py"))
    assert [path.name for path in project.folder.iterdir()] == ["numbers_.py"]


@pytest.mark.parametrize("kilobytes", [60, 120])
def test_a_full_disk(project, kilobytes):
    """With 60 kB there is no room for a store, with 120 kB for an empty one."""
    project.write("numbers_.py", MODULE)
    keep = f"cp {{0}}/numbers_.py /dev/shm/$$.py; mount -t tmpfs -o size={kilobytes}k tmpfs {{0}}; "
    keep += "mv /dev/shm/$$.py {0}/numbers_.py"
    result = in_namespace(project, keep, "hunt", "--budget", 50, "--workers", 1, "--no-coverage")
    assert result.returncode == 2
    last = result.stderr.splitlines()[-1]
    assert last.startswith("untrod: ")
    assert "the disk is full, cannot write to" in last
    assert "Traceback" not in result.stderr
    assert "damaged" not in result.stdout + result.stderr


def test_a_disk_that_fills_up_keeps_what_was_found_and_the_campaign_goes_on_later(project, examples):
    shutil.copy(examples / "bst.py", project.folder.parent)
    words = ("inputs", "bst.py:tree", "--valid", "is_bst", "--test", "check_delete", "--budget", 6000)
    run, listing = (shlex.join(project.command(*each)) for each in (words, ("campaigns", "list")))
    small = "mount -t tmpfs -o size=900k tmpfs {0}; cp {0}/../bst.py {0}; cd {0}"
    before = f"{small}; {run} || echo status $?; {listing}; mount -o remount,size=20m ."
    result = in_namespace(project, before, "campaigns", "resume", "inputs", "--budget", 6000, "--json")
    (complaint,) = (line for line in result.stderr.splitlines() if line.startswith("untrod:"))
    assert "the disk is full, cannot write to" in complaint
    # Which write is the first to fail, that of the store or of a checkpoint, is a matter of time.
    assert "1 finding and " in complaint or "everything committed before is kept" in complaint
    status, listed, *events = result.stdout.splitlines()
    assert status == "status 2"
    assert "broken off" in listed
    assert "1 finding " in listed
    assert result.returncode == 1
    (finished,) = (event for event in map(json.loads, events) if event["event"] == "campaign-finished")
    assert finished["episodes"] == 6000


def test_a_ray_that_does_not_answer(project):
    project.write("numbers_.py", MODULE)
    result = project.untrod("hunt", "--budget", 50, "--on", "ray://127.0.0.1:9")
    assert result.status == 2
    assert result.err.splitlines()[-1].startswith("untrod: Ray does not answer at ray://127.0.0.1:9: ")
    assert not (project.folder / "tests").exists()
