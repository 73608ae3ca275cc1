"""The `.untrod` folder of a project."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import TracebackType

from untrod.core.budget import Budget
from untrod.core.errors import UntrodError
from untrod.core.events import CorpusGrown, Event
from untrod.core.shapes import anything, mapping, parsed
from untrod.core.vocabulary import Finding, Json
from untrod.store.acknowledged import Acknowledged
from untrod.store.blobs import write_atomic
from untrod.store.campaigns import CampaignRow, Campaigns
from untrod.store.checkpoints import Checkpoints
from untrod.store.database import Database, open_database
from untrod.store.failures import one_line
from untrod.store.ledger import Books
from untrod.store.locks import FileLock
from untrod.store.quarantine import Quarantine
from untrod.store.recorder import Recorder
from untrod.store.results import Results, WrittenTest
from untrod.store.tables import Tables
from untrod.store.tree import check_tree

DATABASE = "store.sqlite3"


class Store:
    """Everything a project's campaigns know, durable and checked.

    Three promises. What was acknowledged survives `kill -9` at any moment. Nothing prior is deleted: what
    cannot be read is skipped, set aside and named in `notices`. What a person can mend arrives as one
    UntrodError. Several processes may use one store; one campaign runs in one process, see `lock`.
    A `campaign` argument is a full id; `campaign()` and `finding()` also take the start of one.
    """

    def __init__(self, folder: Path, database: Database, notices: list[str], *, read_only: bool) -> None:
        self.folder = folder
        self.notices = notices
        self.database = database
        self._quarantine = Quarantine(folder / "quarantine", notices, read_only=read_only)
        self._campaigns = Campaigns(database, self._quarantine)
        self._results = Results(database, self._campaigns, self._quarantine)
        self._acknowledged = Acknowledged(
            folder / "acknowledged", database, self._quarantine, read_only=read_only
        )
        self._books = Books(database, self._campaigns, self._quarantine, self._acknowledged)
        self._checkpoints = Checkpoints(folder / "checkpoints", database, self._quarantine)
        self._tables = Tables(folder / "tables", self._quarantine, read_only=read_only)

    @classmethod
    def open(cls, folder: Path, *, create: bool = True, read_only: bool = False) -> Store:
        """Open the store in `folder`, making it first unless `create` is false.

        With `read_only` nothing is made, moved or swept, and another process may be writing meanwhile.
        What is not a healthy store raises UntrodError and is left as it is.
        """
        folder = Path(folder)
        notices: list[str] = []
        quarantine = Quarantine(folder / "quarantine", notices, read_only=read_only)
        _prepare(folder, create=create and not read_only)
        database = open_database(folder / DATABASE, quarantine, create=create, read_only=read_only)
        store = cls(folder, database, notices, read_only=read_only)
        try:
            store._acknowledged.compare()
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        self.database.close()
        self._acknowledged.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Campaigns

    def create_campaign(
        self, engine: str, target: str, config: dict[str, Json], seed: int, budget: Budget
    ) -> CampaignRow:
        """A new campaign with a short id such as `inputs-7f3a`."""
        row = self._campaigns.create(engine, target, config, seed, budget)
        self._acknowledged.note(row.id, row.updated_at)
        return row

    def set_config(self, campaign: str, config: dict[str, Json]) -> CampaignRow:
        """The campaign with other settings, as it is from now on. Durable."""
        with self._books.open(campaign) as ledger:
            ledger.campaign = replace(ledger.campaign, config=config)
        return self._campaigns.exact(campaign)

    def campaigns(self) -> list[CampaignRow]:
        """Oldest first."""
        return self._campaigns.all()

    def campaigns_changed(self, known: Mapping[str, float]) -> list[CampaignRow]:
        """Those whose `updated_at` is not the one in `known`, by id: what a watcher has to read again."""
        return self._campaigns.changed(known)

    @property
    def version(self) -> int:
        """Another number whenever another process has committed something; costs next to nothing."""
        return self.database.version

    def campaign(self, name: str) -> CampaignRow:
        """By id or by the only beginning of one; otherwise UntrodError names the nearest."""
        return self._campaigns.lookup(name)

    @contextmanager
    def lock(self, campaign: str) -> Iterator[None]:
        """Keeps other processes from running `campaign`; ends with the block or with this process."""
        lock = self._lock(self._campaigns.exact(campaign).id)
        with one_line(lock.path):
            lock.path.parent.mkdir(exist_ok=True)
            taken = lock.acquire(wait=False)
        if not taken:
            pid = lock.holder()
            raise UntrodError(
                f"campaign {campaign} is already running in process {pid or '(unknown)'}",
                "wait until it is done" + (f" or stop it with: kill -INT {pid}" if pid else ""),
            )
        try:
            yield
        finally:
            lock.release()

    def holder(self, campaign: str) -> int | None:
        """The process that holds the campaign's lock, None when nobody does."""
        lock = self._lock(campaign)
        with one_line(lock.path):
            return lock.holder()

    def recorder(self, campaign: str, *, clock: Callable[[], float] = time.monotonic) -> Recorder:
        """A listener that writes the events of `campaign`."""
        return Recorder(self._campaigns.exact(campaign).id, self._books, self._checkpoints, clock)

    # What campaigns left behind

    def findings(self, campaign: str, most: int | None = None) -> list[Finding]:
        """In the order they were first made; with `most`, no more than that are read."""
        return list(islice(self._results.findings(campaign), most))

    def newest_findings(self, campaign: str, most: int) -> list[Finding]:
        """The last of `findings`, in the same order."""
        return list(self._results.newest_findings(campaign, most))

    def finding(self, name: str) -> tuple[CampaignRow, Finding]:
        """By finding id, by the start of one, or by `campaign/id`."""
        return self._results.finding(name)

    def set_finding(self, campaign: str, finding: Finding) -> None:
        """Put `finding` in the place of the one with its key, as minimisation does. Durable."""
        with self._books.open(campaign) as ledger:
            ledger.replace_finding(finding)

    def corpus(self, campaign: str) -> Iterator[CorpusGrown]:
        return self._results.corpus(campaign)

    def longest(self, campaign: str, most: int) -> list[CorpusGrown]:
        """The corpus entries with the most choices in them, which chance alone does not make."""
        return list(self._results.longest(campaign, most))

    def events(self, campaign: str, after_seq: int = 0) -> Iterator[tuple[int, float, Event]]:
        """(number, time, event) of all events but corpus entries and checkpoints."""
        return self._results.events(campaign, after_seq)

    def history(self, campaign: str, name: str, most: int = 200) -> list[tuple[float, Event]]:
        """(time, event) of the events of one name, such as `progress`: at most `most`, evenly spread."""
        return list(self._results.history(campaign, name, most))

    def checkpoint(self, campaign: str, shard: int) -> tuple[int, bytes] | None:
        """Episodes and blob of the newest whole checkpoint."""
        return self._checkpoints.newest(campaign, shard)

    def tests(self, campaign: str) -> list[WrittenTest]:
        return list(self._results.tests(campaign))

    # Learned tables

    def save_table(self, key: str, manifest: dict[str, Json], blob: bytes) -> None:
        """Durable. `key` becomes a file name: letters, digits, `_`, `.`, `-`; ValueError otherwise."""
        self._tables.save(key, manifest, blob)

    def load_table(self, key: str) -> tuple[dict[str, Json], bytes] | None:
        """The manifest and the verified blob; None when absent or, with a notice, not to be trusted."""
        return self._tables.load(key)

    def table(self, key: str) -> dict[str, Json] | None:
        """What is learned under `key`, where that is a JSON object; None, with a notice, where it is not."""
        found = self._tables.load(key)
        if found is None:
            return None
        try:
            learned = parsed(found[1].decode("utf-8"))
            mapping(anything)(learned, "it")
            json.dumps(learned, allow_nan=False)  # it goes to workers, which are told no such numbers
        except ValueError as error:
            self._quarantine.name(f"what was learned cannot be read, and is not used: {key}: {error}")
            return None
        return learned  # type: ignore[no-any-return]

    def tables(self) -> list[dict[str, Json]]:
        """The manifests of the learned tables, by key."""
        return self._tables.manifests()

    @property
    def scratch(self) -> Path:
        """Where pools of workers keep their passing folders; they tidy up there themselves."""
        return self.folder / "scratch"

    def _lock(self, campaign: str) -> FileLock:
        return FileLock(self.folder / "locks" / f"{campaign}.lock")


def _prepare(folder: Path, *, create: bool) -> None:
    with one_line(folder):
        if folder.exists() and not folder.is_dir():
            raise UntrodError(f"{folder} is a file, the store needs a folder", "move it aside")
        if create:
            folder.mkdir(parents=True, exist_ok=True)
        if folder.is_dir():
            check_tree(folder, DATABASE)
        if not create:
            return
        if not (folder / ".gitignore").exists():
            write_atomic(folder / ".gitignore", b"*\n")
