"""`untrod train`: a policy for worlds of one kind, trained on many, for worlds that nobody has seen yet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.core.errors import UntrodError
from untrod.engines.explore.verbs.train_course import Terms, take
from untrod.engines.explore.verbs.train_programs import TASKS as PROGRAMS
from untrod.engines.explore.verbs.train_programs import train_programs
from untrod.output.terminal import say
from untrod.session.options import MOST, STORE, AsJson, On, Seed, StoreFolder

if TYPE_CHECKING:
    from untrod.core.vocabulary import Json

MOST_MINUTES = 1e6  # two years


def train(
    task: Annotated[
        str, typer.Argument(metavar="TASK", help="maze, braided, app, directed-app, robustfill or karel.")
    ],
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", min=0.0, max=MOST_MINUTES, help="CPU minutes to train. Default: 10."),
    ] = None,
    updates: Annotated[
        int | None,
        typer.Option("--updates", min=0, max=MOST, help="Train for so many updates instead: reproducible."),
    ] = None,
    stop: Annotated[
        int | None,
        typer.Option("--stop", min=1, max=MOST, help="Stop at this update; the plan is for --updates."),
    ] = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where weights go: weights/TASK."),
    ] = None,
    side: Annotated[int, typer.Option("--side", min=2, max=100, help="Of mazes.")] = 6,
    imitation: Annotated[
        float | None,
        typer.Option(
            "--imitation",
            min=0.0,
            max=1.0,
            help="Share that imitates a teacher. Default: 0.5, programs 0.75.",
        ),
    ] = None,
    teacher: Annotated[
        str, typer.Option("--teacher", help="hindsight: tries options out; planner: imagines worlds.")
    ] = "hindsight",
    group: Annotated[
        int | None,
        typer.Option("--group", min=1, max=64, help="Walkers that share a world, or inputs a state (6)."),
    ] = None,
    memory: Annotated[str, typer.Option("--memory", help="What it sees: graph, pool or node.")] = "graph",
    history: Annotated[bool, typer.Option("--history/--no-history", help="Remember earlier steps.")] = True,
    links: Annotated[
        int, typer.Option("--links", min=0, max=64, help="Features of nodes, learned from links alone.")
    ] = 0,
    moves: Annotated[
        str,
        typer.Option("--moves", help="aims: to any frontier node; steps: to a neighbour."),
    ] = "aims",
    encoder: Annotated[
        str, typer.Option("--encoder", help="Of programs: gnn, bilstm, bow, envcond or uncond.")
    ] = "gnn",
    runtime: Annotated[
        bool, typer.Option("--runtime/--no-runtime", help="Programs: see what is covered by now.")
    ] = True,
    hidden: Annotated[int | None, typer.Option("--hidden", min=4, max=512, help="Width.")] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=64, help="Processes that share the episodes of an update.")
    ] = 1,
    on: On = "here",
    worlds: Annotated[
        int, typer.Option("--worlds", min=1, max=1_000_000, help="Held-out worlds to measure on.")
    ] = 1000,
    store: StoreFolder = STORE,
    as_json: AsJson = False,
) -> int:
    """Train, measure on held-out worlds, and write the weights with a manifest.

    The same command again goes on where it was stopped or killed.
    """
    from untrod.engines.explore.neural import require
    from untrod.runtime.workers import place

    require("torch", "safetensors", "numpy")
    terms = Terms(out, stop, worlds, place(on), as_json, store)
    if updates is None and minutes is None:
        minutes = 10.0
    if task in PROGRAMS:
        _check("--encoder", encoder, "gnn", "bilstm", "bow", "envcond", "uncond")
        from untrod.engines.explore.programs.trainer import POOLS, ProgramPlan

        program_plan = ProgramPlan(
            task,
            seed=seed,
            updates=updates,
            minutes=minutes,
            pool=POOLS[task],
            imitation=0.75 if imitation is None else imitation,
            group=group or 6,
            hidden=hidden or 64,
            encoder=encoder,  # type: ignore[arg-type]  # checked above
            history=history,
            runtime=runtime,
            workers=workers,
        )
        return train_programs(program_plan, terms)
    from untrod.engines.explore.measure import scores
    from untrod.engines.explore.walk_trainer import WalkPlan, WalkTrainer
    from untrod.engines.explore.worlds.tasks import task as find_task

    family = find_task(task, side)
    _check("--memory", memory, "graph", "pool", "node")
    _check("--teacher", teacher, "hindsight", "planner")
    _check("--moves", moves, "aims", "steps")
    share = 0.5 if imitation is None else imitation
    plan = WalkPlan(
        task,
        seed=seed,
        side=side,
        updates=updates,
        minutes=minutes,
        group=group or 1,
        imitation=0.0 if moves == "steps" else share,  # teachers speak of aims
        hidden=hidden or 32,
        teacher=teacher,  # type: ignore[arg-type]
        memory=memory,  # type: ignore[arg-type]  # checked above
        history=history,
        links=links,
        moves=moves,  # type: ignore[arg-type]
        workers=workers,
    )
    course = WalkTrainer(plan, terms.folder(family.name))
    about: dict[str, Json] = {
        "task": family.name,
        "definition": family.definition,
        "steps": family.steps,
        "moves": moves,
    }
    return take(course, terms, about, lambda: scores(course.policy, family, plan.moves, worlds), _report)


def _check(flag: str, value: str, *known: str) -> None:
    if value not in known:
        raise UntrodError(f"{flag} {value!r} is not known", f"choose from {', '.join(known)}")


def _report(found: dict[str, Json]) -> None:
    say(f"coverage on {found['worlds']:,} held-out worlds:")
    say(f"  learned    {found['learned']:.3f}   (untrained: {found['untrained']:.3f})")
    for name in ("random", "rand-dfs", "dfs", "frontier"):
        row = found[name]
        say(f"  {name:<10} {row['coverage']:.3f}   gain {row['gain']:+.3f} ± {row['within']:.3f}")
