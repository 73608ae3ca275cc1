"""`--on`, before any Ray is there."""

from __future__ import annotations

import socket

import pytest

from untrod.core.errors import UntrodError
from untrod.runtime import workers
from untrod.runtime.ray.link import Link


def test_an_address_where_nothing_listens_is_one_line_and_exit_2(bst):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"ray://127.0.0.1:{unused.getsockname()[1]}"
        result = bst.untrod("inputs", "bst.py:tree", "--valid", "is_bst", "--on", address)
    assert result.status == 2
    (line,) = result.err.splitlines()
    assert line.startswith(f"untrod: Ray does not answer at {address}: Connection refused (")
    assert "finished" in bst.untrod("campaigns", "list").out
    home = bst.untrod("campaigns", "resume", "inputs", "--on", "here", "--budget", 200, "--json")
    assert home.status == 0, home.err
    assert home.of("campaign-finished")[0]["episodes"] == 200


@pytest.mark.parametrize("address", ["ray://", "ray://nowhere", "ray://127.0.0.1:x"])
def test_what_is_no_address_is_said_so(address):
    with pytest.raises(UntrodError, match=r"is no address of Ray \(write ray://HOST:PORT\)"):
        Link(address)


def test_another_place_is_refused():
    with pytest.raises(UntrodError, match="--on 'roy' is no place"):
        workers.place("roy")
    assert workers.place("here") == ""


def test_without_ray_the_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(workers, "find_spec", lambda name: None)
    with pytest.raises(UntrodError, match=r"pip install 'untrod\[ray\]'"):
        workers.place("ray")
