"""`untrod gui --driver android` as a person meets it, on a fake device (tests/fakes/fake_adb)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))

from fake_adb import PACKAGE, FakeAdb, FakeDevice
from fake_adb.demo import demo

RULE = """\
@always
Scenario: nothing breaks it
  When I click "Break"
  Then ![event = crash]
"""


@pytest.fixture
def adb(monkeypatch):
    monkeypatch.delenv("ANDROID_SERIAL", raising=False)
    monkeypatch.setenv("ADBUTILS_ADB_PATH", "/nowhere/adb")  # the client would start a real server
    with FakeAdb(FakeDevice(demo())) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        yield server


@pytest.mark.timeout(600)
def test_a_witness_becomes_a_test_and_a_crash_an_expected_failure(adb, project):
    """They are only written after pytest has run them, by the same client on the same fake."""
    project.write("muted.ltl", "# sounds can be switched off\nF [checked = false]\n")
    project.write("rule.feature", RULE)
    options = ("--driver", "android", "--idle", 0, "--steps", 2, "--episodes", 40)
    specs = ("--spec", "muted.ltl", "--spec", "rule.feature")
    result = project.untrod("gui", PACKAGE, *specs, *options, timeout=500.0)
    assert result.status == 1, result.err
    assert "witness: sounds can be switched off: shown in 2 steps\n" in result.out
    assert 'steps: click "Settings", click "Sound"' in result.out
    assert "counterexample: nothing breaks it: broken in 1 step\n" in result.out
    assert result.out.count("reliable: shows in") == 2
    (path,) = (project.folder / "tests" / "untrod").glob("test_*.py")
    source = path.read_text()
    assert path.name == "test_gui_com_demo.py"
    assert '    device(resourceId="com.demo:id/sound").click()\n' in source
    assert "    eventually(lambda: device(checkable=True, checked=False).exists)\n" in source
    assert 'raises=AssertionError, reason="nothing breaks it: broken in 1 step"' in source
    assert 'assert logged(device, "am_crash", "com.demo") == 0' in source
    assert len(list((project.folder / ".untrod" / "screens").glob("*/step-1.png"))) == 2
    assert adb.device.unknown == []
    adb.state = ""
    replayed = project.untrod("replay", result.out.partition("untrod replay ")[2].split()[0])
    assert (replayed.status, replayed.err.count("\n")) == (2, 1)
    assert "untrod: no Android device is connected (plug one in" in replayed.err
    assert adb.is_left_alone()
    assert not adb.device.automation, "nothing is left running on the device"


@pytest.mark.parametrize(
    ("arguments", "state", "line"),
    [
        ((PACKAGE,), "", "no Android device is connected (plug one in"),
        ((PACKAGE,), "unauthorized", "the device fake-5554 is unauthorized (unlock it"),
        ((PACKAGE, "--serial", "x"), "device", "there is no device 'x' (say --serial fake-5554"),
        ((PACKAGE, "--apk", "no.apk"), "device", "cannot read no.apk: No such file"),
        (("Chess Walk",), "device", "'Chess Walk' is not the name of an Android package (see: adb"),
    ],
)
def test_mistakes_are_one_line(adb, project, arguments, state, line, capfd, monkeypatch):
    """In this process: starting one for each would take long."""
    from untrod.cli.app import run

    adb.state = state
    monkeypatch.chdir(project.folder)
    with pytest.raises(SystemExit) as ended:
        run(["gui", *arguments, "--driver", "android"])
    told = capfd.readouterr().err
    assert ended.value.code == 2
    assert line in told.replace(f"{project.folder}/", "")
    assert told.count("\n") == 1


def test_options_for_devices_need_the_driver_for_devices(project, capfd, monkeypatch):
    from untrod.cli.app import run

    monkeypatch.chdir(project.folder)
    with pytest.raises(SystemExit):
        run(["gui", "http://127.0.0.1:1", "--serial", "x"])
    assert "--serial and --apk are for devices (add: --driver android)" in capfd.readouterr().err
