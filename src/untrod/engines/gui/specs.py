"""What is to be shown, or to be broken."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.reading import SOURCE, is_regular, read_text
from untrod.ltl import Formula, negation, parse, read_gherkin, require_steps, satisfiable, sentence, simplify

DEFAULTS = {
    "no uncaught exception": "G ![event = exception]",
    "no server error": "G ![event = server-error]",
    "no client error": "G ![event = client-error]",
    "no dead page": "G (![event = dead-page] & ![event = crash])",
}
"""Looked for without being asked for, on a page."""
ANDROID_DEFAULTS = {
    "no crash": "G ![event = crash]",
    "it always responds": "G ![event = anr]",
}


@dataclass(frozen=True)
class Spec:
    """`violate`: find a trace that breaks the formula. Only what no continuation can mend counts as broken:
    that `F a` has not come to pass when a trace ends is no counterexample to it."""

    text: str
    violate: bool = False
    name: str = ""

    @cached_property
    def formula(self) -> Formula:
        return parse(self.text)

    @cached_property
    def goal(self) -> Formula:
        """What the trace has to satisfy that is looked for."""
        return negation(simplify(self.formula)) if self.violate else self.formula

    @property
    def key(self) -> str:
        return f"{'violate' if self.violate else 'satisfy'} {self.text}"

    @property
    def title(self) -> str:
        return self.name or sentence(self.formula).rstrip(".")

    def check(self, steps: int) -> None:
        """Raises UntrodError when no trace of so many steps can be what is looked for."""
        require_steps(self.formula, steps, violate=self.violate)
        if satisfiable(self.goal).possible is False:
            if self.violate:
                raise UntrodError(f"nothing can break {self.text}: it always holds", "check the formula")
            raise UntrodError(f"no trace satisfies {self.text}: it contradicts itself", "check the formula")


def read_specs(
    texts: Sequence[str], *, violate: bool, folder: Path, defaults: Mapping[str, str] = DEFAULTS
) -> list[Spec]:
    """Formulas, or files with formulas (blank lines between them) or scenarios (`.feature`).

    Without any: the properties that every application should have.
    """
    if not texts:
        return [Spec(text, True, name) for name, text in defaults.items()]
    specs: dict[str, Spec] = {}
    for text in texts:
        path = folder / text
        if text.endswith((".ltl", ".feature")) or (len(text) < 200 and "[" not in text and is_regular(path)):
            found = _from_file(path, text, violate)
        else:
            found = [Spec(" ".join(text.split()), violate)]
            _ = found[0].formula  # complains: now, and about what was typed
        specs |= {spec.key: spec for spec in found}
    return list(specs.values())


def _from_file(path: Path, name: str, violate: bool) -> list[Spec]:
    try:
        source = read_text(path, SOURCE)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", "") or "not text"
        raise UntrodError(f"cannot read {name}: {why}", "give a formula, or the path of a file") from None
    try:
        if name.endswith(".feature"):
            scenarios = read_gherkin(source)
            return [Spec(str(each.formula()), violate or each.is_rule, each.name) for each in scenarios]
        return [_block(block, violate) for block in re.split(r"\n\s*\n", source) if _bare(block)] or _empty()
    except UntrodError as error:
        raise UntrodError(f"{name}: {error.message}", error.hint) from None


def _block(block: str, violate: bool) -> Spec:
    """A formula may go over several lines; a comment above it is its name."""
    lines = [line.strip() for line in block.strip().splitlines()]
    name = lines[0].lstrip("# ").strip() if lines[0].startswith("#") else ""
    spec = Spec(" ".join(line for line in lines if not line.startswith("#")), violate, name)
    _ = spec.formula
    return spec


def _bare(block: str) -> str:
    return "".join(line for line in block.splitlines() if not line.strip().startswith("#")).strip()


def _empty() -> list[Spec]:
    raise UntrodError("there is no formula in it", "write one, such as F [text ~ Saved]")
