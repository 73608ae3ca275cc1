"""What a program and what a person see of a running campaign."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from untrod.core.budget import Budget
from untrod.core.events import (
    CampaignFinished,
    CampaignStarted,
    Checkpoint,
    CorpusGrown,
    Event,
    FindingFound,
    Notice,
    Progress,
    WorkerLost,
    from_json,
)
from untrod.core.vocabulary import Finding, Trace
from untrod.output.ndjson import LONGEST_STRING, NdjsonListener
from untrod.output.progress import ProgressListener

NASTY = "two\nlines \x1b[31mred\x1b[0m \ud800 \u202e [bold]"
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def finding(title: str = "total is negative", key: str = "k") -> FindingFound:
    return FindingFound(Finding(key, "failed", title, Trace((1, 2))), episode=1204, shard=0)


def progress(episodes: int = 0, wall: float = 0.0, **more: Any) -> Progress:
    return Progress(
        episodes, episodes // 2, episodes // 4, more.pop("findings", 0), wall, more.pop("cpu", 0.0)
    )


def finished() -> CampaignFinished:
    return CampaignFinished("c", "wall time", 1, 1, 1, 0, 1.0, 1.0)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class TestNdjson:
    def lines(self, *events: Event) -> list[Any]:
        stream = io.StringIO()
        listener = NdjsonListener(stream)
        for event in events:
            listener(event)
        return [json.loads(line) for line in stream.getvalue().splitlines()]

    def test_one_line_per_event_that_reads_back_as_the_event(self) -> None:
        events = [
            CampaignStarted("c", "inputs", "m:f", 1, Budget(wall=60).to_json()),
            finding(NASTY),
            CorpusGrown("k", Trace((0,)), "[1]"),
            Checkpoint(0, 5, b"blob"),
            finished(),
        ]
        assert [from_json(line) for line in self.lines(*events)] == events

    def test_strict_json_whatever_the_numbers(self) -> None:
        [line] = self.lines(Progress(1, 1, 1, 0, 1.0, 1.0, {"best": float("inf"), "worst": [float("nan")]}))
        assert line["extra"] == {"best": "inf", "worst": ["nan"]}

    def test_a_megabyte_is_cut(self) -> None:
        [line] = self.lines(Notice("x" * 10**6))
        assert len(line["text"]) < LONGEST_STRING + 100

    def test_each_line_is_flushed(self) -> None:
        read, write = os.pipe()
        with os.fdopen(write, "w") as stream, os.fdopen(read) as reader:
            NdjsonListener(stream)(Notice("now"))
            assert json.loads(reader.readline())["text"] == "now"

    def test_a_reader_that_left_ends_the_narration_quietly(self) -> None:
        code = (
            "import sys\n"
            "from untrod.core.events import Notice\n"
            "from untrod.output.ndjson import NdjsonListener\n"
            "listener = NdjsonListener(sys.stdout)\n"
            "sys.stdin.read()\n"
            "for _ in range(3): listener(Notice('nobody reads this'))\n"
            "print('what else is printed is lost, not an error', flush=True)\n"
            "sys.exit(5 if listener.closed else 6)"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        process.stdout.close()
        assert process.stdin is not None
        process.stdin.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 5
        process.stderr.close()


class TestPlainProgress:
    def listen(self, *steps: tuple[float, Event], budget: Budget | None = None) -> list[str]:
        clock, stream = Clock(), io.StringIO()
        listener = ProgressListener(budget or Budget(wall=60), stream, clock=clock, environment={})
        for now, event in steps:
            clock.now = 100.0 + now
            listener(event)
        return stream.getvalue().splitlines()

    def test_a_line_every_few_seconds(self) -> None:
        steps = [(second / 10, progress(second * 100, second / 10)) for second in range(126)]
        assert self.listen(*steps) == [
            "5.0s, 55s left  0 findings  5,000 episodes (1,000/s)  2,500 valid  1,250 unique",
            "10s, 50s left  0 findings  10,000 episodes (1,000/s)  5,000 valid  2,500 unique",
        ]

    def test_a_short_run_is_silent_but_for_its_findings(self) -> None:
        assert self.listen((0.5, progress(10, 0.5)), (1, finding()), (1.5, finished())) == [
            f"failed: total is negative  ({finding().finding.id}, episode 1,204)"
        ]

    def test_a_finding_is_told_once(self) -> None:
        assert len(self.listen((1, finding()), (2, finding()), (3, finding(key="other")))) == 2

    def test_notices_and_lost_workers_are_told(self) -> None:
        lost = WorkerLost(2, "killed by signal 11", 1)
        assert self.listen((1, Notice("set aside 1 file")), (1, lost)) == [
            "note: set aside 1 file",
            "note: worker 2 lost (killed by signal 11), restarted",
        ]

    def test_hostile_text_stays_on_one_line_without_escapes(self) -> None:
        [line] = self.listen((1, finding(NASTY + "x" * 10**6)))
        assert line.isprintable()
        assert len(line) < 250

    @pytest.mark.parametrize(
        ("budget", "left"),
        [
            (Budget(), None),
            (Budget(wall=30), "20s left"),
            (Budget(episodes=1500), "5.0s left"),
            (Budget(cpu=40), "10s left"),
            (Budget(wall=30, episodes=1500), "5.0s left"),
            (Budget(wall=5), "0.0s left"),
        ],
    )
    def test_time_left_is_that_of_the_limit_reached_first(self, budget: Budget, left: str | None) -> None:
        [line] = self.listen((10, progress(1000, 10.0, cpu=20.0)), budget=budget)
        assert line.startswith(f"10s, {left}  0 findings" if left else "10s  0 findings")

    def test_a_resumed_campaign_shows_the_rate_of_this_process(self) -> None:
        started = CampaignStarted("c", "inputs", "m:f", 1, {}, resumed_at=9000)
        [line] = self.listen((0, started), (10, progress(10_000, 500.0)))
        assert "(100/s)" in line

    def test_what_is_done_afterwards_is_told_at_once_and_then_now_and_then(self) -> None:
        clock, stream = Clock(), io.StringIO()
        listener = ProgressListener(Budget(), stream, clock=clock, environment={})
        told = (
            (1, "making 1"),
            (3, "making 2"),
            (4, "making 3"),
            (5, "trying 1"),
            (6, "trying 2"),
            (11, "trying 3"),
        )
        for second, line in told:
            clock.now = 100 + second
            listener.show(line)
        assert stream.getvalue().splitlines() == ["making 2", "trying 1", "trying 3"]


class TestLiveProgress:
    def session(self, play: Callable[[ProgressListener, Clock, Terminal], None]) -> str:
        clock, terminal = Clock(), Terminal()
        environment = {"TERM": "xterm-256color"}
        play(
            ProgressListener(Budget(wall=60), terminal, clock=clock, environment=environment), clock, terminal
        )
        return terminal.getvalue()

    def test_nothing_is_drawn_in_the_first_two_seconds(self) -> None:
        def play(listener: ProgressListener, clock: Clock, terminal: Terminal) -> None:
            for tenth in range(20):
                clock.now = 100 + tenth / 10
                listener(progress(tenth, tenth / 10))
            listener(finished())

        assert self.session(play) == ""

    def test_redraws_are_throttled_to_ten_per_second(self) -> None:
        def play(listener: ProgressListener, clock: Clock, terminal: Terminal) -> None:
            for thousandth in range(2000, 3000):
                clock.now = 100 + thousandth / 1000
                listener(progress(thousandth, 2.0))

        assert 9 <= self.session(play).count("episodes") <= 11

    def test_a_finding_is_printed_above_the_line_and_the_line_is_gone_at_the_end(self) -> None:
        def play(listener: ProgressListener, clock: Clock, terminal: Terminal) -> None:
            clock.now = 103
            listener(progress(10, 3.0))
            listener(finding(NASTY))
            clock.now = 104
            listener(progress(20, 4.0))
            listener(finished())
            assert terminal.getvalue().endswith("\x1b[2K")  # the line is erased

        plain = ANSI.sub("", self.session(play))
        assert r"failed: two\nlines \x1b[31mred" in plain
        assert "[bold]" in plain, "text of the target must not be read as markup"
        assert "20 episodes" in plain.split("failed:")[1]

    @pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
    def test_a_terminal_that_asks_for_plain_text_gets_it(self, environment: dict[str, str]) -> None:
        clock, terminal = Clock(), Terminal()
        listener = ProgressListener(Budget(), terminal, clock=clock, environment=environment)
        clock.now += 6
        listener(progress(600, 6.0))
        assert terminal.getvalue() == "6.0s  0 findings  600 episodes (100/s)  300 valid  150 unique\n"

    def test_a_closed_stream_silences_it(self) -> None:
        clock, terminal = Clock(), Terminal()
        listener = ProgressListener(Budget(), terminal, clock=clock, environment={})
        terminal.close()
        listener(Notice("nobody hears this"))
        listener.close()


def test_rich_is_not_loaded_unless_a_line_is_drawn() -> None:
    code = "import sys, untrod.output.progress, untrod.output.summary; sys.exit('rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
