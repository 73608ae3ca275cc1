"""What a project installs, read from the files that build it."""

from __future__ import annotations

from pathlib import Path

import pytest

from untrod.hunting.discover import discover
from untrod.hunting.product import product_of

F = "def f(n): ...\n"
TREE = (
    *("pkg/__init__.py", "pkg/core.py", "pkg/tests/helper.py", "src/real/__init__.py", "src/real/core.py"),
    *("benchmarks/__init__.py", "benchmarks/speed.py", "examples/demo.py", "docs/conf.py", "scripts/go.py"),
    *("tests/helper.py", "other/__init__.py", "other/core.py", "lone.py", "setup.py"),
)


@pytest.fixture
def tree(project):
    for name in TREE:
        project.write(name, F)
    return project


def modules(project, place: str = ".") -> set[str]:
    found = discover(project.folder / place, project.folder, Path("tests/untrod"))
    return {task.target for task in found.tasks}


PKG, REAL = {"pkg/__init__.py", "pkg/core.py"}, {"src/real/__init__.py", "src/real/core.py"}


@pytest.mark.parametrize(
    ("file", "text", "installed"),
    [
        ("pyproject.toml", '[tool.setuptools]\npackages = ["pkg"]', PKG),
        ("pyproject.toml", '[tool.setuptools]\npy-modules = ["lone"]', {"lone.py"}),
        ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["src"]', REAL),
        ("pyproject.toml", '[tool.setuptools.packages.find]\ninclude = ["pkg*"]', PKG),
        (
            "pyproject.toml",
            '[tool.setuptools.packages.find]\nexclude = ["other*"]\nnamespaces = false',
            PKG,
        ),
        ("pyproject.toml", '[project]\nname="x"\n[tool.hatch.build.targets.wheel]\npackages = ["pkg"]', PKG),
        ("pyproject.toml", '[tool.hatch.build]\ninclude = ["pkg/**"]', PKG),
        ("pyproject.toml", '[tool.poetry]\nname="x"\npackages=[{include="real", from="src"}]', REAL),
        ("pyproject.toml", '[tool.flit.module]\nname = "real"', REAL),
        ("pyproject.toml", '[tool.uv.build-backend]\nmodule-name = "pkg"\nmodule-root = ""', PKG),
        ("pyproject.toml", '[project]\nname = "real"', REAL),  # src, by itself
        ("setup.cfg", "[options]\npackages =\n    pkg\n", PKG),
        ("setup.cfg", "[options]\npackages = find:\npackage_dir =\n    = src\n", REAL),
        ("setup.cfg", "[options]\npackages = find:\n[options.packages.find]\nwhere = src\n", REAL),
        ("setup.py", "import setuptools\nsetuptools.setup(packages=['pkg'])", PKG),
        ("setup.py", "P = ['pkg']\nsetup(name='x', packages=P)", PKG),
        ("setup.py", "options = dict\nO = {'packages': ['pkg']}\nsetup(**O)", PKG),
        ("setup.py", "setup(packages=find_packages('src'), package_dir={'': 'src'})", REAL),
        ("setup.py", "setup(packages=find_packages(exclude=['other', 'benchmarks']))", PKG),
        ("setup.py", "setup(package_dir={'real': 'src/real'}, packages=['real'])", REAL),
        ("setup.py", "setup(py_modules=['lone'])", {"lone.py"}),
        ("setup.py", "setup(packages=['scripts', 'examples'])", {"scripts/go.py", "examples/demo.py"}),
        ("setup.py", "raise SystemExit('it was run')", REAL),
        ("real.egg-info/top_level.txt", "real\n", REAL),
    ],
)
def test_what_is_installed_is_the_product(tree, file, text, installed):
    if file.startswith("real"):
        tree.write("setup.py", "setup(packages=made())")
    tree.write(file, text)
    assert modules(tree) == installed


def test_without_a_word_about_building_all_but_the_usual_folders(project):
    for name in TREE[:-1]:
        project.write(name, F)
    assert modules(project) == PKG | REAL | {"other/__init__.py", "other/core.py", "lone.py"}


def test_a_flat_project_by_its_name_or_by_what_is_no_usual_folder(project):
    for name in TREE[:3] + TREE[5:-1]:
        project.write(name, F)
    project.write("pyproject.toml", '[project]\nname = "pkg"')
    assert modules(project) == PKG
    project.write("pyproject.toml", '[project]\nname = "another"')
    assert modules(project) == PKG | {"other/__init__.py", "other/core.py", "lone.py"}


def test_what_is_named_is_hunted_in(tree):
    tree.write("setup.cfg", "[options]\npackages = pkg\n")
    assert modules(tree, "benchmarks") == {"benchmarks/__init__.py", "benchmarks/speed.py"}
    assert modules(tree, "examples/demo.py") == {"examples/demo.py"}
    assert modules(tree, "scripts") == {"scripts/go.py"}
    assert modules(tree, "pkg") == PKG
    assert modules(tree, "pkg/core.py") == {"pkg/core.py"}


def test_the_projects_tests_stay_what_properties_are_read_from(tree):
    tree.write("setup.cfg", "[options]\npackages = pkg\n")
    given = "@given(st.integers())\ndef test_it(n): ...\n"
    for name in ("tests/test_a.py", "pkg/tests/test_b.py", "benchmarks/test_c.py"):
        tree.write(name, given)
    assert modules(tree) == PKG | {"tests/test_a.py", "pkg/tests/test_b.py"}


def test_what_is_left_out_is_said_in_one_line(tree):
    tree.write("setup.cfg", "[options]\npackages = pkg\n")
    (notice,) = discover(tree.folder, tree.folder, Path("tests/untrod")).notices
    assert notice.startswith("not what the project installs, left out unless named: ")
    assert "benchmarks" in notice


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pyproject.toml", "[tool.setuptools\n"),
        ("pyproject.toml", '[tool.setuptools]\npackages = ["../elsewhere", "/", 3]'),
        ("pyproject.toml", "[tool]\nsetuptools = 3\npoetry = []\n[project]\nname = []"),
        ("setup.cfg", "packages = [\n"),
        ("setup.py", "setup(packages=["),
    ],
)
def test_files_that_make_no_sense_say_nothing(project, file, text):
    project.write("a.py", F)
    project.write(file, text)
    product_of(project.folder)
    assert "a.py" in modules(project)
