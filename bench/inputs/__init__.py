"""The `inputs` engine: the paper's tree study on the native loop, and Hypothesis tests under every backend.

- `native`: 100,000 trees, the abstractions of the paper against random;
"""

from __future__ import annotations

from bench.inputs import native
from bench.plan import Study

STUDIES: tuple[Study, ...] = (native.STUDY,)
