"""Lore: what a policy has learned about a function, for campaigns to come, at larger sizes too.

Most of a policy's state is about paths of one size, and of no use to anybody else. What it learned from them
is small and holds at every size: the Q-values with the memory they come from, the whims that paid, the worst
paths of small sizes, the mutations that helped, the costliest row. That is cut out of one campaign's state
(`lore_of`) and put into the fresh state of another (`instilled`), which then has nothing left to practise.

Places in the code have numbers, and the numbers go with it. It is JSON all the way; the weights of a network
are safetensors inside, with the manifest that vouches for them.
"""

from __future__ import annotations

from untrod.core.vocabulary import Json

_LEARNED = {
    "pyse": ("q", "whims", "practised"),
    "pyse-table": ("q", "whims", "practised"),
    "wise": ("practised",),
    "spf-wca": ("practised",),
    "climb": ("pay", "carried"),
}
"""Policy -> the parts of its state that outlive the paths. Those that are not here learn nothing."""


def lore_of(policy: str, state: Json) -> Json:
    """What of this state is worth keeping; None: nothing."""
    if policy == "auto":
        return {"members": [[name, lore_of(name, saved)] for name, saved in state["members"]]}
    if policy not in _LEARNED:
        return None
    lore = {part: state[part] for part in _LEARNED[policy]}
    if "paths" in state:
        lore["sites"] = state["paths"]["sites"]
    if policy in ("wise", "spf-wca"):
        lore["gave_up"] = state["now"][2]
    return lore


def instilled(policy: str, fresh: Json, lore: Json) -> Json:
    """The state of a policy that has just been made, with this lore in it.

    Raises LookupError, TypeError or ValueError when the lore is of another kind.
    """
    if policy == "auto":
        names = [name for name, _ in fresh["members"]]
        if names != [name for name, _ in lore["members"]]:
            raise ValueError("what another portfolio has learned")
        pairs = zip(fresh["members"], lore["members"], strict=True)
        return {**fresh, "members": [[name, instilled(name, new, old)] for (name, new), (_, old) in pairs]}
    if policy not in _LEARNED or lore is None:
        return fresh
    state = {**fresh, **{part: lore[part] for part in _LEARNED[policy]}}
    if "paths" in fresh:
        state["paths"] = {**fresh["paths"], "sites": lore["sites"]}
    if policy in ("wise", "spf-wca"):
        size, lesson, _, top = fresh["now"]
        state["now"] = [size, lesson, bool(lore["gave_up"]), top]
    return state
