"""`untrod dashboard`: its address, its end, and what keeps it from starting."""

from __future__ import annotations

import json
import signal
import socket
import urllib.request

import pytest

from untrod.core.budget import Budget
from untrod.store import Store

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


@pytest.fixture
def filled(project):
    with Store.open(project.folder / ".untrod") as store:
        store.create_campaign("inputs", "shop.py:tree", {}, 0, Budget(episodes=1))
    return project


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_names_its_address_and_ends_when_asked_also_with_somebody_looking(filled, end) -> None:
    with filled.start("dashboard", "--json") as process:
        address = json.loads(process.stdout.readline())["address"]
        base, _, token = address.partition("?token=")
        asked = urllib.request.Request(f"{base}live?of=/", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked) as stream:
            assert stream.readline() == b"retry: 1000\n"
            assert stream.readline() == b"\n"
            assert stream.readline().startswith(b"data: "), "the page is told"
            process.send_signal(end)
            stream.read()  # up to its end
        out, err = process.communicate(timeout=20)

    assert process.returncode == (0 if end == signal.SIGINT else -signal.SIGTERM)
    assert (out, err) == ("", "")


def test_for_people_it_says_how_to_end_it_and_that_works_at_once(filled) -> None:
    with filled.start("dashboard") as process:
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        assert process.stdout.readline() == "Ctrl-C ends it.\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")


def test_a_port_in_use_is_named(filled) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        result = filled.untrod("dashboard", "--port", port)

    assert result.status == 2
    assert result.err == f"untrod: port {port} is in use (choose another with --port, or leave it out)\n"


def test_without_a_store_it_says_what_to_do(project) -> None:
    result = project.untrod("dashboard")

    assert result.status == 2
    assert "there is no store in" in result.err
    assert "(run a campaign first)" in result.err
    assert not (project.folder / ".untrod").exists()
