"""Who else makes inputs: plain chance; AFL++ and angr with the same shape of input and the same CPU time."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

from bench.native.subjects import CACHE, HERE, ROOT, Subject
from untrod.core.vocabulary import Json
from untrod.engines.cover.native.build import build
from untrod.symbolic.native.fields import Fields, Values

RUN_SECONDS = 0.0025
"""What a real run costs at least: plain chance makes as many inputs as could be run."""
MOST_RANDOM = 10_000
"""And no more than these: it has found what it finds by then."""
ANGR_PYTHON = "UNTROD_ANGR_PYTHON"
"""Environment variable: the interpreter of an environment that has angr (dependency group `bench-angr`)."""
_POLL = 0.25


def random_bytes(subject: Subject, seed: int, cpu: float) -> Json:
    """All fields full of any bytes; half of the inputs are printable."""
    rng, fields = Random(seed), subject.fields
    inputs = []
    for number in range(min(MOST_RANDOM, int(cpu / RUN_SECONDS))):
        low, high = (32, 126) if number % 2 else (0, 255)
        inputs.append([bytes(rng.randint(low, high) for _ in range(size)) for size in fields.sizes])
    return {"inputs": [[value.decode("latin-1") for value in given] for given in inputs], "cpu": cpu}


def afl(subject: Subject, seed: int, cpu: float, folder: Path) -> Json:
    if shutil.which("afl-fuzz") is None:
        return {"skipped": "afl++ is not installed: apt-get install afl++"}
    program = _instrumented(subject)
    seeds, found = folder / "seeds", folder / "found"
    seeds.mkdir()
    (seeds / "blank").write_bytes(b"a" * sum(subject.fields.sizes))
    environment = {
        **os.environ,
        "AFL_SKIP_CPUFREQ": "1",
        "AFL_NO_AFFINITY": "1",
        "AFL_NO_UI": "1",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
        "LC_ALL": "C",
    }
    longest = str(sum(subject.fields.sizes))
    command = [
        "afl-fuzz",
        "-i",
        seeds,
        "-o",
        found,
        "-s",
        str(seed),
        "-G",
        longest,
        "-t",
        "1000",
        "--",
        program,
    ]
    started = subprocess.Popen(
        [str(word) for word in command],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=(folder / "afl.log").open("wb"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        while started.poll() is None and _used(started.pid) < cpu:
            time.sleep(_POLL)
        used = _used(started.pid)
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGINT)
            try:
                started.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(started.pid, signal.SIGKILL)
                started.wait()
    files = sorted((found / "default" / "queue").glob("id:*"))
    crashes = sorted((found / "default" / "crashes").glob("id:*"))
    if not files:
        return {"error": (folder / "afl.log").read_text(errors="replace")[-200:]}
    inputs = [_cut(file.read_bytes(), subject.fields) for file in (*files, *crashes)]
    return {
        "inputs": [[value.decode("latin-1") for value in given] for given in inputs],
        "cpu": used,
        "crashes": len(crashes),
        "runs": _executions(found / "default" / "fuzzer_stats"),
    }


def angr(subject: Subject, cpu: float) -> Json:
    """It has no seed: its search is the same every time."""
    python = os.environ.get(ANGR_PYTHON)
    if not python:
        return {"skipped": f"{ANGR_PYTHON} names no interpreter"}
    with tempfile.TemporaryDirectory() as folder:
        program = build(subject.target(), Path("/"), Path(folder), "").emulated
        asked = {
            "program": str(program),
            "arguments": subject.fields.arguments,
            "stdin": subject.fields.stdin,
            "cpu": cpu,
        }
        played = subprocess.run(
            [python, str(HERE / "angr_player.py")],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=20 * cpu + 300,
            check=False,
        )
    if played.returncode:
        return {"error": (played.stderr.strip().splitlines() or ["it said nothing"])[-1][:200]}
    found: Json = json.loads(played.stdout)
    return found


def _cut(data: bytes, fields: Fields) -> Values:
    found, at = [], 0
    for size in fields.sizes:
        found.append(data[at : at + size])
        at += size
    return fields.check(found)


def _used(pid: int) -> float:
    """CPU seconds of a process and all below it, those of ended children included. By parents: AFL++'s fork
    server has a session of its own."""
    spent: dict[int, float] = {}
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        number = int(status.parent.name)
        spent[number] = sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")
        children.setdefault(int(words[1]), []).append(number)
    total, below = 0.0, [pid]
    while below:
        number = below.pop()
        total += spent.get(number, 0.0)
        below += children.get(number, ())
    return total


def _executions(stats: Path) -> int:
    lines = stats.read_text().splitlines() if stats.exists() else []
    return next((int(line.partition(":")[2]) for line in lines if line.startswith("execs_done")), 0)


def _instrumented(subject: Subject) -> Path:
    """The same sources through afl-clang-fast; coreutils' library is linked as it is."""
    program = CACHE / "bin" / f"{subject.name}.afl"
    if program.exists():
        return program
    sizes = "".join(f"{size}," for size in subject.fields.arguments)
    main = program.with_suffix(".main.o")  # by itself: coreutils' headers are for coreutils
    wrap = ["-O1", "-w", "-Wl,--wrap=main", str(main)]
    compiler = shutil.which("afl-clang-fast") or "afl-cc"
    if subject.name in ("tr", "expr", "ptx"):
        build = CACHE / "build" / "covered"
        (tree,) = CACHE.glob("src/coreutils-*")
        own = [str(tree / "src" / f"{subject.name}.c"), f"-I{build}/lib", f"-I{build}/src", f"-I{tree}/lib"]
        own += [
            f"-I{build}",
            f"-I{tree}",
            str(build / "src" / "libver.a"),
            str(build / "lib" / "libcoreutils.a"),
        ]
    elif subject.name == "cjson":
        (tree,) = CACHE.glob("src/cJSON-*")
        own = [str(HERE / "drivers" / "cjson.c"), str(tree / "cJSON.c"), f"-I{tree}", "-lm"]
    elif subject.name == "expat":
        (tree,) = CACHE.glob("src/libexpat-*/expat/lib")
        defined = ["XML_GE=1", "XML_DTD", "XML_NS", "XML_CONTEXT_BYTES=1024", "XML_POOR_ENTROPY"]
        own = [
            str(HERE / "drivers" / "expat.c"),
            f"-I{CACHE}/build/expat",
            f"-I{tree}",
            *(f"-D{name}" for name in defined),
        ]
        own += [str(tree / f"{name}.c") for name in ("xmlparse", "xmlrole", "xmltok")] + ["-lm"]
    else:
        own = [str(ROOT / subject.source)]
    program.parent.mkdir(parents=True, exist_ok=True)
    first = ["-O1", "-w", f"-DSIZES={sizes}", "-c", str(HERE / "afl_main.c"), "-o", str(main)]
    for command in (first, [*wrap, *own, "-o", str(program)]):
        subprocess.run([compiler, *command], check=True, capture_output=True, timeout=600)
    return program
