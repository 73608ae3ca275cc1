"""The format of a shard's state, and what of a snapshot the next campaign on the same target is given."""

from __future__ import annotations

from untrod.core.shapes import Malformed, unpacked
from untrod.core.vocabulary import Json

FORMAT = 3


def check_format(state: Json) -> None:
    """Raises Malformed for what is no state of a shard, or one of another format."""
    try:
        if state["format"] != FORMAT:
            raise Malformed(f"a snapshot in format {state['format']}")
    except (LookupError, TypeError) as error:
        raise Malformed(f"not a snapshot: {error}") from error


def learned_in(snapshot: bytes) -> Json:
    """What a shard has found and learned: `CoverSearch` adopts it. Raises Malformed."""
    state = unpacked(snapshot)
    check_format(state)
    try:
        prunings = [shared["pruning"] for shared in state["symbolic"]]
        return {**state["exploration"], "prunings": prunings}
    except (LookupError, TypeError) as error:
        raise Malformed("not a snapshot of this campaign") from error
