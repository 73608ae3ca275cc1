import pytest

from untrod.core.budget import Budget, Meter, parse_seconds
from untrod.core.errors import UntrodError


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("60s", Budget(wall=60.0)),
        ("1.5m", Budget(wall=90.0)),
        ("2h", Budget(wall=7200.0)),
        ("250ms", Budget(wall=0.25)),
        ("10000", Budget(episodes=10_000)),
        ("10_000 episodes", Budget(episodes=10_000)),
        ("30s cpu", Budget(cpu=30.0)),
        ("60s, 500, 1m cpu", Budget(episodes=500, wall=60.0, cpu=60.0)),
    ],
)
def test_reads_what_people_write(text, budget):
    assert Budget.parse(text) == budget


@pytest.mark.parametrize(
    "text", ["5x", "", "s", "-3s", "0", "0s", "1.5", "5 cpu", "10s,20s", "1e3", "60s,", "nan", "infs"]
)
def test_refuses_the_rest_in_one_line_that_shows_how(text):
    with pytest.raises(UntrodError, match="60s") as caught:
        Budget.parse(text)
    assert "\n" not in str(caught.value)


def test_a_budget_reads_back_from_its_own_text():
    budget = Budget(episodes=7, wall=2.5, cpu=1.0)
    assert Budget.parse(str(budget)) == budget


def test_meter_names_the_limit_that_is_reached():
    now = 0.0
    meter = Meter(Budget(episodes=10, wall=5.0, cpu=3.0), clock=lambda: now)
    assert meter.exhausted() == ""
    meter.episodes = 10
    assert meter.exhausted() == "episodes"
    meter.episodes = 9
    meter.cpu = 3.0
    assert meter.exhausted() == "CPU time"
    now = 5.0
    assert meter.exhausted() == "wall time"
    assert meter.seconds_left() == 0.0


def test_a_resumed_meter_counts_what_was_spent_before():
    meter = Meter(Budget(wall=10.0), spent_wall=9.0, clock=lambda: 100.0)
    assert meter.wall == 9.0
    assert meter.seconds_left() == 1.0
    assert meter.fraction() == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("text", "seconds"), [("3", 3.0), ("3s", 3.0), (" 500ms ", 0.5), ("2m", 120.0), ("0.5", 0.5)]
)
def test_a_time_alone(text: str, seconds: float) -> None:
    assert parse_seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "3 cpu", "3 s cpu", "-1", "3x", "nan"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match="is no time"):
        parse_seconds(text)


def test_the_shorter_of_its_times() -> None:
    assert Budget.parse("60s,30s cpu").seconds == 30.0
    assert Budget.parse("1000").seconds is None
