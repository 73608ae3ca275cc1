"""The line to the browser, with the test at its other end."""

import json
import os

import pytest

from untrod.drivers.web import cdp
from untrod.drivers.web.cdp import Connection, Endless, Gone, Late, Refused, Session


class FakeBrowser:
    """Answers as it is told to, in pieces of any size."""

    def __init__(self):
        self.reads, writes = os.pipe()
        reads, self.writes = os.pipe()
        self.connection = Connection(reads, writes)

    def says(self, *messages, piece=None):
        data = b"".join(json.dumps(message).encode() + b"\0" for message in messages)
        for start in range(0, len(data), piece or len(data)):
            os.write(self.writes, data[start : start + (piece or len(data))])

    def heard(self):
        return [json.loads(each) for each in os.read(self.reads, 1 << 16).split(b"\0") if each]

    def dies(self):
        os.close(self.writes)


@pytest.fixture
def browser():
    fake = FakeBrowser()
    yield fake
    fake.connection.close()


def test_several_questions_are_under_way_at_once_and_each_gets_its_own_answer(browser):
    one, two = browser.connection.ask("A.one"), browser.connection.ask("A.two", {"x": 1}, "s")
    assert browser.heard() == [
        {"id": one, "method": "A.one", "params": {}},
        {"id": two, "method": "A.two", "params": {"x": 1}, "sessionId": "s"},
    ]
    browser.says({"id": two, "result": {"said": 2}}, {"id": one, "result": {"said": 1}}, piece=7)
    assert browser.connection.answer(one) == {"said": 1}
    assert browser.connection.answer(two) == {"said": 2}


def test_events_that_come_before_an_answer_are_handed_out_before_it(browser):
    seen = []
    browser.connection.on("Page.opened", lambda told, session: seen.append((told["url"], session)))
    number = browser.connection.ask("A.b")
    event = {"method": "Page.opened", "params": {"url": "/"}, "sessionId": "s"}
    browser.says(event, {"method": "Nobody.listens"}, {"id": number, "result": {}}, event)
    browser.connection.answer(number)
    assert seen == [("/", "s")] * 2  # what lies in the pipe is read at once


def test_an_answer_that_nobody_waits_for_is_dropped(browser):
    posted = browser.connection.post("A.b")
    asked = browser.connection.ask("A.c")
    browser.says({"id": posted, "error": {"message": "no"}}, {"id": asked, "result": {}})
    assert browser.connection.answer(asked) == {}
    assert browser.connection._answers == {}


def test_an_error_is_a_refusal_and_an_unknown_session_is_gone(browser):
    one, two = browser.connection.ask("A.b"), browser.connection.ask("A.b", {}, "s")
    browser.says(
        {"id": one, "error": {"code": -32000, "message": "cannot"}},
        {"id": two, "error": {"code": -32001, "message": "Session with given id not found."}},
    )
    with pytest.raises(Refused, match="cannot"):
        browser.connection.answer(one)
    with pytest.raises(Gone, match="Session"):
        browser.connection.answer(two)


@pytest.mark.parametrize(
    "event",
    [
        {"method": "Inspector.targetCrashed", "sessionId": "s"},
        {"method": "Target.detachedFromTarget", "params": {"sessionId": "s"}},
    ],
)
def test_a_page_that_crashes_answers_nothing_more_and_nobody_waits_for_it(browser, event):
    browser.says(event)
    with pytest.raises(Gone, match="the page is gone"):
        Session(browser.connection, "s").call("A.b")
    number = browser.connection.ask("A.b", {}, "another page")
    browser.says({"id": number, "result": {"alive": True}})
    assert browser.connection.answer(number) == {"alive": True}


def test_a_browser_that_dies_is_gone_for_good(browser):
    number = browser.connection.ask("A.b")
    browser.dies()
    with pytest.raises(Gone, match="the browser is gone"):
        browser.connection.answer(number)
    assert browser.connection.closed
    with pytest.raises(Gone):
        browser.connection.call("A.b")


def test_no_answer_in_time_is_late(browser):
    with pytest.raises(Late):
        browser.connection.call("A.b", seconds=0.01)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (r"a\ud800b", "a\ufffdb"),
        (r"\udc00\ud83d\ude00\uD83D", "\ufffd\U0001f600\ufffd"),
        (r"\\ud83d\ude00", "\\ud83d\ufffd"),
    ],
)
def test_half_a_surrogate_pair_is_read_as_what_nobody_knows(browser, said, read):
    os.write(browser.writes, b'{"id": 1, "result": {"said": "%s"}}\0' % said.encode())
    assert browser.connection.call("A.b") == {"said": read}


@pytest.mark.parametrize(
    "said", [b"no JSON", b"[" * 100_000, b"7", b'{"params": {}}', b'{"id": 1, "result": 7}']
)
def test_what_nobody_understands_is_a_browser_that_is_gone(browser, said):
    os.write(browser.writes, said[: 1 << 15] + b"\0")
    with pytest.raises(Gone):
        browser.connection.call("A.b", seconds=1)


def test_a_message_that_does_not_end_is_not_read_to_its_end(browser, monkeypatch):
    monkeypatch.setattr(cdp, "MOST_BYTES", 1000)
    os.write(browser.writes, b"x" * 1001)
    with pytest.raises(Endless):
        browser.connection.call("A.b")


def test_a_question_without_a_limit_of_its_own_waits_as_long_as_the_wire_does(browser):
    browser.connection.patience = 0.01
    with pytest.raises(Late):
        browser.connection.call("A.b")
