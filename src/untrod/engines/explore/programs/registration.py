"""The environments' ids for Gymnasium. Importing this module registers them, as Gymnasium wants it:

gymnasium.make("untrod.engines.explore.programs.registration:untrod/Karel-v0", steps=10)
"""

from __future__ import annotations

import gymnasium

IDS = {"untrod/RobustFill-v0": "robustfill", "untrod/Karel-v0": "karel"}

for _id, _task in IDS.items():
    gymnasium.register(
        _id, entry_point="untrod.engines.explore.programs.environment:ProgramEnv", kwargs={"task": _task}
    )
