"""Findings of a `gui` campaign become test cases."""

import base64
from types import SimpleNamespace

import pytest

from untrod.core.vocabulary import Finding, Trace
from untrod.drivers.actions import SCREENSHOTS, dump_action, load_action
from untrod.drivers.protocol import Action
from untrod.engines.gui.delivery import GuiRecipe
from untrod.engines.gui.engine import GuiConfig
from untrod.output.pytest_writer import Origin, render_file

URL = "http://127.0.0.1:8000"
SAVE = Action("click", ("role", "button"), "", "Save")


class Replays:
    """Says of every trace what it was told to say."""

    def __init__(self, key, reasons, events=()):
        self.answer = SimpleNamespace(
            key=key, report={"reasons": reasons, "steps": [{"events": [[kind, ""] for kind in events]}]}
        )
        self.asked = []

    def replay(self, trace):
        self.asked.append(trace.answers)
        return self.answer


def finding(spec, kind, **detail):
    answers = (spec, dump_action(SAVE))
    return Finding(spec, kind, "it holds: shown in 1 step", Trace(answers), {"session": True, **detail})


def written(tmp_path, found, replays, **config):
    recipe = GuiRecipe(GuiConfig(URL, ((found.key, False, ""),), **config), tmp_path, lambda: None)
    cases = recipe.cases([found], [], replays)
    return render_file(tmp_path, cases, Origin("gui", URL, tmp_path, recipe.folders(tmp_path)))


def test_a_witness_is_played_and_what_made_it_one_is_asserted(tmp_path):
    spec = "satisfy F [text ~ saved]"
    replays = Replays(
        spec, [[1, "text", "~", "saved", True], [1, "actionType", "=", "click", True]], ["dialog"]
    )
    replays.answer.report["pictures"] = [[1, base64.b64encode(b"PNG").decode()]]
    source = written(tmp_path, finding(spec, "witness", held=[5, 5]), replays)
    assert source.partition("def test_it_holds(page):\n")[2] == (
        '    page.on("dialog", lambda dialog: dialog.accept())\n'
        f'    page.goto("{URL}")\n'
        '    page.get_by_role("button", name="Save", exact=True).click()\n'
        '    expect(page.get_by_text("saved").first).to_be_visible()\n'
    )
    assert load_action(replays.asked[0][1]).type == SCREENSHOTS
    (picture,) = tmp_path.glob("*/step-1.png")
    assert (picture.parent.name, picture.read_bytes()) == (finding(spec, "").id, b"PNG")


def test_a_counterexample_is_an_expected_failure_of_the_opposite(tmp_path):
    spec = "violate G ![event = exception]"
    replays = Replays(spec, [[1, "event", "=", "exception", True]])
    source = written(tmp_path, finding(spec, "counterexample", held=[5, 5]), replays)
    assert "@pytest.mark.xfail(\n    strict=True, raises=AssertionError" in source
    assert "    seen = troubles(page)\n" in source
    assert source.endswith(
        '    page.wait_for_load_state("networkidle")\n    assert seen.count("exception") == 0\n'
    )


def test_an_event_that_was_wanted_is_asserted_and_so_is_what_the_start_shows(tmp_path):
    spec = "satisfy [text ~ Notes] & F [event = server-error]"
    replays = Replays(spec, [[0, "text", "~", "Notes", True], [1, "event", "=", "server-error", True]])
    source = written(tmp_path, finding(spec, "witness"), replays)
    assert f'    page.goto("{URL}")\n    expect(page.get_by_text("Notes").first).to_be_visible()\n' in source
    assert source.endswith('    assert "server-error" in seen\n')


@pytest.mark.parametrize(
    ("held", "key", "driver"),
    [([4, 5], "satisfy F a", "web"), ([5, 5], "something else", "web"), ([5, 5], "satisfy F a", "model")],
    ids=["flaky", "not shown again", "a model"],
)
def test_what_is_flaky_gone_or_no_application_gets_no_test(tmp_path, held, key, driver):
    found = finding("satisfy F a", "witness", held=held)
    assert written(tmp_path, found, Replays(key, []), driver=driver) == ""


def test_a_setup_script_takes_part_without_being_run_here(tmp_path):
    spec = "satisfy F [text ~ saved]"
    replays = Replays(spec, [[1, "text", "~", "saved", True]])
    replays.answer.report["hooks"] = ["login", "reset", "restore"]
    source = written(tmp_path, finding(spec, "witness"), replays, setup="my_setup.py")
    assert "from my_setup import login, reset, restore" in source
    assert (
        f'    reset()\n    restore()\n    page.goto("{URL}")\n    login(page)\n    page.goto("{URL}")\n'
        in source
    )


ABOUT = Action("click", ("text", "About"), "", "About")


def on_android(tmp_path, kind, reasons, setup="", hooks=()):
    """The test for a click on About, which leads to another activity."""
    spec = "violate G ![event = crash]" if kind == "counterexample" else "satisfy F a"
    found = Finding(
        spec, kind, "it holds: shown in 1 step", Trace((spec, dump_action(ABOUT))), {"session": True}
    )
    steps = [{"events": [], "activity": "com.demo.About"}]
    replays = Replays(spec, reasons)
    replays.answer.report |= {"activity": "com.demo.Main", "steps": steps, "hooks": hooks}
    config = GuiConfig("com.demo", ((spec, False, ""),), "android", setup=setup)
    recipe = GuiRecipe(config, tmp_path, lambda: None)
    assert recipe.slug() == "gui_com.demo"
    cases = recipe.cases([found], [], replays)
    return render_file(tmp_path, cases, Origin("gui", "com.demo", tmp_path, recipe.folders(tmp_path)))


STARTED = (
    "    device.screen_on()\n"
    '    device.set_orientation("natural")\n'
    '    device.app_clear("com.demo")\n'
    '    device.app_start("com.demo", wait=True)\n'
)


def test_on_android_a_witness_waits_for_each_activity_and_for_what_made_it_one(tmp_path):
    source = on_android(tmp_path, "witness", [[1, "text", "=", "Version 7", True]])
    assert "import pytest\nimport uiautomator2\n" in source
    assert "    return uiautomator2.connect()\n" in source
    assert source.partition("def test_it_holds(device):\n")[2] == (
        f'{STARTED}    device(text="About").click()\n'
        '    eventually(lambda: device.app_current()["activity"] == "com.demo.About")\n'
        '    eventually(lambda: device(text="Version 7").exists)\n'
    )


def test_on_android_a_crash_is_an_expected_failure_that_looks_into_the_log(tmp_path):
    source = on_android(tmp_path, "counterexample", [[1, "event", "=", "crash", True]])
    assert "@pytest.mark.xfail(\n    strict=True, raises=AssertionError" in source
    assert f'    device.shell("logcat -b events -c")\n{STARTED}' in source
    assert source.endswith('    assert logged(device, "am_crash", "com.demo") == 0\n')


def test_on_android_a_setup_script_takes_part(tmp_path):
    reasons = [[1, "activity", "~", "About", True]]
    source = on_android(tmp_path, "witness", reasons, "my_setup.py", ["login", "reset"])
    assert f"    reset()\n{STARTED}    login(device)\n" in source
    assert source.count("eventually(") == 2, "one that waits for the activity is enough, besides the helper"
