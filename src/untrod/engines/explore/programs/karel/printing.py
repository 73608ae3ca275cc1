"""Programs as text: `parse(text(program)) == program`. Each line knows the goals that begin on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from untrod.engines.explore.programs.karel.nodes import Action, Block, Condition, If, Program, Repeat, While


def text(program: Program) -> str:
    return "".join(f"{line}\n" for line, _ in lines(program))


def lines(program: Program) -> list[tuple[str, tuple[int, ...]]]:
    """Line by line, each with the numbers of the branches that are taken there."""
    return [("def run() {", ()), *_block(program.body, "    ", count()), ("}", ())]


def condition(of: Condition) -> str:
    return f"{'not ' * of.negated}{of.name}()"


def _block(block: Block, indent: str, numbers: Iterator[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    deeper = indent + "    "
    for statement in block:
        match statement:
            case Action(name):
                yield f"{indent}{name}();", ()
            case While(holds, body):
                inside = list(_numbered(body, deeper, numbers))
                yield f"{indent}while ({condition(holds)}) {{", (inside[0][1][0], next(numbers))
                yield from inside[1:]
                yield f"{indent}}}", ()
            case Repeat(times, body):
                inside = list(_numbered(body, deeper, numbers))
                yield f"{indent}repeat ({times}) {{", inside[0][1]
                yield from inside[1:]
                yield f"{indent}}}", ()
            case If(holds, then, None):
                inside = list(_numbered(then, deeper, numbers))
                yield f"{indent}if ({condition(holds)}) {{", (inside[0][1][0], next(numbers))
                yield from inside[1:]
                yield f"{indent}}}", ()
            case If(holds, then, otherwise):
                inside = list(_numbered(then, deeper, numbers))
                yield f"{indent}if ({condition(holds)}) {{", inside[0][1]
                yield from inside[1:]
                other = list(_numbered(otherwise or (), deeper, numbers))
                yield f"{indent}}} else {{", other[0][1]
                yield from other[1:]
                yield f"{indent}}}", ()


def _numbered(block: Block, indent: str, numbers: Iterator[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The number of the branch that leads into `block`, as if it were a line, and the block's own lines."""
    yield "", (next(numbers),)
    yield from _block(block, indent, numbers)
