"""The tests we hand over: written as by a person, formatted as by ruff, passing under pytest alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
import random_values

from untrod.output.cases import (
    Do,
    Each,
    IsTrue,
    KnownFailure,
    Let,
    Passes,
    Raises,
    TestCase,
    error_type,
    raises,
    replayed,
    returns,
)
from untrod.output.pytest_verify import TestOutcome, verify
from untrod.output.pytest_writer import Origin, render_file, write_tests
from untrod.source.literals import express
from untrod.source.nodes import Atom, Call, Node, Ref, Text

CART = """
def total(prices):
    if not prices:
        raise ValueError("no prices (yet)")
    return sum(prices)


def is_never_negative(prices):
    assert sum(prices) >= 0, "negative"
    return True


def same(value):
    return value


def trees(choose):
    if choose(2) == 0:
        return None
    return (trees(choose), choose("abc"), trees(choose))


def depth(tree):
    assert tree is None or tree[1] != "c", "unlucky"
    return 0 if tree is None else 1 + max(depth(tree[0]), depth(tree[2]))


def replay(value):
    return value


def test_like(value):
    return value == 1
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "shop" / "cart.py").write_text(CART)
    shutil.copy(str(random_values.__file__), tmp_path / "random_values.py")
    return tmp_path


def origin(project: Path) -> Origin:
    return Origin("inputs", "shop.cart:total", project, (project,))


def cart(name: str) -> Ref:
    return Ref("shop.cart", name)


def as_node(value: Any) -> Node:
    node = express(value)
    assert node is not None
    return node


def pinned(value: Any, hint: str = "same returns its argument") -> TestCase:
    expected = returns(value)
    assert expected is not None
    return TestCase(hint, Call(cart("same"), (as_node(value),)), expected)


def one_of_each() -> list[TestCase]:
    prices = Atom("prices")
    holding = Each("prices", (as_node([1]), as_node([0, 2.5])))
    failing = KnownFailure("f1234abcd: depth raises AssertionError: unlucky")
    return [
        TestCase("total of no prices raises", Call(cart("total"), (as_node([]),)), raises(ValueError())),
        TestCase(
            "the message of total names the reason",
            Call(cart("total"), (as_node([]),)),
            Raises(error_type(ValueError()), "no prices (yet)"),
        ),
        TestCase(
            "total is never negative", Call(cart("is_never_negative"), (prices,)), IsTrue(), each=holding
        ),
        TestCase(
            "depth of an unlucky tree",
            Call(cart("depth"), (Atom("tree"),)),
            Passes(),
            given=(Let("tree", replayed(cart("trees"), (1, 0, 2))),),
            known_failure=failing,
            finding="f1234abcd",
        ),
        TestCase(
            "total crashes",
            Call(Ref("os", "abort")),
            known_failure=KnownFailure("the process dies of a signal", run=False),
        ),
        TestCase(
            "a step comes first",
            Call(Atom("basket.count"), (Atom("1"),)),
            returns(1),
            given=(Let("basket", as_node([])), Do(Call(Atom("basket.append"), (Atom("1"),)))),
        ),
        pinned(float("nan"), "not a number is pinned by its repr"),
        pinned(None, "nothing is pinned by identity"),
        pinned(["a long price tag " * 3] * 3, "what does not fit gets a name"),
    ]


def ruff_says(path: Path, project: Path) -> str:
    said = ""
    for command in (["format", "--diff"], ["check", "--select", "E,F,I,W"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--isolated", "--no-cache", str(path)]
        done = subprocess.run(ruff, cwd=project, capture_output=True, text=True, check=False)
        said += "" if done.returncode == 0 else done.stdout + done.stderr
    return said


def test_every_kind_of_case_passes_under_pytest_alone_from_elsewhere(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    [path] = write_tests(project / "tests" / "found", "shop.cart", one_of_each(), origin(project))
    assert path.name == "test_shop_cart.py"
    assert "untrod" not in path.read_text().split("untrod:seal")[1]
    result = verify(path, project=tmp_path_factory.mktemp("elsewhere"), timeout=60)
    assert result.error == ""
    outcomes = {test.name: test.outcome for test in result.tests}
    assert outcomes.pop("test_depth_of_an_unlucky_tree") is TestOutcome.EXPECTED_FAILURE
    assert outcomes.pop("test_total_crashes") is TestOutcome.EXPECTED_FAILURE
    assert set(outcomes.values()) == {TestOutcome.PASSED}
    assert len(outcomes) == 8
    assert result.ok


def test_a_fixed_bug_turns_the_test_red(project: Path) -> None:
    [path] = write_tests(project / "tests", "shop.cart", one_of_each(), origin(project))
    fixed = CART.replace('assert tree is None or tree[1] != "c", "unlucky"', "pass")
    (project / "shop" / "cart.py").write_text(fixed)
    failed = [test for test in verify(path, project=project, timeout=60).tests if not test.replays]
    assert [test.name for test in failed] == ["test_depth_of_an_unlucky_tree"]
    assert "XPASS(strict)" in failed[0].message


def test_ruff_has_nothing_to_say(project: Path) -> None:
    [path] = write_tests(project / "tests", "shop.cart", one_of_each(), origin(project))
    assert ruff_says(path, project) == ""


@pytest.mark.parametrize("seed", range(4))
def test_random_values_are_pinned_formatted_and_pass(project: Path, seed: int) -> None:
    random = Random(seed)
    values = [
        value for value in (random_values.value(random) for _ in range(40)) if express(value) is not None
    ]
    cases = [pinned(value, random_values.text(random)) for value in values]
    cases.append(
        TestCase("each", Call(cart("same"), (Atom("v"),)), each=Each("v", tuple(map(as_node, values))))
    )
    [path] = write_tests(project / "tests", "shop.cart", cases, origin(project))
    assert ruff_says(path, project) == ""
    result = verify(path, project=project, timeout=60)
    assert result.ok, [test for test in result.tests if not test.replays] or result.error


def test_the_same_cases_in_any_order_give_the_same_bytes(project: Path) -> None:
    cases = one_of_each()
    again = [*reversed(cases), *cases]
    assert render_file(project, cases, origin(project)) == render_file(project, again, origin(project))


def test_two_cases_of_one_name_are_told_apart(project: Path) -> None:
    source = render_file(project, [pinned(1), pinned(2)], origin(project))
    assert "def test_same_returns_its_argument():" in source
    assert "def test_same_returns_its_argument_2():" in source


def test_names_that_would_clash_or_be_collected_are_imported_under_another(project: Path) -> None:
    one = as_node(1)
    cases = [
        TestCase("helper", Call(cart("replay"), (replayed(cart("trees"), (0,)),)), returns(None)),
        TestCase("local", Call(cart("same"), (Atom("total"),)), returns(1), given=(Let("total", one),)),
        TestCase("hidden", Call(cart("total"), (as_node([1]),)), returns(1)),
        TestCase("collected", Call(cart("test_like"), (one,)), IsTrue()),
        TestCase(
            "other", Call(Ref("operator", "same"), (one, one)), known_failure=KnownFailure("x", run=False)
        ),
    ]
    [path] = write_tests(project / "tests", "shop", cases[:4], origin(project))
    assert "from shop.cart import test_like as target_test_like  # noqa: E402" in path.read_text()
    result = verify(path, project=project, timeout=60)
    assert result.ok, result
    assert len(result.tests) == 4
    assert ruff_says(path, project) == ""
    both = render_file(project, [*cases, pinned(1)], origin(project))
    assert "from operator import same\n" in both
    assert "from shop.cart import same as target_same  # noqa: E402" in both


def test_hostile_texts_end_up_harmless(project: Path) -> None:
    nasty = '"""\n# noqa\x1b[31m\ud800\u202e' + "x" * 10**6
    case = TestCase(
        nasty,
        Call(cart("depth"), (as_node((None, "c", None)),)),
        known_failure=KnownFailure(nasty),
        finding=nasty,
    )
    where = Origin(nasty, nasty, project, (project,))
    [path] = write_tests(project / "tests", nasty, [case], where)
    assert path.stat().st_size < 3000
    assert ruff_says(path, project) == ""
    assert verify(path, project=project, timeout=60).ok


def test_nothing_to_write_writes_nothing(project: Path) -> None:
    assert write_tests(project / "tests", "shop", [], origin(project)) == []
    assert not (project / "tests").exists()


def test_writing_again_changes_nothing(project: Path) -> None:
    first = write_tests(project, "shop", [pinned(1)], origin(project))
    before = first[0].read_bytes()
    assert write_tests(project, "shop", [pinned(1)], origin(project)) == first
    assert first[0].read_bytes() == before
    assert sorted(path.name for path in project.glob("*test*")) == ["test_shop.py"]


def test_an_edited_file_is_never_overwritten(project: Path) -> None:
    [path] = write_tests(project, "shop", [pinned(1)], origin(project))
    edited = path.read_text().replace("same(1) == 1", "same(1) == 1  # mine")
    path.write_text(edited)
    second = write_tests(project, "shop", [pinned(1)], origin(project))
    assert [p.name for p in second] == ["test_shop_2.py"]
    assert write_tests(project, "shop", [pinned(1)], origin(project)) == second
    assert path.read_text() == edited


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"# untrod:seal 0123456789abcdef\n"])
def test_a_file_that_is_not_ours_is_left_alone(project: Path, content: bytes) -> None:
    (project / "test_shop.py").write_bytes(content)
    [path] = write_tests(project, "shop", [pinned(1)], origin(project))
    assert path.name == "test_shop_2.py"
    assert (project / "test_shop.py").read_bytes() == content


def test_a_checkout_with_other_line_ends_is_no_edit(project: Path) -> None:
    [path] = write_tests(project, "shop", [pinned(1)], origin(project))
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert write_tests(project, "shop", [pinned(1)], origin(project)) == [path]


def test_tests_of_an_earlier_campaign_are_not_lost(project: Path) -> None:
    [first] = write_tests(project, "shop", [pinned(1, "one")], origin(project))
    [second] = write_tests(project, "shop", [pinned(2, "two")], origin(project))
    assert (first.name, second.name) == ("test_shop.py", "test_shop_2.py")
    assert write_tests(project, "shop", [pinned(1, "one"), pinned(2, "two")], origin(project)) == [first]


def test_no_path_entry_when_none_is_needed(project: Path) -> None:
    source = render_file(project, [pinned(1)], Origin("inputs", "shop.cart", project))
    assert "sys.path" not in source
    assert "noqa" not in source


def test_a_file_anywhere_is_imported_wherever_the_test_lies(project: Path) -> None:
    deep = project / "a folder" / ("long-" * 12) / "deeper"
    deep.mkdir(parents=True)
    for name in ("scripts", "my-script"):
        (deep / f"{name}.py").write_text("def twice(x):\n    return 2 * x\n")
        case = TestCase("twice", Call(Ref(name, "twice"), (as_node(2),)), returns(4))
        where = Origin("inputs", name, project, (deep,))
        [path] = write_tests(project / "tests" / "found", name, [case], where)
        assert ruff_says(path, project) == ""
        assert verify(path, project=project, timeout=60).ok


def test_long_import_lists_are_wrapped(project: Path) -> None:
    names = [f"a_rather_long_name_number_{n}" for n in (1, 2, 10, 11)]
    (project / "shop" / "many.py").write_text("\n".join(f"{name} = CONSTANT = Class = len" for name in names))
    refs = [Ref("shop.many", name) for name in [*names, "CONSTANT", "Class"]]
    cases = [TestCase(ref.qualname, Call(ref, (Text("abc"),)), returns(3)) for ref in refs]
    for folders in ((), (project,)):
        [path] = write_tests(
            project / "tests", "many", cases, Origin("inputs", "shop.many", project, folders)
        )
        assert ruff_says(path, project) == ""
