from __future__ import annotations

import subprocess
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.core.errors import UntrodError
from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.native.drawing import NativeDrawer, words_of_source
from untrod.engines.cover.native.inputs import as_input, as_values, command_line
from untrod.engines.cover.native.target import NativeTarget, Options, parse_target
from untrod.engines.cover.values.kinds import DrawContext
from untrod.source.nodes import Text
from untrod.symbolic.native.fields import Fields

FIELDS = Fields((3, 4), 5, (("data.bin", 6),), (b"-f",))
TARGET = NativeTarget("src/tool.c", FIELDS)


@given(st.binary(max_size=3), st.binary(max_size=4), st.binary(max_size=5), st.binary(max_size=6))
def test_an_input_and_its_values(first, second, stdin, data) -> None:
    values = FIELDS.check((first, second, stdin, data))
    given_ = as_input(values, TARGET)
    again = as_values(Input.from_trace(given_.trace().answers), FIELDS)
    assert again is not None
    assert FIELDS.argv(again) == FIELDS.argv(values)
    assert again[2:] == values[2:]
    assert as_input(again, TARGET) == given_


@pytest.mark.parametrize(
    "arguments",
    [(), (Text(b"abcd"), Text(b"")), (Text("abc"), Text(b"")), (Text(b"a\0b"), Text(b"")), (Text(b"a"),) * 3],
)
def test_what_is_no_input_of_the_program(arguments) -> None:
    assert as_values(Input("tool.c:main", (Step("main", arguments),)), FIELDS) is None


@given(st.binary(max_size=4).filter(lambda text: b"\0" not in text), st.binary(max_size=5))
def test_the_command_line_can_be_pasted_into_a_shell(argument, stdin) -> None:
    fields = Fields((4,), 5)
    values = fields.check((argument, stdin))
    line = command_line(values, NativeTarget("probe.c", fields))
    probe = "probe() { printf '<%s>' \"$1\"; cat; }; "
    script = probe + line.replace("./probe", "probe")
    said = subprocess.run(["bash", "-c", script], capture_output=True, check=True).stdout
    fed = stdin if stdin else b""
    assert said == b"<" + argument + b">" + fed


def test_names_with_spaces_can_be_pasted_too() -> None:
    fields = Fields((1,), 0, (("a b", 1),))
    line = command_line(fields.check((b"x", b"", b"y")), NativeTarget("my prog.c", fields))
    assert line == "printf %b y > 'a b'; './my prog' x"


def test_chance_keeps_to_the_fields() -> None:
    drawer = NativeDrawer(TARGET)
    words = words_of_source(["if (!strcmp(v, \"--long\\n\") || c == '\\t' || c == 'q') return \"\";"])
    assert words.octets == [b"--long\n", b"\t", b"q"]
    context = DrawContext(Random(1), words)
    seen = [drawer.draw(context) for _ in range(50)]
    for _ in range(300):
        seen.append(drawer.mutate(seen[-1], seen[:9], context))
    assert all(as_values(one, FIELDS) is not None for one in seen)
    assert len(set(seen)) > 200


def test_options(tmp_path) -> None:
    (tmp_path / "t.c").write_text("")
    options = Options("2x6,3", ("-v", "\udcff"), 8, ("x=4",), "-lm -I 'my include' '-DX=\"a b\"'")
    target = parse_target("t.c", options, tmp_path)
    assert target.fields == Fields((6, 6, 3), 8, (("x", 4),), (b"-v", b"\xff"))
    assert target.flags == ("-lm", "-I", "my include", '-DX="a b"')
    assert NativeTarget.from_json(target.to_json()) == target


def test_paths_are_told_from_the_project(tmp_path) -> None:
    (tmp_path / "t.c").write_text("")
    target = parse_target(str(tmp_path / "t.c"), Options("1x2"), tmp_path)
    assert target.source == "t.c"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options("six"), "--args"),
        (Options("2x"), "--args"),
        (Options(file=("x",)), "--file"),
        (Options(file=("../x=4",)), "--file"),
        (Options(file=("x=4", "x=5")), "same name"),
        (Options(), "symbolic bytes"),
        (Options("1x4", binary="t.c"), "needed twice"),
        (Options("1x4", also=("u.c",)), "no file u.c"),
        (Options("1x4", also=("./t.c",)), "the same name"),
        (Options("1x4", cc_flags="-DX='"), "no closing quotation"),
    ],
)
def test_options_that_make_no_sense(tmp_path, options, words) -> None:
    (tmp_path / "t.c").write_text("")
    with pytest.raises(UntrodError, match=words):
        parse_target("t.c", options, tmp_path)
