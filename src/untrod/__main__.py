"""`python -m untrod`."""

import os
import sys

# It puts the working folder first where modules are looked for: a `typer.py` of the project would be taken
# for the library, and run right here. It is needed only where untrod itself lies in that folder.
if sys.path[0] == os.getcwd() and not __file__.startswith(os.path.join(sys.path[0], "untrod", "")):
    del sys.path[0]

from untrod.cli import main

if __name__ == "__main__":
    main()
