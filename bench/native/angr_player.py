"""angr on one of the programs, run by an interpreter that has it: a JSON object in and one out.

    {program, arguments: [sizes], stdin: size, cpu}  ->  {inputs, complete, peak, memory, cpu}

Breadth first over the same static program that our executor emulates: of its ways to search it did best in a
pilot. What is under way when the time is up is solved, too, for a tenth of it. Nothing of untrod is imported.
"""

from __future__ import annotations

import json
import logging
import resource
import sys
import time
from typing import Any

HARVEST = 0.1
BYTES = 8 << 30
"""Of address space: it forgets nothing."""


def play(asked: dict[str, Any]) -> dict[str, Any]:
    logging.disable(logging.CRITICAL)
    import angr  # type: ignore[import-not-found]
    import claripy  # type: ignore[import-not-found]

    project = angr.Project(asked["program"], auto_load_libs=False)
    arguments = [claripy.BVS(f"arg{n}", 8 * size) for n, size in enumerate(asked["arguments"], 1)]
    stdin = claripy.BVS("stdin", 8 * asked["stdin"]) if asked["stdin"] else None
    filling = {
        angr.options.ZERO_FILL_UNCONSTRAINED_MEMORY,
        angr.options.ZERO_FILL_UNCONSTRAINED_REGISTERS,
    }
    content = claripy.BVV(b"") if stdin is None else stdin
    state = project.factory.full_init_state(
        args=["program", *(claripy.Concat(one, claripy.BVV(0, 8)) for one in arguments)],
        stdin=angr.SimFileStream("stdin", content=content, has_end=True),
        env={"LC_ALL": "C"},
        add_options=filling,
    )
    manager = project.factory.simulation_manager(state)
    searching = (1 - HARVEST) * asked["cpu"]
    inputs: list[list[str]] = []
    complete = 0

    def note(ended: Any) -> None:
        try:
            texts = [ended.solver.eval(one, cast_to=bytes).split(b"\0")[0] for one in arguments]
            texts.append(b"" if stdin is None else ended.solver.eval(stdin, cast_to=bytes))
        except Exception:  # whatever its solver or its memory model could not do: there is no input then
            return
        inputs.append([text.decode("latin-1") for text in texts])

    waiting = [manager.active.pop()]
    while waiting and time.process_time() < searching:
        manager.stashes["active"] = [waiting.pop(0)]
        try:
            manager.step()
        except Exception:
            manager.stashes["active"] = []
        waiting += manager.active
        for ended in [*manager.deadended, *(error.state for error in manager.errored)]:
            complete += 1
            note(ended)
        manager.stashes["deadended"] = []
        manager.errored.clear()
    states = len(waiting)
    for state in waiting:
        if time.process_time() > asked["cpu"]:
            break
        note(state)
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "inputs": inputs,
        "complete": complete,
        "peak": states,
        "cpu": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss / 1024,
    }


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    print(json.dumps(play(json.load(sys.stdin))))
