"""Code that sets a trace function: with a stand-in for `sys.settrace` it is seen as any other."""

from __future__ import annotations

import sys

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.outside.settings import Setting
from untrod.source.nodes import Atom

SOURCE = """
import sys

class Watch:
    def start(self):
        sys.settrace(self.trace)
    def stop(self):
        sys.settrace(None)
    def trace(self, frame, event, argument):
        return self.trace
    def sign(self, n: int) -> int:
        if n < 0:
            return -1
        return 1
"""
WATCHED = Setting("return", "sys:settrace")


def test_what_blinds_the_tracer_is_no_test_and_with_a_stand_in_it_is(load) -> None:
    subject = load("watch", source=SOURCE)
    before = sys.gettrace()
    steps = (Step("Watch"), Step("start"), Step("sign", (Atom("-3"),)))
    blind = subject.run(Input("watch:Watch", steps))
    seen = subject.run(Input("watch:Watch", steps, (WATCHED,)))
    assert sys.gettrace() is before
    assert not blind.testable
    assert seen.testable
    negative = {arc.end for arc in subject.branch_map.named(seen.arcs) if arc.start == 12}
    assert negative == {13}
    assert not {arc for arc in subject.branch_map.named(blind.arcs) if arc.start == 12}


def test_the_stand_in_is_drawn_where_the_source_names_the_function(load) -> None:
    from random import Random

    from untrod.engines.cover.loading import load_words
    from untrod.engines.cover.values.kinds import DrawContext

    subject = load("watch", source=SOURCE)
    context = DrawContext(Random(1), load_words(subject))
    drawn = [subject.drawers["watch:Watch"].draw(context).world for _ in range(50)]
    assert (WATCHED,) in drawn
    assert () in drawn
