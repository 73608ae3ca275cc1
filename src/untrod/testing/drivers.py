"""What every driver does (`untrod.drivers.protocol`), as checks that any of them can be put through.

assert check_driver(MyDriver(...)) == ("Paced",)     # which of the optional protocols it has
"""

from __future__ import annotations

from random import Random

from untrod.drivers.protocol import (
    OPTIONAL,
    Action,
    Driver,
    DriverFactory,
    DriverOptions,
    Hooked,
    Paced,
    Pictured,
    StepOutcome,
)
from untrod.drivers.setup_script import HOOKS

STRANGER = Action("click", ("role", "button"), "", "nobody has this name")


PNG = b"\x89PNG\r\n\x1a\n"


def check_driver(driver: Driver, *, steps: int = 6, seed: int = 0) -> tuple[str, ...]:
    """The names of the optional protocols that the driver has. It is left open.

    Raises AssertionError where the driver breaks its word.
    """
    start = driver.reset()
    assert driver.reset().id == start.id, "a reset leads to the same screen, to a person's eye"
    assert "soft" in driver.capabilities.resets
    random, screen = Random(seed), driver.reset()
    for _ in range(steps):
        offered = list(driver.actions(screen))
        assert offered == list(driver.actions(screen)), "the order is stable"
        assert len(set(offered)) == len(offered), "nothing is offered twice"
        if not offered:
            break
        action = random.choice(offered)
        assert driver.resolve(action) == action, "what is offered can be found"
        step = driver.step(action)
        assert step.action == action
        assert isinstance(step.outcome, StepOutcome)
        assert step.ms >= 0
        screen = step.screen
        assert screen.id
        assert screen.concrete_id
    assert driver.resolve(STRANGER) is None
    assert driver.reset().id == start.id
    if isinstance(driver, Paced):
        driver.pace(slow=True)
        assert driver.reset().id == start.id, "the pace does not change where a reset leads"
        driver.pace(slow=False)
    if isinstance(driver, Pictured):
        picture = driver.screenshot()
        assert not picture or picture.startswith(PNG), "a screenshot is a PNG, or empty"
    if isinstance(driver, Hooked):
        assert set(driver.hooks) <= set(HOOKS), "hooks are the names of the setup script's functions"
    return tuple(each.__name__ for each in OPTIONAL if isinstance(driver, each))


def check_factory(factory: DriverFactory, options: DriverOptions) -> Driver:
    """`options` are those of a target that can be opened. The driver is handed back, open."""
    assert isinstance(factory.stage, bool)
    assert isinstance(factory.opens(options.target), bool)
    factory.check(options)
    words = factory.needs([options.target])
    assert isinstance(words, frozenset), "needs are words for --allow"
    assert all(isinstance(word, str) for word in words)
    return factory.open(options)


def check_closing(driver: Driver) -> None:
    driver.close()
    driver.close()
