"""A store that somebody else has written: what it may make untrod do."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import partial
from pathlib import Path

import foreign
import pytest

from untrod.cli import campaigns, replay, report
from untrod.core.errors import UntrodError
from untrod.output.dashboard.pages import Pages
from untrod.session.engines import make_engine
from untrod.session.trust import admitted
from untrod.store import CampaignRow, Store

MUTATIONS = int(os.environ.get("UNTROD_MUTATIONS", "300"))  # more of them for a longer look


@pytest.fixture(scope="module")
def handed_over(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("handed-over") / ".untrod"
    foreign.a_store(folder)
    return folder


@pytest.mark.parametrize("part", range(3))
def test_whatever_its_rows_hold_there_is_one_line_and_nothing_outside(
    handed_over: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], part: int
) -> None:
    for seed in range(part, MUTATIONS, 3):
        project = tmp_path / str(seed) / "a" / "b" / "project"
        project.mkdir(parents=True)
        shutil.copytree(handed_over, project / ".untrod")
        (project / "shop.py").write_text("def total(choose):\n    return choose((1, 2))\n")
        changed, told = foreign.mutate(project / ".untrod", random.Random(seed))
        before = outside(tmp_path / str(seed))
        with chdir(project):
            for words in uses(project, changed):
                try:
                    words()
                except UntrodError:
                    pass  # one line, whatever it says
                except Exception as error:
                    raise AssertionError(f"seed {seed}: {told}: {words}") from error
                said = capsys.readouterr()
                assert "\x1b" not in said.out + said.err
        assert outside(tmp_path / str(seed)) == before, (seed, told)
        shutil.rmtree(tmp_path / str(seed))


def uses(project: Path, changed: str) -> Iterator[Callable[[], object]]:
    """All that looks at a store, and what comes before something of it is run; above all of one campaign."""
    yield campaigns.list_campaigns
    yield partial(campaigns.list_campaigns, as_json=True)
    with Store.open(project / ".untrod", create=False, read_only=True) as store:
        others = [row.id for row in store.campaigns() if row.id != changed][:1]
        rows = [row for row in store.campaigns() if row.id == changed]
        names = [*others, *(row.id for row in rows)]
        findings = [finding.id for row in rows for finding in store.findings(row.id)]
        yield from (partial(page_at, Pages(store, project), address) for address in addresses(names))
    for row in rows:
        yield partial(campaigns.show, row.id)
        yield partial(campaigns.export, row.id)
        yield partial(campaigns.resume, row.id)
    yield partial(report.report, names[:3])
    yield report.report
    for finding in findings[:2]:
        yield partial(replay.replay, finding)
    for row in rows:
        yield partial(prepared, row, project)


def addresses(names: list[str]) -> list[str]:
    compared = "&".join(f"c={name}" for name in names)
    return ["/", "/campaign/../../x", f"/compare?{compared}", *(f"/campaign/{name}" for name in names)]


def page_at(pages: Pages, address: str) -> None:
    assert "<script" not in pages.at(address).main


def prepared(row: CampaignRow, project: Path) -> None:
    """What is done in this process when somebody trusts it."""
    with Store.open(project / ".untrod", create=False) as store:
        row, running = admitted(store, row, project, "untrod", trust=True, allow=())
        assert running.allow == frozenset()
        engine, recipe = make_engine(row.engine, row.config, row.seed, project, running.workers, store)
        json.dumps([engine.spec(shard) for shard in range(running.workers)])
        assert "/" not in recipe.slug().replace("gui_shop_", "")
        recipe.folders(project)


GENERATOR = """
def total(choose):
    return [choose(range(5)) for _ in range(choose((1, 2, 3)))]

def check(numbers):
    assert sum(numbers) < 9
"""


@pytest.mark.parametrize("seed", range(5))
def test_what_is_trusted_is_run_or_ends_in_one_line(project, tmp_path: Path, seed: int) -> None:
    """Real runs of what somebody has changed in a campaign that was one's own."""
    project.write("shop.py", GENERATOR)
    project.untrod("inputs", "shop.py:total", "--test", "check", "--budget", 60)
    for number in range(3):
        foreign.mutate(project.folder / ".untrod", random.Random(10 * seed + number))
    before = outside(tmp_path)

    exported = project.untrod("campaigns", "export", "inputs")
    finding = next(iter(exported.of("finding")), {"finding": {"id": "f0"}})["finding"]["id"]
    for words in (["campaigns", "resume", "inputs", "--budget", 90], ["replay", finding]):
        result = project.untrod(*words, "--trust")
        assert result.status in (0, 1, 2)
        assert "bug in untrod" not in result.err
        assert "Traceback" not in result.err
    tests = str(project.folder / "tests")
    assert {path: data for path, data in outside(tmp_path).items() if not path.startswith(tests)} == {
        path: data for path, data in before.items() if not path.startswith(tests)
    }


def outside(root: Path) -> dict[str, bytes]:
    """All files but those of the store itself, and of what a command may write there."""
    return {
        str(path): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".untrod" not in path.relative_to(root).parts
    }
