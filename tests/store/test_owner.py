"""One secret for each user, wherever their projects are."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from untrod.core.budget import Budget
from untrod.store import CampaignRow, Store
from untrod.store.owner import Owner, lent_secret

SETTINGS = {"a": [1, 2.5, None], "session": {"allow": ["write"], "workers": 2}}


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "untrod"


def started(store: Store, owner: Owner) -> CampaignRow:
    config = owner.marked("inputs", "é.py:f", SETTINGS, 2**70)
    return store.create_campaign("inputs", "é.py:f", config, 2**70, Budget(episodes=3))


def test_a_campaign_is_known_again_by_who_started_it(store: Store, state: Path, tmp_path: Path) -> None:
    row = store.campaign(started(store, Owner.here(tmp_path)).id)

    assert Owner.here(tmp_path).started(row)
    assert [path.name for path in state.iterdir()] == ["secret"]
    assert stat.S_IMODE((state / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE(state.stat().st_mode) == 0o700


def test_by_no_other_user_and_in_no_other_folder(store: Store, state: Path, tmp_path: Path) -> None:
    row = store.campaign(started(store, Owner.here(tmp_path)).id)

    assert not Owner.here(tmp_path / "elsewhere").started(row)
    (state / "secret").unlink()
    assert not Owner.here(tmp_path).started(row)


@pytest.mark.parametrize(
    "change",
    [
        {"engine": "cover"},
        {"target": "e.py:f"},
        {"seed": 3},
        {"config": {}},
        {"config": {**SETTINGS, "session": {}}},
        {"config": {**SETTINGS, "session": {"mark": 5}}},
        {"config": {**SETTINGS, "session": {"mark": "é"}}},
        {"config": {**SETTINGS, "session": []}},
    ],
)
def test_what_was_asked_for_is_what_it_is_known_by(
    store: Store, state: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    owner = Owner.here(tmp_path)
    row = started(store, owner)

    assert owner.started(replace(row, episodes=9, status="finished", extra={"x": 1}))
    assert not owner.started(replace(row, **change))  # type: ignore[arg-type]


def test_a_project_that_is_reached_by_a_link_is_the_same(store: Store, state: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)

    assert Owner.here(tmp_path / "link").started(started(store, Owner.here(tmp_path)))


def test_processes_that_begin_together_agree_on_one_secret(state: Path) -> None:
    code = (
        "from untrod.store.owner import Owner; from pathlib import Path; print(Owner.here(Path('.')).secret)"
    )
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(6)]

    said = {process.communicate()[0] for process in running}

    assert len(said) == 1
    assert len(os.listdir(state)) == 1


@pytest.mark.parametrize("harm", ["a file", "a link", "cut off", "unreadable"])
def test_without_a_secret_nobody_is_known_and_the_reason_is_told(
    store: Store, state: Path, tmp_path: Path, harm: str
) -> None:
    row = started(store, Owner.here(tmp_path))
    secret = state / "secret"
    secret.unlink()
    if harm == "a file":
        state.rmdir()
        state.write_text("")
    elif harm == "a link":
        secret.symlink_to("/dev/zero")
    elif harm == "cut off":
        secret.write_bytes(b"short")
    else:
        secret.mkdir()

    owner = Owner.here(tmp_path)

    assert str(state) in owner.trouble
    assert not owner.started(row)
    assert not owner.started(started(store, owner))


def test_a_secret_that_is_lent_is_used_where_there_is_no_other(
    store: Store, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = started(store, Owner.here(tmp_path))
    for name, value in lent_secret().items():
        monkeypatch.setenv(name, value)
    assert Owner.here(tmp_path).started(row), "one's own comes first"

    (state / "secret").unlink()
    state.rmdir()
    state.write_text("")

    assert Owner.here(tmp_path).started(started(store, Owner.here(tmp_path)))
    assert not Owner.here(tmp_path).started(row)
