"""Which shapes the lean engine can take. Apart from the engine, because asking must not import Z3."""

from __future__ import annotations

from untrod.symbolic.shapes import Arguments, Bytes, Dict, List, Shape, Tuple


def unsuited(shape: Shape) -> str:
    """What in `shape` is beyond the engine, in words; empty if nothing is."""
    match shape:
        case Bytes():
            return "symbolic bytes"
        case List(element, _) | Dict(_, element):
            return unsuited(element)
        case Tuple(parts) | Arguments(parts):
            return next(filter(None, map(unsuited, parts)), "")
    return ""
