"""Symbolic execution of Python, behind one protocol: protocol.py, then the engines `lean` and `crosshair`.

Needs the extra `symbolic` (Z3, CrossHair); nothing here imports either before it is used.
"""
