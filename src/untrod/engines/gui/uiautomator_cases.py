"""A finding on an Android device as a test case for uiautomator2 and pytest."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from untrod.core.vocabulary import Finding, Json
from untrod.drivers.protocol import Action
from untrod.engines.gui.engine import GuiConfig
from untrod.engines.gui.uiautomator_steps import DEVICE, EVENTS, beginning, check, emptied, steps, trouble
from untrod.output.cases import Do, Expectation, IsTrue, KnownFailure, Let, Passes, Returns, TestCase
from untrod.source.nodes import Atom, Call, Ref


def android_case(config: GuiConfig, finding: Finding, actions: list[Action], report: Json) -> TestCase | None:
    """After each step that changes the activity, the test waits for the new one: a finger is faster than a
    phone."""
    broken = finding.kind == "counterexample"
    listens = any(name == "event" for _, name, *_ in report["reasons"])
    given: list[Let | Do] = [Do(emptied())] if listens else []
    given += [Do(call) for call in _start(config, report.get("hooks", ()))]
    given += [Do(call) for call in _checks(report["reasons"], 0, broken)]
    activity = report.get("activity", "")
    for number, action in enumerate(actions, 1):
        calls = steps(action, config.target, config.idle)
        if calls is None:
            return None
        checks = _checks(report["reasons"], number, broken)
        taken = report["steps"][number - 1 : number]
        reached = taken[0].get("activity", "") if taken else ""
        if reached not in ("", activity) and not any("activity" in str(each) for each in checks):
            arrived = check("activity", "=", reached, True)
            calls += [arrived] if arrived is not None else []
        activity = reached
        given += [Do(call) for call in (*calls, *checks)]
    call, expectation = _ending(config.target, report["reasons"], broken, given)
    return TestCase(
        name_hint=finding.title.rpartition(":")[0],
        call=call,
        expectation=expectation,
        given=tuple(given),
        known_failure=KnownFailure(finding.title) if broken else None,
        fixtures=("device",),
        finding=finding.id,
    )


def _start(config: GuiConfig, hooks: Collection[str]) -> list[Call]:
    module = Path(config.setup).stem
    before = [Call(Ref(module, "reset"))] if "reset" in hooks else []
    login = [Call(Ref(module, "login"), (DEVICE,))] if "login" in hooks else []
    return [*before, *beginning(config.target), *login]


def _checks(reasons: list[Json], number: int, broken: bool) -> list[Call]:
    """Of a witness, all that made it one. Of a counterexample, what should not have been at its last step."""
    last = max((at for at, *_ in reasons), default=0)
    found: dict[Call, None] = {}
    for at, name, operator, value, holds in reasons:
        if at == number and not name.startswith(("action", "event")) and (at == last or not broken):
            call = check(name, operator, value, holds is not broken)
            found |= {} if call is None else {call: None}
    return list(found)


def _ending(
    package: str, reasons: list[Json], broken: bool, given: list[Let | Do]
) -> tuple[Call | Atom, Expectation]:
    """The last thing a test does: a look into the log if that matters, else its last step."""
    for _, name, _, value, holds in reversed(reasons):
        if name == "event" and value in EVENTS:
            logged = trouble(value, package)
            return (logged, IsTrue()) if holds is not broken else (logged, Returns(Atom("0")))
    last = given.pop()
    assert isinstance(last, Do)
    assert isinstance(last.call, Call)
    return last.call, Passes()
