"""What a person is told of a run, by what the program and its sanitizers have said."""

from __future__ import annotations

import pytest

from untrod.engines.cover.native.stage import Ran
from untrod.engines.cover.native.verdict import SANITIZED, crash_of, report_of

OVERFLOW = """\
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000012 at pc 0x7fbe
    #0 0x7fbe4d448060 in __interceptor_memcpy ../../../../src/libsanitizer/interceptors.inc:827
    #1 0x7fbe4d448061 in wrapped /not/here/libc/string.c:9
    #2 0x5604e0004567 in f {source}:6
    #3 0x5604e0004567 in main {source}:12
SUMMARY: AddressSanitizer: heap-buffer-overflow interceptors.inc:827 in __interceptor_memcpy
"""


def test_the_place_is_the_first_in_a_source_that_is_here(tmp_path) -> None:
    source = tmp_path / "my prog.c"
    source.write_text("")
    crash = report_of(Ran(SANITIZED, b"", OVERFLOW.format(source=source).encode()))
    assert crash is not None
    assert (crash.what, crash.place) == ("heap-buffer-overflow", "my prog.c:6")


def test_a_complaint_of_undefined_behaviour() -> None:
    said = b"hello\n/x/my prog.c:8:35: runtime error: index 12 out of bounds for type 'int [3]'\n"
    crash = report_of(Ran(SANITIZED, b"", said))
    assert crash is not None
    assert (crash.what, crash.place) == ("index 12 out of bounds for type 'int [3]'", "my prog.c:8:35")
    assert crash.kind == "index N out of bounds for type 'int [N]'"


def test_a_program_may_speak_of_runtime_errors_itself() -> None:
    assert report_of(Ran(1, b"", b"script:3:1: runtime error: no such variable\n")) is None


@pytest.mark.parametrize(
    ("status", "said", "expected"),
    [
        (-6, b"prog: /x/prog.c:17: main: Assertion `n > 7' failed.\n", ("SIGABRT", "prog.c:17")),
        (-11, b"", ("SIGSEGV", "")),
        (-37, b"\xff", ("signal 37", "")),
    ],
)
def test_a_crash_without_sanitizers(status, said, expected) -> None:
    crash = crash_of(Ran(status, b"", said))
    assert crash is not None
    assert (crash.what, crash.place) == expected
