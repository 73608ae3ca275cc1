"""The servers of the applications. Each module runs in a process of its own: `python -m ... FOLDER`."""
