"""`untrod report`, run in this process: the campaigns are made here, so nothing has to be started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from untrod.cli.app import run
from untrod.core.budget import Budget
from untrod.core.events import CampaignFinished, Progress
from untrod.store import Store


@pytest.fixture
def campaigns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of two campaigns in the current folder, the older first."""
    monkeypatch.chdir(tmp_path)
    with Store.open(tmp_path / ".untrod") as store:
        return [_campaign(store, f"shop.py:{name}") for name in ("first", "second")]


def _campaign(store: Store, target: str) -> str:
    row = store.create_campaign("inputs", target, {}, 0, Budget(episodes=100))
    with store.recorder(row.id) as record:
        record(Progress(10, 5, 4, 0, 1.0, 0.5))
        record(CampaignFinished(row.id, "episodes", 100, 60, 40, 0, 2.0, 1.0))
    return row.id


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        run(["report", *arguments])
    told = capsys.readouterr()
    return int(stopped.value.code or 0), told.out, told.err


def test_the_latest_campaign_goes_to_the_stores_reports(campaigns, capsys) -> None:
    status, out, _ = report(capsys)

    assert (status, out) == (0, f".untrod/reports/{campaigns[1]}.html\n")
    assert "<title>untrod inputs: shop.py:second</title>" in Path(out.strip()).read_text()


def test_several_are_compared_in_one_file_of_your_choice(campaigns, capsys) -> None:
    status, out, _ = report(capsys, *campaigns, "-o", "deep/both.html", "--json")

    assert status == 0
    told = json.loads(out)
    assert told == {"event": "report", "path": str(Path.cwd() / "deep/both.html"), "campaigns": campaigns}
    page = Path("deep/both.html").read_text()
    assert "All campaigns" in page
    assert all(f'href="#{each}"' in page for each in campaigns)


def test_one_that_is_not_there_is_named_with_the_nearest(campaigns, capsys) -> None:
    status, _, err = report(capsys, "nothing")

    assert status == 2
    assert err.startswith("untrod: there is no campaign 'nothing' (the nearest: ")


def test_a_file_that_cannot_be_written_is_named(campaigns, capsys) -> None:
    Path("taken").write_text("")

    status, _, err = report(capsys, "-o", "taken/report.html")

    assert status == 2
    assert "cannot write" in err
    assert "choose another file with -o" in err


def test_without_any_campaign_it_says_what_to_do(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.open(tmp_path / ".untrod"):
        pass

    status, _, err = report(capsys)

    assert status == 2
    assert "there is no campaign to report on (run one first: untrod inputs --help)" in err
