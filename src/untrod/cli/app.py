"""Puts the verbs together, and turns what goes wrong into one line and an exit status.

0: nothing found. 1: findings. 2: a mistake that a person can mend. 130: interrupted twice.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from untrod import __version__
from untrod.cli import campaigns, dashboard, doctor, hunt, replay, report, settings
from untrod.cli.verbs import add_verbs
from untrod.core.errors import UntrodError
from untrod.core.text import one_line
from untrod.output.terminal import say, say_anything
from untrod.plugins import every_engine
from untrod.session.interrupts import INTERRUPTED

_LONGEST = 2_000  # characters of a complaint: it ends with what to do next

app = typer.Typer(
    name="untrod",
    help="Learns how to explore software and hands over what it finds as tests.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: importing Rich for it would double the start-up time
)
app.command("hunt")(hunt.hunt)
for engine in sorted(every_engine(), key=lambda engine: engine.listed_at):
    add_verbs(app, engine)
app.command("replay")(replay.replay)
app.command("report")(report.report)
app.command("dashboard")(dashboard.dashboard)
app.add_typer(campaigns.app, name="campaigns")
app.command("doctor")(doctor.doctor)


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
) -> None:
    if debug:
        os.environ["UNTROD_DEBUG"] = "1"


def run(arguments: list[str] | None = None) -> None:
    """Never raises anything but SystemExit."""
    say_anything()
    arguments = sys.argv[1:] if arguments is None else arguments
    if "--version" in arguments[:1]:
        say(f"untrod {__version__}")
        sys.exit(0)
    try:
        if os.path.lexists(settings.FILE):
            arguments = settings.with_settings(arguments, Path.cwd(), settable())
        status = app(args=arguments, prog_name="untrod", standalone_mode=False)
        if status == INTERRUPTED:
            raise KeyboardInterrupt
    except UntrodError as error:
        _debug(error)
        sys.exit(_complain(str(error), error.status))
    except typer.TyperException as error:
        _debug(error)
        sys.exit(_complain(_usage(error)))
    except typer.Abort:
        raise KeyboardInterrupt from None
    except BrokenPipeError:
        os._exit(0)  # whoever read our output has gone; there is nobody to tell
    except Exception as error:
        _debug(error)
        sys.exit(_complain(f"{type(error).__name__}: {error} (a bug in untrod: --debug shows where)"))
    sys.exit(status if isinstance(status, int) else 0)


def settable() -> dict[str, list[str]]:
    """The flags of each verb that a project can give; `campaigns` has verbs of its own, which take none.

    Whom to trust is said by a person and not by a project, which may be somebody else's.
    """
    verbs = getattr(typer.main.get_command(app), "commands", {})
    flags = {
        verb: [flag[2:] for option in command.params for flag in option.opts if flag.startswith("--")]
        for verb, command in verbs.items()
        if verb != "campaigns"
    }
    trusting = {verb for verb, known in flags.items() if "trust" in known}
    return {
        verb: [flag for flag in known if verb not in trusting or flag not in ("trust", "allow")]
        for verb, known in flags.items()
    }


def _complain(line: str, status: int = 2) -> int:
    say("untrod: " + one_line(" ".join(line.split()), _LONGEST), to=sys.stderr)
    return status


def _usage(error: typer.TyperException) -> str:
    message = getattr(error, "format_message", lambda: str(error))()
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "untrod"
    return f"{message} (see: {command} --help)"


def _debug(error: BaseException) -> None:
    if os.environ.get("UNTROD_DEBUG"):
        import traceback

        lines = [*traceback.format_exception(error), str(getattr(error, "detail", ""))]
        say("".join(lines), to=sys.stderr)
