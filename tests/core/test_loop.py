from itertools import islice

from untrod.core.loop import explore
from untrod.core.vocabulary import Episode


class Recorder:
    """Target, judge and learner in one, writing down who was called with what."""

    name = "recorder"

    def __init__(self):
        self.calls = []

    def run(self, number, policy):
        self.calls.append(("run", number))
        return Episode(number, [])

    def judge(self, episode):
        self.calls.append(("judge", episode.number))
        episode.new = True

    def learn(self, episode):
        self.calls.append(("learn", episode.number, episode.new))


def test_the_loop_runs_judges_and_teaches_in_this_order():
    recorder = Recorder()
    episodes = list(islice(explore(recorder, recorder, recorder.judge, start=5), 2))
    assert [episode.number for episode in episodes] == [5, 6]
    assert recorder.calls == [
        ("run", 5), ("judge", 5), ("learn", 5, True),
        ("run", 6), ("judge", 6), ("learn", 6, True),
    ]  # fmt: skip
