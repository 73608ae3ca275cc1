"""What every driver promises (`untrod.drivers.protocol`), as checks that any of them can be put through."""

from __future__ import annotations

from random import Random

from untrod.drivers.protocol import Action, Driver, Outcome

STRANGER = Action("click", ("role", "button"), "", "nobody has this name")


def check_driver(driver: Driver, *, steps: int = 6, seed: int = 0) -> None:
    """Raises AssertionError where the driver breaks its word. The driver is left open."""
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
        assert isinstance(step.outcome, Outcome)
        assert step.ms >= 0
        screen = step.screen
        assert screen.id
        assert screen.concrete_id
    assert driver.resolve(STRANGER) is None
    assert driver.reset().id == start.id


def check_closing(driver: Driver) -> None:
    driver.close()
    driver.close()
