"""`gui`: steps through a user interface that show what a formula says. So far its pure part, without a
campaign and without a command: `agent.py` plays episodes on any driver, `explorers` choose the actions."""
