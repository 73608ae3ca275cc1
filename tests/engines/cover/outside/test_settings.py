"""Settings as data: they survive as JSON, are made simpler, and become statements of a test."""

from __future__ import annotations

import pytest

from untrod.core.shapes import Malformed
from untrod.engines.cover.case import CallResult, Case, Input, Step
from untrod.engines.cover.emit import as_test
from untrod.engines.cover.outside.pinned import PINS, simpler_worlds
from untrod.engines.cover.outside.settings import Setting, argv, from_json, merged, stdin, to_json
from untrod.output.rendering import render_case
from untrod.source.nodes import Atom, Call, Display, Ref, Text

WORLD = merged(
    (
        argv(["prog", "-v"]),
        stdin("yes"),
        Setting("env", "APP_MODE", Text("fast")),
        Setting("env", "APP_HOME"),
        Setting("file", "data.txt", Text("a=1")),
        Setting("folder", "folder"),
        Setting("return", "time:time", Atom("5.0")),
        Setting("raise", "os:stat", Call(Ref("builtins", "OSError"), (Atom("5"), Text("broken")))),
    )
)
GIVEN = Input("shop:total", (Step("total"),), WORLD)


def test_an_input_with_settings_survives_as_json() -> None:
    assert Input.from_json(GIVEN.to_json()) == GIVEN
    assert Input.from_trace(GIVEN.trace().answers) == GIVEN
    plain = Input("shop:total", (Step("total"),))
    assert len(plain.to_json()) == 2  # as those of stores that there are
    assert Input.from_json(plain.to_json()) == plain


@pytest.mark.parametrize(
    "setting",
    [
        Setting("set", "sys"),
        Setting("set", "sys:argv; import os"),
        Setting("env", "A=B", Text("")),
        Setting("env", "A", Atom("1")),
        Setting("file", "../x", Text("")),
        Setting("file", "..", Text("")),
        Setting("file", "x", Atom("1")),
        Setting("folder", "/tmp"),
    ],
)
def test_what_is_no_setting_is_refused(setting: Setting) -> None:
    with pytest.raises(Malformed):
        from_json(to_json((setting,)))


def test_of_two_settings_about_the_same_the_last_counts() -> None:
    assert merged((argv(["a"]), argv(["b"]))) == (argv(["b"]),)


def test_settings_go_and_get_simpler_but_keep_their_form() -> None:
    worlds = list(simpler_worlds((argv(["prog", "--long-option"]), stdin("yes"))))
    assert (stdin("yes"),) in worlds
    for world in worlds:
        for setting in world:
            if setting.name == "sys:argv":
                assert isinstance(setting.value, Display)
                assert setting.value.items[0] == Text("prog")
            else:
                assert isinstance(setting.value, Call)
                assert setting.value.function == Ref("io", "StringIO")


def test_what_pins_the_process_keeps_its_value() -> None:
    for pin in PINS:
        assert list(simpler_worlds((pin,))) == [()]


def test_a_test_says_each_of_them() -> None:
    test = as_test(Case(GIVEN, CallResult(value=Atom("1"), text="1")))
    lines = "\n".join(render_case("test_total", test, lambda ref: ref.qualname))
    assert lines.startswith("def test_total(tmp_path, monkeypatch):\n    monkeypatch.chdir(tmp_path)\n")
    for line in (
        'monkeypatch.setenv("APP_MODE", "fast")',
        'monkeypatch.delenv("APP_HOME", raising=False)',
        'tmp_path.joinpath("data.txt").write_text("a=1")',
        'tmp_path.joinpath("folder").mkdir()',
        'monkeypatch.setattr("time.time", Mock(return_value=5.0))',
        'monkeypatch.setattr("os.stat", Mock(side_effect=OSError(5, "broken")))',
        'monkeypatch.setattr("sys.argv", ["prog", "-v"])',
        'monkeypatch.setattr("sys.stdin", StringIO("yes"))',
    ):
        assert f"    {line}\n" in lines
    assert lines.endswith("assert total() == 1")
