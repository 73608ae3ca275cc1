"""Warm starts: what one run has learned, for the next one.

    tables = export_tables(provider)           # after a run: JSON, for the store
    with configure(tables=tables): test()      # before the next

Tables are keyed by the names of strategies (see `names`), which are the same in every process. A test whose
strategies have changed meets sites it does not know and learns them anew; nothing has to be thrown away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from untrod.core.errors import UntrodError
from untrod.core.protocols import Sleeps
from untrod.core.vocabulary import Json, digest
from untrod.learn.exonerate.learner import Exonerate, exonerate_of

if TYPE_CHECKING:
    from untrod.engines.inputs.backend.provider import UntrodProvider

FORMAT = 1


def export_tables(provider: UntrodProvider) -> Json:
    """None when the run had nothing to teach: nothing was rejected, or its learner keeps no tables."""
    student = exonerate_of(provider.learner)
    if student is None or not student.cells:
        return None
    return {"format": FORMAT, "structure": structure(student), "exonerate": student.transfer()}


def load_tables(learner: Any, tables: Json) -> None:
    """Let `learner` go on from `tables`, if it is one that can.

    Raises UntrodError, and changes nothing, when they are not from this version.
    """
    student = exonerate_of(learner)
    if student is None:
        return
    try:
        if tables["format"] != FORMAT:
            raise ValueError("another format")
        student.adopt(tables["exonerate"])
    except (KeyError, TypeError, ValueError) as error:
        raise UntrodError(f"these learned tables cannot be read: {error}", "start without them") from error
    if isinstance(learner, Sleeps):
        learner.wake()


def structure(student: Exonerate) -> str:
    """A digest of the sites a test asks at: what to key stored tables by, beside the test's name."""
    sites = {str(feature[1]) for feature in student.cells if isinstance(feature, tuple) and feature[0] == 0}
    return digest("\n".join(sorted(sites)))
