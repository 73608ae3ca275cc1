"""Which device is meant, and one clear line where that cannot be said."""

from __future__ import annotations

import sys

import pytest

from untrod.core.errors import MissingExtra, UntrodError
from untrod.drivers.android.devices import _chosen, find_device


def test_the_only_device_is_meant(adb):
    assert find_device() == "fake-5554"


def test_a_variable_names_it_too(adb, monkeypatch):
    monkeypatch.setenv("ANDROID_SERIAL", "other")
    assert find_device("fake-5554") == "fake-5554"
    with pytest.raises(UntrodError, match=r"there is no device 'other' .say --serial fake-5554"):
        find_device()


@pytest.mark.parametrize(
    ("state", "line"),
    [
        ("", "no Android device is connected .*adb devices"),
        ("unauthorized", "fake-5554 is unauthorized .*allow USB debugging"),
        ("offline", "fake-5554 is offline .*adb reconnect"),
    ],
)
def test_a_device_that_cannot_be_used_is_one_line(adb, state, line):
    adb.state = state
    with pytest.raises(UntrodError, match=line):
        find_device()


def test_with_several_one_has_to_be_chosen():
    states = {"one": "device", "two": "device"}
    with pytest.raises(UntrodError, match=r"2 devices are connected .choose one: --serial one or .*two"):
        _chosen("", states)
    assert _chosen("two", states) == "two"


def test_without_an_adb_server_and_without_adb_there_is_one_line(adb, monkeypatch):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    with pytest.raises(UntrodError, match=r"no adb server answers: .*adb start-server"):
        find_device()


def test_without_uiautomator2_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "uiautomator2", None)
    with pytest.raises(MissingExtra, match=r"pip install 'untrod\[android\]'"):
        find_device()
