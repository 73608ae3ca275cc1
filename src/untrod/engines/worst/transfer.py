"""What a campaign hands on to the next one on the same function, at larger sizes too.

Most of a policy's state is about paths of one size, and of no use to anybody else. What it learned from them
is small and holds at every size: the Q-values with the memory they come from, the sticky rules that paid, the
worst paths of small sizes, the mutations that helped, the costliest vector. When a campaign ends, the engine
cuts that out of a shard's snapshot (`transfer`); when the next begins, a shard puts it into the fresh state
of its own policy (`adopt`), which then has nothing left to practise.

Places in the code have numbers, and the numbers go with it. It is JSON all the way; the weights of a network
are safetensors inside, with the manifest that vouches for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from untrod.core.shapes import Malformed, unpacked
from untrod.core.vocabulary import Json
from untrod.engines.worst.policies.catalogue import make_policy

if TYPE_CHECKING:
    from untrod.engines.worst.protocol import SearchPolicy

FORMAT = 2
"""Of a snapshot, and of what is transferred."""
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading a snapshot, or anything taken from one, may raise when it is not what it should be."""
_TRANSFERRED = {
    "pyse": ("q", "whims", "practised"),
    "pyse-table": ("q", "whims", "practised"),
    "wise": ("practised",),
    "spf-wca": ("practised",),
    "climb": ("pay", "carried"),
}
"""Policy -> the parts of its state that outlive the paths. Those that are not here learn nothing."""


def transfer(snapshot: bytes) -> Json:
    """What the next campaign can start from; None: nothing was learned.

    Raises Malformed when this is no snapshot of ours.
    """
    body = unpacked(snapshot)
    try:
        part = transferable(body["policy"], body["hunt"]["policy"])
        if part is None:
            return None
        sizes = [int(record["size"]) for record in body["hunt"]["places"] if record["attempts"]]
    except UNREADABLE as error:
        raise Malformed("not a snapshot of this campaign") from error
    return {
        "format": FORMAT,
        "policy": body["policy"],
        "code": body["code"],
        "sizes": sorted(sizes),
        "lore": part,
    }


def adopt(name: str, seed: int, code: str, transferred: Json) -> tuple[SearchPolicy, str]:
    """The policy, and a line to be told; nothing to tell when there was nothing to start from.

    `code` is what `subject.code_of` says of the function today.
    """
    policy = make_policy(name, seed)
    if transferred is None:
        return policy, ""
    try:
        if transferred["format"] != FORMAT or transferred["policy"] != name:
            raise ValueError(f"learned by {transferred['policy']} in format {transferred['format']}")
        if transferred["code"] != code:
            return policy, "the function has changed since the last campaign: nothing of that one is used"
        policy.load(adopted_state(name, policy.state(), transferred["lore"]))
        sizes = ", ".join(map(str, transferred["sizes"]))
    except UNREADABLE as error:
        return make_policy(name, seed), f"what the last campaign learned cannot be used: {error}"
    return policy, f"{name} starts from what it has learned at the sizes {sizes} (--cold: from nothing)"


def transferable(policy: str, state: Json) -> Json:
    """What of this state is of use to others; None: nothing."""
    if policy == "auto":
        return {"members": [[name, transferable(name, saved)] for name, saved in state["members"]]}
    if policy not in _TRANSFERRED:
        return None
    part = {key: state[key] for key in _TRANSFERRED[policy]}
    if "paths" in state:
        part["sites"] = state["paths"]["sites"]
    if policy in ("wise", "spf-wca"):
        part["gave_up"] = state["now"][2]
    return part


def adopted_state(policy: str, fresh: Json, part: Json) -> Json:
    """The state of a policy that has just been made, with the transferable part of another in it.

    Raises LookupError, TypeError or ValueError when that is of another kind.
    """
    if policy == "auto":
        names = [name for name, _ in fresh["members"]]
        if names != [name for name, _ in part["members"]]:
            raise ValueError("what another portfolio has learned")
        pairs = zip(fresh["members"], part["members"], strict=True)
        return {
            **fresh,
            "members": [[name, adopted_state(name, new, old)] for (name, new), (_, old) in pairs],
        }
    if policy not in _TRANSFERRED or part is None:
        return fresh
    state = {**fresh, **{key: part[key] for key in _TRANSFERRED[policy]}}
    if "paths" in fresh:
        state["paths"] = {**fresh["paths"], "sites": part["sites"]}
    if policy in ("wise", "spf-wca"):
        size, lesson, _, top = fresh["now"]
        state["now"] = [size, lesson, bool(part["gave_up"]), top]
    return state
