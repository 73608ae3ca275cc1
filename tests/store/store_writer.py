"""A process that writes to a store and says on stdout what is durable, until it is killed.

store_writer.py results FOLDER CAMPAIGN FIRST     findings, corpus, checkpoints, from number FIRST
store_writer.py tables FOLDER                     one learned table, over and over
store_writer.py stores FOLDER                     new stores in FOLDER/0, FOLDER/1, ...
store_writer.py hold FOLDER CAMPAIGN [fork]       the campaign's lock
"""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path

from store_samples import found, grown

from untrod.core.events import Checkpoint
from untrod.store import Store


def say(*words: object) -> None:
    print(*words, flush=True)


def write_results(folder: Path, campaign: str, first: str) -> None:
    record = Store.open(folder).recorder(campaign)
    for number in count(int(first)):
        record(grown(number))
        record(found(number))
        say("finding", number)
        if number % 3 == 0:
            record(Checkpoint(0, number, b"%d." % number * 5000))
            say("checkpoint", number)


def write_tables(folder: Path) -> None:
    store = Store.open(folder)
    for number in count():
        store.save_table("q", {"number": number}, b"%d." % number * 5000)
        say("table", number)


def write_stores(folder: Path) -> None:
    for number in count():
        Store.open(folder / str(number)).close()
        say("store", number)


def hold(folder: Path, campaign: str, fork: str = "") -> None:
    store = Store.open(folder)
    with store.lock(campaign):
        if fork:
            begun, there = os.pipe()
            if os.fork() == 0:
                os.write(there, b"!")  # what a fork does first is done
                sys.stdin.read()
                os._exit(0)
            os.read(begun, 1)
        say("held", campaign)
        sys.stdin.read()


ROLES = {"results": write_results, "tables": write_tables, "stores": write_stores, "hold": hold}

if __name__ == "__main__":
    ROLES[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
