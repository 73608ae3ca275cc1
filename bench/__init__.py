"""Honest numbers: every contender on the same subject, seed and budget, in one run, losses printed.

    python -m bench ENGINE [--quick | --full] [--seeds N] [--only SUBJECT] [--json FILE] [--check]

- `plan`: how much of a bench to run;
- `report`: rows, bars, and how they are shown;
- `machine`: where the numbers were made;
- one module or package per engine (`bench/inputs`), found by its name. It offers `STUDIES`, a tuple of
  `plan.Study`.

Rules: contenders take turns on the same subject and seed, so that a busy machine slows all of them alike;
time is CPU time; a number is a median over seeds with its quartiles; a bar that does not hold says so.
"""
