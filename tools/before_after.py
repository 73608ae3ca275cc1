"""The same campaigns by two checkouts, in turns: CPU seconds of each, and the ratio. Quiet machines only.

    python tools/before_after.py ../before --rounds 5

Both need their `.venv`. Equal seeds and episode budgets mean equal work, so CPU time compares; where the two
have not run the same number of episodes, that is said.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parents[1]
CAMPAIGNS = {
    "inputs, auto": "inputs bst.py:tree --valid is_bst --budget 20000",
    "inputs, montecarlo": "inputs bst.py:tree --valid is_bst --learner montecarlo --budget 60000",
    "inputs, Hypothesis": "inputs shop/tests/test_stock.py --budget 1500",
    "cover, redblack": "cover cover/redblack.py --budget 3000",
    "cover, tokens": "cover cover/tokens.py --budget 3000",
    "cover, bank": "cover cover/bank.py --budget 3000",
    "worst, climb": "worst sorting.py:quicksort --sizes 4..32 --policy climb --budget 3000",
    "worst, auto": "worst sorting.py:quicksort --sizes 4..24 --budget 2000",
}


def run(checkout: Path, words: str, seed: int) -> tuple[float, int]:
    """CPU seconds, and episodes."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(shutil.copytree(HERE / "examples", Path(folder) / "examples"))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [str(checkout / ".venv/bin/untrod"), *words.split(), "--json", "--seed", str(seed)]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        last = json.loads(done.stdout.splitlines()[-1])
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return cpu, int(last["episodes"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    rows = []
    for name, words in CAMPAIGNS.items():
        times: dict[str, list[float]] = {"before": [], "after": []}
        episodes: dict[str, set[int]] = {"before": set(), "after": set()}
        for number in range(asked.rounds):
            pair = [("before", asked.before.absolute()), ("after", HERE)]
            for side, checkout in pair if number % 2 == 0 else pair[::-1]:
                cpu, ran = run(checkout, words, 1)
                times[side].append(cpu)
                episodes[side].add(ran)
        ratio = median(times["after"]) / median(times["before"])
        least = min(times["after"]) / min(times["before"])
        same = "" if episodes["before"] == episodes["after"] else f"  episodes {episodes}"
        rows.append({"campaign": name, "ratio": ratio, "least": least, **times})
        print(
            f"{name:<20} before {median(times['before']):6.2f} s  after {median(times['after']):6.2f} s"
            f"  {ratio - 1:+6.1%} by medians  {least - 1:+6.1%} by the least{same}",
            flush=True,
        )
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
