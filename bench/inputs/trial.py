"""One contender on one subject with one seed, in a process of its own.

    python -m bench.inputs.trial SUBJECT CONTENDER SEED ATTEMPTS CPU_SECONDS

prints one JSON object: the tally, and `ended`, which is `finished` or why the contender stopped before
its attempts were used up; or `skipped` or `error` alone, each a line of text.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
import warnings
from typing import Any

from bench.inputs import subjects
from bench.inputs.contenders import CONTENDERS, Skipped
from bench.inputs.tally import Finished, Tally


def run(subject: str, contender: str, seed: int, attempts: int, cpu: float) -> dict[str, Any]:
    try:
        tally = Tally(subjects.load(subject), attempts, cpu)
    except ImportError as missing:
        return {"skipped": f"{subject} needs a missing package: {missing}"}
    ended = "gave up by itself"
    try:
        CONTENDERS[contender](tally, seed)
    except Finished:
        ended = "finished" if tally.attempts >= attempts else "out of CPU time"
    except Skipped as reason:
        return {"skipped": str(reason)}
    except Exception as error:
        traceback.print_exc()
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
    return {**tally.to_json(), "ended": ended}


def main() -> None:
    """Whatever a contender prints must not mix with the result: stdout is given to stderr meanwhile."""
    subject, contender, seed, attempts, cpu = sys.argv[1:]
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    result = run(subject, contender, int(seed), int(attempts), float(cpu))
    answer.write(json.dumps(result))
    answer.close()


if __name__ == "__main__":
    main()
