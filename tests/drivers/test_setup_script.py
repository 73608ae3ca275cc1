"""The user's own file: what it may say, and what is wrong with it, in a line."""

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.setup_script import load_setup
from untrod.drivers.words import Dictionary


def test_all_of_it_is_optional_but_something_has_to_be_there(tmp_path):
    path = tmp_path / "setup.py"
    path.write_text('WORDS = {"email": ["a@example.org"]}\ndef login(page): ...\n')
    setup = load_setup(path)
    assert (setup.words, callable(setup.login), setup.reset) == ({"email": ["a@example.org"]}, True, None)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (None, "there is no file"),
        ("x = 1", "has neither WORDS, login, reset"),
        ("1 / 0", "raises ZeroDivisionError"),
        ("login = 3", "login is not a function"),
        ('WORDS = {"email": "ann"}', "WORDS is not a dict of lists of texts"),
    ],
)
def test_mistakes_are_one_line(tmp_path, source, line):
    path = tmp_path / "setup.py"
    if source is not None:
        path.write_text(source)
    with pytest.raises(UntrodError, match=line):
        load_setup(path)


def test_a_fields_name_counts_more_than_its_kind_and_an_unknown_kind_is_a_text():
    words = Dictionary({"Title": ["bread"], "email": ["b@example.org"]})
    assert words.words("text", "Title") == ("bread",)
    assert words.words("email", "Mail") == ("b@example.org",)
    assert words.words("unheard-of", "") == Dictionary().words("text", "")
