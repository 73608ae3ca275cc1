import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "ltl"))  # random_formulas
