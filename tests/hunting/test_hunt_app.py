"""`untrod hunt --app URL --start CMD`: an application in a real browser, up to the tests."""

from __future__ import annotations

import shlex
import socket
import sys

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import find_chromium
from untrod.hunting.served import Served
from untrod.output.pytest_verify import TestOutcome, verify


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.timeout(400)
def test_the_application_is_started_hunted_in_and_stopped(project, examples, port):
    pytest.importorskip("playwright")
    try:
        find_chromium()
    except UntrodError as error:
        pytest.skip(str(error))
    app = project.write("notes_app.py", (examples / "notes_app.py").read_text())
    url, start = f"http://127.0.0.1:{port}", shlex.join([sys.executable, app.name, str(port)])
    hunt = ("hunt", "--app", url, "--start", start, "--only", "explore", "--only", "gui")
    result = project.untrod(*hunt, "--budget", 65, "--workers", 1, "--json", timeout=380)
    assert result.status == 1, result.err
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0

    verdict = result.events[-1]
    assert [(lot["verb"], lot["trouble"]) for lot in verdict["lots"]] == [("explore", ""), ("gui", "")]
    shown = {found["title"]: found["shown_by"] for found in verdict["findings"]}
    assert shown["no client error: broken in 1 step"] == 'click "Help"'
    (picture,) = (note for note in verdict["notices"] if "a picture of its screens" in note)
    assert picture.endswith(".svg")
    assert f"the tests of {url} need it to run: {start}" in verdict["notices"]
    page = (project.folder / verdict["report"]).read_text()
    assert "What was done" in page
    assert "no client error: broken in 1 step" in page

    tests = [project.folder / name for name in verdict["tests"]]
    assert {test.name.partition("_127")[0] for test in tests} == {"test_explore", "test_gui"}
    with Served(url, start, project.folder):
        for test in tests:
            assert "The application must be running at that address" in test.read_text()
            assert {each.outcome for each in verify(test, project=project.folder, timeout=120).tests} == {
                TestOutcome.EXPECTED_FAILURE
            }
