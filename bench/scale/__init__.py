"""How far it goes: workers here, workers on Ray nodes, and the one writer that all of them talk to.

- `curve`: episodes per second with one and two workers, here and on one and two nodes of a cluster (`nodes`);
- `writer`: events per second that the store makes durable, and how large they are.
"""

from __future__ import annotations

from bench.plan import Study
from bench.scale import curve, writer

STUDIES: tuple[Study, ...] = (writer.STUDY, curve.STUDY)
