"""Monkey: kinds of events in fixed shares, whatever the screen offers most of.

Android's Monkey draws a kind of event first and its place afterwards. Here the kind is drawn from those that
the screen offers, by the shares below, and then an action of that kind. The shares follow the defaults of
Android's Monkey where it has such a kind: touch 15, motion 10, keys for navigation 15, any other key 13, a
change of application 2, the orientation 1. Its touches may hit nothing; ours always hit a widget. A kind
that is not listed has the share of any other key.
"""

from __future__ import annotations

from collections.abc import Sequence

from untrod.drivers.protocol import Action
from untrod.engines.gui.explorers.chance import Chance

SHARES = {
    "click": 15,
    "doubleclick": 15,
    "longclick": 10,
    "hover": 10,
    "scroll": 10,
    "swipe": 10,
    "back": 15,
    "menu": 15,
    "pauseresume": 2,
    "reload": 2,
    "rotate": 1,
}
ANY_OTHER = 13


class Monkey(Chance):
    name = "monkey"

    def choose(self, actions: Sequence[Action]) -> Action:
        kinds = list(dict.fromkeys(action.type for action in actions))
        (kind,) = self._random.choices(kinds, [SHARES.get(each, ANY_OTHER) for each in kinds])
        return self._random.choice([action for action in actions if action.type == kind])
