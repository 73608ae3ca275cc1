"""The campaigns of a store, live in a browser on this machine.

`serve` is the door. Behind it:

- `server`: the address and its end; `app`: what is asked for and what is answered; `gate`: who may ask;
- `pages`: a page by its address, `overview`: the first one; `page`: parts that can change;
- `live`: what has changed since, told to a browser that waits; `live.js` there puts it in.

Nothing is written: the store is opened for reading; campaigns are started and stopped on the command line.
"""

from untrod.output.dashboard.server import serve

__all__ = ["serve"]
