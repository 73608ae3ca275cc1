"""Corpus files: what a line may be, and what is said about the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.inputs.corpus import MOST, entry_of, misfits, read_corpus, traces_of


def write(folder: Path, *lines: object) -> Path:
    path = folder / "corpus.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def test_lines_are_json_or_python_literals(tmp_path: Path) -> None:
    lines = read_corpus(write(tmp_path, {"xs": [1]}, "", "# nothing", "{'xs': (1, b'x')}"))
    assert [number for number, _ in lines] == [1, 4]
    entries = [entry_of(number, line) for number, line in lines]
    assert [entry and entry.arguments(["xs"]) for entry in entries] == [{"xs": [1]}, {"xs": (1, b"x")}]


def test_a_bare_value_is_the_only_argument() -> None:
    entry = entry_of(1, "[1, 2]")
    assert entry is not None
    assert entry.arguments(["xs"]) == {"xs": [1, 2]}
    assert entry.arguments(["xs", "ys"]) is None


def test_arguments_of_another_test_do_not_fit() -> None:
    entry = entry_of(1, '{"xs": [], "n": 1}')
    assert entry is not None
    assert entry.arguments(["xs", "m"]) is None


def test_what_a_campaign_exported_is_read_as_traces(tmp_path: Path) -> None:
    found = {"event": "finding", "finding": {"trace": {"answers": [2]}}, "episode": -1}
    grown = {"event": "corpus", "key": "k", "trace": {"answers": [0, 1]}, "text": ""}
    path = write(tmp_path, {"event": "campaign", "id": "x"}, found, grown, [3, 3])
    assert traces_of(path, read_corpus(path)) == [[2], [0, 1], [3, 3]]


@pytest.mark.parametrize("line", ["{", "xs = 1", "__import__('os')", "{'a': open('x')}"])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(UntrodError, match=r"line 2 of .*corpus.jsonl is neither JSON nor a Python literal"):
        read_corpus(write(tmp_path, {"n": 1}, line))


@pytest.mark.parametrize(
    "line", ['{"xs": [1]}', '["a"]', "[true]", '{"event": "corpus", "trace": {"answers": ["t", ""]}}']
)
def test_generators_take_choices_only(tmp_path: Path, line: str) -> None:
    path = write(tmp_path, [1], line)
    with pytest.raises(UntrodError, match=r"line 2 of .* holds no choices"):
        traces_of(path, read_corpus(path))


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UntrodError, match="cannot be read"):
        read_corpus(tmp_path / "missing.jsonl")


def test_a_long_corpus_is_thinned_out_evenly(tmp_path: Path) -> None:
    lines = read_corpus(write(tmp_path, *[[number] for number in range(3 * MOST)]))
    assert len(lines) == MOST
    assert lines[0][0] == 1
    assert lines[-1][0] > 3 * MOST - 5


def test_lines_that_were_of_no_use_are_named() -> None:
    assert misfits({3}, ["t.py::a"]) == "line 3 of the corpus could not be turned into arguments of t.py::a"
    assert misfits(set(range(12)), ["a", "b"]).startswith("lines 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... of")
