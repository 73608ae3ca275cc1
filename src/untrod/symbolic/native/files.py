"""The files that an emulated program sees: its input, what it writes, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass
class Content:
    """`first` is the number of the first symbolic byte, None where nothing is symbolic. What the program
    writes over is symbolic no more."""

    data: bytearray
    first: int | None = None
    pipe: bool = False


@dataclass
class Open:
    content: Content
    at: int = 0
    append: bool = False
    path: str = ""


@dataclass
class Files:
    """Descriptors and names. `copy` is what a snapshot keeps."""

    named: dict[str, Content]
    stdout: Content
    """Also after it was closed."""
    open: dict[int, Open] = field(default_factory=dict)

    def copy(self) -> Files:
        contents: dict[int, Content] = {}

        def same(content: Content) -> Content:
            found = contents.get(id(content))
            if found is None:
                found = contents[id(content)] = replace(content, data=bytearray(content.data))
            return found

        named = {name: same(content) for name, content in self.named.items()}
        return Files(
            named, same(self.stdout), {fd: replace(o, content=same(o.content)) for fd, o in self.open.items()}
        )

    def add(self, opened: Open, lowest: int = 0) -> int:
        number = lowest
        while number in self.open:
            number += 1
        self.open[number] = opened
        return number
