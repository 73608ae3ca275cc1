"""What `untrod report` shows after a hunt: all of it, until something else has been run."""

from __future__ import annotations

import json

from untrod.core.budget import Budget
from untrod.hunting.kept import KEY, keep, last_hunt
from untrod.output.summary import Section
from untrod.store import Store


def campaign(store: Store, target: str) -> str:
    return store.create_campaign("cover", target, {}, 0, Budget()).id


def test_the_report_after_a_hunt_is_that_of_the_hunt(project):
    with Store.open(project.folder / ".untrod") as store:
        ids = [campaign(store, target) for target in ("a.py", "b.py")]
        keep(store, ids, [Section("What was done", ("cover a.py: <b>all</b>",))])
    (told,) = project.untrod("report", "--json").events
    assert told["campaigns"] == ids
    page = (project.folder / told["path"]).read_text()
    assert told["path"].endswith("hunt.html")
    assert "cover a.py: &lt;b&gt;all&lt;/b&gt;" in page
    (told,) = project.untrod("report", ids[0], "--json").events
    assert told["campaigns"] == [ids[0]]


def test_until_something_else_is_run(tmp_path):
    with Store.open(tmp_path / "store") as store:
        assert last_hunt(store) is None
        keep(store, [campaign(store, "a.py")], [])
        assert last_hunt(store) is not None
        campaign(store, "b.py")
        assert last_hunt(store) is None


def test_what_is_kept_may_be_damaged(tmp_path):
    with Store.open(tmp_path / "store") as store:
        own = campaign(store, "a.py")
        for body in (b"\xff", b"[]", b'{"campaigns": ["gone"], "sections": []}', b'{"campaigns": [3]}'):
            store.save_table(KEY, {"what": "hunt"}, body)
            assert last_hunt(store) is None
        good = {"campaigns": [own], "sections": []}
        store.save_table(KEY, {"what": "hunt"}, json.dumps(good).encode())
        assert last_hunt(store).campaigns == (own,)
