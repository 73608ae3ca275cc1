"""Whatever a target does, the pool goes on, says what happened, and leaves nothing behind.

The last part is checked by the `bench` fixture after every test.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from untrod.core.vocabulary import Outcome
from untrod.runtime.pool import Lost, Reply

# ---- the worker survives: the job tells the outcome, and the next episode is fine ----


@pytest.mark.parametrize(
    ("name", "outcome", "detail"),
    [
        ("system_exit", Outcome.EXITED, "bye"),
        ("allocate_1_gb", Outcome.OUT_OF_MEMORY, ""),
        ("allocate_50_gb", Outcome.OUT_OF_MEMORY, ""),
        ("creep_out_of_memory", Outcome.OUT_OF_MEMORY, ""),
        ("recurse", Outcome.FAILED, "RecursionError"),
        ("raise_own_base_exception", Outcome.FAILED, "Own"),
        ("raise_keyboard_interrupt", Outcome.FAILED, "KeyboardInterrupt"),
        ("raise_generator_exit", Outcome.FAILED, "GeneratorExit"),
        ("close_all_descriptors", Outcome.VALID, "None"),
        ("print_megabytes", Outcome.VALID, "None"),
        ("write_inside", Outcome.VALID, "'kept'"),
        ("hanging_exit_handler", Outcome.VALID, "None"),
        ("spinning_daemon_thread", Outcome.VALID, "None"),
        ("lingering_thread", Outcome.VALID, "None"),
        ("ignore_all_signals", Outcome.VALID, "None"),
        ("mangle_modules", Outcome.VALID, "None"),
    ],
)
def test_the_worker_survives(bench, name, outcome, detail):
    workers = bench([name, "fine"], memory_mb=512)
    assert workers.result() == [outcome, detail]
    assert workers.result() == [Outcome.VALID, "'fine'"]


@pytest.mark.parametrize("name", ["set_an_alarm", "disable_faulthandler"])
def test_a_timer_left_running_does_not_go_off_in_the_next_operation(bench, name):
    workers = bench([name, "outlast_the_timers"])
    assert workers.result() == [Outcome.VALID, "None"]
    assert workers.result() == [Outcome.VALID, "'rested'"]


@pytest.mark.parametrize("name", ["busy", "sleep_forever"])
def test_an_episode_that_overstays_is_stopped_and_the_worker_survives(bench, name):
    workers = bench([name, "fine"], episode_wall=0.5)
    assert workers.result() == [Outcome.TIMED_OUT, ""]
    assert workers.result() == [Outcome.VALID, "'fine'"]


def test_an_episode_that_burns_too_much_cpu_is_stopped(bench):
    workers = bench(["busy"], episode_wall=600.0, episode_cpu=0.2)
    assert workers.result() == [Outcome.TIMED_OUT, ""]


def test_each_run_of_an_episode_has_its_own_deadline(bench):
    workers = bench(["busy"], episode_wall=0.5)
    reply = workers.run(episodes=3)
    assert [result[1] for result in reply.body["results"]] == [Outcome.TIMED_OUT] * 3


def test_an_unpicklable_value_is_just_a_value(bench):
    outcome, text = bench(["return_a_lambda"]).result()
    assert outcome == Outcome.VALID
    assert "lambda" in text


# ---- the worker is lost: the pool tells the outcome, the episode and its answers ----


@pytest.mark.parametrize(
    ("name", "outcome", "cause"),
    [
        ("os_exit", Outcome.EXITED, "exit status 3"),
        ("segfault", Outcome.CRASHED, "SIGSEGV"),
        ("kill_itself", Outcome.CRASHED, "SIGKILL"),
        ("let_a_memory_error_escape", Outcome.OUT_OF_MEMORY, "memory ran out"),
        ("overflow_the_c_stack", Outcome.CRASHED, "SIGSEGV"),
        ("swallow_everything", Outcome.TIMED_OUT, "one episode ran longer than 0.5 s"),
        ("busy_in_c", Outcome.TIMED_OUT, "one episode ran longer than 0.5 s"),
        ("close_all_descriptors_in_c", Outcome.CRASHED, "the target closed untrod's descriptors"),
    ],
)
def test_the_worker_is_lost_and_replaced(bench, name, outcome, cause):
    from hostile import TARGETS

    hangs = outcome is Outcome.TIMED_OUT
    workers = bench(["fine", name, "fine"], ["fine"], episode_wall=0.5 if hangs else 60.0)
    lost = workers.run(episodes=3)
    assert isinstance(lost, Lost)
    assert (lost.shard, lost.op, lost.outcome, lost.cause) == (0, "run", outcome, cause)
    assert lost.episode == 1
    assert lost.answers == (list(TARGETS).index(name),)

    assert workers.result(shard=1) == [Outcome.VALID, "'fine'"]  # its neighbour never noticed

    workers.restart()
    workers.pool.send(0, "skip", {"episodes": [[1, True]]})
    assert workers.answer().error is None
    reply = workers.run(episodes=3)
    assert [result[1] for result in reply.body["results"]] == [Outcome.VALID, "skipped", Outcome.VALID]
    assert workers.pool.restarts(0) == 1
    assert workers.pool.restarts(1) == 0


def test_a_crash_leaves_its_stack_in_the_log(bench):
    lost = bench(["segfault"]).run()
    assert "Segmentation fault" in lost.log
    assert "in segfault" in lost.log


def test_nonsense_on_untrods_pipe_is_noticed(bench):
    lost = bench(["write_into_every_pipe"]).run()
    assert lost.outcome is Outcome.CRASHED
    assert lost.cause.startswith("the target wrote into untrod's pipe")


def test_a_target_that_disarms_the_deadline_is_killed_then(bench):
    workers = bench(["ignore_all_signals", "busy"], episode_wall=0.5)
    assert workers.run(episodes=2).outcome is Outcome.TIMED_OUT


def test_but_the_deadline_is_armed_again_for_the_next_operation(bench):
    workers = bench(["ignore_all_signals", "busy"], episode_wall=0.5)
    workers.result()
    assert workers.result() == [Outcome.TIMED_OUT, ""]


def test_output_is_bounded(bench):
    workers = bench(["print_megabytes"])
    workers.run(episodes=2)
    log = workers.pool._shards[0].worker._log
    assert os.fstat(log.fileno()).st_size <= 2 * 2**20


# ---- the guard ----


@pytest.mark.parametrize(
    ("name", "flag", "attempt"),
    [
        ("fork_and_return", "processes", "start a process"),
        ("spawn_and_leave", "processes", "start a process: sleep"),
        ("multiprocess", "processes", "start a process"),
        ("signal_another_process", "processes", "send signal 15"),
        ("change_limits", "processes", "change a resource limit"),
        ("connect", "network", "look up 127.0.0.1"),
        ("write_outside", "write", "write "),
    ],
)
def test_what_is_refused_names_the_flag_and_rides_along(bench, monkeypatch, tmp_path, name, flag, attempt):
    precious = tmp_path / "precious" / "file"
    precious.parent.mkdir()
    precious.write_text("kept")
    monkeypatch.setenv("PRECIOUS", str(precious))
    workers = bench([name, "fine"])
    reply = workers.run()
    [[_, outcome, message]] = reply.body["results"]
    assert outcome == Outcome.REFUSED
    assert message.startswith(f"untrod's guard refused to {attempt}")
    assert message.endswith(f"allow it with --allow {flag}")
    assert [refusal.permission for refusal in reply.refusals] == [flag]
    assert precious.read_text() == "kept"
    assert workers.run().refusals == ()


def test_a_swallowed_refusal_is_reported_all_the_same(bench, monkeypatch, tmp_path):
    precious = tmp_path / "precious" / "file"
    precious.parent.mkdir()
    precious.write_text("kept")
    monkeypatch.setenv("PRECIOUS", str(precious))
    reply = bench(["delete_outside_quietly"]).run()
    assert reply.body["results"][0][1] == Outcome.VALID
    assert {refusal.attempt for refusal in reply.refusals} >= {f"delete {precious}"}
    assert precious.read_text() == "kept"


def test_allowing_writes_allows_them(bench, monkeypatch, tmp_path):
    monkeypatch.setenv("PRECIOUS", str(tmp_path / "file"))
    assert bench(["write_outside"], allow=("write",)).result() == [Outcome.VALID, "None"]
    assert Path(tmp_path / "file").read_text() == "gone"


@pytest.mark.parametrize("name", ["fork_and_return", "fork_and_linger", "spawn_and_leave"])
def test_an_allowed_child_neither_speaks_for_the_worker_nor_survives_it(bench, name):
    workers = bench([name, "fine"], allow=("processes",))
    reply = workers.run(episodes=2)
    assert [result[1] for result in reply.body["results"]] == [Outcome.VALID, Outcome.VALID]
    assert reply.body["results"][0][2] != "'child'"
    assert workers.result() == [Outcome.VALID, "'fine'"]


def test_an_allowed_child_that_returns_runs_no_further_episode(bench):
    workers = bench(["fork_and_return", "leave_a_mark", "count_marks_after_the_child"], allow=("processes",))
    assert workers.run(episodes=3).body["results"][2] == [2, Outcome.VALID, "1"]


# ---- what the target does to the interpreter stays in its episode ----


def test_spoiling_random_changes_no_other_episode(bench):
    spoiled = bench(["draw", "spoil_random", "draw"]).run(episodes=3).body["results"]
    clean = bench(["draw", "fine", "draw"]).run(episodes=3).body["results"]
    assert spoiled[0] == clean[0]
    assert spoiled[2] == clean[2]
    assert spoiled[0][2] != spoiled[2][2]


def test_mangled_builtins_cost_one_operation_at_most(bench):
    workers = bench(["mangle_builtins", "fine"])
    assert isinstance(workers.run(), Reply)
    assert workers.result() == [Outcome.VALID, "'fine'"]


def test_a_tiny_recursion_limit_does_not_stop_the_worker(bench):
    workers = bench(["tiny_recursion_limit", "fine"])
    assert isinstance(workers.run(), Reply)
    assert workers.result() == [Outcome.VALID, "'fine'"]


def test_every_episode_starts_in_the_scratch_folder(bench):
    reply = bench(["where_am_i", "leave_home", "where_am_i"]).run(episodes=3)
    first, _, third = reply.body["results"]
    assert first[2] == third[2]
    assert "untrod-pool-" in first[2]
