"""`untrod gui` as a person meets it: on a screen graph, which is quick, and once in a real browser."""

from __future__ import annotations

import threading

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import find_chromium

ABOUT = "F [activity ~ About]"


@pytest.fixture
def chess(project, examples):
    project.write("chess.json", (examples / "simulations" / "chesswalk.json").read_text())
    return project


def test_a_witness_is_found_made_short_explained_and_replayed(chess):
    result = chess.untrod("gui", "chess.json", "--spec", ABOUT, "--episodes", 50)
    assert result.status == 1, result.err
    assert "chess.json: 1 of 1 specification shown, 1 finding" in result.out
    assert 'witness: Eventually the activity contains "About": shown in 1 step\n' in result.out
    assert 'steps: click "About"' in result.out
    assert "because: Satisfied at step 1: at step 1 [activity ~ About] held" in result.out
    assert "reliable: shows in 5 of 5 replays" in result.out
    assert (
        "as a formula: X ([actionType = click] & [actionDetail = About] & [activity ~ About])" in result.out
    )
    graph = result.out.partition("screen graph:")[2].split()[0]
    assert (chess.folder / graph).read_text().startswith("<svg ")
    finding = result.out.partition("untrod replay ")[2].split()[0]
    replayed = chess.untrod("replay", finding)
    assert (replayed.status, "shows again in 1 of 1" in replayed.out) == (1, True)


def test_nothing_found_is_no_error_and_the_next_run_starts_from_what_was_seen(chess):
    spec = ("--spec", "F [text ~ unheard-of]", "--episodes", 20, "--json")
    first, second = (chess.untrod("gui", "chess.json", *spec) for _ in range(2))
    assert (first.status, second.status) == (0, 0)
    (one,), (two,) = first.of("campaign-finished"), second.of("campaign-finished")
    assert (one["extra"]["found"], one["extra"]["of"], one["reason"]) == (0, 1, "episodes")
    assert two["extra"]["states"] >= one["extra"]["states"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("chess.json", "--spec", "F [text ~"), "untrod: "),
        (("chess.json", "--spec", "X X X [text ~ a]", "--steps", "2"), "takes at least 3 steps"),
        (("chess.json", "--spec", "G [text ~ a] & F ![text ~ a]"), "it contradicts itself"),
        (
            ("chess.json", "--driver", "telnet"),
            "there is no driver 'telnet' (choose from web, android, model)",
        ),
        (("nobody.json",), "cannot read"),
        (("chess.json", "--explorer", "oracle"), "there is no explorer 'oracle'"),
    ],
)
def test_mistakes_are_one_line(chess, arguments, line, capfd, monkeypatch):
    """In this process: starting six more would take half a minute."""
    from untrod.cli.app import run

    monkeypatch.chdir(chess.folder)
    with pytest.raises(SystemExit) as ended:
        run(["gui", *arguments])
    told = capfd.readouterr().err
    assert ended.value.code == 2
    assert line in told
    assert told.count("\n") == 1


@pytest.fixture
def notes(project, examples, monkeypatch):
    try:
        find_chromium()
    except UntrodError as error:
        pytest.skip(str(error))
    monkeypatch.syspath_prepend(str(examples))
    from notes_app import serve

    server = serve()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield project, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


RULE = """\
@always
Scenario: help is there
  When I click "Help"
  Then ![event = client-error]
"""


@pytest.mark.timeout(600)  # three browsers, one after the other
def test_in_a_browser_a_witness_becomes_a_test_and_a_planted_fault_an_expected_failure(notes):
    """They are only written after pytest has run them."""
    project, url = notes
    project.write("about.ltl", "# About can be reached\nF [heading ~ About]\n")
    project.write("help.feature", RULE)
    specs = ("--spec", "about.ltl", "--spec", "help.feature")
    result = project.untrod("gui", url, *specs, "--steps", 2, "--episodes", 20, timeout=500.0)
    assert "witness: About can be reached: shown in 1 step\n" in result.out, result.err
    assert "counterexample: help is there: broken in 1 step\n" in result.out
    (path,) = (project.folder / "tests" / "untrod").glob("test_*.py")
    source = path.read_text()
    assert 'page.get_by_role("link", name="About", exact=True).click()' in source
    assert 'expect(page.get_by_role("heading", name="About").first).to_be_visible()' in source
    assert 'raises=AssertionError, reason="help is there: broken in 1 step"' in source
    assert 'assert seen.count("client-error") == 0' in source
    assert len(list((project.folder / ".untrod" / "screens").glob("*/step-1.png"))) == 2
