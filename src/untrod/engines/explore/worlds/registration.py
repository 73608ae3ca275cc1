"""The environments' ids for Gymnasium. Importing this module registers them, as Gymnasium wants it:

gymnasium.make("untrod.engines.explore.worlds.registration:untrod/Maze-v0", side=10)
"""

from __future__ import annotations

import gymnasium

IDS = {
    "untrod/Maze-v0": "maze",
    "untrod/BraidedMaze-v0": "braided",
    "untrod/App-v0": "app",
    "untrod/DirectedApp-v0": "directed-app",
}

for _id, _task in IDS.items():
    gymnasium.register(
        _id, entry_point="untrod.engines.explore.worlds.environment:WalkEnv", kwargs={"task": _task}
    )
