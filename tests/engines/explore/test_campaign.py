"""`explore` is a campaign: it goes on, its findings show again, its page draws what it has seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import untrod
from untrod.core.protocols import Batch
from untrod.core.vocabulary import Json, Trace
from untrod.drivers.graph import ScreenGraph
from untrod.drivers.graph_reader import load_graph
from untrod.drivers.graph_writer import write_graph
from untrod.drivers.protocol import Action, Event, Screen, Step, StepOutcome
from untrod.engines.explore.engine import ENGINE_OF, ExploreConfig
from untrod.engines.explore.job import explore_job
from untrod.session.run import Run
from untrod.store import Store

ROOT = Path(__file__).resolve().parents[3]
NOTES = ROOT / "examples" / "simulations" / "notes.json"
COLLECT = ROOT / "examples" / "programs" / "collect.karel"
NAMES = ROOT / "examples" / "programs" / "names.robustfill"


class Beacon:
    def begin(self, episode: int) -> None: ...

    def trace(self, answers: list[int]) -> None: ...

    def end(self) -> None: ...


def config(kind: str, **more: Json) -> ExploreConfig:
    by_kind: dict[str, dict[str, Json]] = {
        "screens": {"target": str(NOTES), "steps": 40, "walker": "labels", "driver": "model"},
        "maze": {"target": "maze-6", "steps": 0, "walker": "random", "side": 6},
        "app-graph": {"target": str(NOTES), "steps": 0, "walker": "rand-dfs"},
        "karel": {
            "target": "karel",
            "steps": 9,
            "walker": "hill-climbing",
            "program": COLLECT.read_text(),
            "measure": "blocks",
        },
        "robustfill": {
            "target": "robustfill",
            "steps": 9,
            "walker": "random",
            "program": NAMES.read_text(),
            "longest": 20,
        },
    }
    return ExploreConfig(kind, **{**by_kind[kind], **more})  # type: ignore[arg-type]


def job_of(config: ExploreConfig, seed: int = 3):
    engine = ENGINE_OF[config.kind](config, seed, Path.cwd())
    return engine, explore_job(engine.spec(0), Beacon())


@pytest.mark.parametrize("kind", ENGINE_OF)
def test_a_snapshot_goes_on_bit_for_bit(kind: str, tmp_path: Path) -> None:
    asked = config(kind)
    if kind == "screens":  # as far as the app is the same when it is opened again
        asked = replace(asked, target=str(app(tmp_path / "app.json", BROKEN)), steps=20)
    engine, whole = job_of(asked)
    last = whole.run(Batch(1_000, 60.0))
    list(engine.absorb(last))
    for first in (1, 2, 5):
        _, before = job_of(asked)
        before.run(Batch(first, 60.0))
        _, after = job_of(asked)
        list(engine.absorb({**after.restore(before.snapshot()), "notices": [], "findings": []}))
        report = after.run(Batch(1_000, 60.0))
        assert report["exhausted"]
        assert engine.extra([report]) == engine.extra([last])


@pytest.mark.parametrize("kind", ENGINE_OF)
def test_what_is_no_snapshot_is_refused(kind: str) -> None:
    _, job = job_of(config(kind))
    _, other = job_of(config("maze" if kind != "maze" else "screens"))
    other.run(Batch(2, 60.0))
    for blob in (b"", b"nonsense", other.snapshot()):
        with pytest.raises(ValueError, match="not a snapshot"):
            job.restore(blob)


@pytest.mark.parametrize("kind", ENGINE_OF)
def test_an_entry_of_the_corpus_can_be_played_again(kind: str) -> None:
    _, job = job_of(config(kind))
    report = job.run(Batch(1_000, 60.0))
    if kind == "maze":
        assert report["corpus"] == []  # cells mean nothing to anybody
        return
    assert len(report["corpus"]) == len(report["keys"]) == report["unique"]
    for _, answers, _ in report["corpus"]:
        assert job.replay(Trace(tuple(answers)))["outcome"] == "valid"
    assert job.replay(Trace(("nowhere", "nonsense")))["outcome"] == "invalid"


def test_a_forged_report_is_refused() -> None:
    for kind in ENGINE_OF:
        engine, job = job_of(config(kind))
        report = job.run(Batch(3, 60.0))
        list(engine.absorb(report))
        for name in engine.extra([report]).keys() & report.keys():
            with pytest.raises(ValueError, match=name):
                list(engine.absorb({**report, name: object()}))


# ---- what goes wrong in an app ----


def app(path: Path, told: dict[str, dict[str, list[tuple[str, str]]]]) -> Path:
    """For each screen: what leads where, and what happens by the way; in turns, where there are several."""
    graph = ScreenGraph("app")
    for level in ("soft", "hard"):
        graph.start(level, Screen("home", "home"))  # type: ignore[arg-type]
    for name, actions in told.items():
        graph.offer(Screen(name, name), [Action("click", detail=called) for called in actions])
        for called, edges in actions.items():
            for to, event in edges:
                events = (Event(*event.split(" ", 1)),) if event else ()
                step = Step(Action("click", detail=called), StepOutcome.OK, Screen(to, to, events=events))
                graph.walk(name, step)
    path.write_text(write_graph(graph))
    return path


BROKEN = {
    "home": {"About": [("about", "")], "Shop": [("shop", "")]},
    "about": {"Back": [("home", "")], "Shop": [("shop", "dialog welcome")]},
    "shop": {"Buy 3": [("shop", "exception TypeError: cart 3 is null")], "Home": [("home", "")]},
}


def test_what_goes_wrong_is_a_finding_by_the_shortest_way_that_shows_again(tmp_path: Path) -> None:
    target = app(tmp_path / "app.json", BROKEN)
    run = untrod.explore(str(target), steps=30, project=tmp_path)
    result = run.result()
    [finding] = result.findings
    assert finding.title == "uncaught exception: TypeError: cart 3 is null (in 2 steps)"
    assert finding.text == 'click "Shop", click "Buy 3"'
    assert finding.detail["held"] == [5, 5]
    assert finding.replay()
    assert result.counted["events"][0].startswith("click")
    assert "dialog welcome" in " ".join(result.counted["events"])  # told, and no finding
    assert len(result.findings) == 1


def test_a_crash_is_found_with_the_steps_that_led_to_it(tmp_path: Path) -> None:
    target = app(tmp_path / "app.json", {"home": {"Shop": [("shop", "")]}, "shop": {"Buy": [("shop", "")]}})
    graph = load_graph(target)
    gone = Screen("shop", "shop", events=(Event("crash", "gone"),))
    graph.edges["shop"][Action("click", detail="Buy")] = []
    graph.walk("shop", Step(Action("click", detail="Buy"), StepOutcome.CRASHED, gone))
    target.write_text(write_graph(graph))
    result = untrod.explore(str(target), steps=10, project=tmp_path).result()
    [finding] = result.findings
    assert (finding.title, finding.text) == ("crash: gone (in 2 steps)", 'click "Shop", click "Buy"')
    assert finding.replay()


def test_what_does_not_show_again_is_no_finding() -> None:
    """An exception that comes once: the driver raises it the first time only."""
    settings = config("screens")
    engine, job = job_of(settings)
    search = job.search
    driver, times = search._driver.driver, []
    step = driver.step

    def once(action: Action) -> Step:
        done = step(action)
        times.append(action)
        if len(times) > 1:
            return done
        screen = Screen(
            done.screen.id,
            done.screen.concrete_id,
            done.screen.attrs,
            done.screen.widgets,
            (Event("exception", "Hiccup"),),
        )
        return Step(done.action, done.outcome, screen)

    driver.step = once
    report = job.run(Batch(10, 60.0))
    assert list(engine.absorb(report))
    assert report["findings"] == []
    assert report["notices"] == ["seen once and not again, so not reported: exception Hiccup"]
    assert report["episodes"] == 10


def test_an_app_that_goes_away_ends_the_walk_and_keeps_what_was_seen() -> None:
    _, job = job_of(config("screens"))
    job.run(Batch(3, 60.0))
    search = job.search

    def gone(action: Action) -> Step:
        raise untrod.UntrodError("nobody answers", "start it again")

    search._driver.driver.step = gone
    report = job.run(Batch(10, 60.0))
    assert report["exhausted"]
    assert report["notices"] == ["nobody answers: the walk ends here (start it again)"]
    assert report["episodes"] >= 3


# ---- the whole campaign ----


def test_a_campaign_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole = untrod.explore.maze(side=6, walker="random", seed=5, project=tmp_path).result()
    begun = untrod.explore.maze(side=6, walker="random", seed=5, budget="9", project=tmp_path).result()
    assert (begun.reason, begun.counted["steps"]) == ("episodes", 9)
    more = Run.resumed(tmp_path, Path(".untrod"), begun.campaign, untrod.Budget.of("1h")).result()
    assert more.counted == whole.counted
    assert more.reason == "exhausted"


def test_a_page_has_the_curve_and_what_was_seen(tmp_path: Path) -> None:
    target = app(tmp_path / "app.json", BROKEN)
    results = [
        untrod.explore(str(target), steps=20, project=tmp_path).result(),
        untrod.explore.maze(side=4, walker="dfs", project=tmp_path).result(),
        untrod.explore.app_graph(NOTES, walker="frontier", project=tmp_path).result(),
        untrod.explore.karel(str(COLLECT), explorer="directed", project=tmp_path).result(),
    ]
    screens, maze, recorded, karel = (result._repr_html_() for result in results)
    assert "Screens seen" in screens
    assert "Screens in the order of their first visits" in screens
    assert "class=graph" in screens or 'class="graph"' in screens
    assert "dialog welcome" in screens
    assert f"{results[1].counted['visited']} of 16 visited, " in maze
    assert "launcher" in recorded
    assert "while (markersPresent())" in karel
    assert all("<svg" in page for page in (screens, maze, recorded, karel))


def test_gui_and_explore_hand_on_what_they_know(tmp_path: Path) -> None:
    target = app(tmp_path / "app.json", BROKEN)
    lessons = {"satisfy F [text ~ x]": {"steps": 3}}
    from untrod.drivers.known import known_table, table_key

    key = table_key("model", str(target))
    with Store.open(tmp_path / ".untrod") as store:
        table = known_table("gui", "model", str(target), None, lessons, "farlead")
        store.save_table(table.key, table.manifest, table.blob)
    untrod.explore(str(target), steps=10, project=tmp_path).result()
    with Store.open(tmp_path / ".untrod", read_only=True) as store:
        known = store.table(key)
    assert known is not None
    assert (known["lessons"], known["explorer"]) == (lessons, "farlead")
    assert "shop" in known["graph"]["screens"]


def test_the_same_seed_explores_the_same(tmp_path: Path) -> None:
    target = app(tmp_path / "app.json", BROKEN)
    seed = Random(1).randrange(1000)
    first, second = (
        untrod.explore(str(target), steps=15, seed=seed, store=f".{n}", project=tmp_path).result()
        for n in "ab"
    )
    assert first.counted == second.counted
