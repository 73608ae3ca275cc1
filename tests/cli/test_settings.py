"""`[tool.untrod]` in pyproject.toml."""

from __future__ import annotations

import pytest

from untrod.cli.settings import with_settings
from untrod.core.errors import UntrodError

FLAGS = {"inputs": ["budget", "seed", "json", "allow"], "worst": ["budget", "sizes"], "doctor": ["json"]}


@pytest.fixture
def resolve(tmp_path):
    def resolve(toml: str, *arguments: str) -> list[str]:
        (tmp_path / "pyproject.toml").write_text(toml)
        return with_settings(list(arguments), tmp_path, FLAGS)

    return resolve


def test_a_shared_setting_reaches_the_verbs_that_have_the_flag(resolve):
    toml = "[tool.untrod]\nbudget = '9s'\nseed = 3\n"
    assert resolve(toml, "inputs", "x.py:f") == ["inputs", "--budget=9s", "--seed=3", "x.py:f"]
    assert resolve(toml, "worst", "x.py:f") == ["worst", "--budget=9s", "x.py:f"]
    assert resolve(toml, "doctor") == ["doctor"]


def test_the_verbs_own_table_wins_over_the_shared_one_and_the_command_line_over_both(resolve):
    toml = "[tool.untrod]\nbudget = '9s'\n[tool.untrod.worst]\nbudget = '5s'\n"
    assert resolve(toml, "worst", "f") == ["worst", "--budget=5s", "f"]
    assert resolve(toml, "worst", "f", "--budget", "1s") == ["worst", "f", "--budget", "1s"]
    assert resolve(toml, "worst", "f", "--budget=1s") == ["worst", "f", "--budget=1s"]


def test_lists_repeat_the_flag_and_switches_need_no_value(resolve):
    toml = "[tool.untrod.inputs]\nallow = ['write', 'network']\njson = true\n"
    assert resolve(toml, "inputs") == ["inputs", "--allow=write", "--allow=network", "--json"]
    assert resolve("[tool.untrod.inputs]\njson = false\n", "inputs") == ["inputs"]


def test_flags_before_the_verb_stay_there(resolve):
    assert resolve("[tool.untrod]\nseed = 1\n", "--debug", "inputs") == ["--debug", "inputs", "--seed=1"]


def test_without_settings_nothing_changes(resolve, tmp_path):
    assert resolve("[tool.other]\nx = 1\n", "inputs", "f") == ["inputs", "f"]
    (tmp_path / "pyproject.toml").unlink()
    assert with_settings(["inputs"], tmp_path, FLAGS) == ["inputs"]


@pytest.mark.parametrize(
    ("toml", "line"),
    [
        ("[tool.untrod]\nbudgte = 1\n", "[tool.untrod] has no setting 'budgte' (did you mean budget?)"),
        ("[tool.untrod.inputs]\nsed = 1\n", "[tool.untrod.inputs] has no setting 'sed' (did you mean seed?)"),
        ("[tool.untrod]\nworst = 1\n", "worst is a verb (write [tool.untrod.worst])"),
        ("[tool.untrod]\nseed = {a = 1}\n", "seed is neither text nor a number"),
        ("[tool.untrod\n", "cannot be read"),
        ("[tool]\nuntrod = 3 # tool.untrod\n", "tool.untrod is not a table"),
    ],
)
def test_mistakes_are_named_whatever_verb_is_run(resolve, toml, line):
    with pytest.raises(UntrodError) as caught:
        resolve(toml, "inputs", "f")
    assert line in str(caught.value)


def test_the_command_line_reads_them(project):
    project.write("pyproject.toml", "[tool.untrod]\nworkres = 2\n")
    result = project.untrod("doctor")
    assert (result.status, "did you mean workers?" in result.err) == (2, True)
