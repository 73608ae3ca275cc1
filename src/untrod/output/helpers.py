"""The few lines that a written test may need besides the target: written into its file, so that it depends on
nothing of untrod.

A case refers to a helper by a Ref without a module; the writer adds the source of those that are used.
"""

from __future__ import annotations

from dataclasses import dataclass

from untrod.output.cases import REPLAY
from untrod.source.nodes import Ref

STEPS = Ref("", "steps")
CALLS = Ref("", "calls")
PEAK_BYTES = Ref("", "peak_bytes")
COUNTED = Ref("", "counted")
COUNTED_BY = Ref("", "counted_by")
COUNTED_FROM = Ref("", "counted_from")
COLLECTED = Ref("", "collected")
ENTERED = Ref("", "entered")


BUILT = Ref("", "built")
FOUND = Ref("", "found")
RUN = Ref("", "run")
ENDS_WELL = Ref("", "ends_well")
PAGE = Ref("", "page")
TROUBLES = Ref("", "troubles")
DEVICE = Ref("", "device")
EVENTUALLY = Ref("", "eventually")
LOGGED = Ref("", "logged")


@dataclass(frozen=True, slots=True)
class Helper:
    """`names` are what it binds at the top of the file or could be mistaken for."""

    source: str
    names: tuple[str, ...]
    modules: tuple[str, ...] = ()
    needs: tuple[Ref, ...] = ()
    """Other helpers that it calls."""


_REPLAY = '''\
def replay(*answers):
    """Answer the generator's questions as recorded, then with the first option."""
    recorded = iter(answers)

    def choose(options, context=None, site=None):
        index = next(recorded, 0)
        return (range(options) if isinstance(options, int) else options)[index]

    return choose'''

_STEPS = '''\
def steps(function, *arguments):
    """How many bytecodes the call executes, in all Python code that it reaches. It may raise."""
    count = 0

    def step(frame, event, value):
        nonlocal count
        count += event == "opcode"
        return step

    def enter(frame, event, value):
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return step

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        function(*arguments)
    except Exception:
        pass
    finally:
        sys.settrace(before)
    return count'''

_CALLS = '''\
def calls(function, *arguments):
    """How many functions are called, Python and built-in ones, the function included. It may raise."""
    count = -1  # the call of sys.setprofile at the end

    def tell(frame, event, value):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(tell)
    try:
        function(*arguments)
    except Exception:
        pass
    finally:
        sys.setprofile(before)
    return count'''

_PEAK_BYTES = '''\
def peak_bytes(function, *arguments):
    """How much memory is in use at the peak of the call, beyond what was before. It may raise."""
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    try:
        function(*arguments)
    except Exception:
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak - before'''

_COUNTED = '''\
def counted(module, name, function, *arguments):
    """The variable of the module after the call, if it is 0 before. The call may raise."""
    setattr(sys.modules[module], name, 0)
    try:
        function(*arguments)
    except Exception:
        pass
    return getattr(sys.modules[module], name)'''

_COUNTED_BY = '''\
def counted_by(counter, function, *arguments):
    """What the counter says after the call, which may raise."""
    try:
        function(*arguments)
    except Exception:
        pass
    return counter()'''

_COUNTED_FROM = '''\
def counted_from(counter, function, *arguments):
    """What the counter says of the result of the call."""
    return counter(function(*arguments))'''

_COLLECTED = '''\
def collected(generator, most=100):
    """The first items of an asynchronous generator."""

    async def collect():
        items = []
        async for item in generator:
            items.append(item)
            if len(items) == most:
                break
        return items

    return asyncio.run(collect())'''

_ENTERED = '''\
async def entered(manager, error=None):
    """What an asynchronous context manager gives. The body raises the error, if there is one."""
    async with manager as value:
        if error is not None:
            raise error
    return value'''

_BUILT = '''\
_FOLDER = tempfile.TemporaryDirectory()


@functools.cache
def built(*sources, flags=()):
    """The program, compiled in the folder above this file in which the sources lie."""
    above = pathlib.Path(__file__).resolve().parents
    project = next(folder for folder in above if (folder / sources[0]).is_file())
    program = tempfile.mktemp(dir=_FOLDER.name)
    paths = [project / source for source in sources]
    subprocess.run(["gcc", "-O1", "-o", program, *paths, *flags], cwd=project, check=True)
    return program'''

_FOUND = '''\
def found(name):
    """A program that lies in a folder above this file."""
    above = pathlib.Path(__file__).resolve().parents
    return next(str(folder / name) for folder in above if (folder / name).is_file())'''

_RUN = '''\
_SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=0:exitcode=86", "UBSAN_OPTIONS": "exitcode=86"}


def run(program, *arguments, stdin=b"", files=(), seconds=20):
    """Exit status (minus the signal that ended it), standard output, standard error."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in dict(files).items():
            (pathlib.Path(folder) / name).write_bytes(content)
        done = subprocess.run(
            [b"program", *arguments],
            executable=program,
            input=stdin,
            cwd=folder,
            env={"LC_ALL": "C", "PATH": "/usr/bin:/bin", **_SANITIZERS},
            capture_output=True,
            timeout=seconds,
        )
    return done.returncode, done.stdout, done.stderr'''

_ENDS_WELL = '''\
def ends_well(program, *arguments, **options):
    """Does it end, by itself, and without a sanitizer's complaint?"""
    try:
        status, _, said = run(program, *arguments, **options)
    except subprocess.TimeoutExpired:
        return False
    complaint = status == 86 and (b"Sanitizer" in said or b"runtime error:" in said)
    return status >= 0 and not complaint'''

_CHROMIUM = '''\
@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """The Chromium that is installed, where there is one, instead of Playwright's own."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if path := shutil.which(name):
            return {**browser_type_launch_args, "executable_path": path}
    return browser_type_launch_args'''

_TROUBLES = '''\
def troubles(page):
    """What goes wrong on the page from now on, by kind."""
    seen = []
    page.on("pageerror", lambda error: seen.append("exception"))
    page.on("crash", lambda page: seen.append("crash"))

    def tell(response):
        if response.status >= 400 and not response.url.endswith("/favicon.ico"):
            seen.append("server-error" if response.status >= 500 else "client-error")

    page.on("response", tell)
    return seen'''

_DEVICE = '''\
@pytest.fixture
def device():
    """The device that $ANDROID_SERIAL names, or the only one."""
    return uiautomator2.connect()'''

_EVENTUALLY = '''\
def eventually(condition, seconds=10):
    """Wait until it holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to hold in time"
        time.sleep(0.2)'''

_LOGGED = '''\
def logged(device, kind, package):
    """How often the device's log tells of it: a crash is am_crash, a hang is am_anr."""
    time.sleep(1)  # it is written a moment later
    log = device.shell("logcat -b events -d").output
    return sum(kind in line and package in line for line in log.splitlines())'''

HELPERS: dict[Ref, Helper] = {
    BUILT: Helper(_BUILT, ("built",), ("functools", "pathlib", "subprocess", "tempfile")),
    FOUND: Helper(_FOUND, ("found",), ("pathlib",)),
    RUN: Helper(_RUN, ("run",), ("pathlib", "subprocess", "tempfile")),
    ENDS_WELL: Helper(_ENDS_WELL, ("ends_well",), ("subprocess",), (RUN,)),
    PAGE: Helper(_CHROMIUM, ("browser_type_launch_args",), ("pytest", "shutil")),
    TROUBLES: Helper(_TROUBLES, ("troubles",)),
    DEVICE: Helper(_DEVICE, ("device",), ("pytest", "uiautomator2")),
    EVENTUALLY: Helper(_EVENTUALLY, ("eventually", "time"), ("time",)),
    LOGGED: Helper(_LOGGED, ("logged", "time"), ("time",)),
    REPLAY: Helper(_REPLAY, ("replay", "choose")),
    STEPS: Helper(_STEPS, ("steps",), ("sys",)),
    CALLS: Helper(_CALLS, ("calls",), ("sys",)),
    PEAK_BYTES: Helper(_PEAK_BYTES, ("peak_bytes",), ("gc", "tracemalloc")),
    COUNTED: Helper(_COUNTED, ("counted",), ("sys",)),
    COUNTED_BY: Helper(_COUNTED_BY, ("counted_by",)),
    COUNTED_FROM: Helper(_COUNTED_FROM, ("counted_from",)),
    COLLECTED: Helper(_COLLECTED, ("collected",), ("asyncio",)),
    ENTERED: Helper(_ENTERED, ("entered",)),
}
