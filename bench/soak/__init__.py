"""Does it stay well overnight? `python -m bench soak --minutes 60`: one hunt, four turns side by side.

- `project`: what is hunted in, copied to a folder of its own: modules that hang, crash, exit, eat memory,
  fork and leave files behind, next to ordinary ones from `examples`;
- `census`: who is alive, what they have in memory and how many descriptors they hold;
- `study`: the run, and what must be true during it and after it.
"""

from __future__ import annotations

from bench.plan import Study
from bench.soak import study

STUDIES: tuple[Study, ...] = (study.STUDY,)
