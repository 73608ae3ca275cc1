from untrod.core.errors import MissingExtra, UntrodError


def test_a_mistake_is_one_line_that_ends_with_what_to_do():
    assert str(UntrodError("there is no file a.py", "did you mean b.py?")) == (
        "there is no file a.py (did you mean b.py?)"
    )


def test_a_missing_extra_names_the_command_that_adds_it():
    assert str(MissingExtra("playwright", "web")) == (
        "playwright is not installed (run: pip install 'untrod[web]')"
    )
