"""What `bench soak` sees, and when it calls something a leak."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys

from bench.soak import study
from bench.soak.census import Census, marked, take


def looks(*memory: float) -> list[list[Census]]:
    return [[Census(3, each, 30.0, 10, 0)] for each in memory]


def test_memory_is_compared_after_the_warm_up():
    assert study._growth(looks(1, 100, 100, 100, 100, 100), "memory") == 1.0
    assert study._growth(looks(1, 100, 110, 120, 130, 140), "memory") == 1.35
    assert study._growth(looks(1, 100), "memory") is None


def test_what_is_left_behind_loses_its_bar():
    told = study._told([window[0] for window in looks(*[100] * 6)], [7], ["litter"], 300.0, 1, {})
    lost = [bar.name.partition(",")[0] for bar in told.bars if not bar.holds]
    assert lost == ["processes left", "files left in temporary folders", "MB of the store", "exit status"]


def test_a_grandchild_in_a_session_of_its_own_is_counted():
    nap = "import time; print('up', flush=True); time.sleep(60)"
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {nap!r}], start_new_session=True)"
    environment = {**os.environ, "SOAK_TEST": "x"}
    with subprocess.Popen([sys.executable, "-c", start], env=environment, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        seen = take("SOAK_TEST=x", child.pid)
        assert seen.processes == len(marked("SOAK_TEST=x")) == 2
        assert 0 < seen.of_first < seen.memory
        # The grandchild is not ours to wait for: its end is known when its descriptor can be read.
        ends = [os.pidfd_open(pid) for pid in marked("SOAK_TEST=x")]
        for end in ends:
            signal.pidfd_send_signal(end, signal.SIGKILL)
        for end in ends:
            select.select([end], [], [])
            os.close(end)
    assert marked("SOAK_TEST=x") == []
