"""Who is let in, and who is not."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("starlette")

from starlette.responses import PlainTextResponse

from untrod.output.dashboard.gate import Gate

TOKEN = "s3cret-token"
HOST = {"host": "127.0.0.1:8123"}
KNOWN = {**HOST, "cookie": f"a=b; untrod-8123={TOKEN}"}


def ask(path: str = "/", headers: dict[str, str] = KNOWN, method: str = "GET") -> tuple[int, dict[str, str]]:
    """The status and the headers of the answer."""
    sent: list[dict] = []

    async def send(message: dict) -> None:
        sent.append(message)

    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
        "scheme": "http",
        "server": ("127.0.0.1", 8123),
    }
    gate = Gate(PlainTextResponse("in"), TOKEN, 8123)
    asyncio.run(gate(scope, None, send))  # type: ignore[arg-type]
    return sent[0]["status"], {key.decode(): value.decode() for key, value in sent[0]["headers"]}


def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address() -> None:
    status, headers = ask(f"/campaign/x?token={TOKEN}&page=2", HOST)

    assert (status, headers["location"]) == (303, "/campaign/x?page=2")
    assert headers["set-cookie"] == f"untrod-8123={TOKEN}; HttpOnly; Path=/; SameSite=strict"


@pytest.mark.parametrize(
    "headers", [KNOWN, {**HOST, "authorization": f"Bearer {TOKEN}"}, {**KNOWN, "host": "localhost:8123"}]
)
def test_a_cookie_or_a_header_with_the_token_is_let_in(headers: dict[str, str]) -> None:
    assert ask(headers=headers)[0] == 200


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", HOST),
        ("/?token=", HOST),
        ("/?token=wrong", HOST),
        ("/?token=wrong", KNOWN),
        ("/", {**HOST, "cookie": "untrod-8123=wrong"}),
        ("/", {**HOST, "cookie": f"untrod-9999={TOKEN}"}),
        ("/", {**HOST, "cookie": "\xff;=;\x00"}),
        ("/", {**HOST, "authorization": "Bearer wrong"}),
        ("/", {**HOST, "authorization": f"Basic {TOKEN}"}),
    ],
)
def test_without_the_token_nothing_is_told(path: str, headers: dict[str, str]) -> None:
    status, answered = ask(path, headers)

    assert status == 401
    assert "set-cookie" not in answered


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8123", "127.0.0.1", "127.0.0.1:80", ""])
def test_another_host_is_refused_even_with_the_token(host: str) -> None:
    assert ask(headers={**KNOWN, "host": host})[0] == 421
    assert ask(f"/?token={TOKEN}", {"host": host})[0] == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://127.0.0.1:8123", "http://127.0.0.1:80", "null"]
)
def test_another_origin_is_refused_even_with_the_token(origin: str) -> None:
    assert ask(headers={**KNOWN, "origin": origin})[0] == 403
    assert ask(headers={**KNOWN, "origin": "http://127.0.0.1:8123"})[0] == 200


def test_another_site_may_link_to_it_and_not_embed_it() -> None:
    foreign = {**KNOWN, "sec-fetch-site": "cross-site"}

    assert ask(headers={**foreign, "sec-fetch-mode": "no-cors"})[0] == 403
    assert ask(headers={**foreign, "sec-fetch-mode": "navigate"})[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_can_be_changed(method: str) -> None:
    assert ask(method=method)[0] == 405


@pytest.mark.parametrize("headers", [KNOWN, HOST])
def test_no_answer_is_kept_framed_or_guessed_at(headers: dict[str, str]) -> None:
    _, answered = ask(headers=headers)

    assert answered["cache-control"] == "no-store"
    assert answered["x-frame-options"] == "DENY"
    assert answered["x-content-type-options"] == "nosniff"
    assert answered["cross-origin-resource-policy"] == "same-origin"
